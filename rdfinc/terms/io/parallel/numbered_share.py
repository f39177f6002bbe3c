"""A share of a source in numbers of its own, as one process hands it to another."""

from __future__ import annotations

import marshal
from itertools import islice

import numpy as np
import pyoxigraph as ox
from msgspec import Struct

from rdfinc.terms.dictionary import Dictionary, Kinds
from rdfinc.terms.io.blanks import LabelsAsWritten
from rdfinc.terms.io.formats import LINE_FORMATS
from rdfinc.terms.io.parallel.shares import Share
from rdfinc.terms.io.parsing import Reading
from rdfinc.terms.io.problems import Problems, Skipped
from rdfinc.terms.io.quads import Columns
from rdfinc.terms.io.reading import contents

_PLAIN = 2
"""The version of `marshal` that does not look for objects it has met: three times as fast."""


class NumberedShare(Struct, frozen=True):
    """The statements of a share, whose terms have the numbers 1, 2, 3, … in order of appearance.

    `packed` are the terms, blank nodes under the labels that they have in the source, and `kinds`
    what they are. `columns` are without graphs if all statements are in the
    default graph. Places of `problems` and of `error`, at which reading ended, are in the share.
    """

    packed: bytes
    kinds: Kinds
    is_of_lines: bool
    columns: Columns
    prefixes: dict[str, str]
    problems: Problems
    error: Exception | None

    @property
    def is_certain(self) -> bool:
        """Whether more text behind the share would not change what it states or where it is
        malformed. A parser that meets a problem may look for its end, or for a place to go on,
        beyond the share."""
        return self.is_of_lines or (self.error is None and not self.problems.count)

    @property
    def terms(self) -> list[bytes]:
        """The terms, that of number 1 first; made anew each time."""
        found: list[bytes] = marshal.loads(self.packed)
        return found


def numbered(share: Share, *, lenient: bool) -> NumberedShare:
    """A share, read by this process."""
    syntax = ox.RdfFormat.from_media_type(share.media_type)
    assert syntax is not None
    dictionary, problems = Dictionary(), Skipped() if lenient else Problems()
    source, scope = share.source, LabelsAsWritten()
    reading = Reading(source, syntax, share.base, dictionary, scope, problems)
    blocks, error = [np.zeros((4, 0), np.uint32)], None
    try:
        blocks.extend(contents(reading))
    except Exception as raised:
        error = raised
    columns = np.concatenate(blocks, axis=1)
    if not columns[3].any():
        columns = columns[:3]
    packed = marshal.dumps(list(islice(dictionary.terms, 1, None)), _PLAIN)
    kinds = dictionary.kinds[1:]
    is_of_lines, prefixes = syntax in LINE_FORMATS, reading.prefixes
    return NumberedShare(packed, kinds, is_of_lines, columns, prefixes, problems, error)


def unread(error: Exception) -> NumberedShare:
    """A share that could not even be cut off."""
    nothing = np.zeros((3, 0), np.uint32)
    kinds = np.zeros(0, np.uint8)
    return NumberedShare(marshal.dumps([]), kinds, True, nothing, {}, Problems(), error)
