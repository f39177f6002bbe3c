"""SWRL rules -> Datalog rules.

One SWRL rule becomes one rule for each head atom and each alternative of its body:

* a union is one alternative for each of its parts; intersections, existential and value
  restrictions are their atoms. In the head intersections, universal and value restrictions and
  complements (a contradiction with the part) can stand;
* everything is the same as itself: `sameAs(?x, ?y)` is either a fact or says that ?x and ?y are
  one term, which then stands for both. The second alternative is left out where nothing else
  binds them. In the head it is the fact;
* difference is symmetric, so either fact will do. Where names are unique, so will two names of
  which neither fact of owl:sameAs is known, if other atoms bind both. Names are IRIs: a blank node
  may be anything, and literals are different if their values are;
* literals are compared by value: where two atoms share an object there is one more rule
  (`rdfinc.owl.profiles.by_value`);
* what belongs to owl:Thing is everything, and what belongs to owl:Nothing is a contradiction;
* owl:topObjectProperty holds of everything, so it says nothing, and rdfs:Literal and
  owl:topDataProperty hold of literals. Both are tests: other atoms bind their variables. In the
  head they are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, count, product

from msgspec import Struct
from msgspec.structs import replace

from rdfinc.datalog.analysis.safety import check
from rdfinc.datalog.functions import (
    DATATYPES,
    EQUAL,
    LIST_ATOMS,
    LIST_FUNCTIONS,
    SWRLB,
    called,
    check_cast,
)
from rdfinc.datalog.model import (
    RDF_TYPE,
    Atom,
    BodyItem,
    Filter,
    Literal,
    Rule,
    Term,
    Var,
)
from rdfinc.errors import RuleError, UnsafeRuleError, UnsupportedError
from rdfinc.owl.profiles.by_value import of_objects
from rdfinc.owl.swrl.swrl_binding import EMPTY, call, computations, expression
from rdfinc.owl.swrl.swrl_model import (
    ApartAtom,
    BuiltinAtom,
    ClassAtom,
    ClassExpression,
    ClassIntersection,
    ClassUnion,
    DataAtom,
    DataBoth,
    DataEither,
    DataRange,
    DifferentAtom,
    Facet,
    HasValue,
    Misplaced,
    Not,
    Only,
    Place,
    Property,
    PropertyAtom,
    SameAtom,
    Self,
    Some,
    SwrlAtom,
    SwrlRule,
)
from rdfinc.owl.vocabulary import OWL, RDFS, XSD

THING, NOTHING = f"<{OWL}Thing>", f"<{OWL}Nothing>"
SAME, DIFFERENT = f"<{OWL}sameAs>", f"<{OWL}differentFrom>"
LITERAL = f"<{RDFS}Literal>"
_TOP_OBJECT, _TOP_DATA = f"<{OWL}topObjectProperty>", f"<{OWL}topDataProperty>"
_EXTREMES = {
    f"<{OWL}{name}>"
    for name in (
        "topObjectProperty", "bottomObjectProperty", "topDataProperty", "bottomDataProperty",
    )
}  # fmt: skip


class _Merge(Struct, frozen=True):
    """Two terms that are one."""

    left: Term
    right: Term


class _Apart(Struct, frozen=True):
    """Two names that are not known to be of one individual."""

    left: Term
    right: Term

    def items(self) -> tuple[BodyItem, ...]:
        left, right = self.left, self.right
        names = f"isIRI({left}) && isIRI({right}) && !sameTerm({left}, {right})"
        same = (Atom(left, SAME, right), Atom(right, SAME, left))
        return (Filter(expression(names)), *(Literal(fact, positive=False) for fact in same))


def reads_unique_names(rule: Rule) -> bool:
    """Whether a rule holds of names because they are not known to be the same."""
    denied = (item.atom for item in rule.body if isinstance(item, Literal) and not item.positive)
    same = (_Apart(atom.subject, atom.object) for atom in denied if atom.predicate == SAME)
    return any({*each.items()} <= {*rule.body} for each in same)


Piece = Literal | BuiltinAtom | DataAtom | _Merge | _Apart
Conjunction = tuple[Piece, ...]
Alternatives = list[Conjunction]


def translated(rule: SwrlRule) -> tuple[Rule, ...]:
    """The rules, all safe. Raises Misplaced, UnsupportedError, UnsafeRuleError."""
    if not rule.body:
        raise Misplaced(rule.place, "a rule without a body is a fact; insert it as triples")
    fresh = _fresh_variables(rule)
    heads = _heads(rule, fresh)
    found: dict[Rule, None] = {}
    for conjunction in _product(_in_body(atom, fresh) for atom in rule.body):
        for head, more in heads:
            try:
                found |= dict.fromkeys(_rules(head, (*conjunction, *more), rule.name))
            except (RuleError, Misplaced) as error:
                if not any(isinstance(piece, (_Merge, _Apart)) for piece in conjunction):
                    raise _placed(error, rule) from None
    return tuple(found | dict.fromkeys(other for each in found for other in of_objects(each)))


def _placed(error: RuleError | Misplaced, rule: SwrlRule) -> RuleError | Misplaced:
    if isinstance(error, UnsafeRuleError):
        return UnsafeRuleError(error.variable, f"{error.rule}   # the SWRL rule at {rule.place}")
    return error if isinstance(error, Misplaced) else Misplaced(rule.place, str(error))


def _fresh_variables(rule: SwrlRule) -> Iterator[Var]:
    """Variables that the rule does not have."""
    used = {term.name for atom in (*rule.body, *rule.head) for term in terms(atom)
            if isinstance(term, Var)}  # fmt: skip
    return (Var(f"y{i}") for i in count(1) if f"y{i}" not in used)


def terms(atom: SwrlAtom) -> tuple[Term, ...]:
    """The arguments of an atom."""
    match atom:
        case ClassAtom() | DataAtom():
            return (atom.argument,)
        case PropertyAtom():
            return atom.subject, atom.object
        case SameAtom() | DifferentAtom() | ApartAtom():
            return atom.left, atom.right
        case BuiltinAtom():
            return atom.arguments


def _product(parts: Iterator[Alternatives]) -> Iterator[Conjunction]:
    """One conjunction for each choice of alternatives."""
    return (tuple(piece for part in choice for piece in part) for choice in product(*parts))


# Heads

Head = tuple[Atom | None, Conjunction]
"""An atom (None for a contradiction), and what the body needs besides."""


def _heads(rule: SwrlRule, fresh: Iterator[Var]) -> list[Head]:
    if not rule.head:
        return [(None, ())]
    return [head for atom in rule.head for head in _in_head(atom, fresh)]


def _in_head(atom: SwrlAtom, fresh: Iterator[Var]) -> list[Head]:
    match atom:
        case ClassAtom():
            return _class_in_head(atom.expression, _individual(atom.argument, atom), atom, fresh)
        case PropertyAtom():
            return [(_property_atom(atom.property, atom.subject, atom.object, atom.place), ())]
        case SameAtom(left, right):
            return [(Atom(_individual(left, atom), SAME, _individual(right, atom)), ())]
        case DifferentAtom(left, right):
            return [(Atom(_individual(left, atom), DIFFERENT, _individual(right, atom)), ())]
        case ApartAtom():
            raise AssertionError("names are unique in bodies")
        case DataAtom():
            raise UnsupportedError("a data range in the head of a SWRL rule", str(atom.place))
        case BuiltinAtom():
            raise UnsupportedError("a built-in in the head of a SWRL rule", str(atom.place))


def _class_in_head(
    class_: ClassExpression, argument: Term, atom: ClassAtom, fresh: Iterator[Var]
) -> list[Head]:
    match class_:
        case str():
            _refuse_datatype(class_, atom.place)
            return [(None if class_ == NOTHING else Atom(argument, RDF_TYPE, class_), ())]
        case ClassIntersection(parts):
            return [head for part in parts for head in _class_in_head(part, argument, atom, fresh)]
        case HasValue(property, value):
            return [(_property_atom(property, argument, value, atom.place), ())]
        case Self(property):
            return [(_property_atom(property, argument, argument, atom.place), ())]
        case Only(property, filler):
            other = next(fresh)
            step = Literal(_property_atom(property, argument, other, atom.place))
            heads = _class_in_head(filler, other, atom, fresh)
            return [(head, (step, *more)) for head, more in heads]
        case Not(part):
            return [(None, more) for more in _class_in_body(part, argument, atom.place, fresh)]
        case Some():
            raise UnsupportedError("owl:someValuesFrom in the head of a SWRL rule: no individual "
                                   "is invented as the value", str(atom.place))  # fmt: skip
        case ClassUnion():
            raise UnsupportedError("owl:unionOf in the head of a SWRL rule", str(atom.place))


# Bodies


def _in_body(atom: SwrlAtom, fresh: Iterator[Var]) -> Alternatives:
    match atom:
        case ClassAtom():
            argument = _individual(atom.argument, atom)
            return _class_in_body(atom.expression, argument, atom.place, fresh)
        case PropertyAtom():
            return [_property_in_body(atom.property, atom.subject, atom.object, atom.place)]
        case SameAtom(left, right):
            fact = Atom(_individual(left, atom), SAME, _individual(right, atom))
            return [(Literal(fact),), (_Merge(left, right),)]
        case DifferentAtom() | ApartAtom():
            return _different_in_body(atom)
        case DataAtom():
            return _data_in_body(atom)
        case BuiltinAtom():
            return [(_builtin(atom),)]


def _different_in_body(atom: DifferentAtom | ApartAtom) -> Alternatives:
    left, right = _individual(atom.left, atom), _individual(atom.right, atom)
    either = (Atom(left, DIFFERENT, right), Atom(right, DIFFERENT, left))
    facts: Alternatives = [(Literal(fact),) for fact in either]
    return [*facts, (_Apart(left, right),)] if isinstance(atom, ApartAtom) else facts


def _class_in_body(
    class_: ClassExpression, argument: Term, place: Place, fresh: Iterator[Var]
) -> Alternatives:
    match class_:
        case str():
            return [_named_class_in_body(class_, argument, place)]
        case ClassIntersection(parts):
            inner = (_class_in_body(part, argument, place, fresh) for part in parts)
            return list(_product(inner))
        case ClassUnion(parts):
            return [c for part in parts for c in _class_in_body(part, argument, place, fresh)]
        case HasValue(property, value):
            return [_property_in_body(property, argument, value, place)]
        case Self(property):
            return [_property_in_body(property, argument, argument, place)]
        case Some(property, filler):
            other = next(fresh)
            step = _property_in_body(property, argument, other, place)
            return [(*step, *more) for more in _filler(filler, other, place, fresh)]
        case Only():
            raise UnsupportedError("owl:allValuesFrom in the body of a SWRL rule", str(place))
        case Not():
            raise UnsupportedError("owl:complementOf in the body of a SWRL rule", str(place))


def _named_class_in_body(class_: str, argument: Term, place: Place) -> Conjunction:
    if class_ == LITERAL:
        return (DataAtom(class_, argument, place),)
    _refuse_datatype(class_, place)
    return () if class_ == THING else (Literal(Atom(argument, RDF_TYPE, class_)),)


def _property_in_body(
    property: Property, subject: Term, object_: Term, place: Place
) -> Conjunction:
    if property.iri not in (_TOP_OBJECT, _TOP_DATA):
        return (Literal(_property_atom(property, subject, object_, place)),)
    _refuse_literal(object_ if property.inverse else subject, place)
    return (DataAtom(LITERAL, object_, place),) if property.iri == _TOP_DATA else ()


def _filler(
    filler: ClassExpression | DataRange, argument: Term, place: Place, fresh: Iterator[Var]
) -> Alternatives:
    match filler:
        case tuple() | Facet() | DataBoth() | DataEither():
            return _data_in_body(DataAtom(filler, argument, place))
        case str() if is_datatype(filler):
            return _data_in_body(DataAtom(filler, argument, place))
    return _class_in_body(filler, argument, place, fresh)


def _data_in_body(atom: DataAtom) -> Alternatives:
    match atom.range:
        case DataBoth(parts):
            return list(_product(_data_in_body(replace(atom, range=part)) for part in parts))
        case DataEither(parts):
            return [c for part in parts for c in _data_in_body(replace(atom, range=part))]
        case str(datatype) if datatype not in DATATYPES:
            raise UnsupportedError(f"the datatype {datatype} in a SWRL rule", str(atom.place))
    return [(atom,)]


def _builtin(atom: BuiltinAtom) -> Piece:
    """Checks the name and the number of arguments."""
    if atom.iri in LIST_ATOMS:
        _require_arguments(atom, 2)
        item, list_ = atom.arguments
        return Literal(Atom(_individual(list_, atom), atom.iri, item))
    if atom.iri == EMPTY:
        _require_arguments(atom, 1)
    else:
        _check_function(atom)
    return atom


def is_builtin(iri: str) -> bool:
    """Whether the name is a built-in's, known or not."""
    return iri.startswith(f"<{SWRLB}")


