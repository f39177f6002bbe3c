"""SPARQL's expressions and aggregates over terms, for rules.

Entry: `expression.ExpressionLike` and what makes one; `aggregates` for values of groups.

Oxigraph computes them. `rewriting` keeps it from changing terms that only pass through,
`direct_calls` and `term_identity` answer without it, and `exact_numbers` with `operations` and
`exact_functions` where numbers are too long for it. `pattern_functions` are REGEX and REPLACE, by
`regular` expressions that end. `exact_sums` adds up whatever the order.
"""
