"""`KnowledgeBase`: what users and adapters call."""

from __future__ import annotations

import json
import logging
import operator
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

from rdfinc.datalog.model import Program, Rule
from rdfinc.errors import ViolationError
from rdfinc.knowledge_base.answers import (
    LoadEngine,
    Maintenance,
    OnViolation,
    Part,
    Prepared,
    Profile,
    QueryAnswer,
    Storage,
)
from rdfinc.knowledge_base.explanations.contradictions import contradictions
from rdfinc.knowledge_base.explanations.notebook import ROWS, folded
from rdfinc.knowledge_base.explanations.proofs import Proof, Removal, Violation
from rdfinc.knowledge_base.explanations.removals import Removals
from rdfinc.knowledge_base.explanations.rendering import Telling
from rdfinc.knowledge_base.explanations.short_names import by_prefix, named
from rdfinc.knowledge_base.explanations.shown_facts import fact_lines, fact_table
from rdfinc.knowledge_base.explanations.violation_groups import Violations
from rdfinc.knowledge_base.explanations.wording import Labels, Wording
from rdfinc.knowledge_base.extensions import extension
from rdfinc.knowledge_base.kept import Kept, refuse, set_attributes
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.load_report import LoadReport
from rdfinc.knowledge_base.meant_methods import no_attribute
from rdfinc.knowledge_base.namespaces import Namespaces
from rdfinc.knowledge_base.process.collector import without_collector
from rdfinc.knowledge_base.process.forking import enrol, is_abandoned
from rdfinc.knowledge_base.process.interrupts import Uninterrupted
from rdfinc.knowledge_base.process.load_progress import Meter, Tell
from rdfinc.knowledge_base.process.memory import give_back, gives_back
from rdfinc.knowledge_base.process.processors import worker_count
from rdfinc.knowledge_base.process.warn import warn
from rdfinc.knowledge_base.rules.rule_intake import facts_apart, prefixes_of, rules_of
from rdfinc.knowledge_base.rules.rule_places import placing, placing_in_files
from rdfinc.knowledge_base.rules.rulebook import PROFILES
from rdfinc.knowledge_base.storage.sizes import sizes, stated_terms
from rdfinc.knowledge_base.streams.closure_changes import (
    ClosureChanges,
    closure_changes,
    unchanged,
)
from rdfinc.knowledge_base.streams.compound_update import INSIDE, Step, change_back
from rdfinc.knowledge_base.streams.delta import Delta, Facts, Report
from rdfinc.knowledge_base.streams.input_facts import fact_of, new_statements, statements
from rdfinc.knowledge_base.streams.net_change import made_as_one, net_change
from rdfinc.knowledge_base.streams.stated_changes import Changes
from rdfinc.knowledge_base.streams.update_sources import StreamUpdate, source
from rdfinc.knowledge_base.streams.update_stream import AsyncStream, Begin, Stream, withdrawn
from rdfinc.knowledge_base.streams.vain_deletions import still_following, warning
from rdfinc.knowledge_base.streams.watching import Callback, Watch, Watches
from rdfinc.knowledge_base.updates.change_log import ChangeLog
from rdfinc.knowledge_base.updates.engine import Engine, unheard
from rdfinc.knowledge_base.versions.bounds import Bounds, bound, read_unbound
from rdfinc.knowledge_base.versions.change import Change, Note, Outcome, Refused
from rdfinc.knowledge_base.versions.fact_views import Reader, View
from rdfinc.owl.profiles.profile_rules import profile_rules
from rdfinc.reasoning.maintenance.maintain import STRATEGIES
from rdfinc.tables.closed import MakeClosed
from rdfinc.tables.closure.schemes import closed
from rdfinc.tables.facts import Batch, MakeTable, size, triples
from rdfinc.tables.plain_table import Plain
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.prefixes import binding

if TYPE_CHECKING:
    from rdfinc.knowledge_base.explanations.axioms import Axioms
    from rdfinc.knowledge_base.explanations.class_tree import ClassTree
    from rdfinc.knowledge_base.explanations.stated_triples import StatedTriples
    from rdfinc.knowledge_base.explanations.unknown_terms import UnknownTerms
    from rdfinc.knowledge_base.explanations.why_not import WhyNot
    from rdfinc.owl.coverage.findings import Axiom
    from rdfinc.plugins.rdflib_store import Dataset, Graph  # type: ignore[import-not-found]

Triple = tuple[Any, Any, Any]
STORAGES = get_args(Storage)
ON_VIOLATION = get_args(OnViolation)
LOG = logging.getLogger("rdfinc")
POSITIONS = "positions"
SETTINGS = (
    "profile",
    "storage",
    "maintenance",
    "axiomatic",
    "on_violation",
    "unique_names",
    "max_facts",
    "max_memory",
)


