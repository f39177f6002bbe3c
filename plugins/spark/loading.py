"""Files into a knowledge base by way of Spark: the extension `spark`."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rdfinc.plugins.spark.bulk import bulk_load
from rdfinc.plugins.spark.layout import take_in
from rdfinc.plugins.spark.session import spark_session
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.reading import Loaded


def load(
    files: Sequence[Path],
    dictionary: Dictionary,
    *,
    graph: bytes | None,
    format: str | None,
    base: str | None,
    strict: bool,
) -> Loaded:
    """What `read` gives for all the files together."""
    with tempfile.TemporaryDirectory(prefix="rdfinc-bulk-") as place, spark_session() as spark:
        folder = Path(place, "bulk")
        bulk_load(spark, files, folder, graph=graph, format=format, base=base, strict=strict)
        return replace(take_in(folder, dictionary), sources=tuple(map(str, files)))
