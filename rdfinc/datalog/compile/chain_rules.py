"""Chains of a module's members with other relations, as rules of its external facts (Hu et al.
2019 §4, where such rules belong to the module of the closure).

A row of the form R(x, z) ← R(x, y), S(y, z) reads a transitive R. If (x, y) follows by a way over
external facts X, the last of them ends in y as well. So the rule

    X(w, z) ← X(w, y), S(y, z)

finds an X with the same closure: with that last step replaced the way leads from x to z. The row
with S first is likewise about the first step. If R is also symmetric, then R(y, y) holds for
every end y of an external fact, thus R(y, z), and an external fact for each S is enough:

    X(y, z) ← X(w, y), S(y, z)      X(y, z) ← X(y, w), S(y, z)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from rdfinc.datalog.analysis.modules import ClosureKind, Module
from rdfinc.datalog.clause import Clause, Pattern


def external_clauses(clause: Clause, row: Mapping[int, int], module: Module) -> Iterator[Clause]:
    """The clauses over a module's external facts that do what one row of a clause's parameter
    table does over its members. The row's facts are in their bodies."""
    kind, straight = module.chained, dict(module.members)
    assert kind is not None

    def known(term: int) -> int:
        return row.get(~term, term)

    def grounded(atom: Pattern) -> Pattern:
        return Pattern(known(atom.s), known(atom.p), known(atom.o))

    head, body = grounded(clause.head), list(map(grounded, clause.body))
    chain = [i for i in range(len(body)) if i not in clause.parameters]
    place = next(i for i in chain if body[i].p in straight)
    for derived, read in _readings(head, body[place], kind, straight):
        body[place] = replace(read, p=module.external)
        yield replace(clause, head=replace(derived, p=module.external), body=tuple(body))


def _readings(
    head: Pattern, member: Pattern, kind: ClosureKind, straight: Mapping[int, bool]
) -> Iterator[tuple[Pattern, Pattern]]:
    """The ways in which a chain derives and reads external facts, relations apart."""
    if kind.symmetric:
        joint, end = (
            (member.o, head.o) if member.s == head.s else (member.s, head.s)
        )  # the way's other end is of no account
        derived = replace(head, s=joint, o=end)
        yield derived, member
        yield derived, _turned(member)
    elif straight[head.p]:
        yield head, member
    else:
        yield _turned(head), _turned(member)


def _turned(atom: Pattern) -> Pattern:
    return replace(atom, s=atom.o, o=atom.s)
