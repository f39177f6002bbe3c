"""Expressions, evaluated for all rows of a block at once.

Entry: `column_expressions`, which compiles an expression to `term_operators`, a chain of
comparisons (`chains`) to one of them. An operator calls `query_functions` (SPARQL 1.1, 17.4) once
for each different operand, with `regular` expressions that end and the blank nodes of `labels`;
`comparisons` and `membership` (IN) take whole columns. `rdflib_functions` are those that SPARQL
does not know.
"""
