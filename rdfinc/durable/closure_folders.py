"""Folders of closures that were made elsewhere, which become knowledge bases in their place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from rdfinc.durable.checkpoint import Pinned
from rdfinc.durable.damage import telling_damage
from rdfinc.durable.directory_files import Directory
from rdfinc.durable.founding import EMPTY, begin_directory
from rdfinc.durable.journal import read_journals
from rdfinc.durable.manifest import CURRENT, current_generation, read_manifest
from rdfinc.durable.record import rules_in
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.extensions import extension
from rdfinc.knowledge_base.loading import CLOSURE, MANIFEST
from rdfinc.knowledge_base.versions.change import Change

WAYS = "storage", "maintenance"
"""Options that say how facts are kept and maintained."""


def holds_closure(place: Path) -> bool:
    """Whether a closure was made in a directory."""
    return all((place / name).exists() for name in (CLOSURE, MANIFEST))


def has_gone_on(place: Path) -> bool:
    """Whether the knowledge base of a closure was changed since it was taken in. Raises
    CorruptedError."""
    if not (place / CURRENT).exists():
        return False
    files = Directory(place)
    with telling_damage(str(place)):
        manifest = read_manifest(files, current_generation(files))
        journals = read_journals(files, manifest.generation, manifest.identity, manifest.through)
    return manifest.through > 0 or any(journal.number for journal in journals)


def begin_in(place: Path, kb: KnowledgeBase) -> None:
    """Has the closure in a directory opened as this knowledge base, which nobody else uses and
    which holds all of it. Raises OSError."""
    begin_directory(Directory(place), Pinned.of(kb, 0), EMPTY)


def numbers_beside(place: Path) -> str | None:
    """The name of the file that tells what the ids of the checkpoint in a directory are called in
    the closure's files; None without a checkpoint. Later checkpoints have none. Raises
    CorruptedError."""
    if not (place / CURRENT).exists():
        return None
    with telling_damage(str(place)):
        return f"numbers-{current_generation(Directory(place))}"


def taken_in(place: Path, options: Mapping[str, Any]) -> KnowledgeBase:
    """The knowledge base of what a closure states, and of its profile and rules. What follows is
    taken from there. Of the options those are in force that have no part in what follows; all are
    when the directory is opened. Raises DataSyntaxError, UnsupportedError."""
    KnowledgeBase(**options)  # which refuses what is no option
    closure = extension("closure")(place)
    chosen = {name: options[name] for name in WAYS if name in options}
    kb = KnowledgeBase(profile=closure.profile, **chosen)
    stated = closure.stated(kb.dictionary)
    change = Change(insert=stated, rules_added=rules_in(closure.rules))
    kb._take_over(change, partial(closure.derived, kb.dictionary))
    kb.namespaces.update(closure.prefixes)
    return kb
