"""Checkpoints: a whole knowledge base in blocks, and back.

The terms, the statements, the rules and the settings are all that is needed to have it again; the
image spares deriving the closure, where the same program wrote it. What is to be written is pinned
first, under the lock of the knowledge base, and written then, while that goes on changing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rdfinc.datalog.model import Program
from rdfinc.durable.directory_files import Files
from rdfinc.durable.image import fingerprint, image_of, state_of
from rdfinc.durable.manifest import Manifest
from rdfinc.durable.record import rules_in
from rdfinc.durable.segments import SegmentReader, SegmentWriter
from rdfinc.durable.statement_blocks import put_statements, statements_in
from rdfinc.durable.term_blocks import put_dictionary
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.versions.bounds import bound
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.freezing import PinnedTerms

BOUNDS = ("max_facts", "max_memory")
"""Settings that refuse changes and have no part in what follows."""


class Pinned(Struct, frozen=True):
    """All that a knowledge base is after record `through`; later changes leave it as it is, while
    no term is forgotten."""

    through: int
    settings: dict[str, Any]
    prefixes: dict[str, str]
    notes: dict[str, Any]
    program: Program
    terms: PinnedTerms
    reader: Reader
    image: list[memoryview]

    @classmethod
    def of(cls, kb: KnowledgeBase, through: int) -> Pinned:
        """To be called under its lock. Cost: what is kept beside arrays is pickled, 4 ms a million
        facts; no array of facts is looked at."""
        reader = kb.reader()
        return cls(
            through,
            kb.settings,
            dict(kb.namespaces),
            kb.notes,
            kb.program,
            PinnedTerms.of(kb.dictionary),
            reader,
            image_of(kb.state(), kb.dictionary, reader.version),
        )


def write_checkpoint(files: Files, generation: int, last: Manifest, pinned: Pinned) -> Manifest:
    """Writes what was pinned as a generation, which is to be published. `last` is the checkpoint
    before, whose blocks stay.

    Cost: the bytes of all arrays are read, those that are new are written. Raises OSError.
    """
    writer = SegmentWriter(files, generation, last.blocks)
    try:
        manifest = replace(
            last,
            generation=generation,
            through=pinned.through,
            settings=pinned.settings,
            prefixes=pinned.prefixes,
            notes=pinned.notes,
            rules=str(pinned.program),
            dictionary=put_dictionary(pinned.terms, writer.put),
            statements=put_statements(pinned.reader, writer.put),
            image=[writer.put(part) for part in pinned.image],
            fingerprint=fingerprint(),
            blocks=writer.blocks,
        )
        writer.close()
    except BaseException:
        writer.give_up()
        raise
    return manifest


def read_knowledge_base(
    manifest: Manifest, reader: SegmentReader, dictionary: Dictionary, settings: dict[str, Any]
) -> KnowledgeBase:
    """The knowledge base of a checkpoint, over its dictionary. The closure is mapped if this
    program wrote it for these settings, bounds aside, and derived again otherwise. Raises Damage.
    """
    bounds = {name: bound(name, settings[name]) for name in BOUNDS}
    same = {**manifest.settings, **bounds} == settings and manifest.fingerprint == fingerprint()
    if manifest.image and same:
        kb = KnowledgeBase.__new__(KnowledgeBase)
        kb.__setstate__({**state_of(_image(manifest.image, reader), dictionary), **bounds})
        return kb
    kb = KnowledgeBase(**settings, dictionary=dictionary)
    kb.namespaces.update(manifest.prefixes)
    kb.notes = manifest.notes
    stated = statements_in(manifest.statements, reader.get)
    kb._noted(Change(insert=stated, rules_added=rules_in(manifest.rules)), 0)
    return kb


def _image(blocks: Sequence[int], reader: SegmentReader) -> list[memoryview]:
    return [reader.get(block) for block in blocks]
