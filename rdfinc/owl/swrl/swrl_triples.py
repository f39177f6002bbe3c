"""SWRL rules among triples -> SWRL rules as data, or as Datalog.

A rule is a swrl:Imp node with a swrl:body and a swrl:head, each a swrl:AtomList or a plain RDF list
of atoms. A class may be a node with a class expression, a property a node with owl:inverseOf, a
data range a datatype with a definition by owl:equivalentClass. A malformed part is a RuleError that
names the rule and the node; a part of SWRL that rdfinc does not have is an UnsupportedError.
Nothing is ever changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NoReturn, Protocol

from msgspec import Struct, field

from rdfinc.datalog.functions import FACETS
from rdfinc.datalog.model import Program, Rule, Term, Var
from rdfinc.errors import RuleError, UnsupportedError
from rdfinc.owl.list_axioms import TripleReader
from rdfinc.owl.swrl.swrl_model import (
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
    Property,
    PropertyAtom,
    SameAtom,
    Self,
    Some,
    SwrlAtom,
    SwrlRule,
)
from rdfinc.owl.swrl.swrl_rules import is_datatype, translated
from rdfinc.owl.vocabulary import OWL, RDF, RDFS, XSD

SWRL = "http://www.w3.org/2003/11/swrl#"

_PREFIXES = {"rdf": RDF, "rdfs": RDFS, "owl": OWL, "swrl": SWRL}
_VARIABLES = ("<urn:swrl#", "<urn:swrl:var#")
"""The beginnings of names that editors give to variables."""

_TRUE = (f'"true"^^<{XSD}boolean>', f'"1"^^<{XSD}boolean>')
ATOMS = (
    "ClassAtom", "IndividualPropertyAtom", "DatavaluedPropertyAtom", "SameIndividualAtom",
    "DifferentIndividualsAtom", "DataRangeAtom", "BuiltinAtom",
)  # fmt: skip
EXPRESSIONS = (
    "intersectionOf", "unionOf", "complementOf", "oneOf", "someValuesFrom", "allValuesFrom",
    "hasValue", "hasSelf", "minCardinality", "maxCardinality", "cardinality",
    "minQualifiedCardinality", "maxQualifiedCardinality", "qualifiedCardinality",
)  # fmt: skip
_LISTED: dict[str, type[ClassIntersection | ClassUnion]] = {
    "intersectionOf": ClassIntersection,
    "unionOf": ClassUnion,
}
_DATA_RANGES = (
    "oneOf", "onDatatype", "datatypeComplementOf", "intersectionOf", "unionOf",
)  # fmt: skip


class TermFinder(Protocol):
    """The look-ups that reading SWRL needs from a dictionary."""

    def find(self, term: bytes, /) -> int | None: ...

    def decode(self, id: int, /) -> bytes: ...


def swrl_nodes(facts: TripleReader, terms: TermFinder) -> list[int]:
    """The nodes of the SWRL rules, in ascending order."""
    type_, rule = (terms.find(f"<{iri}>".encode()) for iri in (f"{RDF}type", f"{SWRL}Imp"))
    return [] if type_ is None or rule is None else sorted(facts.subjects(type_, rule))


def swrl_program(facts: TripleReader, terms: TermFinder, *, unique_names: bool = False) -> Program:
    """All the SWRL rules, translated. Raises RuleError."""
    nodes = swrl_nodes(facts, terms)
    translate = partial(swrl_rules, facts, terms, unique_names=unique_names)
    rules = (rule for node in nodes for rule in translate(node))
    return Program(tuple(dict.fromkeys(rules)))


def swrl_rules(
    facts: TripleReader, terms: TermFinder, node: int, *, unique_names: bool = False
) -> tuple[Rule, ...]:
    """The SWRL rule at a node, translated. Raises RuleError; cost: the rule's size."""
    try:
        rule = read_swrl(facts, terms, node)
        return translated(rule.with_unique_names() if unique_names else rule)
    except Misplaced as error:
        name = terms.decode(node).decode()
        place = "" if error.place in ("", name) else f" (at {error.place})"
        raise RuleError(f"SWRL rule {name}: {error.reason}{place}") from None


