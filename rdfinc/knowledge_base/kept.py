"""A knowledge base as `rdfinc.durable` sees it, which keeps it in a directory.

`rdfinc.durable` takes it whole (`state`), puts another in its place (`become`), makes changes that
are in the directory already (`unrecorded`), has it ready for others (`prepare`), lets terms go when
no file mentions them (`reclaim`, `forget`), and hears of each change from a beginning (`last`) to
an end (`end`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from rdfinc.knowledge_base.explanations.rendering import Telling
from rdfinc.knowledge_base.namespaces import Namespaces
from rdfinc.knowledge_base.streams.compound_update import Step
from rdfinc.knowledge_base.streams.watching import Watches
from rdfinc.knowledge_base.updates.change_log import ChangeLog
from rdfinc.knowledge_base.updates.engine import Engine
from rdfinc.terms.dictionary import Dictionary, Ids

if TYPE_CHECKING:
    from rdfinc.knowledge_base.explanations.axioms import Axioms
    from rdfinc.knowledge_base.explanations.unknown_terms import UnknownTerms

_OF_PROCESS = ("_turns", "_lock", "_telling", "_axioms", "_open_step", "_log", "_doors")
"""What a knowledge base has that belongs to its process."""


class Kept:
    """The part of a knowledge base that is no one's but its keeper's: `_log`, if it has one."""

    dictionary: Dictionary
    _namespaces: Namespaces
    _engine: Engine
    _turns: Watches
    _lock: Any
    _telling: Telling
    _axioms: Axioms | UnknownTerms | None
    _open_step: Step | None
    _log: ChangeLog | None
    _doors: dict[str, Any]

    @property
    def namespaces(self) -> Namespaces:
        """The prefixes that are bound, with what they stand for."""
        return self._namespaces

    @namespaces.setter
    def namespaces(self, prefixes: Mapping[str, str]) -> None:
        """Binds these, and no others; graphs over the knowledge base see it."""
        bound = dict(prefixes)
        self._namespaces.clear()
        self._namespaces.update(bound)

    def state(self) -> dict[str, Any]:
        """All that it consists of, as it is now, without what belongs to this process."""
        return {name: value for name, value in vars(self).items() if name not in _OF_PROCESS}

    def become(self, other: Kept) -> None:
        """Takes the place of another knowledge base, which nobody else uses; one that was closed is
        open again."""
        self._turns.reopen()
        with self._turns, self._lock:
            bound = self._namespaces
            set_attributes(self, other.state())
            self._namespaces = bound
            self.namespaces = other.namespaces
            self._telling, self._axioms = Telling(self.dictionary), None
            if self._log is not None:
                self.last(self._log)

    def plan(self) -> None:
        """Makes what a change needs and the next one finds: the plans of all rules, in strata."""
        with self._turns, self._lock:
            self._engine.prepared_strata()

    def last(self, log: ChangeLog) -> None:
        """From now on `log` keeps all changes."""
        self._log, self._engine.record = log, log.record

    @contextmanager
    def unrecorded(self) -> Iterator[None]:
        """Changes inside are from its directory, and are not kept there again."""
        with self._turns, self._lock:
            log, self._log = self._log, None
            del self._engine.record
            try:
                yield
            finally:
                if log is not None:
                    self.last(log)

    def end(self, refuse: Callable[[], NoReturn]) -> None:
        """From now on, whoever uses it meets what `refuse` raises."""
        self._log = self._engine.record = None
        self.fail(refuse)

    def fail(self, refuse: Callable[[], NoReturn]) -> None:
        """From now on, whoever uses or closes it meets what `refuse` raises."""
        self._turns.close(refuse)

    def give_up(self, error: BaseException) -> None:
        """Ends its use because memory has half of a change."""
        if self._log is not None:
            self._log.fail(error)
        else:
            self.end(partial(refuse, f"a change was cut short ({error!r}); make it anew"))

    def reclaim(self) -> None:
        """Frees the ids of terms that nothing mentions, if it is time to."""
        self._engine.reclaim(self._telling.forget)

    def forget(self, ids: Ids) -> None:
        """Forgets ids that nothing mentioned, and that have lost their terms."""
        with self._turns, self._lock:
            self._engine.forget(ids)
            self._telling.forget(ids)


def set_attributes(of: object, state: Mapping[str, Any]) -> None:
    """Gives an object its attributes one by one. CPython 3.11 and 3.12 are slower with all objects
    whose `__dict__` was asked for: were a knowledge base given its state through these, an update
    would take 7% longer from then on."""
    for name, value in state.items():
        object.__setattr__(of, name, value)


def refuse(reason: str) -> NoReturn:
    """Raises a ValueError: nobody uses what was ended."""
    raise ValueError(reason)
