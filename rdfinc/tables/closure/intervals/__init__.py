"""Transitive closures over condensed graphs: the interval storage scheme.

`interval_table` is the table (Agrawal, Borgida and Jagadish 1989). Its `labelling` says which
components there are (`component_partition`, made by `condensation`) and what each reaches
(`reach_rows`: `range_rows` over a `tree_cover`, or `bit_rows`).

A deletion or insertion of edges goes `relabelling` (components that merge and split) ->
`propagate_reachability` (rows, in order of height); `changed_pairs` tells which pairs came
and went. Beneath are `oriented` and `adjacency` (edges), `segment_tree` and `arena` (rows).
"""
