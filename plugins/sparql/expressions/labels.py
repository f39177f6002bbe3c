"""The blank nodes that BNODE makes of labels: one for a label in a solution mapping."""

from __future__ import annotations

from collections import defaultdict

from rdflib.term import BNode

from rdfinc.plugins.sparql.columns.solutions import NONE, Solutions

Nodes = defaultdict[str, BNode]
"""The blank node of each label, made when it is first asked for."""


class RowLabels:
    """The nodes of each row of the solutions that were evaluated last, by the row's number.

    A BIND hands its rows on with a further column: they stay the same solution mappings.
    """

    def __init__(self) -> None:
        self._rows = NONE
        self._nodes: defaultdict[int, Nodes] = defaultdict(lambda: defaultdict(BNode))

    def of(self, rows: Solutions) -> defaultdict[int, Nodes]:
        if rows is not self._rows:
            self._rows = rows
            self._nodes = defaultdict(lambda: defaultdict(BNode))
        return self._nodes

    def hand_on(self, rows: Solutions, wider: Solutions) -> Solutions:
        """The rows with further columns."""
        if rows is self._rows:
            self._rows = wider
        return wider
