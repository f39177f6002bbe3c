"""Solutions and terms as columns, which all parts of an evaluation take and give.

Entry: `solutions`, a multiset of solution mappings as columns of ids; `few_solutions` is a small
one as rows. `pattern_slots` are the ids of terms in patterns, `query_terms` the terms behind all
ids, computed ones included; `budget` bounds the time and memory of a query.

The value of an expression for a block is one of the `term_columns`: each distinct term once;
`term_tuples` are several of them side by side. A column is seen as keys, as values (`term_values`,
and `typed_columns` of numbers, dates and booleans), as texts (`enclosed_texts`, many as one) or as
`outcomes` of a condition.
"""
