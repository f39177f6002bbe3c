"""Rules whose bodies hold bodies -> core rules with plain atoms and plain NOT only (ALGORITHMS §2).

NOT EXISTS becomes `NOT [?x, R, ?y]`, and `[?x, R, ?y] :- body` projects the inner body on the
shared variables. AGGREGATE becomes `[?key, R, ?value]`, derived from the inner body by a rule with
a value. An auxiliary node, a row, stands for more than two shared variables, or more than one in a
group. R is auxiliary and named by its meaning, so that rules with the same question share it.
Built-ins over lists become atoms over relations of their own (`datalog.transform.list_rules`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from rdfinc.datalog.analysis.safety import is_safe_alone
from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.functions import LIST_ATOMS
from rdfinc.datalog.model import (
    Aggregate,
    Atom,
    Bind,
    BodyItem,
    Literal,
    NotExists,
    Row,
    Rule,
    Skolem,
    Term,
    Var,
)
from rdfinc.datalog.printing import rule_text
from rdfinc.datalog.transform.list_rules import without_lists
from rdfinc.datalog.variables import free_variables

_R = "<urn:rdfinc:aux:>"
"""Stands for the auxiliary relation until it has its name."""

_VALUE = Var("value")


@lru_cache(maxsize=4096)
def core_rules(form: Rule) -> tuple[Rule, ...]:
    """A canonical, safe rule as a core rule, then the auxiliary rules that it needs, each once and
    all of them canonical; without names. Those of recent rules are remembered."""
    if all(map(_is_plain, form.body)):
        return (form,)
    body: list[BodyItem] = []
    outer, about_lists = without_lists(form)
    needed = {core: None for each in about_lists for core in core_rules(canonical(each))}
    for place, item in enumerate(outer):
        items, rules = _plain(item, outer, Var(f"row{place}"))
        body += items
        needed |= dict.fromkeys(core for each in rules for core in core_rules(canonical(each)))
    core = replace(form, body=tuple(body))
    return core if core == form else canonical(core), *needed


def _is_plain(item: BodyItem) -> bool:
    """Whether an item is an atom as it stands, as most are."""
    return isinstance(item, Literal) and item.atom.predicate not in LIST_ATOMS


def _plain(item: BodyItem, body: Sequence[BodyItem], row: Var) -> tuple[list[BodyItem], list[Rule]]:
    """A plain body item in the place of one, and the auxiliary rules that it needs."""
    if isinstance(item, NotExists):
        return _absence(item, body, row)
    if isinstance(item, Aggregate):
        return _aggregate(item, row)
    return [item], []


def _absence(
    item: NotExists, body: Sequence[BodyItem], row: Var
) -> tuple[list[BodyItem], list[Rule]]:
    """The inner body is joined with what binds the shared variables, if it does not bind them."""
    shared = tuple(dict.fromkeys(free_variables(item)))
    inner = item.body
    if not is_safe_alone(inner, shared):
        inner = (*filter(_binds, body), *inner)
    rows: list[BodyItem] = []
    ends: tuple[Term, Term] = _R, _R
    if len(shared) > 2:
        rows, ends = [Row(shared, row)], (row, row)
    elif shared:
        ends = shared[0], shared[-1]
    head = Atom(ends[0], _R, ends[1])
    rule, atom = _named(Rule(head, (*inner, *rows)), head)
    return [*rows, Literal(atom, positive=False)], [rule]


def _binds(item: BodyItem) -> bool:
    if isinstance(item, Literal):
        return item.positive
    return isinstance(item, Bind | Skolem | Aggregate)


def _aggregate(item: Aggregate, row: Var) -> tuple[list[BodyItem], list[Rule]]:
    rows: list[BodyItem] = [Row(item.group, row)] if len(item.group) > 1 else []
    key: Term = row if rows else item.group[0] if item.group else _R
    items, rules = list(rows), []
    for value in item.values:
        aggregate = replace(value, variable=_VALUE)
        folding = Rule(Atom(key, _R, _VALUE), (*item.body, *rows), value=aggregate)
        rule, atom = _named(folding, Atom(key, _R, value.variable))
        items.append(Literal(atom))
        rules.append(rule)
    return items, rules


def _named(rule: Rule, atom: Atom) -> tuple[Rule, Atom]:
    """The auxiliary rule and an atom with the name of the rule's relation."""
    assert rule.head is not None
    meaning = hashlib.sha256(rule_text(canonical(rule)).encode()).hexdigest()[:16]

    def name(term: Term) -> Term:
        return f"<urn:rdfinc:aux:{meaning}>" if term == _R else term

    return replace(rule, head=rule.head.map(name)), atom.map(name)
