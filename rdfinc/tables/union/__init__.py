"""Unions: of classes, as rows that individuals share, and of other relations, as their tables.

`union_table` is the union table of rdf:type, in which the individuals of the same classes share one
row: `id_groups` numbers the individuals, `shared_rows` holds the rows. `relation_union` is the
union of other relations, for a relation to which rules copy all pairs of these (Zhang et al. 2024).
"""
