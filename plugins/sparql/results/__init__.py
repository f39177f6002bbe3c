"""What users get: the solutions of a query in each of its four forms.

Entry: `forms` (SELECT, ASK, CONSTRUCT, DESCRIBE). `query_results` are rdflib's results made of
columns, `data_frames` the same as tables of pyarrow, pandas and polars, `serialising` as files in
`solution_formats` of the W3C. `plan_text` tells how a query was evaluated. `templates` of
CONSTRUCT, and those of updates, are filled with solutions.
"""