class KnowledgeBase(Kept):
    """Explicit facts and rules, and everything that follows from them, always up to date.

    profile: "none" | "rdfs" | "owl2rl", the schema that is live among the explicit triples.
    maintenance: what deletions do: "bf" (Backward/Forward), "fbf" (the same with a bounded search),
    "dred" (Delete/Rederive), "dred-counting" (the same with counters), "rematerialise", or "auto":
    Backward/Forward, Delete/Rederive or a new start, by what deletions have cost so far.
    axiomatic: whether what only restates what everybody knows is derived and shown as well.
    unique_names: whether differentFrom in the body of a SWRL rule also holds between IRIs that are
    not known to be the same (rules are read so when they are stated or added); not if axiomatic.
    on_violation: "keep" records contradictions, "raise" refuses updates that bring new ones.
    max_facts, max_memory: how many facts there may be in view, and how many bytes facts and terms
    may take, which is estimated; what would go beyond is BudgetExceededError, and has changed
    nothing. Rules that never end meet these bounds.
    Raises ValueError for an unknown value.

    Terms come in as rdflib terms, pyoxigraph terms or N-Triples text; rdflib terms come out.
    One thread at a time changes a knowledge base; readers stay with the version they began with.
    Triples added one by one to an rdflib graph over it are maintained together, by whatever next
    reads or changes either: it raises what `update` does if they are refused.
    """

    def __init__(
        self,
        profile: Profile = "owl2rl",
        storage: Storage = "auto",
        maintenance: Maintenance = "auto",
        axiomatic: bool = False,
        on_violation: OnViolation = "keep",
        *,
        unique_names: bool = False,
        max_facts: int | None = None,
        max_memory: int | None = None,
        table: MakeTable = Plain,
        closed: MakeClosed = closed,
        dictionary: Dictionary | None = None,
    ) -> None:
        _one_of("profile", profile, PROFILES, "; files are read by `kb.load`")
        _one_of("storage", storage, STORAGES)
        _one_of("maintenance", maintenance, tuple(STRATEGIES))
        _one_of("axiomatic", axiomatic, (False, True))
        _one_of("on_violation", on_violation, ON_VIOLATION)
        _one_of("unique_names", unique_names, (False, True))
        if axiomatic and unique_names:
            raise ValueError(
                "with axiomatic=True every fact makes its terms the same as themselves, so nothing "
                "can be derived from names that are not the same: give unique_names or axiomatic"
            )
        self.profile, self.storage = profile, storage
        self.maintenance, self.on_violation = maintenance, on_violation
        self.axiomatic, self.unique_names = axiomatic, unique_names
        self.max_facts = bound("max_facts", max_facts)
        self.max_memory = bound("max_memory", max_memory)
        self.dictionary = Dictionary() if dictionary is None else dictionary
        self._namespaces = Namespaces()
        self.notes: dict[str, Any] = {}
        self._engine = Engine(
            self.dictionary,
            profile,
            maintenance,
            storage,
            table,
            closed,
            axiomatic=axiomatic,
            unique_names=unique_names,
        )
        self._begin()

    def _begin(self) -> None:
        self._turns = Watches()
        self._lock = self._turns.lock
        self._telling = Telling(self.dictionary)
        self._axioms = None
        self._open_step = None
        self._log = None
        self._has_warned = False
        self._doors: dict[str, Any] = {}
        enrol(self)

    def short_locks(self) -> list[Any]:
        """The locks that no update holds for long; see `forking`."""
        return [self.dictionary.lock, self._telling.values.lock]

    def recover(self) -> None:
        """In a child process, gives up the work of a thread that is gone, and the directory, which
        is the parent's; see `forking`."""
        if self._log is not None:
            self._log.disown()
            self.end(partial(refuse, "a child process does not own the directory; copy it before"))
        if not is_abandoned(self._lock):
            return
        step, self._open_step = self._open_step, None
        self._lock = self._turns.renew()
        self._engine.give_up()
        if step is not None:
            self._undo(step)

    # -- changing

    def update(
        self,
        insert: Iterable[Any] = (),
        delete: Iterable[Any] = (),
        *,
        timeout: float | None = None,
        cancel: threading.Event | None = None,
    ) -> Delta:
        """E' = (E ∖ delete) ∪ insert, one atomic update; returns the net change of the closure.

        Facts are (s, p, o), which speaks of the default graph, or (s, p, o, graph); a Graph or
        Dataset does as well. A text may be `prefix:name`, by prefixes that are known. `timeout` is
        in seconds from now; setting `cancel` from another thread stops it; both are looked at
        between steps of rules.

        Raises TermError, ReservedGraphError, ViolationError, BudgetExceededError; then nothing has
        changed.
        """
        bounds = self._bounds(timeout, cancel) if timeout is not None or cancel else None
        with self._turns, self._lock:
            gone, unknown = statements(delete, self.dictionary, self.namespaces)
            new = new_statements(insert, self.dictionary, self.namespaces)
            return self._apply(Change(delete=gone, insert=new, bounds=bounds), unknown)

    def stream(
        self, updates: Any, lookahead: bool = True, *, name: str | None = None
    ) -> Iterator[Delta]:
        """Makes updates (delete, insert) one after the other, each when its delta is asked for.

        updates: a sequence, a queue (which ends when it is shut down), or any iterable; None means
        that there is nothing yet. With `lookahead`, what the next update deletes is looked at
        before this one is made, if the next is there by then: in a sequence, in a queue, from an
        iterator that knows how many are left, and from a generator once that has given a None. A
        generator that gives none is asked for its next update only after the last delta was handed
        out. What was found out for the next update is dropped where anything else changes in
        between; results never depend on it. Maintenance by "auto" has no use for it: to look costs
        more time than it saves.

        A stream with a `name` keeps how far it has come, together with each update: updates may be
        (delete, insert, position), the position a value of JSON, and are counted otherwise.
        `position(name)` tells it, also after the process has died, so that a source that can begin
        there loses and repeats nothing.

        Raises what `update` does, and TypeError for what is no update; the stream goes on after it.
        """
        apply = partial(self._streamed, name)
        return Stream(source(updates), apply, lookahead=self._looks_ahead(lookahead))

    def stream_async(
        self, updates: Any, lookahead: bool = True, *, name: str | None = None
    ) -> AsyncIterator[Delta]:
        """As `stream`, for an asynchronous iterable or an asyncio.Queue."""
        from rdfinc.knowledge_base.streams.async_sources import async_source

        apply, lookahead = partial(self._streamed, name), self._looks_ahead(lookahead)
        return AsyncStream(async_source(updates), apply, lookahead=lookahead)

    def position(self, name: str) -> Any:
        """How far the stream of this name has come: the position of its last update that was made,
        or the number of its updates; None before the first."""
        return self.notes.get(POSITIONS, {}).get(name)

    def _looks_ahead(self, wanted: bool) -> bool:
        return wanted and self._engine.looks_ahead

    def add_rules(
        self,
        rules: Any,
        *,
        timeout: float | None = None,
        cancel: threading.Event | None = None,
    ) -> Delta:
        """Puts rules in force: text, the path of a .dlog file, a Rule, a Program, or several rules;
        also SWRL rules: text with their arrow `->` (`rdfinc.owl.swrl_text`), the path of an RDF
        file, a Graph or triples, which are not stated.

        Rules are a set up to variable names and body order. A fact among them (`:p[:a, :b] .`) is
        stated, and prefixes that they declare are bound where they are free. Raises RuleError with
        the place, and what `update` does, whose `timeout` and `cancel` these are.
        """
        bounds = self._bounds(timeout, cancel)
        with self._turns, self._lock:
            given, facts = facts_apart(self._rules(rules))
            stated = new_statements(facts, self.dictionary, {})
            new = self._engine.rules.new(given)
            change = Change(insert=stated, rules_added=new, bounds=bounds)
            with self._bound(prefixes_of(rules)), placing(rules, self.namespaces):
                delta = self._apply(change)
            if self._log is not None:
                self._log.catch_up()
            return delta

    def remove_rules(self, rules: Any) -> Delta:
        """Takes rules out of force, and withdraws the facts among them. Raises UnknownRuleError if
        one of the rules is not in force."""
        with self._turns, self._lock:
            given, facts = facts_apart(self._rules(rules))
            gone, unknown = statements(facts, self.dictionary, {})
            known = self._engine.rules.known(given)
            return self._apply(Change(delete=gone, rules_removed=known), unknown)

    @gives_back
    def load(
        self,
        *sources: Any,
        graph: Any = None,
        format: str | None = None,
        base: str | None = None,
        strict: bool = True,
        engine: LoadEngine = "auto",
        imports: Mapping[str, str | os.PathLike[str]] | None = None,
        workers: int | None = None,
        timeout: float | None = None,
        cancel: threading.Event | None = None,
        progress: Tell | None = None,
    ) -> LoadReport:
        """Adds what files state, in one update: RDF in any format, packed or not, globs, rules.

        `graph` takes triples that stand in no graph of their file. `imports` resolves owl:imports
        to paths; nothing is ever fetched. Strict: a malformed file is DataSyntaxError and
        nothing is changed; otherwise malformed statements are skipped and reported.
        engine: "local", "spark" (all files at once, by a running Spark session or one on this
        machine; `pip install rdfinc[spark]`), or "auto": which of them is done first. What Spark
        has loaded into a folder (`rdfinc load`) is loaded by naming the folder.
        workers: how many processes read large files at most, which changes nothing but the time;
        None: one for each processor that may be used, up to eight. Small files need none.
        `timeout` and `cancel` are those of `update`; they are looked at while files are read, too.
        progress: is called with a Progress a few times a second, and at the end of each step, here:
        what it raises ends the load, and nothing is changed.
        Raises FileNotFoundError for a pattern that matches nothing, TypeError for no source at all,
        WorkerError if a worker process is killed.
        """
        from rdfinc.knowledge_base.loading import ENGINES, load

        _one_of("engine", engine, ENGINES)
        if not isinstance(imports or {}, Mapping):
            raise TypeError(f"imports is a mapping {{iri: path}}, not {imports!r}")
        count = worker_count(workers)
        meter = None if progress is None else Meter(progress)
        start, bounds = time.perf_counter(), self._bounds(timeout, cancel, meter)
        with self._turns, self._lock, without_collector():
            found = load(
                self.dictionary,
                self.namespaces,
                sources,
                graph,
                format,
                base,
                strict,
                dict(imports or {}),
                engine,
                count,
                bounds.read if bounds else read_unbound,
                meter,
            )
            give_back(start)
            if meter is not None:
                meter.begin_deriving()
            change = Change(
                insert=found.statements,
                rules_added=self._engine.rules.new(found.rules),
                bounds=bounds,
            )
            with (
                self._bound(found.prefixes),
                placing_in_files(found.files, self.namespaces),
            ):
                delta = self._apply(change)
            if meter is not None:
                meter.end(self._engine.version.visible())
            if self._log is not None:
                self._log.catch_up()
            axioms = self._unused_axioms()
        report = LoadReport(
            found.files, found.triples, found.triples - delta.report.ignored - found.repeated,
            found.skipped, found.problems, found.imports, time.perf_counter() - start, delta, axioms
        )  # fmt: skip
        LOG.info("%s", report.summary)
        return report

    @contextmanager
    def _bound(self, prefixes: Mapping[str, str]) -> Iterator[None]:
        """Binds prefixes that are free; after an exception they are free again."""
        new = {p: iri for p, iri in prefixes.items() if p not in self.namespaces}
        self.namespaces.update(new)
        try:
            yield
        except BaseException:
            for prefix in new:
                del self.namespaces[prefix]
            raise

    def _unused_axioms(self) -> Callable[[], tuple[str, ...]]:
        """The unused axioms among the current statements, to be told later."""
        if self.profile == "none":
            return tuple
        from rdfinc.knowledge_base.explanations.unused_axioms import UnusedAxioms

        return UnusedAxioms(self._coverage, self._stated(), self.namespaces)

    def _coverage(self) -> Axioms | UnknownTerms:
        """What tells them."""
        from rdfinc.knowledge_base.explanations.axioms import Axioms
        from rdfinc.knowledge_base.explanations.unknown_terms import UnknownTerms

        if self._axioms is None:
            self._axioms = (Axioms if self.profile == "owl2rl" else UnknownTerms)(self.dictionary)
        return self._axioms

    def _stated(self) -> StatedTriples:
        from rdfinc.knowledge_base.explanations.stated_triples import StatedTriples

        explicit = self._engine.version.explicit.fork()
        return StatedTriples(explicit.tables, self._engine.visibility)

    def report(self) -> list[Axiom]:
        """What the rules make of each OWL axiom and SWRL rule among the explicit triples, and for
        each term in the namespaces of RDF, RDFS, OWL and XSD that these do not have a triple.

        An Axiom has a text, a status ("used", "partly used" or "ignored") and a reason; `str` is a
        line of text. Under the profile "rdfs" there are only unknown terms, under "none" there is
        nothing. O(schema), and a look at all terms.
        """
        from rdfinc.knowledge_base.explanations.tables import Coverage

        if self.profile == "none":
            return Coverage()
        from rdfinc.knowledge_base.explanations.unknown_terms import UnknownTerms
        from rdfinc.owl.coverage.report import report

        with self._turns, self._lock:
            stated = self._stated()
        terms, known = self.dictionary, self.namespaces
        axioms = report(stated, terms, known) if self.profile == "owl2rl" else []
        return Coverage([*axioms, *UnknownTerms(terms).axioms(stated, known)])

    def _streamed(
        self, name: str | None, update: StreamUpdate, ahead: object, note: Note | None, begin: Begin
    ) -> tuple[Delta, Note | None]:
        with self._turns, self._lock:
            begin()
            gone, unknown = statements(update.delete, self.dictionary, self.namespaces)
            new = new_statements(update.insert, self.dictionary, self.namespaces)
            change = Change(gone, new, ahead=withdrawn(ahead, self.dictionary), note=note)
            if name is None:
                return self._applied(change, unknown)
            with self._positioned(name, update.position):
                return self._applied(change, unknown)

    @contextmanager
    def _positioned(self, name: str, position: Any) -> Iterator[None]:
        """The position of a stream is kept with the change that is made inside, if that is."""
        if not isinstance(name, str):
            raise TypeError(f"name={name!r}: a stream is named by a text")
        before, commits = self.notes, self._engine.commits
        positions = self.notes.get(POSITIONS, {})
        position = positions.get(name, 0) + 1 if position is None else position
        position = _as_json(position)
        self.notes = {**self.notes, POSITIONS: {**positions, name: position}}
        try:
            yield
        except BaseException:
            if self._engine.commits == commits:
                self.notes = before
            raise
        if self._log is not None:
            self._log.catch_up()  # if the change had no effect

    def _apply(self, change: Change, unknown: int = 0) -> Delta:
        return self._applied(change, unknown)[0]

    def _bounds(
        self,
        timeout: float | None = None,
        cancel: threading.Event | None = None,
        meter: Meter | None = None,
    ) -> Bounds | None:
        """The bounds of a change that begins now, if there are any, or what counts it."""
        given = self.max_facts, self.max_memory, timeout, cancel, meter
        return None if given == (None,) * len(given) else Bounds(*given)

    def _applied(self, change: Change, unknown: int) -> tuple[Delta, Note | None]:
        refuses = self.on_violation == "raise"
        change.bounds = change.bounds or self._bounds()
        try:
            found = self._noted(change, unknown, refuse_violations=refuses)
        except Refused as refused:
            raise ViolationError(self._told_violations(triples(refused.violations))) from None
        self._turns.compare()
        report = found[0].report
        if LOG.isEnabledFor(logging.DEBUG):
            LOG.debug("update by %s in %.3f s", report.strategy, report.seconds)
        if (log := self._log) is None:
            self.reclaim()
        else:
            log.committed(report.seconds)
        return found

    def _noted(
        self, change: Change, unknown: int, *, refuse_violations: bool = False
    ) -> tuple[Delta, Note | None]:
        """Makes a change; nobody misses what was committed, whatever interrupts this."""

        def told(outcome: Outcome) -> tuple[Delta, Note | None]:
            version, visibility = self._engine.version, self._engine.visibility
            vain = outcome.ignored and still_following(
                change.delete, outcome.effect.deleted, version, visibility
            )
            delta = self._delta(outcome, unknown, size(vain) if vain else 0)
            if self._open_step is not None:
                self._open_step.rules.then(change.rules_removed, change.rules_added)
            self._note(delta)
            if vain and not self._has_warned:
                self._has_warned = True
                fact = self._telling.triple(next(triples(vain)))
                self._turns.later(partial(self._warn_of_vain_deletion, fact))
            return delta, outcome.note

        self._refuse_others()
        try:
            return self._engine.apply(change, told, refuse_violations=refuse_violations)
        except BaseException as error:
            if self._engine.is_torn:
                self.give_up(error)
            raise

    def _made(self, changes: Sequence[Change]) -> Delta:
        """Makes changes that were made before, as one; nothing is refused."""
        return made_as_one(changes, lambda change: self._noted(change, 0)[0])

    def _take_over(self, change: Change, derived: Callable[[], Batch | None]) -> None:
        """Makes the first change, of which somebody may know what follows from it."""
        if not self._engine.take_over(change, derived):
            self._noted(change, 0)

    def _note(self, delta: Delta) -> None:
        if self._open_step is not None:
            self._open_step.note(delta)
        else:
            self._turns.note(delta, self._reader)

    @contextmanager
    def transaction(self) -> Iterator[KnowledgeBase]:
        """All changes inside are one step: of facts, rules and prefixes. After an exception nothing
        of it is left. One inside another undoes only itself.

        Until it ends, other threads and tasks read and query what was there before; with all else
        other threads wait, and a change by another task of this thread is a ValueError.
        """
        with self._step():
            try:
                yield self
            finally:
                self.reader()  # what graphs have collected belongs to it

    @contextmanager
    def _step(self) -> Iterator[Step]:
        """All changes inside are one step, which others see when it is done, and after an exception
        nothing of it is left but terms."""
        with self._turns, self._lock:
            self._refuse_others()
            outer, log = self._open_step, self._log
            before = self.reader()
            committed = before if outer is None else outer.committed
            step = Step(before, committed, dict(self.namespaces), self.notes)
            start, inside = log.step_start if log else (0, 0), INSIDE.get()
            try:
                INSIDE.set((*inside, step))
                self._open_step = step
                if log is not None:
                    log.begin()
                yield step
                with Uninterrupted():
                    self._close(step, outer)
            except BaseException:
                if self._open_step is step and not self._engine.is_torn:
                    with Uninterrupted():
                        self._take_back(step)
                        if log is not None:
                            log.abandon(start)
                raise
            finally:
                self._open_step = outer
                INSIDE.set(inside)
            if outer is None:
                self._turns.compare()
                if self._log is not None:
                    self._log.committed(0.0)  # its changes were counted one by one

    def _step_of_others(self) -> Step | None:
        """The open step, if it is another thread's, or another task's of this one."""
        step = self._open_step
        is_own = step is None or (self._lock._is_owned() and step in INSIDE.get())
        return None if is_own else step

    def _refuse_others(self) -> None:
        """Raises ValueError for a change by a task that has not opened the step that is open, or of
        what was closed meanwhile; to be called under the lock."""
        self._turns.refuse_when_closed()
        if self._step_of_others() is not None:
            raise ValueError(
                "a transaction of another task is open, which would take back this change as well;"
                " await nothing in a transaction, or change when it has ended"
            )

    def _close(self, step: Step, outer: Step | None) -> None:
        if self._log is not None:
            self._log.end()
        self._open_step = outer
        if outer is not None:
            outer.join(step)
        if step.delta is not None:
            self._note(step.delta)

    def _take_back(self, step: Step) -> None:
        """Leaves nothing of a step; if that cannot be done, nobody uses what is left."""
        try:
            self._undo(step)
        except BaseException as error:
            self.give_up(error)
            raise

    def _undo(self, step: Step) -> None:
        """Makes facts, rules and prefixes what they were before a step."""
        if self._engine.version is not step.before.version:
            self._engine.apply(step.back(self._reader()), unheard)
        self.namespaces = step.prefixes
        self.notes = step.notes
        for undo in step.undo.values():
            undo()

    def _return_to(self, saved: Reader) -> Delta:
        """Makes the statements what they are in `saved`."""
        with self._turns.quietly, self._lock:
            delta, _ = self._noted(change_back(saved, self._reader()), 0)
            self._turns.compare()
            return delta

    def _warn_of_vain_deletion(self, fact: Triple) -> None:
        proof = self.explain(fact)
        if proof is not None:
            warn(warning(proof))

    def _delta(self, outcome: Outcome, unknown: int, follows: int) -> Delta:
        decode, find, lease = self._telling.term, self._find, self.dictionary.lease
        words = self._wording
        gains = {p: shift.gain for p, shift in outcome.shifts.items()} if outcome.shifts else {}
        losses = {p: shift.lose for p, shift in outcome.shifts.items()} if gains else {}
        report = Report(
            outcome.counters.as_dict(),
            outcome.strategy,
            outcome.seconds,
            outcome.ignored + unknown,
            follows,
            len(outcome.effect.came.get(self._engine.violation, ())),
            len(outcome.effect.went.get(self._engine.violation, ())),
        )
        removals = Removals(self._engine, outcome, self._reader()) if outcome.takes else None
        words_before = words if removals is None else partial(self._words, removals.stated)
        return Delta(
            Facts(outcome.added, decode, find, gains, lease, words),
            Facts(outcome.removed, decode, find, losses, lease, words_before),
            report,
            partial(self._why_removed, removals),
        )

    def _why_removed(self, removals: Removals | None, triple: Any) -> Removal | None:
        if removals is None:
            return None
        found = self._find(triple)
        with self._turns, self._lock:
            return found and removals.why(self._telling, found, self._words(removals.stated))

    def _rules(self, rules: Any) -> list[Rule]:
        with Uninterrupted():  # lark takes an interrupt for a missing method
            unique_names = self._engine.unique_names
            return rules_of(rules, self.namespaces, unique_names=unique_names)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name)

    # -- reading

    def reader(self) -> Reader:
        """The facts as they are now, by ids; stays as it is whatever happens later. While another
        thread or task is in a transaction, those before it."""
        engine = self._engine
        if (
            (reader := engine.in_use) is not None
            and self._turns.collected is None
            and self._open_step is None
            and engine.in_use is reader  # which one that a transaction took back is not any more
        ):
            return reader
        if (step := self._step_of_others()) is not None:
            return step.committed
        with self._turns, self._lock:
            return self._reader()

    def _reader(self) -> Reader:
        """The facts as they are without what is being collected."""
        return self._engine.reader()

    def triples(self, pattern: Sequence[Any] = (None, None, None)) -> Iterator[Triple]:
        """The closure's triples that match; None is a wildcard."""
        return _Facts(self, self.reader().closure).triples(pattern)

    def __contains__(self, triple: object) -> bool:
        return triple in _Facts(self, self.reader().closure)

    def __len__(self) -> int:
        if (step := self._step_of_others()) is not None:
            return step.committed.version.visible()
        with self._turns, self._lock:
            return self._engine.version.visible()

    def __iter__(self) -> Iterator[Triple]:
        return self.triples()

    def __bool__(self) -> bool:
        return True

    @property
    def explicit(self) -> _Facts:
        """What is stated, in whichever graph: `triples`, `in`, `len`, iteration; read-only."""
        return _Facts(self, self.reader().explicit)

    @property
    def derived(self) -> _Facts:
        """What follows and is not stated."""
        return _Facts(self, self.reader().derived)

    @overload
    def query(
        self,
        text: str,
        *,
        timeout: float | None = None,
        max_rows: int | None = None,
        max_memory: int | None = None,
        cancel: threading.Event | None = None,
        remote: bool = False,
        explain: Literal[False] = False,
    ) -> QueryAnswer: ...

    @overload
    def query(
        self,
        text: str,
        *,
        timeout: float | None = None,
        max_rows: int | None = None,
        max_memory: int | None = None,
        cancel: threading.Event | None = None,
        remote: bool = False,
        explain: Literal[True],
    ) -> str: ...

    def query(
        self,
        text: str,
        *,
        timeout: float | None = None,
        max_rows: int | None = None,
        max_memory: int | None = None,
        cancel: threading.Event | None = None,
        remote: bool = False,
        explain: bool = False,
    ) -> QueryAnswer | str:
        """The answer to a SPARQL query over the closure of all graphs: rdflib's `Result`.

        Rows of a SELECT are also `to_arrow()`, `to_pandas()`, `to_polars()`; `plan()` shows how
        they were found. The prefixes of rule texts need no declaration here either. With `explain`
        a query of any form is evaluated to its end, and its plan is returned, a text: for each
        part its rows and time, for each triple pattern also the rows that were expected, and
        warnings of conditions and terms that can find nothing.

        Rows are found as they are read. `timeout` is in seconds from now; `max_rows` is for the
        solutions of each part of the query, the result among them; `max_memory` is in bytes of
        solutions that have to be kept; setting `cancel` from another thread stops the query. All
        of them are looked at between steps of some milliseconds, also while the text is read.
        `remote` allows SERVICE.

        Raises DataSyntaxError, RemoteAccessError; and, also while rows are read,
        BudgetExceededError, which says what was exceeded and how far it went.
        """
        limits = {"timeout": timeout, "max_rows": max_rows, "max_memory": max_memory}
        asked = {"cancel": cancel, "remote": remote or None, "explain": explain or None}
        known = {name: limit for name, limit in {**limits, **asked}.items() if limit is not None}
        found: QueryAnswer | str = extension("sparql")(self, text, **known)
        return found

    def prepare(self, text: str) -> Prepared:
        """A SPARQL query that is read once and asked often, of what there is then.

        `prepared(x=term)` and `prepared.query({"x": term})` are its answers under bindings, as
        with rdflib's `initBindings`; `prepared.query` takes the options of `KnowledgeBase.query`,
        too. Values of Python stand for literals. Prefixes are those known when it is prepared.

        Raises DataSyntaxError.
        """
        prepared: Prepared = extension("sparql_prepare")(self, text)
        return prepared

    def watch(self, query: str, callback: Callback) -> Watch:
        """Calls `callback(added, removed)` after every step that changes the answers to a SELECT.

        Both are results with rows as of `query`, each row as many times as it came or went. They
        are found from what has changed, not by asking again. A step is an update, a load, a change
        of rules or a SPARQL request; the callback is called when it is done, by the thread that
        made it or by one that is calling others at the time, and may itself read and change the
        knowledge base. What it raises comes out of the call that made the step, which is not taken
        back. Cancel the Watch to end it.

        Raises DataSyntaxError, and UnsupportedError that names what cannot be watched: LIMIT,
        OFFSET, sub-selects, paths with `+ * ? !`, GRAPH, FROM, SERVICE, aggregates without GROUP
        BY, what is random, and what shares no variable with the rest.
        """
        if not callable(callback):
            raise TypeError(f"watch calls callback(added, removed); {callback!r} cannot be called")
        with self._turns, self._lock:
            watched = extension("sparql_watch")(self, query)
            return self._turns.begin(watched, callback, self._reader())

    def _find(self, triple: Any) -> tuple[int, int, int] | None:
        found, unknown = statements([fact_of(triple)], self.dictionary, self.namespaces)
        return None if unknown else next(triples(found[0]))

    @property
    def program(self) -> Program:
        """The rules added by `add_rules` or a .dlog file; `str()` parses back."""
        return self._engine.rules.program

    def bind(self, prefix: str, iri: Any) -> None:
        """Makes `prefix` known to rule texts, queries, readable output and `dump`.

        Raises TermError for what is no prefix in Turtle, and for what is no absolute IRI.
        """
        prefix, namespace = binding(prefix, iri)
        with self._turns, self._lock:
            self._refuse_others()
            self.namespaces[prefix] = namespace
            if self._log is not None:
                self._log.catch_up()

    def dump(self, destination: Any, what: Part = "all", format: str | None = None) -> None:
        """Writes "all" | "explicit" | "derived" facts; the format is told by the extension.

        Formats with graphs keep the graphs of explicit facts; derived facts go to the default
        graph. The file appears only when it is complete. Facts with a literal as subject, which are
        shown with axiomatic=True, are no RDF and left out.

        Raises TermError for a term that the format has no place for. N-Triples and N-Quads have one
        for all terms; IRIs that only rdflib tolerates come back by `load(..., strict=False)`.
        """
        from rdfinc.knowledge_base.loading import statements_of
        from rdfinc.terms.io.writing import write

        _one_of("what", what, ("all", "explicit", "derived"))
        statements = statements_of(self.reader(), self.dictionary, what)
        write(destination, statements, format, self.namespaces)

    @overload
    def explain(
        self, triple: Any, *, all: Literal[False] = False, labels: bool = False
    ) -> Proof | None: ...

    @overload
    def explain(
        self, triple: Any, *, all: Literal[True], labels: bool = False
    ) -> Iterator[Proof]: ...

    def explain(
        self, triple: Any, *, all: bool = False, labels: bool = False
    ) -> Proof | Iterator[Proof] | None:
        """A shortest proof of a fact, or None for a fact that is not there: `why_not` tells what
        that lacks.

        all: instead, an iterator over its proofs, each found when asked for and those with fewer
        steps first, at most 1000 of them. They are made of the 2000 rule instances that are nearest
        to the fact; where there are no more, none is left out. Later changes make no difference.
        labels: texts call things by rdfs:label, skos:prefLabel, dcterms:title or foaf:name.

        Terms may be short, by prefixes that are known, and numbers: `(":louvre", ":rooms", 403)`;
        of such, one that no fact has, and that has other capitals in some, is warned of.
        """
        with self._turns, self._lock:
            found = self._find(self._named(triple))
            if found is None or found not in self._reader().closure:
                if any(type(each) is str and ":" in each.partition("<")[0] for each in triple):
                    for hint in self._near_names(self._named(triple)):
                        warn(hint)
                return iter(()) if all else None
            if all:
                return islice(
                    self._telling.proofs(self._engine, found, self._wording(labels)),
                    KNOWLEDGE.told_proofs,
                )
            return self._telling.proof(self._engine, found, self._wording(labels))

    def _named(self, triple: Any) -> Any:
        if type(triple) is not tuple:
            return triple
        return tuple(named(term, self.namespaces) for term in triple)

    def why_not(self, triple: Any, *, labels: bool = False) -> WhyNot:
        """What an absent fact lacks: the nearest instances of each rule for it, with their present
        and their missing facts. For a fact that is there, its proof. `str()` is readable.

        At most 20 instances, 3 of a rule; some thousands of facts are tried for each rule. Terms
        may be short, and `labels` are used, as in `explain`. Raises TermError.
        """
        from rdfinc.knowledge_base.explanations.why_not import Teller

        with self._turns, self._lock:
            fact = fact_of(self._named(triple))
            new = new_statements([fact], self.dictionary, self.namespaces)
            found = next(triples(new[0]))
            teller = Teller(self._telling, self._engine, self._wording(labels))
            return teller.why_not(found, self._near_names(fact))

    def _near_names(self, fact: Any) -> tuple[str, ...]:
        from rdfinc.knowledge_base.explanations.near_names import near_names
        from rdfinc.terms.io.convert import key_of

        keys = map(key_of, fact[:3])
        return near_names(keys, self._reader().closure, self.dictionary, self._wording())

    def explain_violation(self, violation: Violation) -> tuple[Proof, ...] | None:
        """Shortest proofs of what clashes in a contradiction that `violations` tells, the axioms it
        is read from among them; None for one that is no longer there. Raises TypeError."""
        if not isinstance(violation, Violation):
            raise TypeError(f"{violation!r} is no contradiction; `violations()` gives them")
        with self._turns, self._lock:
            return self._telling.violation_proofs(self._engine, violation, self._wording())

    def class_tree(self, below: Any = None, *, labels: bool = False) -> ClassTree:
        """The classes with names, each below its nearest superclasses: `str` is the tree, `to_svg`
        draws it, with what is stated and what only follows apart. below: of one class, a term, only
        that and its subclasses; labels: as of `explain`. Those of RDF, RDFS, OWL and XSD are left
        out. Raises TermError.
        """
        from rdfinc.knowledge_base.explanations.class_tree import ClassReader, ClassTree
        from rdfinc.terms.io.convert import key_of

        with self._turns, self._lock:
            reading = ClassReader(self._reader(), self.dictionary, self._wording(labels))
            if below is None:
                return reading.tree(None)
            found = self.dictionary.find(key_of(named(below, self.namespaces)))
            return ClassTree((), ()) if found is None else reading.tree(found)

    @property
    def is_consistent(self) -> bool:
        """Whether there is no contradiction."""
        with self._turns, self._lock:
            return not len(self._engine.version.closure.get(self._engine.violation))

    def graph(self) -> Graph:
        """An rdflib Graph over it: what changes one of the two is seen by the other."""
        graph: Graph = extension("graph")(self)
        return graph

    def dataset(self) -> Dataset:
        """The same as a Dataset with the named graphs, whose union it shows."""
        dataset: Dataset = extension("dataset")(self)
        return dataset

    def violations(self) -> Violations:
        """The contradictions there are now, a list; `str` tells them by the axioms that they rest
        on, each with the stated triples of a shortest proof."""
        with self._turns, self._lock:
            found = self._told_violations(contradictions(self._engine, self._engine.version))
        return Violations(found, self.explain_violation, lambda: self._engine.instances_looked_at)

    def _told_violations(self, instances: Iterable[tuple[int, int, int]]) -> list[Violation]:
        return self._telling.violations(self._engine, instances, self._wording())

    def _wording(self, labels: bool = False) -> Wording:
        """For readable output: with the prefixes of rule texts."""
        known = Labels(self._reader().closure, self.dictionary) if labels else None
        return self._words(self._stated, known)

    def _words(self, stated: Callable[[], StatedTriples], labels: Labels | None = None) -> Wording:
        """The wording in which blank nodes are what they stand for among some triples."""
        from rdfinc.datalog.syntax.rule_text import PREFIXES

        return Wording({**PREFIXES, **self.namespaces}, self.dictionary, stated, labels)

    def stats(self) -> dict[str, Any]:
        """Sizes: facts, terms in stated facts, rules (added, stated in SWRL, the profile's),
        estimated bytes, and for each relation its storage, its facts, its bytes, and its bytes as
        sorted arrays. `numbered_terms` are all terms with an id, with built-in ones and those in
        no fact; `bytes_terms` are theirs."""
        from rdfinc.knowledge_base.explanations.tables import Stats

        version, terms = self.reader().version, self.dictionary
        relations = sizes(version, self._engine.visibility, terms)
        found = {
            "facts": len(self),
            "explicit": len(self.explicit),
            "derived": len(self.derived),
            "violations": sum(1 for _ in contradictions(self._engine, version)),
            "terms": stated_terms(version, self._engine.visibility, terms),
            "numbered_terms": len(terms),
            "rules": len(self.program),
            "swrl_rules": self._engine.rules.swrl_rules,
            "profile_rules": sum(rule.on or self.axiomatic for rule in profile_rules(self.profile)),
            "bytes": version.nbytes() + terms.nbytes,
            "bytes_facts": version.nbytes(),
            "bytes_terms": terms.nbytes,
            "relations": relations,
        }
        return Stats(found, self.namespaces)

    # -- life

    @property
    def settings(self) -> dict[str, Any]:
        """The options that it was made with, by name."""
        return {name: getattr(self, name) for name in SETTINGS}

    def checkpoint(self) -> None:
        """Writes all that there is now to its directory, in a form that opens at once, while others
        read and change it; one that is in memory has none, and that is a ValueError. Raises
        OSError; then nothing is lost."""
        self._settled().checkpoint()

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Writes all that it holds now to another directory, a missing or empty one, which
        `rdfinc.open` opens, while others read and change it. Raises OSError, and ValueError for one
        in memory."""
        self._settled().backup(path)

    def refresh(self) -> int:
        """Takes in what another process has written to its directory since; returns the number of
        the last change, counted from the first. Iterators and readers stay with what they began
        with. Raises ValueError for one in memory."""
        with self._turns, self._lock:
            return self._kept().refresh()

    @overload
    def changes(self, since: int, *, derived: Literal[False] = False) -> Changes: ...

    @overload
    def changes(self, since: int, *, derived: Literal[True]) -> ClosureChanges: ...

    def changes(self, since: int, *, derived: bool = False) -> Changes | ClosureChanges:
        """What has come and gone among statements and rules after change number `since`, up to the
        last one that it shows, whoever made them: `number` tells that one, to go on from.

        derived: instead, what has come and gone among all that is stated or follows, a delta; both
        closures are by the options that hold now. Found by undoing what was stated since, aside,
        while others read and change: as long as that takes as an update, with a look at the rules
        and, while they wait, a copy of the terms. The delta keeps that copy, and the facts of now.

        The numbers are those of `refresh`, which takes in what another process has written. Raises
        ForgottenError for changes that a checkpoint has taken in, with the number since which they
        are known; ValueError for numbers to come, for one in memory, and, if `derived`, while a
        transaction is open; UnstratifiableError for rules of then that the options of now cannot
        put in order.
        """
        since = operator.index(since)
        return self._closure_changes(since) if derived else self._stated_changes(since)

    def _stated_changes(self, since: int) -> Changes:
        with self._turns, self._lock:
            number, changes = self._kept().changes(since)
            terms = self._telling.term, self.dictionary.lease
            return Changes.of(since, number, net_change(changes), *terms)

    def _closure_changes(self, since: int) -> ClosureChanges:
        with self._turns, self._lock:
            if self._open_step is not None:
                raise ValueError("a transaction is open; end it before")
            number, changes = self._kept().changes(since)
            if not changes:
                return unchanged(since, number, self._no_facts(), self.maintenance)
            twin = self.copy()

        def make_in_copy(changes: Sequence[Change]) -> Delta:
            return twin.copy()._made(changes)

        return closure_changes(since, number, changes, twin._made, make_in_copy)

    def _no_facts(self) -> Facts:
        lease, words = self.dictionary.lease, self._wording
        return Facts({}, self._telling.term, self._find, {}, lease, words)

    @property
    def is_closed(self) -> bool:
        """Whether its use has ended."""
        return self._turns.is_closed

    @property
    def directory(self) -> str | None:
        """The directory that it is kept in; None for one in memory."""
        return None if self._log is None else self._log.place

    def note(self, name: str, value: Any) -> None:
        """Keeps a small value of JSON beside the facts, in `notes`."""
        with self._turns, self._lock:
            self._refuse_others()
            self.notes = {**self.notes, name: _as_json(value)}
            if self._log is not None:
                self._log.catch_up()

    def _kept(self) -> ChangeLog:
        if self._log is None:
            raise ValueError("it is in memory; rdfinc.open(directory) has one that is on disk")
        return self._log

    def _settled(self) -> ChangeLog:
        """What keeps it, which knows of all that graphs have collected."""
        with self._turns, self._lock:
            return self._kept()

    def close(self) -> None:
        """Ends its use: what is in a directory is on disk, and others may write there. Whoever uses
        it afterwards meets a ValueError. Raises OSError. One in memory goes on."""
        if self._log is None:
            return
        with self._turns, self._lock:
            log = self._kept()
            if self._open_step is not None:
                raise ValueError("a transaction is open; end it before")
        with log.alone, self._turns, self._lock:
            log = self._kept()
            try:
                log.close()
            finally:
                self.end(partial(refuse, "this knowledge base is closed; open it again"))

    def __enter__(self) -> KnowledgeBase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- copies

    def copy(self) -> KnowledgeBase:
        """An independent equal knowledge base."""
        with self._turns, self._lock:
            twin = KnowledgeBase.__new__(KnowledgeBase)
            twin.__dict__.update(self.__dict__)
            twin._engine = self._engine.copy()
            twin.dictionary = twin._engine.dictionary
            twin._namespaces = Namespaces(self._namespaces)
            twin.notes = dict(self.notes)
            twin._begin()
            return twin

    def __copy__(self) -> KnowledgeBase:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> KnowledgeBase:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return self.copy().state()

    def __setstate__(self, state: dict[str, Any]) -> None:
        set_attributes(self, state)
        self._begin()

    def __repr__(self) -> str:
        if self.is_closed:
            return f"<KnowledgeBase {self.profile}, closed>"
        facts, stated = len(self), len(self.explicit)
        return f"<KnowledgeBase {self.profile}: {facts:,} facts, {stated:,} stated{self._clash()}>"

    def _repr_html_(self) -> str:
        facts, stated = len(self), len(self.explicit)
        heading = f"{facts:,} facts, {stated:,} stated, {facts - stated:,} derived{self._clash()}"
        rows = fact_table(self.reader().closure.match(), facts, self._wording())
        return folded(f"KnowledgeBase {self.profile}: {heading}", rows, is_open=facts <= ROWS)

    def _clash(self) -> str:
        return "" if self.is_consistent else ", with contradictions"

    def _check(self) -> None:
        self._engine._check()


class _Facts:
    """A read-only view with rdflib terms: `triples(pattern)`, `in`, `len`, iteration."""

    def __init__(self, kb: KnowledgeBase, view: View) -> None:
        self._kb, self._view = kb, view

    def triples(self, pattern: Sequence[Any] = (None, None, None)) -> Iterator[Triple]:
        """The triples that match; None is a wildcard."""
        telling = self._kb._telling
        ids = telling.pattern(by_prefix(pattern, self._kb.namespaces))
        if ids is None:
            return iter(())
        term = telling.term
        view = self._view
        return ((term(s), term(p), term(o)) for s, p, o in view.match(*ids))

    def __contains__(self, triple: object) -> bool:
        found = self._kb._find(by_prefix(triple, self._kb.namespaces))
        return found is not None and found in self._view

    def __iter__(self) -> Iterator[Triple]:
        return self.triples()

    def __len__(self) -> int:
        return len(self._view)

    def __repr__(self) -> str:
        return f"<{len(self)} facts>"

    def __str__(self) -> str:
        """The first facts, a line each."""
        return "\n".join(fact_lines(self._view.match(), len(self), self._kb._wording()))

    def _repr_html_(self) -> str:
        return fact_table(self._view.match(), len(self), self._kb._wording())


def _as_json(value: Any) -> Any:
    """What comes back where JSON of a value is read. Raises TypeError, ValueError."""
    try:
        return json.loads(json.dumps(value))
    except RecursionError:
        raise ValueError("the value is nested too deeply for JSON") from None


def _one_of(name: str, value: Any, allowed: Sequence[Any], advice: str = "") -> None:
    if value not in allowed:
        choices = ", ".join(map(repr, allowed))
        raise ValueError(f"{name}={value!r} is not available; there are {choices}{advice}")
