"""The first files of a directory: a checkpoint, and a journal without records."""

from __future__ import annotations

import uuid

from rdfinc.durable.checkpoint import write_checkpoint
from rdfinc.durable.files import Files
from rdfinc.durable.generations import next_generation
from rdfinc.durable.journal import Journal
from rdfinc.durable.manifest import Manifest
from rdfinc.knowledge_base import KnowledgeBase


def found(files: Files, kb: KnowledgeBase) -> None:
    """Writes all that a knowledge base holds now. Raises OSError."""
    identity = uuid.uuid4().hex
    empty = Manifest(identity, 0, 0, kb.settings, {}, {}, "", {}, {}, [], "", [])
    generation = next_generation(files)
    Journal.begun(files, generation, identity, 0).close()
    write_checkpoint(files, generation, empty, kb, 0)
