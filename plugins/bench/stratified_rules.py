"""Rules as programs of other libraries need them: in strata, without any of rdfinc's classes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rdfinc.datalog.functions import LIST_ATOMS
from rdfinc.datalog.model import Atom, BodyItem, Literal, Rule, Term, Var
from rdfinc.datalog.syntax.rule_file import read_rule_file

Terms = list[str]
"""Of an atom: variables as `?0`, `?1`, and N-Triples terms."""

Strata = list[list[tuple[Terms, list[Terms], list[Terms]]]]
"""Rules that can be applied one stratum after the other: head, body, and what must not hold, which
earlier strata alone derive."""


class UntranslatedError(ValueError):
    """Rules that go beyond atoms and negated atoms; the message says by what."""


def strata(files: Sequence[Path]) -> Strata:
    """All rules of the files, each in the earliest stratum. Raises UntranslatedError."""
    rules = [rule for file in files for rule in read_rule_file(file)]
    for rule in rules:
        _require_plain(rule)
    numbers = _numbers(rules)
    found: Strata = [[] for _ in range(max(numbers, default=-1) + 1)]
    for rule, number in zip(rules, numbers, strict=True):
        found[number].append(_translated(rule))
    return found


def _require_plain(rule: Rule) -> None:
    if rule.head is None:
        raise UntranslatedError("has no contradictions, `false :- …`")
    if rule.is_fact:
        raise UntranslatedError("has no facts among rules")
    beyond = [item for item in rule.body if not _is_plain(item)]
    if beyond:
        raise UntranslatedError(f"has rules of users without {_kind(beyond[0])}")
    if not any(literal.positive for literal in rule.literals()):
        raise UntranslatedError("has no rules of users with nothing but NOT")


def _is_plain(item: BodyItem) -> bool:
    return isinstance(item, Literal) and item.atom.predicate not in LIST_ATOMS


def _kind(item: BodyItem) -> str:
    kinds = {"Literal": "list built-ins", "NotExists": "NOT EXISTS and NOT (…)"}
    name = type(item).__name__
    return kinds.get(name, name.upper())


def _numbers(rules: Sequence[Rule]) -> list[int]:
    """The stratum of each rule: above those of the rules that derive what it negates, and not below
    those that derive what it reads. Time: quadratic in the rules, times the strata."""
    reads = [
        (reader, writer, 0 if literal.positive else 1)
        for reader, rule in enumerate(rules)
        for literal in rule.literals()
        for writer, other in enumerate(rules)
        if other.head is not None and _may_be(literal.atom, other.head)
    ]
    numbers, is_changed = [0] * len(rules), True
    while is_changed:
        is_changed = False
        for reader, writer, step in reads:
            if numbers[reader] < numbers[writer] + step:
                numbers[reader], is_changed = numbers[writer] + step, True
        if max(numbers, default=0) > len(rules):
            raise UntranslatedError("has no NOT of an atom that may follow from the rule itself")
    return numbers


def _may_be(read: Atom, derived: Atom) -> bool:
    """Whether a fact can be of both atoms."""
    pairs = zip(read.terms(), derived.terms(), strict=True)
    return all(isinstance(a, Var) or isinstance(b, Var) or a == b for a, b in pairs)


def _translated(rule: Rule) -> tuple[Terms, list[Terms], list[Terms]]:
    assert rule.head is not None
    variables: dict[Var, str] = {}

    def named(term: Term) -> str:
        if isinstance(term, Var):
            return variables.setdefault(term, f"?{len(variables)}")
        return term

    def terms(atom: Atom) -> Terms:
        return [*map(named, atom.terms())]

    literals = rule.literals()
    return (
        terms(rule.head),
        [terms(each.atom) for each in literals if each.positive],
        [terms(each.atom) for each in literals if not each.positive],
    )
