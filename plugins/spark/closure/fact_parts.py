"""The facts of a closure in the making, part by part, and what the driver holds of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any

import pyarrow as pa
from msgspec import Struct, field
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.datalog.analysis.modules import Modules
from rdfinc.datalog.clause import Clause, Ids, Pattern
from rdfinc.errors import UnsupportedError
from rdfinc.plugins.spark.closure.clause_matches import Given, Matching
from rdfinc.plugins.spark.closure.driver_engine import DriverEngine, Fact, hidden_number
from rdfinc.plugins.spark.closure.fact_files import FactFiles
from rdfinc.plugins.spark.closure.run_state import RunState, few, missing
from rdfinc.plugins.spark.closure.term_numbers import TermNumbers
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.tables.facts import batch_of


class FactCounts(Struct):
    """How many facts there are of each predicate, and of which classes something is made a member;
    None if of too many."""

    counts: dict[int, int] = field(default_factory=dict)
    classes: set[int] | None = field(default_factory=set)

    def plus(self, other: FactCounts) -> FactCounts:
        counts = dict(self.counts)
        for predicate, count in other.counts.items():
            counts[predicate] = counts.get(predicate, 0) + count
        known = self.classes is not None and other.classes is not None
        return FactCounts(
            counts, {*(self.classes or ()), *(other.classes or ())} if known else None
        )


class FoundFacts(Struct, frozen=True):
    """Found facts, new ones among them, with their predicates, and the classes of those about
    rdf:type; None if these may be any."""

    facts: DataFrame
    predicates: set[int] | None
    classes: set[int] | None = None


Note = Callable[[int], None]


class BaseFiles(Struct, frozen=True):
    """Where the driver itself finds the facts of part 0: those in `files`, but for predicates that
    `others` have, and these."""

    files: FactFiles
    others: DataFrame
    elsewhere: frozenset[int]


class FactParts:
    """Part 0 are the facts `base`, each once, which may be in files; the others are those of
    `work`.

    `fed` are the facts that the driver was told of, `waiting` the facts derived by the driver and
    not added yet, both in the data's numbers.
    """

    def __init__(
        self,
        work: RunState,
        held: DriverEngine,
        numbers: TermNumbers,
        base: DataFrame,
        in_files: BaseFiles | None = None,
    ) -> None:
        self.spark: SparkSession = work.spark
        self.work, self.held, self.numbers = work, held, numbers
        self._base, self._in_files = base, in_files
        self._modules = Modules()
        self._first = 1
        self._learned = 0
        self.fed: list[Fact] = []
        self.waiting: list[Fact] = []
        self.learn()
        self.type = self.number(held.type)
        self.contents = [self._look_into_base()]

    @property
    def count(self) -> int:
        return len(self.contents)

    def facts(self, start: int = 0, stop: int | None = None) -> DataFrame:
        """The facts of the parts from `start` on, before `stop`."""
        stop = self.count if stop is None else stop
        if start:
            return self.work.read("facts", start - 1, stop - 1)
        return (
            self._base.unionByName(self.work.read("facts", 0, stop - 1)) if stop > 1 else self._base
        )

    def known(self) -> dict[int, int]:
        """How many facts there are of each predicate of part 0, which the driver can name."""
        counts = self.contents[0].counts
        self.translate((p, p, p) for p in counts)
        self.learn()
        return counts

    def contained(self, start: int, stop: int) -> FactCounts:
        return reduce(FactCounts.plus, self.contents[start:stop], FactCounts())

    def take(self, stated: DataFrame) -> None:
        """Tells the driver what it needs of explicit facts."""
        asked: set[int] = set()
        while new := set.union(*self.held.asked()) - asked:
            asked |= new
            self.learn()
            predicates, classes = self.held.asked()
            self.held.state(self.translate(self._chosen(stated, predicates, classes)))
        self._hold()

    def _hold(self) -> None:
        held, counts = self.held, self.contents[0].counts
        self.learn()
        schema = held.compiled.schema.predicates
        large = {p for p in schema if counts.get(self.number(p), 0) > SPARK.large_relation}
        derived = held.hold(large)
        self.wait_for(derived, held.stated())
        for told in map(self.number, (held.property, held.container)):
            if told in counts:
                facts = self._base if self._in_files is None else self._in_files.others
                self.feed(self.held_of(facts.where(F.col("p") == told), self.contents[0]))

    def _chosen(self, stated: DataFrame, predicates: set[int], classes: set[int]) -> list[Fact]:
        """The explicit facts of some predicates and classes; predicates of too many facts are left
        out, unless axioms are about them."""
        counts = self.contents[0].counts
        axioms = {self.number(p) for p in self.held.axioms()[0]}
        asked = {self.number(p) for p in predicates}
        chosen = [p for p in asked if p in axioms or counts.get(p, 0) <= SPARK.large_relation]
        members = (F.col("p") == self.type) & F.col("o").isin(*map(self.number, classes))
        rows = (
            stated.where(F.col("p").isin(*chosen) | members).limit(SPARK.held_facts + 1).collect()
        )
        _check_size(len(rows))
        return sorted((row.s, row.p, row.o) for row in rows)

    def stand_for(self, modules: Modules) -> None:
        """Says which relations are kept as closures (see `number`)."""
        self._modules = modules

    def add(self, found: Sequence[FoundFacts], start: int = 0) -> tuple[int, list[Fact]]:
        """Adds new ones of some facts, and the waiting facts, as a part; returns the number of new
        facts and the facts that the driver has come to hold, in its numbers.

        The facts were found from the parts from `start` on. If these parts have few facts, the
        driver counts the new ones, and writes them itself if they are few: most rounds at the end
        are so.
        """
        found = [*found, self._waiting()] if self.waiting else found
        self.waiting = []
        facts = reduce(DataFrame.unionByName, (each.facts for each in found)).distinct()
        facts = missing(facts, self._alike(found))
        read = sum(self.contained(start, self.count).counts.values())
        table = few(facts) if read <= SPARK.few_rows else None
        if table is not None:
            return self._put(table)
        rows = self.work.write("facts", facts.sortWithinPartitions("p"))
        if not rows:
            return 0, []
        part = self.work.read("facts", self.work.parts["facts"] - 1)
        self.contents.append(self.look_into(part))
        return rows, self._tell(self.held_of(part, self.contents[-1]))

    def _put(self, table: pa.Table) -> tuple[int, list[Fact]]:
        """Adds a part that the driver has."""
        rows = self.work.put("facts", table)
        if not rows:
            return 0, []
        facts = list(zip(*(table.column(name).to_pylist() for name in "spo"), strict=True))
        counts = Counter(p for _, p, _ in facts)
        self.contents.append(FactCounts(dict(counts), {o for _, p, o in facts if p == self.type}))
        predicates, classes = self._held_numbers()
        told = [f for f in facts if f[1] in predicates or (f[1] == self.type and f[2] in classes)]
        return rows, self._tell(sorted(told))

    def _held_numbers(self) -> tuple[set[int], set[int]]:
        """The predicates and classes whose facts the driver holds."""
        held, number = self.held, self.number
        return {number(p) for p in held.predicates}, {number(c) for c in held.classes}

    def keep(self, frame: DataFrame) -> tuple[DataFrame, int]:
        """The data frame, computed once, and its rows."""
        kept = frame.localCheckpoint()
        return kept, kept.count()

    def _waiting(self) -> FoundFacts:
        columns = zip("spo", zip(*self.waiting, strict=True), strict=True)
        arrays = {name: pa.array(column, pa.int64()) for name, column in columns}
        predicates = {p for _, p, _ in self.waiting}
        classes = {o for _, p, o in self.waiting if p == self.type}
        return FoundFacts(self.spark.createDataFrame(pa.table(arrays)), predicates, classes)

    def _alike(self, found: Sequence[FoundFacts]) -> DataFrame:
        """The known facts of the predicates and classes of the found ones: only these may be equal
        to them."""
        facts = self.facts()
        predicates = _union(each.predicates for each in found)
        if predicates is not None:
            facts = facts.where(F.col("p").isin(*predicates))
            typing = [each for each in found if self.type in (each.predicates or ())]
            classes = _union(each.classes for each in typing)
            if classes is not None:
                facts = facts.where((F.col("p") != self.type) | F.col("o").isin(*classes))
        return facts

    def look_into(self, facts: DataFrame) -> FactCounts:
        """How many of some facts there are of each predicate, and the classes."""
        class_ = F.when(F.col("p") == self.type, F.col("o"))
        groups = (
            facts.groupBy("p", class_.alias("c")).count().limit(SPARK.told_classes + 1).collect()
        )
        if len(groups) <= SPARK.told_classes:
            found = FactCounts()
            for p, c, count in groups:
                found = found.plus(FactCounts({p: count}, {c} - {None}))
            return found
        return FactCounts(dict(map(tuple, facts.groupBy("p").count().collect())), None)

    def _look_into_base(self) -> FactCounts:
        if self._in_files is None:
            return self.look_into(self._base)
        counts = self._in_files.files.counts()
        for p in self._in_files.elsewhere:
            counts.pop(p, None)
        classes = self._in_files.files.objects(self.type)
        told = FactCounts(dict(counts), classes if len(classes) <= SPARK.told_classes else None)
        return told.plus(self.look_into(self._in_files.others))

    def _held_of_base(self) -> list[Fact]:
        """The facts of part 0 that the driver holds."""
        if self._in_files is None:
            return self.held_of(self._base, self.contents[0])
        predicates, classes = self._held_numbers()
        others, files = self._in_files.others, self._in_files.files
        chosen = pa.array(predicates - self._in_files.elsewhere, pa.int64())
        of_class = {"p": pa.array([self.type] * len(classes), pa.int64())}
        of_class["o"] = pa.array(classes, pa.int64())
        found = {*self.held_of(others, self.look_into(others))}
        for asked in ({"p": chosen}, of_class):
            told = files.asked(pa.table(asked))
            _check_size(told.num_rows)
            found.update(zip(*(told.column(end).to_pylist() for end in "spo"), strict=True))
        return sorted(found)

    def held_of(self, facts: DataFrame, contents: FactCounts) -> list[Fact]:
        """Those of some facts that the driver holds."""
        predicates, classes = self._held_numbers()
        predicates &= contents.counts.keys()
        chosen = F.col("p").isin(*predicates)
        if self.type in contents.counts:
            classes &= classes if contents.classes is None else contents.classes
            if classes:
                chosen |= (F.col("p") == self.type) & F.col("o").isin(*classes)
        if not predicates and not (classes and self.type in contents.counts):
            return []
        return sorted(map(tuple, facts.where(chosen).limit(SPARK.held_facts + 1).collect()))

    def _tell(self, facts: list[Fact]) -> list[Fact]:
        """Tells the driver of facts that it holds."""
        return self.feed(facts) if facts else []

    def feed(self, facts: Sequence[Fact]) -> list[Fact]:
        """Feeds the driver facts; what else it derives waits to be added."""
        _check_size(len(self.fed) + len(facts))
        self.fed += facts
        fed = self.translate(facts)
        told = self.held.feed(fed)
        self.wait_for(told, fed)
        return told

    def untell(self, facts: Sequence[Fact]) -> None:
        """Takes back facts that the driver was told of; it has derived nothing from them."""
        self.held.facts.remove(batch_of(self.translate(facts)))

    def wait_for(self, facts: Iterable[Fact], but: Iterable[Fact] = ()) -> None:
        """Has facts of the driver wait, without those of `but` and those that only the driver
        reads."""
        held, there = self.held, set(but)
        new = [
            f for f in facts if f not in there and not (held.is_auxiliary(f[1]) and held.holds(f))
        ]
        self.learn()
        self.waiting += [(self.number(s), self.number(p), self.number(o)) for s, p, o in new]

    # -- matches

    def matching(self, clause: Clause, variables: tuple[int, ...], rows: set[Ids]) -> Matching:
        """The matches of a clause where some variables have one of the rows of values, in the
        driver's numbers."""
        numbered = [tuple(map(self.number, row)) for row in sorted(rows)]
        return Matching(clause, Given(variables, numbered), self.number, self.numbers, self.spark)

    def size(self, matching: Matching, at: Pattern, contents: FactCounts) -> int:
        """How many facts of some contents are of a pattern's relation, or some more."""
        predicates, classes = matching.among(at.p), matching.among(at.o)
        if predicates is None:
            return sum(contents.counts.values())
        if predicates == {self.type} and classes is not None and contents.classes is not None:
            predicates = predicates if classes & contents.classes else set()
        return sum(contents.counts.get(predicate, 0) for predicate in predicates)

    # -- numbers

    def translate(self, facts: Iterable[Fact]) -> list[Fact]:
        """Facts in the data's numbers, in those of the driver."""
        facts = list(facts)
        of_data = self.held.of_data
        unknown = {id for fact in facts for id in fact if id not in of_data}
        texts, terms = self.numbers.texts(id for id in unknown if id > 0), self.held.terms
        for id in sorted(unknown):
            auxiliary = id not in texts
            self._know(
                terms.auxiliary(f"node {id}") if auxiliary else terms.encode(texts[id].encode()), id
            )
        return [(of_data[s], of_data[p], of_data[o]) for s, p, o in facts]

    def _know(self, local: int, id: int) -> None:
        self.held.of_data[id], self.held.number[local] = local, id

    def learn(self) -> None:
        """Gives all of the driver's terms a number of the data's."""
        held, new = self.held, {}
        first, self._learned = self._learned + 1, len(held.terms)
        for local in range(first, self._learned + 1):
            if local in held.number:
                continue
            key = held.terms.decode(local)
            if held.is_auxiliary(local):
                assert hidden_number(key) not in held.of_data, "two names with one number"
                self._know(local, hidden_number(key))
            else:
                new[key.decode()] = local
        for text, id in self.numbers.give(new).items():
            self._know(new[text], id)

    def number(self, local: int) -> int:
        """The data's number of a term of the driver's. External facts of a module are counted among
        those of its first member, which have the same closure."""
        module = self._modules.by_external.get(local)
        return self.held.number[local if module is None else module.members[0][0]]

    def state(self) -> dict[str, Any]:
        """The state in which an interrupted run goes on, beside the parts in `work`."""
        contents = [
            [list(each.counts.items()), None if each.classes is None else sorted(each.classes)]
            for each in self.contents
        ]
        own = {"fed": self.fed, "waiting": self.waiting, "first": self._first}
        return {"contents": contents, **own}

    def resume(self, state: dict[str, Any], marks: Iterable[int], note: Note) -> None:
        """Takes up what an interrupted run has left. `note` is called when the driver has been fed
        as many facts as one of the `marks` says."""
        self.contents = [
            FactCounts(dict(counts), None if classes is None else set(classes))
            for counts, classes in state["contents"]
        ]
        self._first = state["first"]
        fed = [(s, p, o) for s, p, o in state["fed"]]
        self.translate(fed)
        for mark in sorted({*marks, len(fed)}):
            self.feed(fed[len(self.fed) : mark])
            note(mark)
        self.waiting = [tuple(fact) for fact in state["waiting"]]

    def restart(self) -> None:
        """Forgets all parts but the given ones."""
        self.work.parts["facts"] = self._first - 1
        del self.contents[self._first :]
        self.fed, self.waiting = [], []
        self._hold()
        if self._first > 1:
            self.feed(self.held_of(self.facts(), self.contained(0, self._first)))

    def all_derived(self) -> list[Fact]:
        """Says that part 0 is a closure already; returns those facts that the driver derives."""
        self.feed(self._held_of_base())
        here, self.waiting = self.waiting, []
        return here

    def forget(self, facts: DataFrame) -> None:
        """Takes some facts out of part 0; that it contains others of the kind is still said."""
        self._base = missing(self._base, facts)

    def give(self, facts: DataFrame) -> None:
        """Adds a part that stays."""
        self.add([FoundFacts(facts, None)])
        self._first = self.count


def _union(sets: Iterable[set[int] | None]) -> set[int] | None:
    """The union of some sets; None if one of them stands for everything, or the union is too
    large."""
    found: set[int] = set()
    for each in sets:
        if each is None or len(found | each) > SPARK.listed_relations:
            return None
        found |= each
    return found


def _check_size(facts: int) -> None:
    if facts > SPARK.held_facts:
        raise UnsupportedError(
            f"on Spark: more than {SPARK.held_facts} facts of relations that say what rules are "
            "about"
        )
