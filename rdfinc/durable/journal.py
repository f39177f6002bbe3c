"""The journal: a file for each generation, of which every frame is a record of a committed change.

The first frame has the number of the last record before, and says whose journal it is. Records are
numbered on from one file to the next.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from msgspec import Struct

from rdfinc.durable.damage import Damage
from rdfinc.durable.directory_files import Files, GrowingFile
from rdfinc.durable.frames import framed, is_lone_frame, read_frames


def journal_name(generation: int) -> str:
    return f"journal-{generation}"


class Journal(Struct):
    """The end of a journal, where records are added. `number` is that of the last record, `size`
    that of the file, of which `synced` bytes are known to be on disk."""

    generation: int
    number: int
    size: int
    synced: int
    file: GrowingFile

    @classmethod
    def begun(cls, files: Files, generation: int, identity: str, number: int) -> Journal:
        """A new journal, on disk, for the records after `number`."""
        journal = cls(generation, number - 1, 0, 0, files.create(journal_name(generation)))
        journal.append(json.dumps(identity).encode())
        journal.sync()
        files.sync_names()
        return journal

    @classmethod
    def resumed(cls, files: Files, read: ReadJournal) -> Journal:
        """The journal that was read last, to be written on after its last whole record."""
        file = files.extend(journal_name(read.generation), read.size)
        file.sync()
        return cls(read.generation, read.number, read.size, read.size, file)

    def append(self, payload: bytes) -> None:
        """Writes the next record; on disk after `sync`."""
        frame = framed(self.number + 1, payload, self.synced)
        self.file.append(frame)
        self.number += 1
        self.size += len(frame)

    def sync(self) -> None:
        """All that was written when this is called is on disk when it returns."""
        size = self.size
        self.file.sync()
        self.synced = size

    def close(self) -> None:
        self.file.close()


class ReadJournal(Struct):
    """What a journal holds: the records after `first` up to `number`, in its first `size` bytes."""

    generation: int
    first: int
    number: int
    size: int
    records: list[memoryview]


def _read_journal(files: Files, generation: int, identity: str, number: int) -> ReadJournal | None:
    """The journal of a generation, for the records after `number`; None if it was begun in vain:
    no record was written there, and the one before may have gone on. Raises Damage."""
    content, name = memoryview(files.read(journal_name(generation))), journal_name(generation)
    try:
        if is_lone_frame(content, number):
            return None
        frames = list(read_frames(content, number))
    except Damage as damage:
        raise Damage(f"{name}: {damage}") from None
    if not frames:
        return None
    if bytes(frames[0].payload) != json.dumps(identity).encode():
        raise Damage(f"{name} belongs to another directory")
    records = [frame.payload for frame in frames[1:]]
    return ReadJournal(generation, number, frames[-1].number, frames[-1].end, records)


def read_journals(files: Files, generation: int, identity: str, number: int) -> list[ReadJournal]:
    """The journals from a generation on, for the records after `number`. Raises Damage."""
    journals: list[ReadJournal] = []
    for later in later_generations(files, "journal-", generation):
        journal = _read_journal(files, later, identity, number)
        if journal is not None:
            journals.append(journal)
            number = journal.number
    return journals


def later_generations(files: Files, prefix: str, generation: int) -> Iterator[int]:
    """The generations from one on that have a file, in order."""
    names = (name.removeprefix(prefix) for name in files.names() if name.startswith(prefix))
    numbers = sorted(int(rest) for rest in names if rest.isdecimal() and rest == str(int(rest)))
    return (number for number in numbers if number >= generation)
