"""Expressions, evaluated for all rows of a block at once.

Entry: `column_expressions`, which compiles an expression to `term_operators` over `row_blocks`, a
chain of comparisons (`chains`) to one of them. An operator calls a function (SPARQL 1.1, 17.4) once
for each different operand, seen in one of the `operand_views`: `query_functions`, `text_functions`
with `regular` expressions that end, and `casts`. `labels` have blank nodes; `comparisons` and
`membership` (IN) take whole columns. `rdflib_functions` are those that SPARQL does not know.
"""
