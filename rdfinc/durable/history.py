"""History: the changes since a record, as far back as the journals go."""

from __future__ import annotations

from rdfinc.durable.directory_files import Files
from rdfinc.durable.journal import read_journals
from rdfinc.durable.manifest import Manifest
from rdfinc.durable.record import Record
from rdfinc.errors import ForgottenError
from rdfinc.knowledge_base.versions.change import Change


def changes_since(
    place: str, files: Files, manifest: Manifest, since: int, number: int
) -> list[Change]:
    """The changes after record `since`, up to record `number`, in their order. Cost: the journals
    are read. Raises ForgottenError for what the checkpoint has taken in, ValueError for what is yet
    to come, and Damage.
    """
    first = manifest.through
    if not 0 <= since <= number:
        raise ValueError(
            f"{place}: there are {number} changes so far, so none after number {since}"
        )
    if since == number:
        return []
    if since < first:
        raise ForgottenError(
            f"{place}: a checkpoint took in the changes up to {first}, so that those after {since}"
            f" cannot be told; refresh, read all facts once, and ask for those since"
            f" {max(first, number)}",
            first,
        )
    journals = read_journals(files, manifest.generation, manifest.identity, first)
    contents = [content for one in journals for content in one.records]
    records = map(Record.from_bytes, contents[since - first : number - first])
    return [change for record in records for change in record.changes]
