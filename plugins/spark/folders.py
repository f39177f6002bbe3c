"""Files into a folder or a knowledge base, by Spark or here: extensions of the engine."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from rdfinc.datalog.syntax.rule_file import SUFFIX, read_rule_file
from rdfinc.knowledge_base.loading import spark_pays
from rdfinc.knowledge_base.process.processors import worker_count
from rdfinc.plugins.spark.closure.materialise import materialise
from rdfinc.plugins.spark.load.bulk import bulk_load
from rdfinc.plugins.spark.load.layout import LoadManifest, require_new, take_in, write_folder
from rdfinc.plugins.spark.session import refuse_connect, spark_session
from rdfinc.plugins.spark.storage.local_folder import LocalFolder
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.parallel.together import read_together
from rdfinc.terms.io.reading import Loaded


def load(
    files: Sequence[Path],
    dictionary: Dictionary,
    *,
    graph: bytes | None,
    format: str | None,
    base: str | None,
    strict: bool,
) -> Loaded:
    """What `read` gives for all the files together, by Spark."""
    with tempfile.TemporaryDirectory(prefix="rdfinc-bulk-") as place, spark_session() as spark:
        folder = Path(place, "bulk")
        bulk_load(spark, files, folder, graph=graph, format=format, base=base, strict=strict)
        return replace(take_in(folder, dictionary), sources=tuple(map(str, files)))


def into_folder(
    files: Sequence[Path],
    folder: Path,
    *,
    strict: bool,
    engine: str,
    workers: int | None = None,
    say: Callable[[str], None],
) -> LoadManifest:
    """Makes a folder for `KnowledgeBase.load`, by the engine called "auto", "local" or "spark"; the
    `workers` are those of the local one."""
    if engine == "spark" or (engine == "auto" and spark_pays(files)):
        say("starting Spark")
        with spark_session() as spark:
            return bulk_load(spark, files, folder, strict=strict, say=say)
    say(f"reading {len(files)} files")
    dictionary = Dictionary()
    read = read_together(files, dictionary, workers=worker_count(workers), strict=strict)
    return write_folder(LocalFolder(folder), read, dictionary)


def closure_into_folder(
    files: Sequence[Path],
    folder: Path,
    *,
    profile: str,
    strict: bool,
    say: Callable[[str], None],
) -> LoadManifest:
    """Makes a folder of what files, or the folder of a bulk load, and all rules among the files
    have as their closure, by Spark."""
    rules = [rule for f in files if f.suffix == SUFFIX for rule in read_rule_file(f, {})]
    data = [file for file in files if file.suffix != SUFFIX]
    folders = [file for file in data if file.is_dir()]
    if folders and len(data) > 1:
        raise ValueError(f"{folders[0]} is a folder; load its files together with the others")
    require_new(LocalFolder(folder))
    say("starting Spark")
    place = tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.absolute().parent)
    with place as made, spark_session() as spark:
        refuse_connect("closures")
        loaded = folders[0] if folders else Path(made, "data")
        if not folders:
            bulk_load(spark, data, loaded, strict=strict, say=say)
        return materialise(spark, loaded, folder, profile=profile, rules=rules, say=say)
