"""Folders that a bulk load has made (`rdfinc.plugins.spark.load.layout` tells what is in them)."""

from __future__ import annotations

from pathlib import Path

from rdfinc.errors import DataSyntaxError

MANIFEST = "manifest.json"
"""The file that is written last."""


def require_bulk_folder(folder: Path) -> None:
    """Raises DataSyntaxError for a folder that no bulk load has made."""
    if not (folder / MANIFEST).exists():
        advice = f'no bulk load made this folder; to read the files in it, say "{folder}/*"'
        raise DataSyntaxError(str(folder), None, "", advice)
