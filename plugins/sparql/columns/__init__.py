"""Solutions and terms as columns, which all parts of an evaluation take and give.

Entry: `solutions`, a multiset of solution mappings as columns of ids, and `few_solutions`, one as
rows where they are few. `pattern_slots` have the ids of terms in patterns, `query_terms` the terms
behind the ids, those that only the query has included; `budget` is how much of all that a query may
take.

An expression has `term_columns`: each distinct term once, seen as keys, as values (`term_values`,
and `typed_columns` of numbers, dates and booleans), as texts (`enclosed_texts`, many as one) or as
`outcomes` of a condition.
"""
