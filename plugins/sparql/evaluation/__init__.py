"""The parts of the algebra, evaluated a block of solutions at a time.

Entry: `evaluate`. A part is an operator of `joins` (with basic graph patterns), `modifiers`
(FILTER, BIND, projection, order, slices) or `grouping`, applied within a `scope`: the query's
terms, graphs, budget, and the solutions that the part is joined with.

`least_values` are the first rows of an order, found without the others. Groups are counted by a
`tally` of different rows and folded by `column_aggregates`.
"""
