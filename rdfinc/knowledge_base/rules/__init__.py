"""Which rules are in force, and what of them is compiled.

Entry: `rulebook`. `sleeping` leaves out what can have no instance. `rule_intake` and
`swrl_sources` take what users hand in, `rule_places` and `blame` say which of it cannot be put in
strata. `term_encoding` turns constants and expressions into ids, `aggregate_evaluation` folds
groups of ids.
"""
