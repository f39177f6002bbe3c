"""The algebra of a query or an update (SPARQL 1.1, section 18.2), made of its syntax tree.

Entry: `translate`. Its `shape_of` makes the algebra that all query texts of one shape share,
`query_of` that of a text alone in its shape, `update_of` that of an update. `aggregation` takes
aggregates out of the expressions that contain them, `in_scope` tells which variables a group shows,
`part_variables` which ones a part of the algebra may bind, and which it binds always.
`forbidden` refuses what the grammar lets pass and SPARQL forbids. What comes out is a
`request_algebra`, to be asked in a `query_context`.

Beside the way of a text: `bindings` are given by callers, `data_blocks` are long ground data, read
as Turtle is.
"""
