"""Changes from a stream, each batch once, and what they change out again."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

from rdfinc import DataSyntaxError, KnowledgeBase, TermError
from rdfinc.plugins.spark import ChangeSink
from rdfinc.plugins.spark.change_sink import CHANGES, DELTAS

AXIOM = ("<http://e/p>", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>",
         "<http://www.w3.org/2002/07/owl#TransitiveProperty>")  # fmt: skip


def edge(x: object, y: object) -> tuple[str, str, str]:
    return f"<http://e/{x}>", "<http://e/p>", f"<http://e/{y}>"


def knowledge_base() -> KnowledgeBase:
    kb = KnowledgeBase()
    kb.update(insert=[AXIOM])
    return kb


def write(folder: Path, number: int, *changes: tuple[str, ...]) -> None:
    rows = [dict(zip(("op", *"spog"), change, strict=False)) for change in changes]
    made = folder / f"{number}.json.part"
    made.write_text("".join(json.dumps(row) + "\n" for row in rows))
    os.utime(made, (number, number))  # in this order Spark takes them
    made.rename(folder / f"{number}.json")


def run(spark: SparkSession, folder: Path, sink: ChangeSink) -> None:
    """Applies all files that were not applied, a batch each, and stops."""
    stream = spark.readStream.schema("op STRING, s STRING, p STRING, o STRING, g STRING")
    stream = stream.option("maxFilesPerTrigger", "1").option("pathGlobFilter", "*.json")
    writer = stream.json(str(folder / "in")).writeStream.foreachBatch(sink)
    writer = writer.option("checkpointLocation", str(folder / "checkpoint"))
    writer.trigger(availableNow=True).start().awaitTermination()


def closure(spark: SparkSession, folder: Path) -> set[tuple[str, ...]]:
    """What the deltas give, one after the other."""
    found: set[tuple[str, ...]] = set()
    rows = spark.read.parquet(str(folder / "out" / DELTAS)).collect()
    for row in sorted(rows, key=lambda row: (row.batch, row.op)):
        fact = (row.s, row.p, row.o)
        assert (fact in found) == (row.op == "delete"), "a delta is a change"
        found ^= {fact}
    return found


def texts(kb: KnowledgeBase) -> set[tuple[str, ...]]:
    return {tuple(term.n3() for term in fact) for fact in kb} - {AXIOM}


def test_a_query_stops_and_goes_on(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    write(tmp_path / "in", 1, *(("insert", *edge(n, n + 1)) for n in range(5)))
    with monkeypatch.context() as patched, pytest.raises(StreamingQueryException):
        patched.setattr("rdfinc.plugins.spark.change_sink.pq.write_table", lambda *_: 1 / 0)
        run(spark, tmp_path, ChangeSink(knowledge_base(), tmp_path / "out"))
    kb = knowledge_base()  # that process is gone
    sink = ChangeSink(kb, tmp_path / "out")
    write(tmp_path / "in", 2, ("delete", *edge(2, 3)), ("insert", *edge(9, 10), "<http://e/g>"))
    run(spark, tmp_path, sink)
    assert len(kb.derived) == 2 and closure(spark, tmp_path) == texts(kb)
    before = {file: file.read_bytes() for file in (tmp_path / "out").rglob("*.parquet")}

    for name in ("1", ".1.crc"):  # killed before Spark took note of it
        (tmp_path / "checkpoint" / "commits" / name).unlink()
    write(tmp_path / "in", 3, ("insert", *edge(2, 3)), ("delete", *edge(0, 1)))
    run(spark, tmp_path, sink)
    assert {file: file.read_bytes() for file in before} == before, "not applied again"
    assert len(list((tmp_path / "out" / CHANGES).iterdir())) == 3
    assert closure(spark, tmp_path) == texts(kb) and len(kb.explicit) == 6

    shutil.rmtree(tmp_path / "out" / DELTAS / "batch=2")  # killed before it was told
    again = knowledge_base()
    ChangeSink(again, tmp_path / "out")
    assert texts(again) == texts(kb) == closure(spark, tmp_path)
    assert set(again.explicit) == set(kb.explicit)


def test_a_batch_that_cannot_be_applied_changes_nothing(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = knowledge_base()
    sink = ChangeSink(kb, tmp_path)

    def batch(*rows: tuple[str | None, ...], columns: str = "op s p o") -> DataFrame:
        return spark.createDataFrame(rows, ", ".join(f"{name} STRING" for name in columns.split()))

    good = ("insert", *edge(1, 2))
    for bad, error, says in (
        (batch(good, ("upsert", *edge(1, 2))), ValueError, "not 'upsert'"),
        (batch(good, ("insert", "<a:a>", "<a:p>", "oh")), TermError, "oh"),
        (batch(good, ("insert", "<a:a>", "<a:p>", None)), TermError, "no o"),
        (batch(edge(1, 2), columns="s p o"), ValueError, "columns are op"),
    ):
        with pytest.raises(error, match=says):
            sink(bad, 0)
        assert len(kb) == 1 and not list((tmp_path / CHANGES).iterdir())
    monkeypatch.setattr("rdfinc.plugins.spark.change_sink.pq.write_table", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        sink(batch(good), 0)
    monkeypatch.undo()
    sink(batch(good), 0)
    assert closure(spark, _as_out(tmp_path)) == texts(kb) != set(), "told once it could be written"
    (tmp_path / CHANGES / "batch=0" / "part.parquet").write_bytes(b"PAR1")
    with pytest.raises(DataSyntaxError, match="damaged"):
        ChangeSink(knowledge_base(), tmp_path)


def _as_out(folder: Path) -> Path:
    (folder / "up").mkdir()
    (folder / "up" / "out").symlink_to(folder)
    return folder / "up"
