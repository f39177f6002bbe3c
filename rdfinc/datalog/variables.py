"""Variables of rules and expressions, and renaming them.

Expression texts have normalised spacing (see `rule_text`), so `<` opens an IRI
exactly where no space follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count

from msgspec.structs import replace

from rdfinc.datalog.model import (
    Aggregate,
    Atom,
    Bind,
    BodyItem,
    Expression,
    Filter,
    Literal,
    NotExists,
    Row,
    Rule,
    Skolem,
    Term,
    Value,
    Var,
)

Change = Callable[[Var], Var]

_PIECE = re.compile(r'<[^\s<>]*>|"(?:[^"\\]|\\.)*"|\?(\w+)')


def variables_in(text: str) -> tuple[Var, ...]:
    """The variables of an expression's text in order of first appearance."""
    names = (found[1] for found in _PIECE.finditer(text) if found[1])
    return tuple(Var(name) for name in dict.fromkeys(names))


def rename_expression(expression: Expression, change: Change) -> Expression:
    """The expression with each variable replaced; two may become one."""

    def renamed(found: re.Match[str]) -> str:
        return str(change(Var(found[1]))) if found[1] else found[0]

    variables = tuple(dict.fromkeys(map(change, expression.variables)))
    return Expression(_PIECE.sub(renamed, expression.text), variables)


def item_variables(item: BodyItem) -> Iterator[Var]:
    """All variables of a body item, local ones included, with repetitions; one that gets its
    value here comes after those that the value is computed from."""
    if isinstance(item, Literal):
        yield from item.atom.variables()
    elif isinstance(item, NotExists):
        yield from item.variables
        yield from body_variables(item.body)
    elif isinstance(item, Aggregate):
        yield from item.group
        yield from body_variables(item.body)
        for value in item.values:
            yield from value_variables(value)
    elif isinstance(item, Row):
        yield from (*item.members, item.variable)
    elif isinstance(item, Skolem):
        yield from (t for t in item.arguments if isinstance(t, Var))
        yield item.variable
    else:
        yield from item.expression.variables
        if isinstance(item, Bind):
            yield item.variable


def body_variables(body: Iterable[BodyItem]) -> Iterator[Var]:
    return (variable for item in body for variable in item_variables(item))


def value_variables(value: Value) -> Iterator[Var]:
    """What an aggregate reads, then its own variable."""
    if value.expression is not None:
        yield from value.expression.variables
    yield value.variable


def local_variables(item: BodyItem) -> frozenset[Var]:
    """The variables that mean nothing outside the item."""
    if isinstance(item, NotExists):
        return frozenset(item.variables)
    if isinstance(item, Aggregate):
        return frozenset(body_variables(item.body)).difference(item.group)
    return frozenset()


def free_variables(item: BodyItem) -> Iterator[Var]:
    """The variables of an item that the rest of the rule shares, with repetitions."""
    if isinstance(item, Aggregate):
        yield from (*item.group, *(value.variable for value in item.values))
    elif isinstance(item, NotExists):
        shared = (variable for inner in item.body for variable in free_variables(inner))
        yield from (variable for variable in shared if variable not in item.variables)
    else:
        yield from item_variables(item)


def rule_variables(rule: Rule) -> tuple[Var, ...]:
    """The variables of a rule in order of first appearance, local ones included."""
    found = dict.fromkeys(rule.head.variables() if rule.head else ())
    found |= dict.fromkeys(body_variables(rule.body))
    if rule.value is not None:
        found |= dict.fromkeys(value_variables(rule.value))
    return tuple(found)


def rename_rule(rule: Rule, change: Change) -> Rule:
    """The rule with each variable replaced, local ones too."""
    head: Atom | None = rule.head.map(_on_terms(change)) if rule.head else None
    value = _renamed_value(rule.value, change) if rule.value else None
    return replace(rule, head=head, body=_renamed_body(rule.body, change), value=value)


def rename_item(item: BodyItem, change: Change) -> BodyItem:
    """The item with each variable replaced, local ones too."""
    if isinstance(item, Literal):
        return replace(item, atom=item.atom.map(_on_terms(change)))
    if isinstance(item, NotExists | Aggregate):
        return _renamed_within(item, change)
    if isinstance(item, Row):
        return Row(tuple(map(change, item.members)), change(item.variable))
    if isinstance(item, Skolem):
        arguments = tuple(map(_on_terms(change), item.arguments))
        return Skolem(item.name, arguments, change(item.variable))
    expression = rename_expression(item.expression, change)
    if isinstance(item, Filter):
        return Filter(expression)
    return Bind(expression, change(item.variable))


def _renamed_within(item: NotExists | Aggregate, change: Change) -> BodyItem:
    body = _renamed_body(item.body, change)
    if isinstance(item, NotExists):
        return NotExists(tuple(map(change, item.variables)), body)
    values = tuple(_renamed_value(value, change) for value in item.values)
    return Aggregate(body, tuple(map(change, item.group)), values)


def _renamed_body(body: tuple[BodyItem, ...], change: Change) -> tuple[BodyItem, ...]:
    return tuple(rename_item(item, change) for item in body)


def _renamed_value(value: Value, change: Change) -> Value:
    expression = value.expression and rename_expression(value.expression, change)
    return replace(value, expression=expression, variable=change(value.variable))


def _on_terms(change: Change) -> Callable[[Term], Term]:
    return lambda term: change(term) if isinstance(term, Var) else term


def standardised_apart(rule: Rule) -> Rule:
    """The rule with a name of its own for every local variable."""
    taken = set(rule_variables(rule))
    names = (name for name in (Var(f"local{i}") for i in count()) if name not in taken)
    return replace(rule, body=tuple(_renamed_locals(item, names) for item in rule.body))


def _renamed_locals(item: BodyItem, names: Iterator[Var]) -> BodyItem:
    """The item with fresh names for its local variables, those of items within it first."""
    if not isinstance(item, NotExists | Aggregate):
        return item
    item = replace(item, body=tuple(_renamed_locals(inner, names) for inner in item.body))
    fresh = {local: next(names) for local in sorted(local_variables(item), key=str)}
    if isinstance(item, NotExists):
        return rename_item(item, lambda variable: fresh.get(variable, variable))
    values = item.values  # an aggregate's own variable is not local, even by the same name
    body = _renamed_body(item.body, lambda variable: fresh.get(variable, variable))
    return replace(item, body=body, values=tuple(_reading(value, fresh) for value in values))


def _reading(value: Value, fresh: dict[Var, Var]) -> Value:
    """The aggregate over renamed variables of its body."""
    if value.expression is None:
        return value
    renamed = rename_expression(value.expression, lambda variable: fresh.get(variable, variable))
    return replace(value, expression=renamed)
