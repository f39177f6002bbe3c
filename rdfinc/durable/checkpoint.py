"""Checkpoints: a whole knowledge base in blocks, and back.

The terms, the statements, the rules and the settings are all that is needed to have it again; the
image spares deriving the closure, where the same program wrote it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rdfinc.durable.files import Files
from rdfinc.durable.image import fingerprint, image_of, state_of
from rdfinc.durable.manifest import Manifest, publish
from rdfinc.durable.net_change import change_of
from rdfinc.durable.record import Part
from rdfinc.durable.segments import SegmentReader, SegmentWriter
from rdfinc.durable.statement_blocks import put_statements, statements_in
from rdfinc.durable.term_blocks import put_dictionary
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.terms.dictionary import Dictionary

BOUNDS = ("max_facts", "max_memory")
"""Settings that refuse changes and have no part in what follows."""


def write_checkpoint(
    files: Files, generation: int, last: Manifest, kb: KnowledgeBase, through: int
) -> Manifest:
    """Writes what a knowledge base is after record `through`, and makes that the current
    generation. `last` is the checkpoint before, whose blocks stay.

    Cost: the bytes of all arrays are read, those that are new are written. Raises OSError.
    """
    writer = SegmentWriter(files, generation, last.blocks)
    try:
        manifest = replace(
            last,
            generation=generation,
            through=through,
            settings=kb.settings,
            prefixes=dict(kb.namespaces),
            notes=kb.notes,
            rules=str(kb.program),
            dictionary=put_dictionary(kb.dictionary, writer.put),
            statements=put_statements(kb.reader(), writer.put),
            image=[writer.put(part) for part in image_of(kb.state(), kb.dictionary)],
            fingerprint=fingerprint(),
            blocks=writer.blocks,
        )
        writer.close()
    except BaseException:
        writer.give_up()
        raise
    publish(files, manifest)
    return manifest


def read_knowledge_base(
    manifest: Manifest, reader: SegmentReader, dictionary: Dictionary, settings: dict[str, Any]
) -> KnowledgeBase:
    """The knowledge base of a checkpoint, over its dictionary. The closure is mapped if this
    program wrote it for these settings, bounds aside, and derived again otherwise. Raises Damage.
    """
    bounds = {name: settings[name] for name in BOUNDS}
    same = {**manifest.settings, **bounds} == settings and manifest.fingerprint == fingerprint()
    if manifest.image and same:
        kb = KnowledgeBase.__new__(KnowledgeBase)
        kb.__setstate__({**state_of(_image(manifest.image, reader), dictionary), **bounds})
        return kb
    kb = KnowledgeBase(**settings, dictionary=dictionary)
    kb.namespaces.update(manifest.prefixes)
    kb.notes = manifest.notes
    stated = statements_in(manifest.statements, reader.get)
    kb._noted(change_of(Part(insert=stated, rules_added=manifest.rules)), 0)
    return kb


def _image(blocks: Sequence[int], reader: SegmentReader) -> list[memoryview]:
    return [reader.get(block) for block in blocks]
