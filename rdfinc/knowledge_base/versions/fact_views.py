"""Views: what can be read of one version, by ids. Iterators and views stay with their version.

A `Reader` pins a version for all who read. Its views give triples, for the facade, rdflib's store,
the server's pages and what goes on disk. SPARQL takes the version from the same reader, and reads
it a column at a time (`rdfinc.plugins.sparql.facts.fact_relations`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.versions.subject_rows import Row, SubjectRows
from rdfinc.knowledge_base.versions.version import Version
from rdfinc.knowledge_base.versions.visibility import Visibility
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet, as_list, gather, shaped
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.table_thresholds import TABLES

Triple = tuple[int, int, int]


class Pin:
    """What keeps a version from being changed, and its ids from being given away, while someone
    holds it; with the class that says what of the version is shown."""

    __slots__ = ("_lease", "version", "visibility")

    def __init__(self, version: Version, visibility: Visibility) -> None:
        self.version, self.visibility, self._lease = version, visibility, visibility.lease
        version.pins.add(id(self))

    def __del__(self) -> None:
        self.version.pins.discard(id(self))


class Reader:
    """A pinned version: later changes do not show in its views. `known` is what others work out
    about it; none of that may hold the reader, so that nobody pins a version but who reads it.

    `closure` is everything that is stated or follows, and is shown; `default_graph` what the
    default graph states, and all derived facts.
    """

    def __init__(self, version: Version, visibility: Visibility) -> None:
        self.known: dict[Hashable, Any] = {}
        self.version, self.visibility = version, visibility
        self._pin = Pin(version, visibility)
        self.closure = _Closure(self._pin)
        self.default_graph: View = self.closure
        if version.only_named.tables:
            self.default_graph = _Without(self.closure, version.only_named)

    @property
    def explicit(self) -> View:
        """The facts stated by some graph."""
        return _Stated(self._pin, self.version.explicit)

    @property
    def derived(self) -> View:
        """The facts that follow and are stated by no graph."""
        return _Without(self.closure, self.version.explicit)

    @property
    def stated_in_default(self) -> View:
        """The facts stated by the default graph itself."""
        return _StatedInDefault(self._pin)

    def graph(self, graph: int) -> View:
        """The facts stated by a named graph."""
        return _Stated(self._pin, self.version.graphs.get(graph, FactSet()))

    def stated(self, graph: int) -> View:
        """The facts stated by one graph itself; 0 is the default graph."""
        return self.graph(graph) if graph else self.stated_in_default

    def graphs(self) -> list[int]:
        """The named graphs that state something."""
        return list(self.version.graphs)

    def stating(self, fact: Triple) -> list[int]:
        """The named graphs that state a fact."""
        (s, p, o), version = fact, self.version
        if not (version.only_named.has(s, p, o) or version.several.has(s, p, o)):
            return []
        if len(version.graphs) <= KNOWLEDGE.few_graphs:
            return [graph for graph, facts in version.graphs.items() if facts.has(s, p, o)]
        rows = version.stating(p)
        _, at = rows.find({0: np.array([s], np.uint32), 1: np.array([o], np.uint32)})
        found: list[int] = rows.columns[2][at].tolist()
        return found


class View(ABC):
    """A set of triples of ids; None in a pattern matches anything."""

    def __init__(self, pin: Pin) -> None:
        self._pin = pin

    @abstractmethod
    def _predicates(self) -> list[int]:
        """The predicates that may have facts."""

    @abstractmethod
    def keys(self, p: int, s: int | None, o: int | None) -> Keys:
        """The facts of one predicate as keys; a list or an array, whichever comes cheaper."""

    @abstractmethod
    def __len__(self) -> int: ...

    def predicates(self) -> list[int]:
        """The predicates that have facts in this view."""
        return [p for p in self._predicates() if any(map(len, self.parts(p, None, None)))]

    def parts(self, p: int, s: int | None, o: int | None) -> Iterator[Keys]:
        """As `keys`, in parts where there may be too many to hold at once."""
        yield self.keys(p, s, o)

    def batch(self) -> Batch:
        """All triples."""
        found = {p: list(self.parts(p, None, None)) for p in self._predicates()}
        return gather({p: parts for p, parts in found.items() if any(map(len, parts))})

    def match(
        self, s: int | None = None, p: int | None = None, o: int | None = None
    ) -> Iterator[Triple]:
        """The matching triples."""
        if p is not None and (s is not None or o is not None):
            return self._found(s, p, o)
        if s is not None and o is None:
            return ((s, p, o) for p, objects in self.rows(s) for o in objects)
        return self._match(s, self._with(s, o) if p is None else [p], o)

    def _with(self, s: int | None, o: int | None) -> list[int]:
        """The predicates that facts with these ends may have."""
        return self._predicates()

    def _found(self, s: int | None, p: int, o: int | None) -> Iterator[Triple]:
        for key in as_list(self.keys(p, s, o)):
            yield key >> 32, p, key & 0xFFFFFFFF

    def rows(self, s: int) -> Iterator[Row]:
        """The predicates that facts with this subject have, with the objects of each."""
        for p in self._with(s, None):
            if objects := self.objects(s, p):
                yield p, objects

    def _match(self, s: int | None, predicates: list[int], o: int | None) -> Iterator[Triple]:
        for p in predicates:
            if s is not None or o is not None:
                yield from self._found(s, p, o)
            else:
                for keys in self.parts(p, s, o):
                    for key in as_list(keys):
                        yield key >> 32, p, key & 0xFFFFFFFF

    def objects(self, s: int, p: int) -> list[int]:
        """The objects of the matching triples, in the order of these."""
        return [key & 0xFFFFFFFF for key in as_list(self.keys(p, s, None))]

    def object(self, s: int, p: int) -> int | None:
        """The first of `objects`, None if there is none."""
        objects = self.objects(s, p)
        return objects[0] if objects else None

    def few_objects(self, s: int, p: int) -> list[int] | None:
        """`objects`, not to be changed; or None, without looking at them, where there may be
        many."""
        return self.objects(s, p)

    def objects_in_turn(self, s: int, p: int) -> Iterator[int]:
        """`objects`, the first of which is given before the others are looked for."""
        first = self.object(s, p)
        if first is not None:
            yield first
            yield from islice(self.objects(s, p), 1, None)

    def subjects(self, p: int, o: int) -> list[int]:
        """The subjects of the matching triples, in the order of these."""
        keys = self.keys(p, None, o)
        if isinstance(keys, list):
            return [key >> 32 for key in keys]
        found: list[int] = kernels.high(keys).tolist()
        return found

    def count(self, s: int | None = None, p: int | None = None, o: int | None = None) -> int:
        """How many triples match."""
        predicates = self._with(s, o) if p is None else [p]
        return sum(self._count(predicate, s, o) for predicate in predicates)

    @abstractmethod
    def _count(self, p: int, s: int | None, o: int | None) -> int:
        """How many facts of one predicate match; enumerates as few as it can."""

    def __contains__(self, triple: Triple) -> bool:
        s, p, o = triple
        return len(self.keys(p, s, o)) > 0

    def __iter__(self) -> Iterator[Triple]:
        return self.match()


def _lookup(table: Table, s: int | None, o: int | None) -> Keys:
    if s is None and o is None:
        return table.scan()
    if s is None:
        assert o is not None
        subjects = table.subjects(o)
        if len(subjects) > TABLES.narrow_batch:
            return kernels.sort(kernels.pack(subjects, o))
        return [subject << 32 | o for subject in subjects]
    if o is None:
        objects = table.objects(s)
        if len(objects) > TABLES.narrow_batch:
            return kernels.sort(kernels.pack(s, objects))
        return [s << 32 | object_ for object_ in objects]
    key = s << 32 | o
    return [key] if table.has(key) else []


_UNKNOWN = [0]


class _Closure(View):
    """Everything that is stated or follows, and is shown. Rows that were looked up lately are
    remembered: who asks for a value of a subject mostly asks for it again."""

    def __init__(self, pin: Pin) -> None:
        super().__init__(pin)
        self._rows: dict[tuple[int, int], list[int] | None] = {}
        self._by_subject = SubjectRows()

    def _predicates(self) -> list[int]:
        return list(self._pin.version.closure.tables)

    def _with(self, s: int | None, o: int | None) -> list[int]:
        return self._pin.version.predicates(s, o)

    def keys(self, p: int, s: int | None, o: int | None) -> Keys:
        pin = self._pin
        found = _lookup(pin.version.closure.get(p), s, o)
        if not len(found) or (s is not None and pin.visibility.shows_all(p, s)):
            return found
        return self._shown(p, found)

    def objects(self, s: int, p: int) -> list[int]:
        version, visibility = self._pin.version, self._pin.visibility
        found = version.closure.get(p).objects(s)
        if len(found) > TABLES.narrow_batch:
            found = sorted(found)
        if visibility.shows_all(p, s):
            return found
        return visibility.shown_objects(p, s, found, version.explicit.get)

    def rows(self, s: int) -> Iterator[Row]:
        tables = self._pin.version.closure.tables.values()
        noted = self._by_subject.of(s, tables, self.batch)
        return super().rows(s) if noted is None else noted

    def few_objects(self, s: int, p: int) -> list[int] | None:
        row = self._rows.get((s, p), _UNKNOWN)
        return self._looked_up(s, p) if row is _UNKNOWN else row

    def _looked_up(self, s: int, p: int) -> list[int] | None:
        pin, rows = self._pin, self._rows
        row = pin.version.closure.get(p).few_objects(s, TABLES.narrow_batch)
        if row and not pin.visibility.shows_all(p, s):
            row = pin.visibility.shown_objects(p, s, row, pin.version.explicit.get)
        if len(rows) >= KNOWLEDGE.remembered_rows:
            rows.clear()
        rows[s, p] = row
        return row

    def object(self, s: int, p: int) -> int | None:
        pin = self._pin
        found = pin.version.closure.get(p).first_object(s)
        if found is None or pin.visibility.shows(p, s << 32 | found, pin.version.explicit):
            return found
        return super().object(s, p)

    def __contains__(self, triple: Triple) -> bool:
        s, p, o = triple
        row = self.few_objects(s, p)
        if row is not None:
            return o in row
        version, visibility = self._pin.version, self._pin.visibility
        return version.closure.has(s, p, o) and visibility.shows(p, s << 32 | o, version.explicit)

    def parts(self, p: int, s: int | None, o: int | None) -> Iterator[Keys]:
        if s is None and o is None:
            for keys in self._pin.version.closure.get(p).blocks():
                yield self._shown(p, keys)
        else:
            yield self.keys(p, s, o)

    def _count(self, p: int, s: int | None, o: int | None) -> int:
        version, visibility = self._pin.version, self._pin.visibility
        if visibility.never_shows(p):
            return 0
        closed = version.closure.get(p)
        if s is not None and not visibility.may_leave_out(p, s):
            return closed.count(s, o)
        if s is not None or o is not None:
            return len(self._shown(p, _lookup(closed, s, o)))
        if visibility.counts_unseen(len(closed)):
            return len(closed) - visibility.left_out(p, closed, version.explicit.get(p)).size
        return sum(len(self._shown(p, keys)) for keys in closed.blocks())

    def _shown(self, p: int, keys: Keys) -> Keys:
        return self._pin.visibility.shown(p, keys, self._pin.version.explicit.get)

    def __len__(self) -> int:
        return self._pin.version.visible()


class _Without(_Closure):
    """The shown closure without some explicit facts."""

    def __init__(self, closure: _Closure, excepted: FactSet) -> None:
        super().__init__(closure._pin)
        self._closure, self._excepted = closure, excepted

    def keys(self, p: int, s: int | None, o: int | None) -> Keys:
        return self._excepted.get(p).missing(super().keys(p, s, o))

    def objects(self, s: int, p: int) -> list[int]:
        return View.objects(self, s, p)

    def rows(self, s: int) -> Iterator[Row]:
        for p, objects in self._closure.rows(s):
            keys = self._excepted.get(p).missing(shaped([s << 32 | o for o in objects]))
            if len(keys):
                yield p, [key & 0xFFFFFFFF for key in as_list(keys)]

    def few_objects(self, s: int, p: int) -> list[int] | None:
        row = self._closure.few_objects(s, p)
        if not row:
            return row
        excepted, high = self._excepted.get(p).has, s << 32
        return [o for o in row if not excepted(high | o)]

    def object(self, s: int, p: int) -> int | None:
        return View.object(self, s, p)

    def __contains__(self, triple: Triple) -> bool:
        s, p, o = triple
        return triple in self._closure and not self._excepted.get(p).has(s << 32 | o)

    def parts(self, p: int, s: int | None, o: int | None) -> Iterator[Keys]:
        return map(self._excepted.get(p).missing, super().parts(p, s, o))

    def _count(self, p: int, s: int | None, o: int | None) -> int:
        """The number of matches; explicit facts are always shown."""
        if self._pin.visibility.never_shows(p):
            return 0
        return super()._count(p, s, o) - self._excepted.get(p).count(s, o)

    def __len__(self) -> int:
        visible = [p for p in self._excepted.tables if not self._pin.visibility.never_shows(p)]
        return super().__len__() - sum(len(self._excepted.get(p)) for p in visible)


class _Stated(View):
    """Explicit facts."""

    def __init__(self, pin: Pin, facts: FactSet) -> None:
        super().__init__(pin)
        self._facts = facts

    def _predicates(self) -> list[int]:
        return [p for p in self._facts.tables if not self._pin.visibility.never_shows(p)]

    def keys(self, p: int, s: int | None, o: int | None) -> Keys:
        if self._pin.visibility.never_shows(p):
            return []
        return _lookup(self._facts.get(p), s, o)

    def _count(self, p: int, s: int | None, o: int | None) -> int:
        return 0 if self._pin.visibility.never_shows(p) else self._facts.get(p).count(s, o)

    def __len__(self) -> int:
        return sum(len(self._facts.get(p)) for p in self._predicates())


class _StatedInDefault(_Stated):
    def __init__(self, pin: Pin) -> None:
        super().__init__(pin, pin.version.explicit)

    def keys(self, p: int, s: int | None, o: int | None) -> Keys:
        return self._pin.version.only_named.get(p).missing(super().keys(p, s, o))

    def _count(self, p: int, s: int | None, o: int | None) -> int:
        return super()._count(p, s, o) - self._pin.version.only_named.get(p).count(s, o)

    def __len__(self) -> int:
        return super().__len__() - len(self._pin.version.only_named)
