"""Symmetric-transitive closures: the partition of nodes into connected components."""
