"""SWRL rules, as triples or text -> Datalog rules.

`swrl_model` are the rules as written; `swrl_triples` reads them from triples, `swrl_reader` from
parsed text; `swrl_rules` translates, with `swrl_binding` for built-ins and data ranges.
`swrl_changes` keeps them in step with the triples.
"""
