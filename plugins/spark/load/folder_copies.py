"""Copies of folders: one here of one elsewhere, for `KnowledgeBase.load`, and the other way."""

from __future__ import annotations

from pathlib import Path

from rdfinc.knowledge_base.loading import CLOSURE
from rdfinc.plugins.spark.load.layout import (
    DICTIONARY,
    FACTS,
    HIDDEN,
    LoadManifest,
    require_new,
)
from rdfinc.plugins.spark.storage.folder_places import copy, folder_at, take


def copy_folder(folder: str | Path, copied: str | Path) -> LoadManifest:
    """Makes the folder `copied` of all that there is in the folder of a bulk load or a closure;
    each is a path or a URI.

    Raises FileExistsError for a folder that there is, DataSyntaxError for one that no bulk load has
    made, StorageError.
    """
    source, target = folder_at(folder), folder_at(copied)
    manifest = LoadManifest.read(source)
    require_new(target)
    with target.making() as made:
        for name in (DICTIONARY, FACTS, HIDDEN):
            take(made, source, name)
        if source.has(CLOSURE):
            copy(made, source, CLOSURE)
        manifest.write(made)
    return manifest
