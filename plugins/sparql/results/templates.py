"""Templates of CONSTRUCT and of updates, filled with solutions by columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from rdflib.term import BNode, Variable

from rdfinc.knowledge_base.streams.input_facts import Statements, of_columns
from rdfinc.plugins.rdflib.graph_names import DEFAULT
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.columns.query_terms import LOCAL, Terms
from rdfinc.plugins.sparql.columns.solutions import Ids, Solutions
from rdfinc.tables.kernels import Mask
from rdfinc.terms.dictionary import BLANK, IRI, Dictionary, Kinds
from rdfinc.terms.io.convert import key_of

Quads = Sequence[tuple[Any, Any, Any, Any]]
"""(s, p, o, graph), each a term, a variable or, for a graph, an id."""

HERE = 0xFFFFFFFF
"""Stands for the default graph in a template."""


class Filler:
    """Fills templates with solutions and gathers the statements that come of it.

    What is no statement (a variable without a value, a literal as subject, …) is left out. Terms
    that are new are encoded; without `new`, statements with such terms are left out, too. Blank
    nodes of a template are new ones for each solution then, and name themselves otherwise. The
    budget counts what was gathered.
    """

    def __init__(self, quads: Quads, terms: Terms, budget: Budget, *, new: bool) -> None:
        self._terms, self._budget, self._new = terms, budget, new
        self._open = [quad for quad in quads if any(map(self._varies, quad))]
        self._ground = [quad for quad in quads if not any(map(self._varies, quad))]
        self._parts: list[Ids] = []

    def _varies(self, slot: Any) -> bool:
        return isinstance(slot, Variable) or (self._new and isinstance(slot, BNode))

    def _id(self, slot: Any) -> int:
        return slot if isinstance(slot, int) else self._terms.number(slot)

    def fill(self, rows: Solutions) -> None:
        """Fills the templates with some solutions, of which there is one at least. Raises
        BudgetExceededError."""
        if self._ground:
            quads = [[self._id(slot) for slot in quad] for quad in self._ground]
            self._parts.append(np.array(quads, np.uint32).T)
            self._ground = []
        columns: dict[Any, Ids] = {}
        for quad in self._open:
            for slot in quad:
                if slot not in columns:
                    columns[slot] = self._column(slot, rows)
            self._parts.append(np.array([columns[slot] for slot in quad], np.uint32))
            self._budget.hold(self._parts[-1].nbytes)

    def _column(self, slot: Any, rows: Solutions) -> Ids:
        if isinstance(slot, Variable):
            return rows.column(slot)
        if not self._varies(slot):
            return np.full(rows.size, self._id(slot), np.uint32)
        return self._terms.numbers(BNode() for _ in range(rows.size))

    def columns(self) -> Ids:
        """Subjects, predicates, objects and graphs, as ids of the query; 0 for no term."""
        if len(self._parts) == 1:
            return self._parts[0]
        return np.concatenate([np.empty((4, 0), np.uint32), *self._parts], axis=1)

    def statements(self, dictionary: Dictionary) -> Statements:
        """All that were found. Raises ReservedGraphError."""
        columns = self.columns().copy()
        in_default = columns[3] == HERE
        columns[3][in_default] = 0
        s, p, o, g = columns = self._known(columns, dictionary)
        kinds = dictionary.kinds
        kept = is_node(kinds[s]) & (kinds[p] == IRI) & (o > 0) & (is_node(kinds[g]) | in_default)
        s, p, o, g = columns[:, kept]
        g[g == (dictionary.find(key_of(DEFAULT)) or 0)] = 0
        return of_columns(s, p, o, g, dictionary) if len(s) else {}

    def _known(self, columns: Ids, dictionary: Dictionary) -> Ids:
        """The query's own ids replaced by the store's, 0 where it has none."""
        own = columns >= LOCAL
        distinct, places = np.unique(columns[own], return_inverse=True)
        keys = map(self._terms.key, distinct.tolist())
        number = dictionary.encode if self._new else dictionary.find
        columns[own] = np.array([number(key) or 0 for key in keys], np.uint32)[places]
        return columns


def is_node(kinds: Kinds) -> Mask:
    return (kinds == IRI) | (kinds == BLANK)
