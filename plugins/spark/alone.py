"""Whether the driver does itself what Spark's tasks would do.

It does so with little, for which it takes less time than a task takes to start. And it does so
where Spark has no other machine, as far as the memory goes: tasks have the driver's processors
there, and hand to each other through files what the driver has at hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePath

from pyspark.sql import SparkSession, is_remote

from rdfinc.errors import BudgetExceededError
from rdfinc.knowledge_base.process.machine_memory import memory_left
from rdfinc.knowledge_base.process.memory import give_back_all
from rdfinc.plugins.spark.load.layout import DICTIONARY
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.plugins.spark.storage.folder_places import Folder
from rdfinc.terms.io.compression import is_compressed
from rdfinc.terms.io.sources import StoredFile
from rdfinc.terms.term_thresholds import TERMS

_ALONE = re.compile(r"local(\[.*\])?")
"""The master of a session whose tasks run in the driver's own process."""


def why_read_here(spark: SparkSession, files: Sequence[StoredFile]) -> str | None:
    """Why the driver reads some files itself; None if it does not."""
    if sum(file.size for file in files) < SPARK.read_here:
        return "they are short"
    size = sum(map(_text, files))
    return _alone(spark, size // SPARK.text_of_a_byte)


def why_closed_here(spark: SparkSession, facts: int, *folders: Folder) -> str | None:
    """Why the driver itself closes what some folders state, at most so many facts; None if it does
    not."""
    if facts < SPARK.closed_here:
        return "they are few"
    terms = sum(_bytes(folder, folder.files(DICTIONARY)) for folder in folders)
    return _alone(spark, facts * SPARK.fact_bytes + terms)


def why_numbered_here(
    spark: SparkSession, triples: int, terms: Iterable[str], folder: Folder
) -> str | None:
    """Why the driver itself numbers the terms of pieces, in some files of a folder; None if it does
    not."""
    return _alone(spark, triples * SPARK.fact_bytes + _bytes(folder, terms))


@contextmanager
def as_memory_goes(say: Callable[[str], None]) -> Iterator[None]:
    """A block that the driver leaves, for Spark to do it, where the machine's memory is short. What
    it has taken goes back."""
    try:
        yield
    except BudgetExceededError as error:
        if error.budget != "memory":
            raise
        say("leaving it to Spark, as memory is short")
    finally:
        give_back_all()


def _alone(spark: SparkSession, needed: int) -> str | None:
    """The reason that Spark has no machine but this one, which has room for so many bytes."""
    if is_remote() or not _ALONE.fullmatch(spark.sparkContext.master):
        return None
    room = memory_left()
    fits = room is not None and needed < room[0] * SPARK.memory_share
    return "Spark has this machine only" if fits else None


def _text(file: StoredFile) -> int:
    """The bytes of a file when it is no longer packed."""
    return file.size * (TERMS.packed_bytes if is_compressed(PurePath(file.name)) else 1)


def _bytes(folder: Folder, files: Iterable[str]) -> int:
    """The bytes of what is in some files of Parquet."""
    found = (folder.parquet(file).metadata for file in files)
    return sum(
        file.row_group(i).total_byte_size for file in found for i in range(file.num_row_groups)
    )
