"""Terms: IRIs, blank nodes and literals, their numbers, and what literals denote.

The layer knows RDF and no rules. `dictionary` maps keys (canonical N-Triples texts) to ids and
back.

Read first `grammar` (what keys look like), `canonical_terms`, `dictionary`, `leases` (until when an
id is in use), `term_table`, `frozen_terms`, `frozen_numbering` and `freezing` (many terms in blocks
and a table of hashes, in memory or on disk); then the rooms `io` (documents in and out), `builtins`
(functions of literals) and `expressions` (SPARQL's expressions over terms). `skolem` and
`computed_depth` are about terms that rules compute, `rdflib_terms` and `oxigraph_terms` about those
of other libraries; `whole_imports` loads these. `late_patterns` are regular expressions that wait
for their use. `term_thresholds` has the sizes at which another way is taken.
"""
