"""The rules of the profiles, in text files under their W3C names (`owl2rl*.dlog`, `rdfs*.dlog`).

Entry: `profile_rules`; `prepared_rules` are those of its texts that need not be parsed. `by_value`
makes rules that compare literals by their values, `thing_lists` those for lists that name
owl:Thing, and `asked_literals` those for literals that users' rules ask about.
"""
