"""Semi-naive evaluation on Spark, stratum by stratum.

Facts come in parts, those of one round each, in the order in which they were found. A stratum
remembers the parts and the values of parameter tables that its rules have seen: only rule instances
with a new fact or value are looked for. So an inserted batch, and a run taken up after a kill, go
on where the last one ended.

The driver is told of new facts of the relations that it holds. If these facts show that strata were
drawn from too few, and a relation must be complete before it is read, evaluation starts again with
strata drawn from more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from rdfinc.datalog.analysis.modules import Module
from rdfinc.datalog.clause import Clause, Ids
from rdfinc.datalog.model import Skolem
from rdfinc.errors import BudgetExceededError, UnsupportedError
from rdfinc.plugins.spark.closure.clause_matches import Matching
from rdfinc.plugins.spark.closure.driver_engine import Fact
from rdfinc.plugins.spark.closure.fact_parts import FactCounts, FactParts, FoundFacts
from rdfinc.plugins.spark.closure.match_aggregates import folded
from rdfinc.plugins.spark.closure.pair_closures import connected, transitive
from rdfinc.reasoning.program.strata_plans import StrataPlans
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.tables.facts import batch_of
from rdfinc.terms.skolem import DEPTH

Say = Callable[[str], None]


class Redraw(Exception):  # noqa: N818  a signal within this file
    """The strata were drawn from too little."""


class Seen(Struct):
    """The input seen by the rules of a stratum: parts, facts told to the driver, and by clause the
    rows of parameter tables; and for each module the part up to which it is closed."""

    parts: int = 0
    fed: int = 0
    rows: dict[Clause, set[Ids]] = field(default_factory=dict)
    closed: dict[int, int] = field(default_factory=dict)


class Evaluation:
    """Completes `parts`. What is done is saved with each part, under the name of the `task`."""

    def __init__(self, parts: FactParts, task: str, say: Say) -> None:
        self.parts, self.held, self.numbers = parts, parts.held, parts.numbers
        self.task, self.say = task, say
        self.modules = True
        self.known: list[Fact] = []
        """Facts that strata are drawn from though they are not held as yet."""
        self.plans: StrataPlans
        self.drawn = 0
        """How many facts the driver was fed when the strata were drawn."""
        self.seen: list[Seen] = []

    def run(self, state: dict[str, Any] | None) -> None:
        """Adds all that follows; goes on from the state of an interrupted run if there is one.

        Raises UnsupportedError, BudgetExceededError.
        """
        if state is not None:
            self._resume(state)
        elif not self.seen:
            self._draw()
        while True:
            try:
                self._pass()
                return
            except Redraw:
                self.say("drawing the strata again")
                self.parts.restart()
                self._draw()

    def go_on_with(self, facts: DataFrame) -> None:
        """Adds facts to a part 0 that is a closure under these rules, or was one until some facts
        went and is one with those added; none of the rules has a negation."""
        self._draw()
        for stratum, seen in zip(self.plans.list, self.seen, strict=True):
            seen.parts, seen.fed = 1, len(self.parts.fed)
            seen.rows = {clause: self.held.rows(clause)[1] for clause in stratum.clauses}
            seen.closed = {self._external(module): 1 for module in stratum.closing}
        self.parts.give(facts)

    def _save(self) -> None:
        seen = [[each.parts, each.fed, list(each.closed.items())] for each in self.seen]
        own = {
            "task": self.task,
            "modules": self.modules,
            "known": self.known,
            "seen": seen,
            "drawn": self.drawn,
        }
        self.parts.work.save({**self.parts.state(), **own})

    def _resume(self, state: dict[str, Any]) -> None:
        """The state is of the same task, so that the driver numbers terms as it did then."""
        self.modules = state["modules"]
        self.known = [tuple(fact) for fact in state["known"]]
        drawn, done = state["drawn"], state["seen"]

        def note(count: int) -> None:
            if count == drawn:
                self._draw()
            for stratum, seen, (parts, fed, closed) in zip(
                self.plans.list, self.seen, done, strict=True
            ):
                if parts and fed == count:
                    seen.parts, seen.fed, seen.closed = parts, fed, dict(closed)
                    seen.rows = {c: self.held.rows(c)[1] for c in stratum.clauses}

        marks = (fed for parts, fed, _ in done if parts)
        self.parts.resume(state, [drawn, *marks], note)

    def _draw(self) -> None:
        self.plans = StrataPlans(self.held.strata(self.known, modules=self.modules))
        self.parts.stand_for(self.plans.strata.modules)
        self.seen = [Seen() for _ in self.plans.list]
        self.drawn = len(self.parts.fed)

    def _pass(self) -> None:
        """All strata in order; again while rules that nothing must be complete for find more."""
        while True:
            before = self.parts.count
            for stratum in self.plans.list:
                self._complete(stratum)
            if self.parts.count == before or self.held.compiled.negates:
                return

    def _complete(self, stratum: Stratum) -> None:
        computed = 0
        while self.parts.waiting:  # nothing is negated before it is there
            self._derived([], stratum)
        while True:
            terms = self.parts.work.size("terms")
            found = self._round(stratum)
            if not found:
                break
            makes = self.parts.work.size("terms") > terms and any(map(skolemises, stratum.clauses))
            computed = computed + 1 if makes else 0
            if computed > DEPTH:
                message = "rules with SKOLEM go on making terms; do they end?"
                raise BudgetExceededError(message, "rounds", DEPTH, computed)
        folds = [clause for clause in stratum.clauses if clause.fold is not None]
        self._derived([each for clause in folds for each in self._folded(clause)], stratum)
        for module in stratum.closing:
            self._close(module, stratum)

    def _round(self, stratum: Stratum) -> bool:
        """Finds the direct consequences of the input not seen by the rules of a stratum."""
        self.parts.learn()
        seen, count, fed = self.seen[stratum.level], self.parts.count, len(self.parts.fed)
        if seen.parts == count and seen.fed == fed and not self.parts.waiting:
            return False
        found: list[FoundFacts] = []
        for clause in stratum.clauses:
            if clause.fold is None and not self.held.is_local(clause):
                found += self._instances(clause, seen)
        start, seen.parts, seen.fed = seen.parts, count, fed
        return self._derived(found, stratum, start)

    def _derived(self, found: Sequence[FoundFacts], stratum: Stratum, start: int = 0) -> bool:
        """Adds the facts derived by the rules of a stratum from the parts from `start` on; returns
        whether some are new."""
        rows, told = self._added(found, start)
        if rows and self.held.compiled.negates:
            self._check_drawn(told)
            self._check_level(self.parts.contents[-1], stratum.level)
        return self._told(rows, stratum)

    def _added(self, found: Sequence[FoundFacts], start: int = 0) -> tuple[int, list[Fact]]:
        """Adds facts, if there are any; see `FactParts.add`."""
        return self.parts.add(found, start) if found or self.parts.waiting else (0, [])

    def _told(self, rows: int, stratum: Stratum) -> bool:
        """Saves what was done once it is known to be right; whether it was anything."""
        if rows:
            self._save()
            self.say(f"stratum {stratum.level + 1} of {len(self.plans.list)}: {rows} facts")
        return rows > 0

    def _check_drawn(self, told: list[Fact]) -> None:
        """Raises Redraw if there are schema facts that the strata were not drawn from."""
        new = [fact for fact in told if fact not in set(self.known)]
        if self.plans.strata.watches(batch_of(new)):
            self.known += new
            raise Redraw

    def _check_level(self, contents: FactCounts, level: int) -> None:
        """Refuses facts of lower strata: these are complete."""
        levels, of_data = self.plans.strata.levels, self.held.of_data
        known = [of_data[p] for p in contents.counts if p in of_data]
        below = [p for p in known if levels.of(self.plans.strata.modules.derived(p), None) < level]
        classes = [of_data[c] for c in contents.classes or () if c in of_data]
        below += [c for c in classes if levels.of(self.held.type, c) < level]
        if contents.classes is None and any(at < level for at in levels.classes.values()):
            below.append(self.held.type)
        if below:
            names = ", ".join(self.held.terms.decode(p).decode() for p in below)
            raise UnsupportedError(
                f"on Spark: NOT or AGGREGATE beside rules with a variable as predicate, which "
                f"derive {names} from what depends on it; use a KnowledgeBase"
            )

    # -- the instances of a rule

    def _instances(self, clause: Clause, seen: Seen) -> Iterator[FoundFacts]:
        """The heads of instances with something that the stratum has not seen."""
        before = seen.rows.get(clause, set())
        variables, rows = self.held.rows(clause)
        seen.rows[clause] = rows
        data = self.held.data_literals(clause)
        new, parts = rows - before, self.parts
        if new:
            matching = self.parts.matching(clause, variables, new)
            yield from self._from(matching, dict.fromkeys(data, (0, parts.count)))
        old = rows - new
        if not old or seen.parts == parts.count:
            return
        matching = self.parts.matching(clause, variables, old)
        for place, driver in enumerate(data):
            sources = {driver: (seen.parts, parts.count)}
            sources |= dict.fromkeys(data[:place], (0, seen.parts))
            sources |= dict.fromkeys(data[place + 1 :], (0, parts.count))
            yield from self._from(matching, sources)

    def _from(
        self, matching: Matching, sources: dict[int, tuple[int, int]]
    ) -> Iterator[FoundFacts]:
        frame = self._matches(matching, sources)
        if frame is not None:
            head = matching.clause.head
            predicates, classes = matching.among(head.p), matching.among(head.o)
            yield FoundFacts(matching.head(frame), predicates, classes)

    def _matches(self, matching: Matching, sources: dict[int, tuple[int, int]]) -> DataFrame | None:
        """The matches with each literal in some parts; None if there are none for one of them. The
        least of those comes first."""
        body, parts = matching.clause.body, self.parts
        sizes = {i: parts.size(matching, body[i], parts.contained(*s)) for i, s in sources.items()}
        if not all(sizes.values()):
            return None
        ordered = sorted(sources, key=lambda i: sizes[i])
        frames = {i: parts.facts(*sources[i]) for i in ordered}
        return matching.matches(frames, self.parts.facts())

    def _folded(self, clause: Clause) -> Iterator[FoundFacts]:
        self.parts.learn()
        fold, value = clause.fold, clause.rule.value
        assert fold is not None and value is not None
        variables, rows = self.held.rows(clause)
        data = self.held.data_literals(clause)
        matching = self.parts.matching(clause, variables, rows)
        span = 0, self.parts.count
        frame = self._matches(matching, dict.fromkeys(data, span)) if rows else None
        if frame is not None:
            head = clause.head
            inputs = [f"v{variable}" for variable in fold.inputs]
            ends = matching.term(head.s), matching.term(head.p)
            facts = folded(frame, *ends, value, inputs, self.numbers)
            yield FoundFacts(facts, matching.among(head.p))

    # -- modules

    def _external(self, module: Module) -> int:
        """The number of a module among the data's."""
        return self.parts.number(module.external)

    def _close(self, module: Module, stratum: Stratum) -> None:
        """Completes the relations of a module. Raises Redraw if they are not one closure."""
        kind = self.held.kind(module)
        if kind is None or not kind.transitive or not kind.diagonal or module.parts:
            self.modules = False
            raise Redraw
        if module.chained not in (None, kind):
            self.modules = False
            raise Redraw
        seen, parts = self.seen[stratum.level].closed, self.parts
        name, stop = self._external(module), parts.count
        start = seen.get(name, 0)
        new = self._pairs(module, start, stop)
        seen[name] = stop
        if new is None:
            return
        closed = self._pairs(module, 0, start)
        everything = new if closed is None else closed.unionByName(new)
        if kind.symmetric:
            found = connected(everything, parts.keep)
        else:
            known = parts.spark.createDataFrame([], "x BIGINT, y BIGINT")
            found = transitive(closed or known, new, parts.keep)
        closed_now = [self._turned(found, *member) for member in module.members]
        rows, told = self._added(closed_now)
        seen[name] = parts.count
        if self.held.compiled.negates:
            self._check_drawn(told)
        self._told(rows, stratum)

    def _pairs(self, module: Module, start: int, stop: int) -> DataFrame | None:
        """The facts of a module's members in some parts, as the first one reads them."""
        contents = self.parts.contained(start, stop)
        found = None
        for relation, straight in module.members:
            p = self.parts.number(relation)
            if p not in contents.counts:
                continue
            x, y = ("s", "o") if straight else ("o", "s")
            pairs = self.parts.facts(start, stop).where(F.col("p") == p)
            pairs = pairs.select(F.col(x).alias("x"), F.col(y).alias("y"))
            found = pairs if found is None else found.unionByName(pairs)
        return None if found is None else found.distinct()

    def _turned(self, pairs: DataFrame, relation: int, straight: bool) -> FoundFacts:
        x, y = ("x", "y") if straight else ("y", "x")
        number = self.parts.number(relation)
        p = F.lit(number).cast("bigint")
        facts = pairs.select(F.col(x).alias("s"), p.alias("p"), F.col(y).alias("o"))
        return FoundFacts(facts, {number})


def skolemises(clause: Clause) -> bool:
    """Whether a clause makes terms by SKOLEM."""
    return any(isinstance(item, Skolem) for item in clause.rule.body)
