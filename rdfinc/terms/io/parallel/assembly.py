"""One source, whose shares come in numbers of their own and leave as ids."""

from __future__ import annotations

import numpy as np

from rdfinc.errors import DataSyntaxError, UnsupportedError
from rdfinc.terms.dictionary import BLANK, Dictionary, Ids
from rdfinc.terms.io.blanks import BlankScope
from rdfinc.terms.io.parallel.numbered_share import NumberedShare
from rdfinc.terms.io.parallel.shares import LinesBefore, Share
from rdfinc.terms.io.pieces import moved
from rdfinc.terms.io.problems import Problems, Skipped
from rdfinc.terms.io.quads import Columns
from rdfinc.terms.io.reading import Loaded, loaded
from rdfinc.terms.io.sources import Source


class Assembly:
    """What the shares of a source state that were taken in so far.

    Shares are taken in in their order, so that terms get ids in the order of the text, and nodes
    without a label their numbers: whatever is looked up or named, a reader of the whole source
    looks up and names in the same order. Serial: one look-up for each term of a share, one place
    for each of its statements; 0.4 µs and 0.01 µs.
    """

    def __init__(self, source: Source, dictionary: Dictionary, problems: Problems) -> None:
        self._source, self._dictionary = source, dictionary
        self._scope, self._problems = BlankScope(dictionary), problems
        self._prefixes: dict[str, str] = {}
        self._lines = LinesBefore()
        self._blocks: list[Columns] = []

    def take(self, share: Share | Exception, found: NumberedShare) -> None:
        """Raises the error at which the reading of the share ended, with its place in the
        source."""
        if isinstance(share, Exception):
            raise share
        ids = np.zeros(1 + len(terms := found.terms), np.uint32)
        ids[1:] = self._ids(terms, found)
        if found.error is not None:
            raise self._placed(found.error, share)
        self._note_problems(share, found)
        self._prefixes.update(found.prefixes)
        columns = np.zeros((4, found.columns.shape[1]), np.uint32)
        for row, numbers in zip(columns, found.columns, strict=False):
            np.take(ids, numbers, out=row)
        self._blocks.append(columns)

    def _ids(self, terms: list[bytes], found: NumberedShare) -> Ids:
        name = self._scope.labelled if found.is_of_lines else self._scope.parsed
        for place in np.flatnonzero(found.kinds == BLANK).tolist():
            terms[place] = name(terms[place])
        return self._dictionary.encode_distinct(terms, found.kinds)

    def _note_problems(self, share: Share, found: NumberedShare) -> None:
        noted, problems = self._problems, found.problems
        for problem in problems.first[: Skipped.KEPT - len(noted.first)]:
            noted.first.append(moved(problem, self._lines.before(share)))
        noted.count += problems.count

    def _placed(self, error: Exception, share: Share) -> Exception:
        if isinstance(error, DataSyntaxError | UnsupportedError):
            return moved(error, self._lines.before(share))
        return error

    def loaded(self, graph: bytes | None) -> Loaded:
        """All of it; statements outside of any graph stand in `graph`."""
        return loaded(
            self._source.name, self._blocks, self._dictionary, graph, self._prefixes, self._problems
        )
