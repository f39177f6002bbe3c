"""Which rules can be evaluated: every variable gets its values from the facts, and finitely many.

`check` is about one rule; `check_program` about values that a program would compute from values
it has computed, without end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rdfinc.datalog.functions import LIST_ATOMS
from rdfinc.datalog.list_builtins import list_makers, positive_atoms, steps_of_lists, unbound_list
from rdfinc.datalog.model import (
    RDF_TYPE,
    Aggregate,
    Atom,
    Bind,
    BodyItem,
    Literal,
    NotExists,
    Row,
    Rule,
    Skolem,
    Var,
)
from rdfinc.datalog.printing import cut, rule_text, term_text
from rdfinc.datalog.relations import Relation, atoms_within, meeting, relation_of
from rdfinc.datalog.rule_thresholds import RULES
from rdfinc.datalog.variables import free_variables, item_variables
from rdfinc.errors import RuleError, UnsafeRuleError, UnstratifiableError

Body = tuple[BodyItem, ...]
Step = tuple[set[Var], Var]
"""Variables, and another one that gets its value from them."""


def check(rule: Rule) -> None:
    """Accepts a safe rule.

    Every variable of the head, a filter, a negated atom, a group or a BIND's expression must be
    bound by a positive body atom, an AGGREGATE or a BIND that can be evaluated before; else
    UnsafeRuleError names the first that is not. A BIND's variable must have no other source; else
    RuleError. Bodies within the body are held to the same, and see variables of their surroundings
    under NOT EXISTS only. For built-ins over lists see `lists.unbound_list`. Raises RuleError for a
    body of too many items, too: plans take memory in the cube of their number.
    """
    _check_lists(rule)
    bound = _checked(rule.body, set(), rule)
    if rule.head is not None:
        _require(rule.head.variables(), bound, rule)


def _check_lists(rule: Rule) -> None:
    try:
        unbound = unbound_list(rule)
    except ValueError as error:
        raise RuleError(f"{error}, not as in {rule_text(rule)}") from None
    _require([unbound] if unbound else (), set(), rule)


def _checked(body: Body, given: set[Var], rule: Rule, hint: str = "") -> set[Var]:
    """The variables with values in a safe body, if those `given` have values; raises as `check`,
    with a hint for bodies within the rule's body."""
    if len(body) > RULES.longest_body:
        raise RuleError(
            f"a body of {len(body)} items, more than {RULES.longest_body}: let another rule derive "
            f"from some of them what this one reads\n    {cut(rule_text(rule), 200)}"
        )
    by_atoms = given | _bound_by_atoms(body)
    of_lists = steps_of_lists(positive_atoms(body))
    _check_binds(body, by_atoms | {variable for _, variable in of_lists}, rule)
    bound = _evaluable([*_computed(body), *of_lists], by_atoms)
    for item in body:
        negated = isinstance(item, Literal) and not item.positive
        _require(free_variables(item), bound, rule, _UNDER_NOT if negated else hint)
        if isinstance(item, NotExists):
            within = _WITHIN.format("NOT EXISTS")
            inner = _checked(item.body, bound.difference(item.variables), rule, within)
            _require(item.variables, inner, rule, within)
        elif isinstance(item, Aggregate):
            within = _WITHIN.format("AGGREGATE")
            inner = _checked(item.body, set(), rule, within)
            _require(item.group, inner, rule, within)
            for value in item.values:
                read = value.expression.variables if value.expression else ()
                _require(read, inner, rule, within)
    return bound


_UNDER_NOT = (
    "if no value of it may make what is negated hold, write NOT EXISTS {0} IN …, or add an atom "
    "with {0} to its body"
)
_WITHIN = "add an atom with {{0}} to the body within {}"


def is_safe_alone(body: Body, needed: Iterable[Var]) -> bool:
    """Whether a body is safe and binds all of some variables without its surroundings."""
    try:
        bound = _checked(body, set(), Rule(None, body))
    except RuleError:
        return False
    return bound.issuperset(needed)


def _require(variables: Iterable[Var], bound: set[Var], rule: Rule, hint: str = "") -> None:
    for variable in variables:
        if variable not in bound:
            raise UnsafeRuleError(variable.name, rule_text(rule), hint.format(variable))


def _bound_by_atoms(body: Body) -> set[Var]:
    """The variables bound by atoms, without those atoms that read lists: other atoms must bind
    these."""
    atoms = (atom for atom in positive_atoms(body) if atom.predicate not in LIST_ATOMS)
    bound = {variable for atom in atoms for variable in atom.variables()}
    aggregates = (item for item in body if isinstance(item, Aggregate))
    return bound.union(*map(free_variables, aggregates))


def _computed(body: Body) -> list[Step]:
    """(variables read, variable that gets a value) for each BIND."""
    found: list[Step] = []
    for item in body:
        if isinstance(item, Bind | Skolem | Row):
            *read, variable = item_variables(item)
            found.append((set(read), variable))
    return found


def _check_binds(body: Body, by_atoms: set[Var], rule: Rule) -> None:
    bound = set(by_atoms)
    for _, variable in _computed(body):
        if variable in bound:
            other = "an atom" if variable in by_atoms else "another BIND"
            raise RuleError(
                f"{variable} gets its value from BIND and from {other}; bind a new variable "
                f"and compare the two with FILTER in\n    {rule_text(rule)}"
            )
        bound.add(variable)


def _evaluable(steps: Sequence[Step], by_atoms: set[Var]) -> set[Var]:
    """The variables with values after every possible step was taken."""
    bound, waiting = set(by_atoms), list(steps)
    while ready := [each for each in waiting if each[0] <= bound]:
        bound |= {variable for _, variable in ready}
        waiting = [each for each in waiting if each not in ready]
    return bound


def check_program(rules: Iterable[Rule]) -> None:
    """Refuses recursion through a computed value: UnstratifiableError names the relations.

    Conservative: a rule that puts the value of a BIND into its head must not, over any rules,
    feed its own body; a variable in predicate or class position stands for every relation. A
    BIND without variables computes one value and is harmless; SKOLEM's depth is bounded when it is
    computed. Linear in the program for each rule with such a BIND.
    """
    heads = (each for rule in rules for each in (rule, *list_makers(rule)))
    program = tuple(rule for rule in heads if rule.head is not None)
    computing = [rule for rule in program if _computes(rule)]
    readers = _readers(program) if computing else {}
    for rule in computing:
        cycle = _way_back(rule, readers)
        if cycle:
            raise UnstratifiableError(cycle, "what a BIND computes")


def computes(rule: Rule) -> bool:
    """Does a value computed from facts reach the head, or is it a new list?"""
    return any(map(_computes, (rule, *list_makers(rule))))


def _computes(rule: Rule) -> bool:
    binds = tuple(rule.binds())
    if rule.head is None or not binds:
        return False
    fixed = _evaluable(_computed(rule.body), set())
    computed = {item.variable for item in binds} - fixed
    return not computed.isdisjoint(rule.head.variables())


def _readers(program: Iterable[Rule]) -> dict[Relation, list[Rule]]:
    """For each relation of a body atom the rules that have such an atom."""
    readers: dict[Relation, list[Rule]] = {}
    for rule in program:
        for relation in dict.fromkeys(relation_of(atom) for atom in atoms_within(rule.body)):
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
    """The rules with a body atom that may match the rule's head."""
    assert rule.head is not None
    for relation in meeting(relation_of(rule.head), readers):
        yield from readers.get(relation, ())


def _name(atom: Atom | None) -> str:
    assert atom is not None
    return term_text(atom.object if atom.predicate == RDF_TYPE else atom.predicate)
