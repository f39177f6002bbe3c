"""Built-in and data range atoms -> FILTER and BIND, by what is bound before them.

The first argument of a built-in that gives a value may be a variable that nothing else binds: it
is bound to the value. Everything else must be bound by an atom or by another built-in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rdfinc.datalog.functions import EQUAL, IN_DATATYPE, LIST_ATOMS, SWRLB, called
from rdfinc.datalog.lists import steps_of_lists
from rdfinc.datalog.model import Bind, Expression, Filter, Literal, Term, Var
from rdfinc.datalog.variables import variables_in
from rdfinc.owl.swrl_model import BuiltinAtom, DataAtom, Misplaced
from rdfinc.owl.vocabulary import RDF

EMPTY = f"<{SWRLB}empty>"
NIL = f"<{RDF}nil>"

Computation = Filter | Bind


def computations(
    atoms: Sequence[BuiltinAtom | DataAtom], literals: Iterable[Literal]
) -> list[Computation]:
    """The atoms in an order in which each has its inputs.

    Raises Misplaced at the first atom with an input that nothing binds.
    """
    facts = [literal.atom for literal in literals]
    others = (atom for atom in facts if atom.predicate not in LIST_ATOMS)
    bound = {variable for atom in others for variable in atom.variables()}
    read = steps_of_lists(facts)
    found: list[Computation] = []
    waiting = list(atoms)
    while True:
        while more := {variable for inputs, variable in read if bound >= inputs} - bound:
            bound |= more
        ready = [atom for atom in waiting if bound.issuperset(_inputs(atom))]
        if not ready:
            break
        computed = _computation(ready[0], bound)
        if isinstance(computed, Bind):
            bound.add(computed.variable)
        found.append(computed)
        waiting.remove(ready[0])
    if waiting:
        raise _unbound(waiting[0], bound)
    return found


def _inputs(atom: BuiltinAtom | DataAtom) -> list[Var]:
    if isinstance(atom, DataAtom):
        return _variables((atom.argument,))
    return _variables(atom.arguments[1:] if _binds(atom.iri) else atom.arguments)


def _binds(iri: str) -> bool:
    """Whether the first argument may be bound by the built-in."""
    builtin = called(iri)
    return iri == EQUAL or (builtin is not None and builtin.gives)


def _variables(terms: Iterable[Term]) -> list[Var]:
    return [term for term in terms if isinstance(term, Var)]


def _computation(atom: BuiltinAtom | DataAtom, bound: set[Var]) -> Computation:
    if isinstance(atom, DataAtom):
        return Filter(_in_range(atom))
    if atom.iri == EMPTY:
        return Filter(expression(f"sameTerm({atom.arguments[0]}, {NIL})"))
    if not _binds(atom.iri):
        return Filter(expression(call(atom.iri, atom.arguments)))
    result, *inputs = atom.arguments
    value = str(inputs[0]) if atom.iri == EQUAL else call(atom.iri, inputs)
    if isinstance(result, Var) and result not in bound:
        return Bind(expression(value), result)
    return Filter(expression(call(EQUAL, (result, value))))


def _in_range(atom: DataAtom) -> Expression:
    if isinstance(atom.range, str):
        return expression(call(IN_DATATYPE, (atom.argument, atom.range)))
    return expression(f"{atom.argument} IN ({', '.join(atom.range)})")


def call(iri: str, arguments: Iterable[Term]) -> str:
    return f"{iri}({', '.join(map(str, arguments))})"


def expression(text: str) -> Expression:
    return Expression(text, variables_in(text))


def _unbound(atom: BuiltinAtom | DataAtom, bound: set[Var]) -> Misplaced:
    missing = next(variable for variable in _inputs(atom) if variable not in bound)
    if isinstance(atom, DataAtom):
        return Misplaced(atom.place, f"nothing binds {missing}; add an atom with {missing}")
    name = atom.iri[1:-1].replace(SWRLB, "swrlb:")
    number = atom.arguments.index(missing, 1 if _binds(atom.iri) else 0) + 1
    rule = "only the first argument may be" if _binds(atom.iri) else "none of its arguments may be"
    return Misplaced(
        atom.place,
        f"{missing}, argument {number} of {name}, is unbound; {rule}: add an atom with {missing}",
    )
