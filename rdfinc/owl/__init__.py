"""OWL 2 RL, RDFS and SWRL as Datalog.

The layer knows rules, and reads facts through a protocol of its own. `vocabulary` are the terms
that it looks for, `list_axioms` RDF lists as auxiliary facts, and `owl_thresholds` says which lists
are long; the rooms are `profiles` (rules of OWL and RDFS), `swrl`, and `coverage` (which axioms the
rules use). Users read and write SWRL rules by `swrl_text`.
"""
