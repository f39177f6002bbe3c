"""Closures that depend on themselves, by linear rules (paper 002 §4).

Another rule may derive a transitive R from facts of R. The rule R(x, z) ← R(x, y), R(y, z) finds a
pair once for every node between its ends, and whoever doubts the pair looks at all of them. With
the external facts X apart, among which is all that other rules derive,

    R(x, y) ← X(x, y)      R(x, z) ← X(x, y), R(y, z)

find it once for every first step, and make the same R: a way over X is as long as its steps are
many. Other rules read R and derive X, so these facts are of one stratum, and each strategy
maintains them as any others. If R is also symmetric, then each X can be read both ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rdfinc.datalog.clause import Clause, Pattern
from rdfinc.datalog.model import Var
from rdfinc.datalog.modules import Module

X, Y, Z = -1, -2, -3


def linear_clauses(clause: Clause, module: Module) -> Iterator[Clause]:
    """The clauses that close a module's members over its external facts; all but what they say is
    as in the `clause`."""
    assert module.linear is not None
    (first, _), *others = module.members
    name, *names = module.linear.names

    def says(head: Pattern, *body: Pattern) -> Clause:
        return replace(
            clause,
            head=head,
            body=body,
            negative=(),
            computations=(),
            fold=None,
            variables=(Var("x"), Var("y"), Var("z")),
            parameters=frozenset(),
        )

    steps = [Pattern(X, module.external, Y)]
    if module.linear.kind.symmetric:
        steps.append(Pattern(Y, module.external, X))
    for step in steps:
        yield says(Pattern(X, name, Y), step)
        yield says(Pattern(X, name, Z), step, Pattern(Y, first, Z))
    for (_, straight), other in zip(others, names, strict=True):
        head = Pattern(X, other, Y) if straight else Pattern(Y, other, X)
        yield says(head, Pattern(X, first, Y))
