"""Clauses -> plans and strata.

`relation_hypergraph`: strata, the levels of relations that depend on each other (Xu and Curé).
`planning`: for each literal of a body a plan that it drives. `chain_rules` and `linear_rules` stand
for the rules of modules (Hu, Urbani, Motik and Horrocks).
"""
