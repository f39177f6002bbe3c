"""Files that Spark loads in bulk, as a knowledge base on disk that opens at once and goes on.

python examples/spark_to_open.py        (pip install "rdfinc[spark]")

Spark reads with all its cores or machines and leaves a folder. A directory takes the folder over
once; from then on it opens without reading or deriving anything, and is updated fact by fact.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import rdfinc
from rdfinc.plugins.spark import bulk_load
from rdfinc.plugins.spark.session import spark_session

ONTOLOGY = """@prefix : <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:partOf a owl:TransitiveProperty .
"""
PARTS = 256

with tempfile.TemporaryDirectory() as place:
    folder = Path(place)
    (folder / "ontology.ttl").write_text(ONTOLOGY)
    with (folder / "data.nt").open("w") as file:
        for n in range(1, PARTS):
            ends = f"<http://example.org/p{n}>", f"<http://example.org/p{n // 2}>"
            file.write(f"{ends[0]} <http://example.org/partOf> {ends[1]} .\n")

    with spark_session("local[2]") as spark:
        bulk_load(spark, [folder / "data.nt", folder / "ontology.ttl"], str(folder / "loaded"))
    with rdfinc.open(folder / "kept") as kb:
        report = kb.load(folder / "loaded")
        print(
            f"{report.triples:,} triples from Spark's folder, {len(kb):,} facts with what follows"
        )

    with rdfinc.open(folder / "kept") as kb:
        print(f"opened again: {len(kb):,} facts")
        asked = "SELECT (COUNT(*) AS ?n) { ?part :partOf :p7 }"
        (row,) = kb.query(asked)
        print("parts of part 7:", row.n)
        delta = kb.update(delete=[(":p14", ":partOf", ":p7")])
        (row,) = kb.query(asked)
        print(f"without one of its two halves: {len(delta.removed):,} facts gone, {row.n} parts")
