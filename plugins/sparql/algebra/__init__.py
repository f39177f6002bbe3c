"""The algebra of a query or an update (SPARQL 1.1, section 18.2), made of its syntax tree.

Entry: `translate`, with `shape_of` for the text of a query, of which texts that differ in constants
share one, `query_of` for a text that is alone in its shape, and `update_of`. `aggregation` takes
aggregates out of the expressions that contain them, `in_scope` tells which variables a group shows.
`part_variables` is the same question asked of a part of the algebra: the variables that it may
bind, and those that it binds always.

Beside the way of a text: `prepared` requests were parsed by rdflib and are translated again,
`bindings` are given by callers, `data_blocks` are long ground data, read as Turtle is.
"""
