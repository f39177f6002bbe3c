"""One step of an update sequence."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from laws.names import FIRST, OWL, RDFS, REST, TYPE, Fact, Quad
from rdfinc.datalog.model import Rule


@dataclass(frozen=True)
class Step:
    """A change in one call: of statements, of rules, or of both."""

    delete: Set[Quad] = frozenset()
    insert: Set[Quad] = frozenset()
    rules_removed: tuple[Rule, ...] = ()
    rules_added: tuple[Rule, ...] = ()

    @property
    def about_rules(self) -> bool:
        return bool(self.rules_removed or self.rules_added)


def is_axiom(fact: Fact) -> bool:
    """Whether a fact belongs to the schema: an OWL or RDFS axiom or a piece of one."""
    vocabulary = (f"<{RDFS}", f"<{OWL}")
    return (
        fact[1].startswith(vocabulary)
        or fact[1] in (FIRST, REST)
        or (fact[1] == TYPE and fact[2].startswith(vocabulary))
    )
