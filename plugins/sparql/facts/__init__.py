"""What the graphs of a query show, and the triple patterns and paths that are matched with it.

Entry: `graphs`, the graphs of a query as facts of one version of the store. `fact_relations` are
the facts of one graph, read a column at a time: `predicate_facts` those of one predicate,
`predicate_index` the predicates that have some. `patterns` are matched with them, one after the
other in their `join_order`; `ranges` are the objects that a comparison leaves, by the order of
values. `paths` are property paths as relations: `path_closures` those of any length, with
`link_lists` for long ways from few nodes.

For GRAPH with a variable, all named graphs at once: `named_facts`, `named_paths`.
"""
