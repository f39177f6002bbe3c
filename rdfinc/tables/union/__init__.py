"""The union storage scheme: subjects with the same objects share a row.

`class_union` is the table, over `id_groups`, `class_rows` and `shared_rows`; `relation_union`
keeps a relation to which others are copied.
"""
