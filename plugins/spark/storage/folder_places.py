"""The folders of loads and closures, by their names: on this machine, or where a URI says."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from rdfinc.plugins.spark.storage.input_files import path_or_uri
from rdfinc.plugins.spark.storage.local_folder import LocalFolder
from rdfinc.plugins.spark.storage.remote_folder import RemoteFolder

Folder = LocalFolder | RemoteFolder


def folder_at(named: str | os.PathLike[str]) -> Folder:
    """The folder that a path or a URI names, whether it is there or not. Raises StorageError."""
    place = path_or_uri(named)
    return LocalFolder(place) if isinstance(place, Path) else RemoteFolder.at(place)


def by_number(folder: Folder, name: str) -> list[tuple[int, str]]:
    """The files of a data frame in parts, each with the number of its part, in order."""
    return sorted((int(file.split("/")[-2].partition("=")[2]), file) for file in folder.files(name))


def take(folder: Folder, other: Folder, name: str) -> None:
    """A folder takes a data frame of another one over: by links, or by copies in one place, where
    that is possible."""
    match folder, other:
        case LocalFolder(), LocalFolder():
            folder.take(other, name)
        case RemoteFolder(), RemoteFolder():
            folder.take(other, name)
        case _:
            for file in other.files(name):
                copy(folder, other, file)
            folder.count_in(other.files(name))


def copy(folder: Folder, other: Folder, file: str) -> None:
    """A folder gets a file of another one."""
    with other.open(file) as source, folder.opened(file) as target:
        shutil.copyfileobj(source, target, 1 << 20)
