"""The rules of the profiles, in text files under their W3C names (`owl2rl*.dlog`, `rdfs*.dlog`).

Entry: `profile_rules`; `prepared_rules` are its texts, parsed beforehand. `by_value` makes the
rules that compare literals by value, `thing_lists` the rules for lists with owl:Thing, and
`asked_literals` the rules for literals in the patterns of users' rules.
"""
