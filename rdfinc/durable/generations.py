"""Generations: the numbers of checkpoints and of the files that belong to them."""

from __future__ import annotations

from collections.abc import Iterator

from rdfinc.durable.directory_files import Files
from rdfinc.durable.manifest import ASIDE, CURRENT, Manifest

_KINDS = ("segment", "manifest", "journal", "numbers")
"""The last is what the ids of a checkpoint are called in a closure's files beside it."""


def next_generation(files: Files) -> int:
    """A number that no file has yet."""
    return 1 + max((number for _, number in numbered(files)), default=0)


def numbered(files: Files) -> Iterator[tuple[str, int]]:
    """The files that belong to generations, by kind and number."""
    for name in files.names():
        kind, _, number = name.partition("-")
        if is_ours(name) and "-" in name:
            yield kind, int(number)


def is_ours(name: str) -> bool:
    """Whether a file of this name belongs to a durable knowledge base."""
    kind, _, number = name.partition("-")
    is_number = number.isdecimal() and number == str(int(number))
    return name in (CURRENT, ASIDE) or (kind in _KINDS and is_number)


def remove_old(files: Files, manifest: Manifest) -> None:
    """Removes what the current checkpoint has no use for. What cannot be removed stays."""
    segments = {block.segment for block in manifest.blocks}
    for kind, number in numbered(files):
        is_old = {
            "segment": number not in segments,
            "manifest": number != manifest.generation,
            "journal": number < manifest.generation,
            "numbers": number != manifest.generation,
        }
        if is_old[kind]:
            _remove(files, f"{kind}-{number}")


def _remove(files: Files, name: str) -> None:
    try:
        files.remove(name)
    except OSError:
        return
