"""Rules as data: what they are, when they are safe, and how they are matched. No facts.

Read first `model` (rules as people write them), `variables`, `printing`, `canonical_rules` (one
text for equal rules), then `clause` (rules over ids).

A rule goes through the rooms so: `syntax` reads its text, `analysis.safety` accepts it,
`transform.core_rules` takes it apart, `transform.rule_families` makes it a row of a template,
`transform.representatives` rewrites clauses over equal terms, `compile.relation_hypergraph` puts
relations in strata, and `compile.planning` orders the body. `drawing` shows them, in the strata of
`analysis.rule_hypergraph`: those in which the reasoning runs may be finer. `relations`,
`functions` and `list_builtins` name what atoms, expressions and built-ins are about.
`rule_thresholds` has the sizes at which another way is taken.
"""
