"""The directories that `Graph.open` made before there were checkpoints: one zip of statements
(N-Quads), rules and prefixes, which is read once."""

from __future__ import annotations

import zipfile
from pathlib import Path

from rdfinc.durable.damage import Damage
from rdfinc.errors import RdfincError
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.terms.grammar import unescape

FILE, LOCK = "knowledge-base.zip", "knowledge-base.lock"


def take_in(kb: KnowledgeBase, path: Path) -> None:
    """Adds what the zip in a directory holds. Raises Damage."""
    try:
        with zipfile.ZipFile(path / FILE) as packed:
            statements = packed.read("statements.nq")
            rules, prefixes = packed.read("rules.dlog").decode(), packed.read("prefixes.txt")
        if kb.load(statements, format="nq", strict=False).skipped:
            raise Damage(f"{FILE} has statements that cannot be read")
        kb.add_rules(rules)
        for line in prefixes.decode().split("\n")[:-1]:
            prefix, _, namespace = line.partition(" ")
            kb.namespaces[prefix] = unescape(namespace)
    except (MemoryError, Damage):
        raise
    except RdfincError as error:
        raise Damage(f"{FILE}: {error}") from error
    except Exception as error:  # of a damaged file zipfile raises almost anything
        raise Damage(f"{FILE} is not what was saved: {error}") from error


def remove(path: Path) -> None:
    """Removes the zip and its lock."""
    for name in (FILE, LOCK):
        (path / name).unlink(missing_ok=True)
