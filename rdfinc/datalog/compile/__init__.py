"""Clauses -> plans and strata.

`relation_hypergraph`: relations that depend on each other, and the order of the others (Xu and
Curé). `planning`: for each literal of a body a plan that it drives. `chain_rules` and
`linear_rules` stand for the rules of modules (Hu, Urbani, Motik and Horrocks).
"""