def _check_function(atom: BuiltinAtom) -> None:
    builtin = called(atom.iri)
    if builtin is None:
        raise UnsupportedError(f"the built-in {_short(atom.iri)}", str(atom.place))
    try:
        check_cast(atom.iri, max(len(atom.arguments) - builtin.gives, 0))
    except ValueError as error:
        raise Misplaced(atom.place, str(error)) from None
    if atom.iri in LIST_FUNCTIONS:
        for list_ in _lists_among(atom):
            _individual(list_, atom)
    elif atom.iri not in _OF_TERMS:
        _refuse_names(atom)


_OF_TERMS = (EQUAL, f"<{SWRLB}notEqual>")
"""The built-ins that compare whatever terms; all others are about data."""


def _refuse_names(atom: BuiltinAtom) -> None:
    for number, term in enumerate(atom.arguments, 1):
        if isinstance(term, str) and not term.startswith('"'):
            reason = (
                f"argument {number} of {_short(atom.iri)} is a variable or a literal, not {term}"
            )
            raise Misplaced(
                atom.place,
                f"{reason}; if that is a variable, write it with a question mark in a text, and "
                "declare it a swrl:Variable among triples",
            )


def _lists_among(atom: BuiltinAtom) -> tuple[Term, ...]:
    """The arguments of a list built-in that are lists: all but a length."""
    return atom.arguments[1:] if atom.iri == f"<{SWRLB}length>" else atom.arguments


