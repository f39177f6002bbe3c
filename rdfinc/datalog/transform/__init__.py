"""Rules -> rules: the passes between what people write and what is compiled, in this order.

`list_rules` (built-ins over lists, by `lists.dlog`), `core_rules` (bodies within bodies),
`rule_families` (a template and a row), `representatives` (clauses over what stands for equal
terms).
"""
