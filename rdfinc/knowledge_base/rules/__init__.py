"""Which rules are in force, and what of them is compiled.

Entry: `rulebook`. `sleeping` leaves out what can have no instance, and looks at what relations
gain (`gains`). `rule_intake` takes what users hand in, `rule_places` says which of it cannot be
put in strata, and where that is. `term_encoding` turns constants and expressions into ids,
`aggregate_evaluation` folds groups of ids.
"""