def _require_arguments(atom: BuiltinAtom, wanted: int) -> None:
    if len(atom.arguments) != wanted:
        words = f"{wanted} argument" + "s" * (wanted > 1)
        reason = f"{_short(atom.iri)} takes {words}, not {len(atom.arguments)}"
        raise Misplaced(atom.place, reason)


def _short(iri: str) -> str:
    return iri[1:-1].replace(SWRLB, "swrlb:") if is_builtin(iri) else iri


# Atoms


def _individual(term: Term, atom: SwrlAtom) -> Term:
    _refuse_literal(term, atom.place)
    return term


def _refuse_literal(term: Term, place: Place) -> None:
    if isinstance(term, str) and term.startswith('"'):
        raise Misplaced(place, f"an individual stands here, not the literal {term}")


def _property_atom(property: Property, subject: Term, object_: Term, place: Place) -> Atom:
    if property.iri in _EXTREMES:
        name = property.iri[1:-1].replace(OWL, "owl:")
        raise UnsupportedError(f"the property {name} in a SWRL rule", str(place))
    if property.inverse:
        subject, object_ = object_, subject
    _refuse_literal(subject, place)
    return Atom(subject, property.iri, object_)


def _refuse_datatype(iri: str, place: Place) -> None:
    if is_datatype(iri):
        raise Misplaced(place, f"a class stands here, not the datatype {iri}")


