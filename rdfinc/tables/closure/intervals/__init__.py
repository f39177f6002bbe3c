"""Transitive closures over condensed graphs: the interval storage scheme.

`interval_table` is the table (Agrawal, Borgida and Jagadish 1989). Its `labelling` says which
components there are (`component_partition`, made by `condensation`) and what each reaches
(`reach_rows`: `range_rows` over a `tree_cover`, or `bit_rows`).

A deletion or insertion of edges is `changed_edges`: which components merge and split, and then by
`propagate_reachability` their rows, in order of height. `changed_pairs` tells which pairs came and
went by it. Beneath are `oriented` and `adjacency` (edges), `segment_tree` and `arena` (rows).
"""
