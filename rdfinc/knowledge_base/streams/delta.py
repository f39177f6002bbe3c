"""The net change of what users see, made by one update."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple

from rdfinc.knowledge_base.explanations.notebook import folded
from rdfinc.knowledge_base.explanations.proofs import Removal
from rdfinc.knowledge_base.explanations.shown_facts import fact_lines, fact_table
from rdfinc.knowledge_base.explanations.wording import Wording
from rdfinc.tables.facts import Batch, FactSet, gather, shaped, size, triples
from rdfinc.tables.table import Keys
from rdfinc.terms.leases import Lease

Decode = Callable[[int], Any]
Encode = Callable[[Any], "tuple[int, int, int] | None"]
Enumerate = Callable[[], Keys]


class Facts:
    """Some triples: sized and iterable, decoded as they are read, valid while held.

    `later` gives the facts of further relations, which are enumerated when they are asked for.
    """

    def __init__(
        self,
        batch: Batch,
        decode: Decode,
        find: Encode,
        later: Mapping[int, Enumerate],
        lease: Lease,
        wording: Callable[[], Wording],
    ) -> None:
        self._wording = wording
        self._known, self._decode, self._find, self._later = batch, decode, find, later
        self._lease = lease

    @cached_property
    def batch(self) -> Batch:
        """All facts of the side, by ids."""
        found = {predicate: self.of(predicate) for predicate in self._later}
        return {**self._known, **{p: keys for p, keys in found.items() if len(keys)}}

    @property
    def predicates(self) -> list[int]:
        """The predicates that its facts may have."""
        return [*self._known, *(p for p in self._later if p not in self._known)]

    def of(self, predicate: int) -> Keys:
        """Its facts of one predicate."""
        enumerate_ = self._later.get(predicate)
        return self._known.get(predicate, []) if enumerate_ is None else enumerate_()

    def shares_terms(self, others: Facts) -> bool:
        """Whether an id is the same term in both."""
        return self._decode == others._decode

    def without(self, others: Facts, more: Facts, less: Facts) -> Facts:
        """These without `others`, and `more` without `less`, found out when asked for."""

        def combined(predicate: int) -> Keys:
            parts = []
            for some, not_those in ((self, others), (more, less)):
                gone = FactSet.of({predicate: shaped(not_those.of(predicate))})
                parts.append(gone.get(predicate).missing(some.of(predicate)))
            return gather({predicate: parts}).get(predicate, [])

        later = {p: partial(combined, p) for p in (*self.predicates, *more.predicates)}
        return Facts({}, self._decode, self._find, later, self._lease, self._wording)

    def __len__(self) -> int:
        return size(self.batch)

    def __bool__(self) -> bool:
        return bool(self._known) or bool(self.batch)

    def __iter__(self) -> Iterator[tuple[Any, Any, Any]]:
        for s, p, o in triples(self.batch):
            yield self._decode(s), self._decode(p), self._decode(o)

    def __contains__(self, triple: object) -> bool:
        found = self._find(triple)
        return found is not None and FactSet.of(self.batch).has(*found)

    def __repr__(self) -> str:
        return f"<{len(self)} facts>"

    def __str__(self) -> str:
        return "\n".join(self.lines(""))

    def lines(self, sign: str) -> Iterator[str]:
        """The first facts as text, each behind a sign, and how many more there are."""
        lines = fact_lines(triples(self.batch), len(self), self._wording())
        return (f"{sign}{line}" for line in lines)

    def _repr_html_(self) -> str:
        return fact_table(triples(self.batch), len(self), self._wording())


class Report(NamedTuple):
    """The work of an update: instances considered per pass, strategy, wall time, and requests
    `ignored`, `follows` of them to delete a derived fact without a statement; and all instances of
    contradictions that came and went, repetitions among them (`KnowledgeBase.violations` tells
    none)."""

    counters: dict[str, int]
    strategy: str
    seconds: float
    ignored: int
    follows: int = 0
    contradictions_came: int = 0
    contradictions_went: int = 0

    def then(self, next: Report) -> Report:
        counters = {name: self.counters[name] + number for name, number in next.counters.items()}
        return Report(
            counters,
            next.strategy,
            self.seconds + next.seconds,
            self.ignored + next.ignored,
            self.follows + next.follows,
            self.contradictions_came + next.contradictions_came,
            self.contradictions_went + next.contradictions_went,
        )


@dataclass(frozen=True)
class Delta:
    """Facts that came into view and went out of it; a fact is in one of them at most."""

    added: Facts
    removed: Facts
    report: Report = field(repr=False)
    _why: Callable[[Any], Removal | None] = field(repr=False, compare=False)

    def why_removed(self, triple: Any) -> Removal | None:
        """What a removed fact rested on that the update took away; None for a fact that is not
        among the `removed`. Found when asked for, in the facts as they were before the update,
        which last as long as the delta is held."""
        return self._why(triple)

    def then(self, next: Delta) -> Delta:
        """This change and the next one as one. Raises ValueError for one of other ids."""
        if not self.added.shares_terms(next.added):
            raise ValueError(
                "the two deltas number terms in their own ways, so they cannot be made one; ask for"
                " the changes since the first with kb.changes(since=n, derived=True)"
            )
        added = self.added.without(next.removed, next.added, self.removed)
        removed = self.removed.without(next.added, next.removed, self.added)

        def why(triple: Any) -> Removal | None:
            return (
                (next.why_removed(triple) or self.why_removed(triple))
                if triple in removed
                else None
            )

        return Delta(added, removed, self.report.then(next.report), why)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)

    def __str__(self) -> str:
        """The first facts that came and that went, and how many there are."""
        count = f"{len(self.added):,} came, {len(self.removed):,} went"
        return "\n".join(
            [*self.added.lines("+ "), *self.removed.lines("- "), count + self._remarks()]
        )

    def _remarks(self) -> str:
        report = self.report
        as_before = report.ignored - report.follows
        remarks = {
            f"; {as_before:,} as before (stated already, or not stated)": as_before,
            f"; {report.follows:,} not stated, but follows: kb.explain tells why": report.follows,
            "; contradictions came: kb.violations() tells them": report.contradictions_came,
            "; contradictions went": report.contradictions_went,
        }
        return "".join(remark for remark, count in remarks.items() if count)

    def _repr_html_(self) -> str:
        sides = ((self.added, "came"), (self.removed, "went"))
        remarks = self._remarks().removeprefix("; ")
        parts = [f"<div>{remarks}</div>"] if remarks else []
        parts += [
            folded(f"{len(facts):,} {word}", facts._repr_html_(), is_open=bool(facts))
            for facts, word in sides
        ]
        return "".join(parts)
