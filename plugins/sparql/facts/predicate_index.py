"""Which predicates have facts in some tables, and which of them about given nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np

from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.knowledge_base.versions.rare_facts import RareFacts
from rdfinc.plugins.sparql.columns.query_terms import LOCAL
from rdfinc.plugins.sparql.columns.solutions import Ids
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.tables.facts import FactSet
from rdfinc.tables.views import EMPTY


class PredicateIndex:
    """The predicates that may have facts in some tables, which do not change, and those among them
    that have facts about given nodes. Predicates that are never shown are left out, but of those
    `noted`, where a node may also have no facts."""

    def __init__(self, reader: Reader, facts: FactSet, rare: RareFacts) -> None:
        self._never_shows = reader.visibility.never_shows
        self._tables, self._rare = facts.tables, rare
        version = reader.version
        is_of_version = facts is version.closure or facts is version.explicit
        self.noted = version.predicates if is_of_version else self._all
        self._found: dict[tuple[int | None, int | None], list[int]] = {}

    def of(self, s: int | None, o: int | None) -> list[int]:
        """Those with the subject and with the object, None being any. O(predicates · log n) until
        the version has noted which predicates its terms have, and once for each of the last nodes
        that were asked for."""
        if s is None and o is None:
            return self._rare.predicates
        found = self._found.get((s, o))
        if found is None:
            if len(self._found) >= QUERIES.first_solutions:
                self._found.clear()
            found = self._found[s, o] = list(self.those(s, o))
        return found

    def those(self, s: int | None, o: int | None) -> Iterator[int]:
        if max(s or 0, o or 0) >= LOCAL:
            return
        for predicate in self.noted(s, o):
            table = self._tables.get(predicate, EMPTY)
            begins = s is None or table.is_subject(s)
            ends = o is None or table.is_object(o)
            if begins and ends and not self._never_shows(predicate):
                yield predicate

    def _all(self, s: int | None, o: int | None) -> Collection[int]:
        return self._tables

    def among(self, subjects: Ids | None, objects: Ids | None) -> list[int]:
        """Those with one of the subjects and with one of the objects, None being any; and others
        where these are many."""
        begin, end = self._few(subjects), self._few(objects)
        if begin is None:
            return self.of(None, None) if end is None else self._united((None, o) for o in end)
        found = self._united((s, None) for s in begin)
        if end is None:
            return found
        known = [o for o in end if o < LOCAL]
        return [p for p in found if any(map(self._tables[p].is_object, known))]

    def _few(self, ids: Ids | None) -> list[int] | None:
        """Some nodes, each once; None for any, or many beside the predicates."""
        if ids is None or len(ids) > QUERIES.first_solutions:
            return None
        distinct: list[int] = np.unique(ids).tolist()
        most = max(QUERIES.few_asked_nodes, len(self._tables) // QUERIES.predicates_of_node)
        return distinct if len(distinct) <= most else None

    def _united(self, ends: Iterable[tuple[int | None, int | None]]) -> list[int]:
        return list(dict.fromkeys(predicate for s, o in ends for predicate in self.of(s, o)))


def rare_among(facts: FactSet, reader: Reader, *, stated_only: bool) -> RareFacts:
    """Which predicates of some facts are rare: none whose facts are shown or not for what they
    say."""
    never_shows, chooses = reader.visibility.never_shows, reader.visibility.chooses
    sizes = {p: table.at_most() for p, table in facts.tables.items() if not never_shows(p)}
    return RareFacts(sizes, lambda predicate: stated_only or not chooses(predicate))
