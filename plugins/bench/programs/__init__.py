"""Programs that a process of its own runs, each with one library and without rdfinc's packages
around it, which would take memory and change what is measured.

`rdfinc_base`, `rdflib_graph` (rdflib's store, oxrdflib's, and owlrl over the first),
`oxigraph_store`, `reasonable_closure`, `rule_engines` (clingo, nemo, DuckDB). Each class is made
for a profile, its `load` reads data and rules and derives what follows, and gives the seconds that
the deriving took; `size` counts the facts, `write` makes N-Triples of them. Those that answer
SPARQL also have `ask`, which counts the rows, `withdraw` and `state`, which change one statement, a
line of N-Triples.
"""
