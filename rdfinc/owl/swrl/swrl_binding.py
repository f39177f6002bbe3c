"""Built-in and data range atoms -> FILTER and BIND, by the variables bound before them.

The first argument of a built-in with a value may be a variable without other bindings: it is bound
to the value. Other arguments may be unbound in its place if they are a function of it
(`rdfinc.terms.builtins.inverses`): each is bound by the built-in read backwards, and the built-in
is asked then. All other arguments must be bound by an atom or by another built-in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rdfinc.datalog.functions import (
    EQUAL,
    IN_DATATYPE,
    LIST_ATOMS,
    OUTSIDE_FACET,
    SOLUTION,
    SWRLB,
    UNKNOWN,
    WANTED,
    called,
    solvable,
)
from rdfinc.datalog.list_builtins import steps_of_lists
from rdfinc.datalog.model import Bind, Expression, Filter, Literal, Term, Var
from rdfinc.datalog.variables import variables_in
from rdfinc.owl.swrl.swrl_model import BuiltinAtom, DataAtom, Facet, Misplaced
from rdfinc.owl.vocabulary import RDF

EMPTY = f"<{SWRLB}empty>"
NIL = f"<{RDF}nil>"

Computable = BuiltinAtom | DataAtom
Computation = Filter | Bind


def computations(atoms: Sequence[Computable], literals: Iterable[Literal]) -> list[Computation]:
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
        atom = _next(waiting, bound)
        if atom is None:
            break
        found += _computed(atom, bound)
        bound.update(_variables(_arguments(atom)))
        waiting.remove(atom)
    if waiting:
        raise _unbound(waiting[0], bound)
    return found


def _next(waiting: Sequence[Computable], bound: set[Var]) -> Computable | None:
    """An atom that can be computed, backwards only if no other can."""
    forwards = (atom for atom in waiting if _reads_forwards(atom, bound))
    backwards = (atom for atom in waiting if _reads_backwards(atom, bound))
    return next(forwards, None) or next(backwards, None)


def _arguments(atom: Computable) -> tuple[Term, ...]:
    return (atom.argument,) if isinstance(atom, DataAtom) else atom.arguments


def _inputs(atom: Computable) -> list[Var]:
    if isinstance(atom, DataAtom):
        return _variables((atom.argument,))
    return _variables(atom.arguments[1:] if _binds(atom.iri) else atom.arguments)


def _binds(iri: str) -> bool:
    """Whether the first argument may be bound by the built-in."""
    builtin = called(iri)
    return iri == EQUAL or (builtin is not None and builtin.gives)


def _reads_forwards(atom: Computable, bound: set[Var]) -> bool:
    if isinstance(atom, BuiltinAtom) and atom.iri == EQUAL:
        return len(_unbound_places(atom, bound)) < 2
    return bound.issuperset(_inputs(atom))


def _reads_backwards(atom: Computable, bound: set[Var]) -> bool:
    if isinstance(atom, DataAtom) or 0 in (places := _unbound_places(atom, bound)):
        return False
    return solvable(atom.iri, [place - 1 for place in places])


def _unbound_places(atom: BuiltinAtom, bound: set[Var]) -> list[int]:
    return [place for place, term in enumerate(atom.arguments)
            if isinstance(term, Var) and term not in bound]  # fmt: skip


def _variables(terms: Iterable[Term]) -> list[Var]:
    return [term for term in terms if isinstance(term, Var)]


def _computed(atom: Computable, bound: set[Var]) -> list[Computation]:
    if isinstance(atom, DataAtom):
        return [Filter(_in_range(atom))]
    if atom.iri == EMPTY:
        return [Filter(expression(f"sameTerm({atom.arguments[0]}, {NIL})"))]
    if not _binds(atom.iri):
        return [Filter(expression(call(atom.iri, atom.arguments)))]
    unbound = _unbound_places(atom, bound)
    if atom.iri == EQUAL:
        return [_equal_sides(atom, unbound)]
    result, *inputs = atom.arguments
    value = call(atom.iri, inputs)
    if 0 in unbound:
        assert isinstance(result, Var)
        return [Bind(expression(value), result)]
    return [*_solved(atom, bound), Filter(expression(call(EQUAL, (result, value))))]


def _equal_sides(atom: BuiltinAtom, unbound: Sequence[int]) -> Computation:
    """Either side is bound to the other."""
    for place in unbound:
        variable, other = atom.arguments[place], atom.arguments[1 - place]
        assert isinstance(variable, Var)
        return Bind(expression(str(other)), variable)
    return Filter(expression(call(EQUAL, atom.arguments)))


def _solved(atom: BuiltinAtom, bound: set[Var]) -> Iterator[Bind]:
    """The values of the unbound arguments, each by those before it."""
    result, *inputs = atom.arguments
    known = set(bound)
    for wanted in dict.fromkeys(_variables(inputs)):
        if wanted not in known:
            given = [_given(term, wanted, known) for term in inputs]
            yield Bind(expression(call(SOLUTION, (atom.iri, result, *given))), wanted)
            known.add(wanted)


def _given(term: Term, wanted: Var, known: set[Var]) -> Term:
    """The text for an argument in a call of SOLUTION."""
    if term == wanted:
        return WANTED
    return UNKNOWN if isinstance(term, Var) and term not in known else term


def _in_range(atom: DataAtom) -> Expression:
    match atom.range:
        case str(datatype):
            return expression(call(IN_DATATYPE, (atom.argument, datatype)))
        case Facet(facet, limit):
            return expression(f"!{call(OUTSIDE_FACET, (atom.argument, facet, limit))}")
        case tuple(literals):
            return expression(f"{atom.argument} IN ({', '.join(literals)})")
    raise AssertionError("combined ranges are taken apart before")


def call(iri: str, arguments: Iterable[Term]) -> str:
    return f"{iri}({', '.join(map(str, arguments))})"


def expression(text: str) -> Expression:
    return Expression(text, variables_in(text))


def _unbound(atom: Computable, bound: set[Var]) -> Misplaced:
    missing = next(variable for variable in _inputs(atom) if variable not in bound)
    if isinstance(atom, DataAtom):
        return Misplaced(atom.place, f"nothing binds {missing}; add an atom with {missing}")
    name = atom.iri[1:-1].replace(SWRLB, "swrlb:")
    number = atom.arguments.index(missing, 1 if _binds(atom.iri) else 0) + 1
    return Misplaced(
        atom.place,
        f"{missing}, argument {number} of {name}, is unbound; {_may_be_unbound(atom)}: "
        f"add an atom with {missing}",
    )


def _may_be_unbound(atom: BuiltinAtom) -> str:
    """Which arguments of a built-in may be."""
    if not _binds(atom.iri):
        return "none of its arguments may be"
    places = range(len(atom.arguments) - 1)
    if solvable(atom.iri, places):
        return "the first argument or any of the others may be, not both"
    alone = [f"argument {place + 2}" for place in places if solvable(atom.iri, [place])]
    if atom.iri == EQUAL or len(alone) == len(places):
        return "only one argument may be"
    return f"only {' or '.join(['the first argument', *alone])} may be"
