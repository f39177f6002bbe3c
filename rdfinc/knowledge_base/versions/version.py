"""A version: all facts of a knowledge base between two commits (ALGORITHMS §6).

A version pinned by a reader never changes. The next commit works on a fork, which shares all tables
without changes. An unpinned version is changed in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rdfinc.datalog.analysis.modules import ClosureKind, Modules
from rdfinc.datalog.transform.representatives import Equality
from rdfinc.knowledge_base.versions.rare_facts import RareFacts
from rdfinc.knowledge_base.versions.term_predicates import TermPredicates
from rdfinc.knowledge_base.versions.value_orders import ValueOrders
from rdfinc.tables import kernels
from rdfinc.tables.equality import aliases
from rdfinc.tables.equality.aliases import Aliases
from rdfinc.tables.equality.expanded import Expanded
from rdfinc.tables.facts import Batch, FactSet, MakeTable, size
from rdfinc.tables.indexed_rows import IndexedRows, labelled
from rdfinc.tables.table import KeptTable, MutableTable


@dataclass
class Version:
    """The closure, the explicit facts among it, and the graphs that state these.

    Invariants: `explicit` ⊆ `closure`; a fact of a named graph is explicit; `only_named` are the
    explicit facts that the default graph does not state, `several` those that more than one graph
    states. Members of `modules` have a table each, of one of the `closure_kinds`, and the external
    facts of each module are kept beside them. `tried` are the relations that may share rows, each
    with its size at the last try.

    `held` are the facts as the engine keeps them: the closure itself or, with an `equality`, facts
    over representatives and the aliases of these. `shown` counts the visible closure without the
    relations counted `apart`, all of whose facts are visible. `pins` are the readers. Other
    versions may share all `graphs` but the `own_graphs`. `in_graphs` are predicates over all
    graphs, `predicates_of` those of the terms in the closure, `rare` the rare facts of what is read
    of the version, `orders` the objects by their values; all of them are made when first asked for.
    The `closure` is `viewed` by some equality, for all terms that these aliases give.
    """

    make: MakeTable
    held: FactSet
    closure: FactSet
    explicit: FactSet
    only_named: FactSet
    several: FactSet
    graphs: dict[int, FactSet] = field(default_factory=dict)
    modules: Modules = field(default_factory=Modules)
    closure_kinds: dict[int, ClosureKind] = field(default_factory=dict)
    equality: Equality | None = None
    tried: dict[int, int] = field(default_factory=dict)
    shown: int = 0
    apart: frozenset[int] = frozenset()
    pins: set[int] = field(default_factory=set)
    own_graphs: set[int] = field(default_factory=set)
    in_graphs: dict[int, IndexedRows] = field(default_factory=dict)
    predicates_of: TermPredicates | None = None
    rare: dict[Any, RareFacts] = field(default_factory=dict)
    orders: ValueOrders | None = None
    viewed: tuple[Equality, Aliases] | None = None

    @classmethod
    def empty(cls, make: MakeTable) -> Version:
        held = FactSet(make)
        return cls(make, held, held, FactSet(make), FactSet(make), FactSet(make))

    def __getstate__(self) -> dict[str, Any]:
        """Readers, and what was made for them, stay behind when a version is pickled."""
        made: dict[str, Any] = {"in_graphs": {}, "predicates_of": None, "rare": {}, "orders": None}
        return {**vars(self), "pins": set(), **made}

    def fork(self) -> Version:
        held = self.held.fork()
        self.own_graphs.clear()
        return Version(
            self.make,
            held,
            held if self.closure is self.held else self.closure,
            self.explicit.fork(),
            self.only_named.fork(),
            self.several.fork(),
            dict(self.graphs),
            self.modules,
            dict(self.closure_kinds),
            self.equality,
            dict(self.tried),
            self.shown,
            self.apart,
            in_graphs=dict(self.in_graphs),
            orders=self.orders,
            viewed=self.viewed,
        )

    def ordered(self) -> ValueOrders:
        """The objects of predicates in the order of their values."""
        if self.orders is None:
            self.orders = ValueOrders()
        return self.orders

    def stating(self, predicate: int) -> IndexedRows:
        """The pairs of a predicate with the named graphs that state them."""
        found = self.in_graphs.get(predicate)
        if found is None:
            found = self.in_graphs[predicate] = in_graphs(self.graphs, predicate)
        return found

    def predicates(self, s: int | None, o: int | None) -> list[int]:
        """The predicates, in their order, that facts with one or both of these ends may have."""
        if s is None and o is None:
            return list(self.closure.tables)
        if self.predicates_of is None:
            self.predicates_of = TermPredicates(self.closure.tables)
        if s is None:
            assert o is not None
            return self.predicates_of.of(o, as_subject=False)
        return self.predicates_of.of(s, as_subject=True)

    def own_graph(self, graph: int) -> FactSet:
        """The facts stated by a named graph, as a set to be changed."""
        if graph not in self.own_graphs:
            held = self.graphs.get(graph)
            self.graphs[graph] = FactSet(self.make) if held is None else held.fork()
            self.own_graphs.add(graph)
        return self.graphs[graph]

    def writable(self) -> Version:
        """This version, or a fork of it where someone still reads it."""
        return self.fork() if self.pins else self

    def visible(self) -> int:
        """How many facts users see."""
        return self.shown + sum(len(self.closure.get(predicate)) for predicate in self.apart)

    @property
    def aliases(self) -> Aliases:
        """The alias table, if facts are held over representatives."""
        if self.equality is None:
            return aliases.NONE
        found = self.held.tables.get(self.equality.aliases)
        return found if isinstance(found, Aliases) else aliases.NONE

    def show(self, never_shows: Callable[[int], bool]) -> None:
        """Makes the closure a view of the held facts, for all terms that representatives stand
        for. O(relations) with an equality; the views of the closure so far that are still right
        stay."""
        equality, self.predicates_of, self.rare = self.equality, None, {}
        if self.orders is not None:
            self.orders = self.orders.next()
        if equality is None:
            self.closure, self.viewed = self.held, None
            return
        equal = self.aliases
        known = self.closure.tables if self.viewed == (equality, equal) else {}
        own = self.held.tables if equal.trivial else ()
        views: dict[int, KeptTable] = {}
        for p, table in self.held.tables.items():
            view = known.get(p)
            if view is not table and (type(view) is not Expanded or view.table is not table):
                whole = p in own or equality.is_own(p) or never_shows(p)
                view = table if whole else Expanded(table, equal)
            views[p] = view
        views.pop(equality.aliases, None)
        self.closure, self.viewed = FactSet(self.make), (equality, equal)
        self.closure.tables = views

    def share(self, inserted: Batch) -> None:
        """Lets equal explicit and closed relations share their arrays, if many facts were
        inserted."""
        many = [p for p, keys in inserted.items() if not isinstance(keys, list)]
        for predicate in many if many and self.aliases.trivial else ():
            closed = self.held.tables.get(self._derived(predicate))
            stated = len(self.explicit.get(predicate))
            if isinstance(closed, MutableTable) and stated == len(closed):
                self.explicit.replace(predicate, closed.copy())

    def _derived(self, predicate: int) -> int:
        """The relation that keeps the explicit facts of a relation and those derived for it."""
        module = self.modules.of.get(predicate)
        return predicate if module is None or len(module.members) > 1 else module.external

    def _tables(self) -> list[KeptTable]:
        sets = (self.held, self.explicit, self.only_named, self.several, *self.graphs.values())
        return [table for facts in sets for table in facts.tables.values()]

    def arrays(self) -> list[npt.NDArray[Any]]:
        """The arrays of all tables; some share theirs."""
        return [array for table in self._tables() for array in table.arrays()]

    def nbytes(self) -> int:
        """Estimated memory of all tables; arrays that tables share count once."""
        arrays = {id(array): array.nbytes for array in self.arrays()}
        return sum(arrays.values()) + sum(table.overlay_bytes() for table in self._tables())

    def _check(self) -> None:
        sets = (self.held, self.explicit, self.only_named, self.several, *self.graphs.values())
        for facts in sets:
            for table in facts.tables.values():
                table._check()
        self._check_representatives()
        assert not self.closure.missing(self.explicit.batch())
        assert not self.explicit.missing(self.only_named.batch())
        for named in self.graphs.values():
            assert named
            assert not self.explicit.missing(named.batch())
        unnamed = self.only_named.batch()
        for named in self.graphs.values():
            unnamed = named.missing(unnamed)
        assert not size(unnamed)
        once, several = FactSet(), FactSet()
        in_default = self.only_named.missing(self.explicit.batch())
        for batch in (in_default, *(named.batch() for named in self.graphs.values())):
            several.add(once.present(batch))
            once.add(batch)
        assert several.batch().keys() == self.several.batch().keys()
        assert not size(several.missing(self.several.batch()))
        assert not size(self.several.missing(several.batch()))

    def _check_representatives(self) -> None:
        """Facts that stand for those of all equal terms are about representatives, but for members
        of classes that the equality depends on."""
        equality, equal = self.equality, self.aliases
        if equality is None or equal.trivial:
            return
        of_own = np.array(sorted(equality.classes), np.uint32)
        for predicate, table in self.held.tables.items():
            if type(self.closure.tables.get(predicate)) is Expanded:
                keys = table.scan()
                of_others = ~np.isin(kernels.low(keys), of_own)
                assert equal.is_normal(keys[of_others]).all(), "about representatives"


def in_graphs(graphs: Mapping[int, FactSet], predicate: int) -> IndexedRows:
    """The pairs of a predicate in each graph: subject, object, graph. Cost besides the pairs: a
    look-up a graph."""
    tables = {graph: facts.get(predicate) for graph, facts in graphs.items()}
    parts = {graph: table.scan() for graph, table in tables.items() if len(table)}
    return IndexedRows(*labelled(parts))


class Restatement(NamedTuple):
    """A change of statements: per named graph, of the default graph, and as a change of explicit
    facts."""

    withdrawn: dict[int, Batch]
    stated: dict[int, Batch]
    default_withdrawn: Batch
    default_stated: Batch
    only_named_removed: Batch
    only_named_added: Batch
    several_removed: Batch
    several_added: Batch
    deleted: Batch
    inserted: Batch
    ignored: int

    @property
    def has_effect(self) -> bool:
        """Whether any graph states something else than before."""
        return bool(self.deleted or self.inserted) or any(self[:-1])

    @property
    def by_graph(self) -> tuple[dict[int, Batch], dict[int, Batch]]:
        """What graphs state no longer, and what they state now; 0 is the default graph."""
        gone, new = self.withdrawn, self.stated
        if self.default_withdrawn:
            gone = {0: self.default_withdrawn, **gone}
        if self.default_stated:
            new = {0: self.default_stated, **new}
        return gone, new

    def commit(self, version: Version) -> None:
        """Applies all but `deleted` and `inserted`, which the closure's update applies."""
        if self.withdrawn or self.stated:
            self._commit_named(version)
        if self.only_named_removed or self.only_named_added:
            version.only_named.discard(self.only_named_removed)
            version.only_named.add(self.only_named_added)
        if self.several_removed or self.several_added:
            version.several.discard(self.several_removed)
            version.several.add(self.several_added)

    def _commit_named(self, version: Version) -> None:
        for graph, batch in self.withdrawn.items():
            version.own_graph(graph).discard(batch)
            if not version.graphs[graph]:
                del version.graphs[graph]
                version.own_graphs.discard(graph)
        for graph, batch in self.stated.items():
            version.own_graph(graph).add(batch)
        for batch in (*self.withdrawn.values(), *self.stated.values()):
            for predicate in version.in_graphs.keys() & batch.keys():
                del version.in_graphs[predicate]


