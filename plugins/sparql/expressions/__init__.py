"""Expressions, evaluated for all rows of a block at once.

Entry: `column_expressions` compiles an expression to `term_operators` over `row_blocks`. A chain of
comparisons (`chains`) becomes one operator. An operator takes whole columns (`comparisons`,
`membership` for IN), or calls a function once for each different operand, seen in one of the
`operand_views`. Functions of SPARQL 1.1, 17.4, are `query_functions`, `text_functions` and
`casts`; `date_arithmetic` is more than SPARQL knows. `labels` are the blank nodes of BNODE.
"""
