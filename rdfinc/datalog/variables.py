"""Variables of rules and expressions, and renaming them.

Expression texts have normalised spacing (see `rdfinc.datalog.syntax`), so `<` opens an IRI
exactly where no space follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from rdfinc.datalog.model import Atom, Bind, BodyItem, Expression, Filter, Literal, Rule, Term, Var

_PIECE = re.compile(r'<[^\s<>]*>|"(?:[^"\\]|\\.)*"|\?(\w+)')


def variables_in(text: str) -> tuple[Var, ...]:
    """The variables of an expression's text in order of first appearance."""
    names = (found[1] for found in _PIECE.finditer(text) if found[1])
    return tuple(Var(name) for name in dict.fromkeys(names))


def rename_expression(expression: Expression, change: Callable[[Var], Var]) -> Expression:
    """The expression with each variable replaced; two may become one."""

    def renamed(found: re.Match[str]) -> str:
        return str(change(Var(found[1]))) if found[1] else found[0]

    variables = tuple(dict.fromkeys(map(change, expression.variables)))
    return Expression(_PIECE.sub(renamed, expression.text), variables)


def item_variables(item: BodyItem) -> Iterator[Var]:
    """The variables of a body item in order, with repetitions; a BIND's own comes last."""
    if isinstance(item, Literal):
        yield from item.atom.variables()
        return
    yield from item.expression.variables
    if isinstance(item, Bind):
        yield item.variable


def rule_variables(rule: Rule) -> tuple[Var, ...]:
    """The variables of a rule in order of first appearance."""
    found = dict.fromkeys(rule.head.variables() if rule.head else ())
    for item in rule.body:
        found |= dict.fromkeys(item_variables(item))
    return tuple(found)


def rename_rule(rule: Rule, change: Callable[[Var], Var]) -> Rule:
    """The rule with each variable replaced."""

    def term(value: Term) -> Term:
        return change(value) if isinstance(value, Var) else value

    def item(value: BodyItem) -> BodyItem:
        if isinstance(value, Literal):
            return replace(value, atom=value.atom.map(term))
        expression = rename_expression(value.expression, change)
        if isinstance(value, Filter):
            return Filter(expression)
        return Bind(expression, change(value.variable))

    head: Atom | None = rule.head.map(term) if rule.head else None
    return replace(rule, head=head, body=tuple(map(item, rule.body)))
