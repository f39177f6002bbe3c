"""Symmetric-transitive closures: the partition of nodes into connected components.

`component_table` is the table; `disjoint_sets` its partition; `new_edges` and `lost_edges` change
it, and `connected` answers what is still connected.
"""
