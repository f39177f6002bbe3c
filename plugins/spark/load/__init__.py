"""Bulk loads: RDF files -> a folder of Parquet with dense ids, made by Spark.

Entry: `bulk`. `load_tasks` is what each task does, `layout` what is in the folder and how a
knowledge base takes it in, `equal_literals` which literals have one value.
"""
