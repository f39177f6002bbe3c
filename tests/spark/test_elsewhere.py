"""Loads, closures and changes in a bucket of S3, beside a knowledge base."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from pyspark.sql import SparkSession
from spark.test_closure import killed_and_again, read, texts
from spark.test_machines import edges

import thresholds
from rdfinc import KnowledgeBase
from rdfinc.plugins.spark import bulk_load, change, copy_folder, extend, materialise
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.plugins.spark.storage.remote_folder import RemoteFolder
from rdfinc.plugins.spark.storage.remote_paths import RemotePath

BATCHES = "gone", "new", "more"
RULES = """@prefix : <http://e/> .
[?x, :p, ?z] :- [?x, :p, ?y], [?y, :p, ?z] .
[?x, :of, ?y] :- [?y, :p, ?x], [?x, :q, ?z] .
"""
TURTLE = "@prefix : <http://e/> . :n1 :p [ :p :n2 ] ; :q 'one' ."


class Data:
    """Files of random edges, of some that go, and some that come."""

    def __init__(self, bucket: RemotePath, folder: Path) -> None:
        self._bucket, self._folder = bucket, folder
        chance = Random(1)
        some = edges(chance, 40)
        self.texts = {"data.nt": "".join(some), "data.ttl": TURTLE}
        self.texts["gone.nt"] = "".join(chance.sample(some, 8))
        self.texts |= {f"{name}.nt": "".join(edges(chance, 8)) for name in ("new", "more")}
        for name, text in self.texts.items():
            (bucket / name).write(text.encode())

    def uri(self, name: str) -> str:
        return (self._bucket / name).uri

    def statements(self, name: str) -> list[tuple[str, ...]]:
        return [tuple(line.split()[:3]) for line in self.texts[f"{name}.nt"].splitlines()]

    def closure(self, name: str) -> set[tuple[str, ...]]:
        """The closure in a folder of the bucket, read from a copy."""
        copy_folder(self.uri(name), self._folder / name)
        return read(self._folder / name)


def test_what_is_made_in_a_bucket_is_what_a_knowledge_base_makes(
    spark: SparkSession, bucket: RemotePath, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, kb = Data(bucket, tmp_path), KnowledgeBase(profile="none")
    kb.add_rules(RULES)
    for name in ("data.nt", "data.ttl"):
        kb.load(data.texts[name].encode(), format=name[5:])
    bulk_load(spark, [data.uri("data.*")], data.uri("loaded"))
    ends, options = (data.uri("loaded"), data.uri("closed")), {"profile": "none", "rules": RULES}
    made = RemoteFolder(bucket / "closed")
    killed_and_again(2, made, lambda say: materialise(spark, *ends, **options, say=say))
    assert data.closure("closed") == texts(kb)
    thresholds.put(monkeypatch, SPARK, read_here=1 << 26)
    for name in BATCHES:
        bulk_load(spark, [data.uri(f"{name}.nt")], data.uri(name))
    gone, new, more = map(data.uri, BATCHES)
    change(spark, data.uri("closed"), data.uri("changed"), insert=new, delete=gone)
    kb.update(delete=data.statements("gone"))
    kb.update(insert=data.statements("new"))
    assert data.closure("changed") == texts(kb)
    thresholds.put(monkeypatch, SPARK, facts_around=0, asked_here=0, few_rows=1)
    extend(spark, data.uri("changed"), more, data.uri("extended"))
    kb.update(insert=data.statements("more"))
    assert data.closure("extended") == texts(kb)
    left = {path.names.partition("/")[0] for path, _ in bucket.files()}
    assert left == {*data.texts, *BATCHES, "loaded", "closed", "changed", "extended"}
