"""Bulk loads: RDF files -> a folder of Parquet with dense ids, made by Spark.

Entry: `bulk`. `load_tasks` is the work of each task. `layout` tells of the folder and takes it into
a knowledge base, `folder_copies` copies it, `equal_literals` finds literals of one value.
"""