def read_swrl(facts: TripleReader, terms: TermFinder, node: int) -> SwrlRule:
    """The SWRL rule at a node. Raises Misplaced, UnsupportedError."""
    return _RuleReader(facts, terms).rule(node)


class _RuleReader(Struct):
    """Reads one rule; variables get their names as they come."""

    facts: TripleReader
    terms: TermFinder
    names: dict[int, str] = field(default_factory=dict)

    # -- triples

    def find(self, name: str) -> int | None:
        prefix, _, local = name.partition(":")
        return self.terms.find(f"<{_PREFIXES[prefix]}{local}>".encode())

    def text(self, id: int) -> str:
        return self.terms.decode(id).decode()

    def objects(self, node: int, name: str) -> list[int]:
        predicate = self.find(name)
        return [] if predicate is None else sorted(self.facts.objects(predicate, node))

    def only(self, node: int, name: str) -> int:
        """The one object of a predicate."""
        found = self.objects(node, name)
        if len(found) != 1:
            self.refuse(node, f"{name} is missing" if not found else f"it has {len(found)} {name}")
        return found[0]

    def types(self, node: int) -> set[str]:
        return {self.text(type_) for type_ in self.objects(node, "rdf:type")}

    def refuse(self, node: int, reason: str) -> NoReturn:
        raise Misplaced(self.text(node), reason)

    def list(self, head: int) -> Iterator[int]:
        """The items of a list."""
        nil, seen = self.find("rdf:nil"), set()
        while head != nil:
            if head in seen:
                self.refuse(head, "this list runs in a circle")
            if not self.text(head).startswith(("_", "<")):
                self.refuse(head, "a list stands here, not a literal")
            seen.add(head)
            yield self.only(head, "rdf:first")
            head = self.only(head, "rdf:rest")

    # -- rules and atoms

    def rule(self, node: int) -> SwrlRule:
        body, head = (
            tuple(self.atom(atom) for atom in self.list(self.only(node, part)))
            for part in ("swrl:body", "swrl:head")
        )
        return SwrlRule(body, head, self.label(node), self.text(node))

    def label(self, node: int) -> str:
        """The name of the rule for people: its label, or else its IRI."""
        labels = [self.text(label) for label in self.objects(node, "rdfs:label")]
        for label in labels:
            if label.startswith('"'):
                return re.sub(r'"(?:@[^"]*)?$', "", label[1:])
        iri = self.text(node)
        return iri[1:-1] if iri.startswith("<") else ""

    def atom(self, node: int) -> SwrlAtom:
        types = self.types(node)
        kinds = [name for name in ATOMS if f"<{SWRL}{name}>" in types]
        if len(kinds) != 1:
            some = "none" if not kinds else " and ".join(f"swrl:{kind}" for kind in kinds)
            self.refuse(node, f"an atom has one of SWRL's atom types, this one has {some}")
        return self.readers()[kinds[0]](node)

    def readers(self) -> dict[str, Callable[[int], SwrlAtom]]:
        return {
            "ClassAtom": self.class_atom,
            "IndividualPropertyAtom": self.individual_property_atom,
            "DatavaluedPropertyAtom": self.datavalued_property_atom,
            "SameIndividualAtom": lambda node: SameAtom(*self.pair(node), self.text(node)),
            "DifferentIndividualsAtom": lambda node: DifferentAtom(
                *self.pair(node), self.text(node)
            ),
            "DataRangeAtom": self.data_range_atom,
            "BuiltinAtom": self.builtin_atom,
        }

    def class_atom(self, node: int) -> ClassAtom:
        expression = self.class_(self.only(node, "swrl:classPredicate"))
        return ClassAtom(expression, self.individual(node, "swrl:argument1"), self.text(node))

    def individual_property_atom(self, node: int) -> PropertyAtom:
        property = self.property(self.only(node, "swrl:propertyPredicate"))
        return PropertyAtom(property, *self.pair(node), self.text(node))

    def datavalued_property_atom(self, node: int) -> PropertyAtom:
        property = self.property(self.only(node, "swrl:propertyPredicate"))
        if property.inverse:
            self.refuse(node, "a data property has no inverse")
        subject = self.individual(node, "swrl:argument1")
        return PropertyAtom(property, subject, self.value(node), self.text(node))

    def data_range_atom(self, node: int) -> DataAtom:
        range_ = self.data_range(self.only(node, "swrl:dataRange"))
        argument = self.term(self.only(node, "swrl:argument1"))
        if isinstance(argument, str) and not argument.startswith('"'):
            self.refuse_name(node, "swrl:argument1", argument)
        return DataAtom(range_, argument, self.text(node))

    def builtin_atom(self, node: int) -> BuiltinAtom:
        builtin = self.text(self.only(node, "swrl:builtin"))
        if not builtin.startswith("<"):
            self.refuse(node, f"swrl:builtin is an IRI, not {builtin}")
        arguments = self.list(self.only(node, "swrl:arguments"))
        return BuiltinAtom(builtin, tuple(map(self.term, arguments)), self.text(node))

    # -- arguments

    def pair(self, node: int) -> tuple[Term, Term]:
        """Both arguments, individuals."""
        left, right = (self.individual(node, f"swrl:argument{i}") for i in (1, 2))
        return left, right

    def individual(self, node: int, name: str) -> Term:
        term = self.term(self.only(node, name))
        if isinstance(term, str) and term.startswith('"'):
            self.refuse(node, f"{name} is a variable or an individual here, not {term}")
        return term

    def value(self, node: int) -> Term:
        term = self.term(self.only(node, "swrl:argument2"))
        if isinstance(term, str) and not term.startswith('"'):
            self.refuse_name(node, "swrl:argument2", term)
        return term

    def refuse_name(self, node: int, argument: str, name: str) -> NoReturn:
        """A name where data stands."""
        self.refuse(
            node, f"{argument} is a variable or a literal here, not {name}; if that is a variable, "
            "declare it a swrl:Variable"
        )  # fmt: skip

    def term(self, id: int) -> Term:
        text = self.text(id)
        if text.startswith('"'):
            return text
        if f"<{SWRL}Variable>" in self.types(id):
            return Var(self.names.get(id) or self.named(id, text))
        if text.startswith("_"):
            self.refuse(
                id, "this blank node is no swrl:Variable; declare it one, or name the individual"
            )
        if text.startswith(_VARIABLES):
            self.refuse(id, "this is a variable's name, and no swrl:Variable; declare it one")
        return text

    def named(self, id: int, text: str) -> str:
        """A new name for a variable: the end of its IRI, if no other variable has that name."""
        local = re.sub(r"\W", "_", re.split(r"[#/:?]", text[1:-1])[-1]) if text[0] == "<" else ""
        wanted = local or "v"
        others = set(self.names.values())
        candidates = (f"{wanted}{n}" for n in range(2, len(others) + 3))
        name = wanted if wanted not in others else next(c for c in candidates if c not in others)
        self.names[id] = name
        return name

    # -- classes, properties, data ranges

    def property(self, id: int) -> Property:
        text = self.text(id)
        if text.startswith("<"):
            return Property(text)
        if text.startswith('"'):
            self.refuse(id, "a property stands here, not a literal")
        inverse = self.text(self.only(id, "owl:inverseOf"))
        if not inverse.startswith("<"):
            self.refuse(id, f"owl:inverseOf is a named property here, not {inverse}")
        return Property(inverse, inverse=True)

    def class_(self, id: int, inside: tuple[int, ...] = ()) -> ClassExpression:
        """A named class, or the class expression on a blank node."""
        text = self.text(id)
        if text.startswith("<"):
            return text
        if text.startswith('"'):
            self.refuse(id, "a class stands here, not a literal")
        if id in inside:
            self.refuse(id, "this class expression contains itself")
        return self.expression(id, (*inside, id))

    def expression(self, id: int, inside: tuple[int, ...]) -> ClassExpression:
        kinds = [kind for kind in EXPRESSIONS if self.objects(id, f"owl:{kind}")]
        if len(kinds) != 1:
            some = " and ".join(f"owl:{kind}" for kind in kinds) or "none"
            self.refuse(id, f"a class expression has one constructor, this one has {some}")
        (kind,) = kinds
        value = self.only(id, f"owl:{kind}")

        def inner(part: int) -> ClassExpression:
            return self.class_(part, inside)

        if kind in _LISTED:
            return _LISTED[kind](tuple(map(inner, self.list(value))))
        match kind:
            case "someValuesFrom":
                data = f"<{RDFS}Datatype>" in self.types(value)
                filler = self.data_range(value) if data else inner(value)
                return Some(self.restricted(id), filler)
            case "allValuesFrom":
                return Only(self.restricted(id), inner(value))
            case "complementOf":
                return Not(inner(value))
            case "hasValue":
                return HasValue(self.restricted(id), self.named_term(value))
            case "hasSelf" if self.text(value) in _TRUE:
                return Self(self.restricted(id))
        raise UnsupportedError(f"owl:{kind} in a SWRL rule", self.text(id))

    def restricted(self, id: int) -> Property:
        return self.property(self.only(id, "owl:onProperty"))

    def named_term(self, id: int) -> str:
        text = self.text(id)
        if text.startswith("_"):
            self.refuse(id, "a rule cannot be about a blank node; name the individual")
        return text

    def data_range(self, id: int, inside: tuple[int, ...] = ()) -> DataRange:
        """A datatype of the standard, what one of a user is defined as, or the data range on a
        blank node."""
        text = self.text(id)
        if text.startswith('"'):
            self.refuse(id, "a data range stands here, not a literal")
        if id in inside:
            self.refuse(id, "this data range contains itself")
        if not text.startswith("<"):
            return self.anonymous_range(id, (*inside, id))
        if is_datatype(text) or not self.objects(id, "owl:equivalentClass"):
            return text
        return self.data_range(self.only(id, "owl:equivalentClass"), (*inside, id))

    def anonymous_range(self, id: int, inside: tuple[int, ...]) -> DataRange:
        kinds = [kind for kind in _DATA_RANGES if self.objects(id, f"owl:{kind}")]
        if not kinds:
            self.refuse(id, "this data range says nothing about its values")
        if len(kinds) > 1 or kinds == ["datatypeComplementOf"]:
            some = " and ".join(f"owl:{kind}" for kind in kinds)
            raise UnsupportedError(f"{some} in a SWRL rule", self.text(id))
        (kind,) = kinds
        value = self.only(id, f"owl:{kind}")
        if kind == "oneOf":
            return self.literals(id, value)
        if kind == "onDatatype":
            restricted = self.list(self.only(id, "owl:withRestrictions"))
            facets = (facet for node in restricted for facet in self.facets(node))
            return DataBoth((self.data_range(value, inside), *facets))
        parts = tuple(self.data_range(part, inside) for part in self.list(value))
        return DataBoth(parts) if kind == "intersectionOf" else DataEither(parts)

    def literals(self, id: int, list_: int) -> tuple[str, ...]:
        values = tuple(map(self.text, self.list(list_)))
        if others := [value for value in values if not value.startswith('"')]:
            self.refuse(id, f"owl:oneOf of a data range holds literals, not {others[0]}")
        return values

    def facets(self, node: int) -> tuple[Facet, ...]:
        """The facets of a node of owl:withRestrictions."""
        ids = ((facet, self.terms.find(facet.encode())) for facet in FACETS)
        found = [Facet(facet, self.text(limit)) for facet, id in ids if id is not None
                 for limit in self.facts.objects(id, node)]  # fmt: skip
        if not found:
            raise UnsupportedError("a restriction without a facet that is known", self.text(node))
        if others := [facet.limit for facet in found if not facet.limit.startswith('"')]:
            self.refuse(node, f"the limit of a facet is a literal, not {others[0]}")
        return tuple(sorted(found, key=lambda facet: (facet.facet, facet.limit)))
