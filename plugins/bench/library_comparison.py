"""The comparison: closures, what they agree in, changes, queries."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from statistics import median

from msgspec import Struct

from rdfinc.plugins.bench.agreement import ClosureDifference, Closures, facts
from rdfinc.plugins.bench.bench_findings import Answering, Answers, Changing, Closing, Findings
from rdfinc.plugins.bench.child import SLOW
from rdfinc.plugins.bench.generic_queries import GENERIC
from rdfinc.plugins.bench.peers import AXIOMATIC, PEERS, RDFINC, Peer
from rdfinc.plugins.bench.processes import Ran, ran
from rdfinc.plugins.bench.stratified_rules import Strata, UntranslatedError, strata

STORES = "stores, derives nothing"


class Task(Struct, frozen=True):
    """What is measured: triples in a file of N-Triples, files of rules, and a profile; within how
    many seconds, how often, and how many single changes."""

    what: str
    data: Path
    rules: Sequence[Path]
    profile: str
    timeout: float
    repetitions: int
    changes: int

    def compared(self, queries: Mapping[str, str], say: Callable[[str], None]) -> Findings:
        """All libraries beside rdfinc. `say` is told what is under way."""
        asked = {**queries, **GENERIC, **queries}  # those given first, and none of them lost
        with tempfile.TemporaryDirectory() as folder:
            run = _Comparison(self, Path(folder), say)
            return Findings(
                _place(),
                self.what,
                _lines(self.data),
                self.profile,
                self.timeout,
                [*run.closings()],
                [*run.differences()],
                [*run.changes()] if self.changes else [],
                asked,
                [*run.answers(asked)],
            )


class _Comparison:
    """One comparison. A closure is in the folder, under its library's name, if it was made."""

    def __init__(self, task: Task, folder: Path, say: Callable[[str], None]) -> None:
        self._task, self._folder, self._say = task, folder, say
        self._rules = [str(file) for file in task.rules]

    # -- closures

    def closings(self) -> Iterator[Closing]:
        """In turn, A B C A B C; who is slow or fails is run once."""
        runs: dict[Peer, list[Ran]] = {peer: [] for peer in PEERS if self._why_not(peer) is None}
        for _ in range(self._task.repetitions):
            for peer, done in runs.items():
                if not done or _is_quick(done[-1]):
                    done.append(self._close(peer, repeated=bool(done)))
        yield from (self._closing(peer, runs.get(peer, [])) for peer in PEERS)

    def _why_not(self, peer: Peer) -> str | None:
        if peer.version is None:
            return f"not installed: `pip install {peer.name}`"
        lacks = peer.lacks(self._task.profile, bool(self._task.rules))
        return lacks or (self._translation[1] if peer.is_translated else None)

    @cached_property
    def _translation(self) -> tuple[Strata, str | None]:
        """The rules for those that do not read rdfinc's, and why they cannot be said to them."""
        try:
            return strata(self._task.rules), None
        except UntranslatedError as why:
            return [], str(why)

    def _close(self, peer: Peer, *, repeated: bool) -> Ran:
        write = None if repeated or not peer.derives else self._closure(peer)
        done = self._ran(peer, "close", self._task.data, "reading and deriving", write=write)
        if write and done.failure:
            write.unlink(missing_ok=True)
        return done

    def _closing(self, peer: Peer, runs: Sequence[Ran]) -> Closing:
        told = [run.told[0] for run in runs if run.told]
        why = self._why_not(peer) or next((run.failure for run in runs if run.failure), "")
        if not told:
            return Closing(peer.name, peer.version, why)
        middle = {
            name: median(found[name] for found in told)
            for name in ("seconds", "deriving", "processor")
        }
        return Closing(
            peer.name,
            peer.version,
            why or ("" if peer.derives else STORES),
            middle["seconds"],
            middle["deriving"] if peer.derives else None,
            middle["processor"],
            max(found["peak_bytes"] for found in told),
            told[0]["facts"],
            len(told),
        )

    def _closure(self, peer: Peer) -> Path:
        return self._folder / f"{peer.made}.nt"

    # -- what they agree in

    def differences(self) -> Iterator[ClosureDifference]:
        """Of each library that made a closure from that of rdfinc."""
        others = [peer for peer in PEERS if peer.derives and peer is not RDFINC]
        made = [peer for peer in others if self._closure(peer).exists()]
        if made and self._closure(RDFINC).exists():
            ours = Closures(self._closure(RDFINC), self._axiomatic)
            yield from (ours.beside(peer.name, self._closure(peer)) for peer in made)

    def _axiomatic(self) -> Path | None:
        self._close(AXIOMATIC, repeated=False)
        made = self._closure(AXIOMATIC)
        return made if made.exists() else None

    # -- changes

    def changes(self) -> Iterator[Changing]:
        """Of rdfinc, and where nothing is derived of every store."""
        is_plain = self._task.profile == "none" and not self._rules
        for peer in PEERS if is_plain else (RDFINC,):
            if peer.answers and self._why_not(peer) is None:
                yield self._changing(peer)

    def _changing(self, peer: Peer) -> Changing:
        between, left, anew = (self._folder / f"{name}.nt" for name in ("between", "left", "anew"))
        done = self._ran(
            peer,
            "change",
            self._task.data,
            "single changes",
            count=self._task.changes,
            write=between,
            left=left,
        )
        if not done.told:
            return Changing(peer.name, done.failure)
        again = self._ran(peer, "close", left, "deriving what is left anew", write=anew)
        exact = None if again.failure else facts(between) == facts(anew)
        (found,) = done.told
        return Changing(peer.name, "", tuple(found["gone"]), tuple(found["back"]), exact)

    # -- queries

    def answers(self, queries: Mapping[str, str]) -> Iterator[Answers]:
        """Of all stores over the closure that rdfinc made, if it made one; of rdfinc over its
        own."""
        closure = self._closure(RDFINC)
        for peer in PEERS if closure.exists() else ():
            if peer.answers and self._why_not(peer) is None:
                own = peer is RDFINC
                yield self._answers(peer, queries, self._task.data if own else closure)

    def _answers(self, peer: Peer, queries: Mapping[str, str], data: Path) -> Answers:
        done = self._ran(
            peer,
            "ask",
            data,
            "queries",
            queries=queries,
            repetitions=self._task.repetitions,
        )
        found = {told.pop("query"): Answering(**told) for told in done.told}
        return Answers(peer.name, done.failure, found)

    # -- processes

    def _ran(self, peer: Peer, task: str, data: Path, doing: str, **job: object) -> Ran:
        self._say(f"{peer.name}: {doing}")
        texts = {name: str(it) if isinstance(it, Path) else it for name, it in job.items()}
        return ran(
            peer,
            task,
            self._task.profile,
            self._task.timeout,
            data=str(data),
            rules=self._translation[0] if peer.is_translated else self._rules,
            **texts,
        )


def _is_quick(done: Ran) -> bool:
    return not done.failure and done.told[0]["seconds"] < SLOW


def _lines(file: Path) -> int:
    with file.open("rb") as lines:
        return sum(1 for _ in lines)


def _place() -> str:
    python = f"Python {sys.version.partition(' ')[0]}"
    return f"{python} on {platform.system()} {platform.machine()}, {os.cpu_count()} processors"