def is_datatype(iri: str) -> bool:
    """Whether the name is a datatype's, known or not."""
    return iri in DATATYPES or iri.startswith(f"<{XSD}")


# Rules


def _rules(head: Atom | None, pieces: Conjunction, name: str) -> list[Rule]:
    """The rule of one head and one conjunction; none if two constants would have to be one, or one
    term would have to be two."""
    merged = _merged(pieces)
    if merged is None:
        return []

    def change(term: Term) -> Term:
        return _leader(term, merged)

    facts = [replace(piece, atom=piece.atom.map(change))
             for piece in pieces if isinstance(piece, Literal)]  # fmt: skip
    atoms = [_changed(piece, change)
             for piece in pieces if isinstance(piece, (BuiltinAtom, DataAtom))]  # fmt: skip
    literals = tuple(dict.fromkeys(facts))
    apart = [_Apart(change(piece.left), change(piece.right))
             for piece in pieces if isinstance(piece, _Apart)]  # fmt: skip
    if any(each.left == each.right for each in apart):
        return []
    body: tuple[BodyItem, ...] = (*literals, *computations(atoms, literals))
    body += tuple(chain.from_iterable(each.items() for each in apart))
    rule = Rule(head.map(change) if head else None, body or (_ALWAYS,), name)
    check(rule)
    return [rule]


_TRUE = f'"true"^^<{XSD}boolean>'
_ALWAYS = Filter(expression(call(EQUAL, (_TRUE, _TRUE))))


def _merged(pieces: Conjunction) -> dict[Term, Term] | None:
    """The replacement of each term that is identified with another, perhaps in several steps."""
    merged: dict[Term, Term] = {}
    for piece in pieces:
        if not isinstance(piece, _Merge):
            continue
        left, right = (_leader(term, merged) for term in (piece.left, piece.right))
        if isinstance(right, str):
            left, right = right, left
        if left == right:
            continue
        if isinstance(right, str):
            return None
        merged[right] = left
    return merged


def _leader(term: Term, merged: Mapping[Term, Term]) -> Term:
    while term in merged:
        term = merged[term]
    return term


def _changed(
    piece: BuiltinAtom | DataAtom, change: Callable[[Term], Term]
) -> BuiltinAtom | DataAtom:
    if isinstance(piece, DataAtom):
        return replace(piece, argument=change(piece.argument))
    return replace(piece, arguments=tuple(map(change, piece.arguments)))
