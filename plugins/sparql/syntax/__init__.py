"""SPARQL 1.1 texts -> syntax trees, by recursive descent, in time linear in the text.

Entry: `query_reader` and `update_reader`. A text is freed of `escapes` and taken apart into
`tokens`; a `cursor` is a place among them, and a `sparql_error` tells of it, with `hints`;
`prologue` resolves names. What is read are `trees`, with `nodes` of the algebra where they hold
expressions: terms by `term_reader`, triples and paths by `triple_reader`, expressions by
`expression_reader`, what is shown and how it is ordered by `select_reader`, group graph patterns by
`group_reader`.
"""
