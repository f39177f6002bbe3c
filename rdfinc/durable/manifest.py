"""The manifest of a checkpoint, and the file `CURRENT`, which names the one that holds.

A manifest is a line with its digest, and JSON. It is never changed; `CURRENT` is replaced as a
whole, last of all that a checkpoint writes.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from rdfinc.durable.damage import Damage
from rdfinc.durable.directory_files import Files
from rdfinc.durable.segments import StoredBlock, digest_of
from rdfinc.errors import VersionError

FORMAT, OLDEST = 3, 2
"""The format that is written, and the oldest one that is read."""
CURRENT, ASIDE = "CURRENT", "CURRENT.new"


def manifest_name(generation: int) -> str:
    return f"manifest-{generation}"


class Manifest(Struct, frozen=True):
    """What a checkpoint says of itself: the records up to number `through` are in it.

    `settings` are options of `KnowledgeBase`; `rules` is text; `dictionary`, `statements` and
    `image` tell their blocks by index; `fingerprint` is that of the program that made the image.
    """

    identity: str
    generation: int
    through: int
    settings: dict[str, Any]
    prefixes: dict[str, str]
    notes: dict[str, Any]
    rules: str
    dictionary: dict[str, Any]
    statements: dict[str, Any]
    image: list[int]
    fingerprint: str
    blocks: list[StoredBlock]


def publish(files: Files, manifest: Manifest) -> None:
    """Writes the manifest, and then makes it the current one; on disk when this returns."""
    text = json.dumps({"format": FORMAT, **asdict(manifest)}, separators=(",", ":")).encode()
    _write(files, manifest_name(manifest.generation), _signed(text))
    files.sync_names()
    if ASIDE in files.names():
        files.remove(ASIDE)
    _write(files, ASIDE, _signed(str(manifest.generation).encode()))
    files.replace(ASIDE, CURRENT)
    files.sync_names()


def _write(files: Files, name: str, content: bytes) -> None:
    file = files.create(name)
    try:
        file.append(content)
        file.sync()
    finally:
        file.close()


def _signed(text: bytes) -> bytes:
    return digest_of(text).encode() + b"\n" + text


def _verified(content: bytes, name: str) -> bytes:
    digest, _, text = content.partition(b"\n")
    if digest_of(text).encode() != digest:
        raise Damage(f"{name} is not what was written")
    return text


def current_generation(files: Files) -> int:
    """Raises Damage, FileNotFoundError."""
    text = _verified(files.read(CURRENT), CURRENT)
    if not text.isdigit():
        raise Damage(f"{CURRENT} names no manifest")
    return int(text)


def read_manifest(files: Files, generation: int) -> Manifest:
    """Raises Damage, VersionError."""
    name = manifest_name(generation)
    try:
        content = files.read(name)
    except FileNotFoundError as error:
        raise Damage(f"{name} is missing") from error
    try:
        told = json.loads(_verified(content, name))
        if not OLDEST <= (made := told.pop("format")) <= FORMAT:
            age = "a newer" if made > FORMAT else "an older"
            raise VersionError(
                f"it was written by {age} rdfinc; open it with that one, or let that one dump it"
            )
        return Manifest(**{**told, "blocks": [StoredBlock(*block) for block in told["blocks"]]})
    except (KeyError, TypeError, ValueError) as error:
        raise Damage(f"{name} is not made as manifests are") from error
