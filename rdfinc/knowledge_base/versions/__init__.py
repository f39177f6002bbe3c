"""All facts between two commits, and what users see of them.

`version` holds them, `visibility` is the one function that decides what is shown, `fact_views`
reads it. `change` is what is asked of a knowledge base; `visible_delta`, with `alias_delta` and
`literal_ends`, what it changed for users. `term_predicates`: which
predicates a term has. `containers`: which rdf:_n are in use.
"""