def restate(version: Version, delete: dict[int, Batch], insert: dict[int, Batch]) -> Restatement:
    """E' = (E ∖ delete) ∪ insert, for statements by graph (0 is the default graph).

    What changes nothing is counted in `ignored`. Cost: the batches; those of their facts that
    several graphs state already times the graphs.
    """
    if not version.graphs and not any((*delete, *insert)):
        return _restate_default(version, delete.get(0, {}), insert.get(0, {}))
    make = version.make
    asked = sum(map(size, delete.values())) + sum(map(size, insert.values()))
    delete = {g: FactSet.of(insert.get(g, {}), make).missing(batch) for g, batch in delete.items()}
    withdrawn = {g: _stated(version, g, batch) for g, batch in delete.items()}
    stated = {g: _unstated(version, g, batch) for g, batch in insert.items()}
    ignored = asked - sum(map(size, withdrawn.values())) - sum(map(size, stated.values()))

    touched = FactSet(make)
    for batch in (*withdrawn.values(), *stated.values()):
        touched.add(batch)
    affected = touched.batch()
    in_default = FactSet.of(_stated(version, 0, affected), make)
    in_default.discard(withdrawn.get(0, {}))
    in_default.add(stated.get(0, {}))
    in_named, several = _named_after(version, affected, withdrawn, stated)
    several.add(in_named.present(in_default.batch()))
    after = FactSet.of(in_default.batch(), make)
    after.add(in_named.batch())
    only_named = FactSet.of(in_default.missing(in_named.batch()), make)
    return Restatement(
        {g: batch for g, batch in withdrawn.items() if g and batch},
        {g: batch for g, batch in stated.items() if g and batch},
        withdrawn.get(0, {}),
        stated.get(0, {}),
        only_named.missing(version.only_named.present(affected)),
        version.only_named.missing(only_named.batch()),
        several.missing(version.several.present(affected)),
        version.several.missing(several.batch()),
        after.missing(version.explicit.present(affected)),
        version.explicit.missing(after.batch()),
        ignored,
    )


