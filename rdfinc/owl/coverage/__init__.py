"""Which axioms among explicit triples the rules use: wholly, in part or not at all.

Entry: `report`. `told_axioms` keeps what was found, `surveys` says where axioms of a kind stand,
and `axiom_coverage` and `class_coverage` judge them by `findings`. `named_triples` reads axioms
by name, `w3c_terms` knows which names there are.
"""
