"""The rules of the profiles, in text files under their W3C names (`owl2rl*.dlog`, `rdfs*.dlog`).

Entry: `profile_rules`. `by_value` compares literals by their values, `everything` and
`literal_readers` are rules for lists that name owl:Thing and for literals that users' rules ask
about.
"""