def _restate_default(version: Version, delete: Batch, insert: Batch) -> Restatement:
    """The common case of a single graph, the default one: its statements are the explicit facts."""
    asked = size(delete) + size(insert)
    if delete and insert:
        delete = FactSet.of(insert, version.make).missing(delete)
    deleted = version.explicit.present(delete) if delete else {}
    inserted = version.explicit.missing(insert) if insert else {}
    ignored = asked - size(deleted) - size(inserted)
    return Restatement({}, {}, deleted, inserted, {}, {}, {}, {}, deleted, inserted, ignored)


def _stated(version: Version, graph: int, batch: Batch) -> Batch:
    """The facts of the batch that the graph states."""
    if not graph:
        return version.only_named.missing(version.explicit.present(batch))
    return version.graphs[graph].present(batch) if graph in version.graphs else {}


def _unstated(version: Version, graph: int, batch: Batch) -> Batch:
    """The facts of the batch that the graph does not state."""
    return FactSet.of(_stated(version, graph, batch), version.make).missing(batch)


def _named_after(
    version: Version, affected: Batch, withdrawn: dict[int, Batch], stated: dict[int, Batch]
) -> tuple[FactSet, FactSet]:
    """The affected facts that some named graph states after the change, and those that several
    do."""
    named, several = FactSet(version.make), FactSet(version.make)
    fresh = [batch for graph, batch in stated.items() if graph]
    for batch in (*_left(version, affected, withdrawn), *fresh):
        added = named.add(batch)
        if size(added) < size(batch):
            several.add(FactSet.of(added, version.make).missing(batch))
    return named, several


def _left(version: Version, affected: Batch, withdrawn: dict[int, Batch]) -> Iterator[Batch]:
    """The affected facts that named graphs state and keep, in a batch or more. Graphs are asked
    only for facts stated by several; of all others it is known whether their graph is named."""
    known = version.explicit.present(affected)
    gone = FactSet(version.make)
    for batch in (batch for graph, batch in withdrawn.items() if graph and known):
        gone.add(batch)
    yield gone.missing(version.only_named.present(version.several.missing(known)))
    shared = version.several.present(known)
    for graph, facts in version.graphs.items() if shared else ():
        lost = FactSet.of(withdrawn.get(graph, {}), version.make)
        yield lost.missing(facts.present(shared))
