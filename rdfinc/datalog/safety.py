"""Which rules can be evaluated: every variable gets its values from the facts, and finitely many.

`check` is about one rule; `check_program` about values that a program would compute from values
it has computed, without end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from rdfinc.datalog.model import RDF_TYPE, Atom, Rule, Var
from rdfinc.datalog.printing import rule_text, term_text
from rdfinc.datalog.variables import item_variables
from rdfinc.errors import RuleError, UnsafeRuleError, UnstratifiableError

Relation = tuple[str | None, str | None]
"""(predicate, class under rdf:type); None stands for any."""


def check(rule: Rule) -> None:
    """Accepts a safe rule.

    Every variable of the head, a filter, a negated atom or a BIND's expression must be bound by
    a positive body atom or by a BIND that can be evaluated before; else UnsafeRuleError names
    the first that is not. A BIND's variable must have no other source; else RuleError.
    """
    by_atoms = {v for item in rule.literals() if item.positive for v in item.atom.variables()}
    _check_binds(rule, by_atoms)
    bound = _evaluable(rule, by_atoms)
    for variable in _needed(rule):
        if variable not in bound:
            raise UnsafeRuleError(variable.name, rule_text(rule))


def _check_binds(rule: Rule, by_atoms: set[Var]) -> None:
    bound = set(by_atoms)
    for item in rule.binds():
        if item.variable in bound:
            other = "an atom" if item.variable in by_atoms else "another BIND"
            raise RuleError(
                f"{item.variable} gets its value from BIND and from {other}; bind a new variable "
                f"and compare the two with FILTER in\n    {rule_text(rule)}"
            )
        bound.add(item.variable)


def _evaluable(rule: Rule, by_atoms: set[Var]) -> set[Var]:
    """The variables that have values once every BIND that can be evaluated has been."""
    bound, waiting = set(by_atoms), list(rule.binds())
    while ready := [item for item in waiting if bound.issuperset(item.expression.variables)]:
        bound |= {item.variable for item in ready}
        waiting = [item for item in waiting if item not in ready]
    return bound


def _needed(rule: Rule) -> Iterator[Var]:
    if rule.head is not None:
        yield from rule.head.variables()
    for item in rule.body:
        yield from item_variables(item)


def check_program(rules: Iterable[Rule]) -> None:
    """Refuses recursion through a computed value: UnstratifiableError names the relations.

    Conservative: a rule that puts the value of a BIND into its head must not, over any rules,
    feed its own body; a variable in predicate or class position stands for every relation. A
    BIND without variables computes one value and is harmless. Linear in the program for each
    rule with such a BIND.
    """
    program = tuple(rule for rule in rules if rule.head is not None)
    computing = [rule for rule in program if _head_is_computed(rule)]
    readers = _readers(program) if computing else {}
    for rule in computing:
        cycle = _way_back(rule, readers)
        if cycle:
            raise UnstratifiableError(cycle)


def _head_is_computed(rule: Rule) -> bool:
    """Does a value computed from facts reach the head?"""
    assert rule.head is not None
    fixed = _evaluable(rule, set())
    computed = {item.variable for item in rule.binds()} - fixed
    return not computed.isdisjoint(rule.head.variables())


def _readers(program: Iterable[Rule]) -> dict[Relation, list[Rule]]:
    """For each relation of a body atom the rules that have such an atom."""
    readers: dict[Relation, list[Rule]] = {}
    for rule in program:
        for relation in dict.fromkeys(_relation(item.atom) for item in rule.literals()):
            readers.setdefault(relation, []).append(rule)
    return readers


def _way_back(start: Rule, readers: Mapping[Relation, list[Rule]]) -> list[str]:
    """The relations on a shortest way from the rule's head into its body; empty if none."""
    came_from: dict[int, Rule] = {}
    queue = deque([start])
    while queue:
        rule = queue.popleft()
        for reader in _fed(rule, readers):
            if id(reader) in came_from:
                continue
            came_from[id(reader)] = rule
            if reader is start:
                return _names(start, came_from)
            queue.append(reader)
    return []


def _names(start: Rule, came_from: Mapping[int, Rule]) -> list[str]:
    way = [start, came_from[id(start)]]
    while way[-1] is not start:
        way.append(came_from[id(way[-1])])
    return [_name(rule.head) for rule in reversed(way) if rule.head is not None]


def _fed(rule: Rule, readers: Mapping[Relation, list[Rule]]) -> Iterator[Rule]:
    """The rules that may have a body atom that the rule's head matches."""
    assert rule.head is not None
    for relation in _meeting(_relation(rule.head), readers):
        yield from readers.get(relation, ())


def _meeting(relation: Relation, known: Iterable[Relation]) -> Iterable[Relation]:
    """The relations, of those known, that may have a fact in common with this one."""
    predicate, class_ = relation
    if predicate is None:
        return known
    if predicate != RDF_TYPE:
        return relation, (None, None)
    if class_ is not None:
        return relation, (RDF_TYPE, None), (None, None)
    return [other for other in known if other[0] in (RDF_TYPE, None)]


def _relation(atom: Atom) -> Relation:
    predicate = atom.predicate if isinstance(atom.predicate, str) else None
    class_ = atom.object if isinstance(atom.object, str) and predicate == RDF_TYPE else None
    return predicate, class_


def _name(atom: Atom | None) -> str:
    assert atom is not None
    return term_text(atom.object if atom.predicate == RDF_TYPE else atom.predicate)
