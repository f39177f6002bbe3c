"""Closures that depend on themselves, by linear rules (Hu et al. 2019 §4).

Another rule may derive a transitive R from facts of R. The rule R(x, z) ← R(x, y), R(y, z) finds a
pair once for every node between its ends, and whoever doubts the pair looks at all of them. With
the external facts X apart, among which is all that other rules derive,

    R(x, y) ← X(x, y)      R(x, z) ← X(x, y), R(y, z)

find it once for every first step, and make the same R: a way over X is as long as its steps are
many. Other rules read R and derive X, so these facts are of one stratum, and each strategy
maintains them as any others. If R is also symmetric, then each X can be read both ways.

Where an X(x, y) is lost it is enough to doubt R(x, y). If that stays, because there is another way,
then so does each R(x, z) while R(y, z) does. So lost facts are read of the second rule as

    R(x, z) ← X(x, y), R(x, y), R(y, z)

whose instances with a lost fact have a lost one of R, or their heads stay.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from rdfinc.datalog.analysis.modules import Module
from rdfinc.datalog.clause import Clause, Pattern
from rdfinc.datalog.model import Var

X, Y, Z = -1, -2, -3


def linear_clauses(clause: Clause, module: Module) -> Iterator[tuple[Clause, Clause | None]]:
    """The clauses that close a module's members over its external facts. Clauses that go on from
    a first step come with the clause that lost facts drive. Terms and relations are those of
    `clause`."""
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
            ties=frozenset(),
        )

    steps = [Pattern(X, module.external, Y)]
    if module.linear.kind.symmetric:
        steps.append(Pattern(Y, module.external, X))
    for step in steps:
        yield says(Pattern(X, name, Y), step), None
        head, rest = Pattern(X, name, Z), Pattern(Y, first, Z)
        yield says(head, step, rest), says(head, step, Pattern(X, first, Y), rest)
    for (_, straight), other in zip(others, names, strict=True):
        head = Pattern(X, other, Y) if straight else Pattern(Y, other, X)
        yield says(head, Pattern(X, first, Y)), None
