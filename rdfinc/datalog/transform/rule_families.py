"""Rule families: rules of one shape as one template and a table of constants (ALGORITHMS §2).

The template of `[?x, a, :B] :- [?x, a, :A]` is

    [?v0, a, ?c0] :- [?v0, a, ?c1], [?row, aux:F.0, ?c0], [?row, aux:F.1, ?c1]

where F is the family's name; `?row` stands for one member of the family, whose constants are
(:B, :A). A template without constants has the one parameter literal `[?row, aux:F.0, ?row]`.
Every constant of an atom is a parameter, except the predicates rdf:type and `VALUE`; constants in
FILTER and BIND belong to the shape.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import lru_cache

from msgspec.structs import replace

from rdfinc.datalog.canonical_rules import canonical, labelling, ordered
from rdfinc.datalog.clause import VALUE
from rdfinc.datalog.model import RDF_TYPE, Atom, BodyItem, Literal, Rule, Term, Var
from rdfinc.datalog.printing import rule_text
from rdfinc.datalog.variables import rename_rule, rule_variables

AUXILIARY = "urn:rdfinc:aux:"
ROW = Var("row")


def lift(rule: Rule) -> tuple[Rule, str, tuple[str, ...]]:
    """(template, family name, constants).

    Rules that are equal up to variable names and body order give equal results; rules that
    differ from each other only in constants give the same template and family. The rule's name
    is dropped. Cost: two canonical labellings, the second remembered for recent shapes.
    """
    return lift_canonical(canonical(rule))


def lift_canonical(rule: Rule) -> tuple[Rule, str, tuple[str, ...]]:
    """As `lift`, for a rule that is its own representative."""
    shape, constants = _abstracted(rule)
    template, family, order = _template(shape)
    return template, family, tuple(constants[i] for i in order)


def instantiate(template: Rule, family: str, constants: tuple[str, ...]) -> Rule:
    """The member of the family with these constants: the inverse of `lift` (canonically)."""
    values = {Var(f"c{i}"): constant for i, constant in enumerate(constants)}
    return _map_terms(
        replace(template, body=tuple(i for i in template.body if not _is_parameter(i, family))),
        lambda term: values.get(term, term) if isinstance(term, Var) else term,
    )


def parameter(family: str, i: int) -> str:
    """The auxiliary predicate from a row to its i-th constant."""
    return f"<{AUXILIARY}{family}.{i}>"


def _is_parameter(item: BodyItem, family: str) -> bool:
    return isinstance(item, Literal) and str(item.atom.predicate).startswith(
        f"<{AUXILIARY}{family}."
    )


def _abstracted(rule: Rule) -> tuple[Rule, list[str]]:
    """The rule with a variable for each occurrence of a constant, and these constants."""
    constants: list[str] = []

    def term(value: Term) -> Term:
        if isinstance(value, Var):
            return value
        constants.append(value)
        return _occurrence(len(constants) - 1)

    return _map_terms(rule, term), constants


def _occurrence(i: int) -> Var:
    return Var(f"occurrence {i}")


@lru_cache(maxsize=4096)
def _template(shape: Rule) -> tuple[Rule, str, tuple[int, ...]]:
    """Template, family, and which constant of the shape each parameter is."""
    variables = rule_variables(shape)
    count = sum(" " in variable.name for variable in variables)
    occurrences = [_occurrence(i) for i in range(count)]
    sorts = {v: "constant" if " " in v.name else "variable" for v in variables}
    order = labelling(shape, sorts)
    parameters = [variable for variable in order if sorts[variable] == "constant"]
    others = [variable for variable in order if sorts[variable] == "variable"]
    names = {variable: Var(f"c{i}") for i, variable in enumerate(parameters)}
    names |= {variable: Var(f"v{i}") for i, variable in enumerate(others)}
    core = ordered(rename_rule(shape, names.__getitem__))
    family = "f" + hashlib.sha256(rule_text(core).encode()).hexdigest()[:12]
    template = replace(core, body=core.body + tuple(_parameter_literals(family, len(parameters))))
    return template, family, tuple(map(occurrences.index, parameters))


def _parameter_literals(family: str, count: int) -> Iterator[Literal]:
    if count == 0:
        yield Literal(Atom(ROW, parameter(family, 0), ROW))
    for i in range(count):
        yield Literal(Atom(ROW, parameter(family, i), Var(f"c{i}")))


def _map_terms(rule: Rule, change: Callable[[Term], Term]) -> Rule:
    """The rule with the terms of its atoms changed, all but the predicates that mean the same in
    every rule: rdf:type, and the one from literals to values."""

    def atom(value: Atom) -> Atom:
        kept = value.predicate in (RDF_TYPE, VALUE)
        predicate = value.predicate if kept else change(value.predicate)
        return Atom(change(value.subject), predicate, change(value.object))

    return rule.with_atoms(atom)
