"""Random OWL 2 RL ontologies over all constructs: axioms and facts as small sets of triples."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

from laws.names import FIRST, NIL, OWL, RDF, RDFS, REST, XSD, Fact, ex

AXIOMS = re.split(
    r"\n(?! )",
    """
C1 subClassOf C2 => i1 type C1
C1 subClassOf K1 => i1 type C1
C1 subClassOf M1 => i1 type C1
K1 subClassOf C1 => i1 type K1
M1 subClassOf C1 => i1 type M1
C1 equivalentClass C2 => i1 type C2
C1 equivalentClass K1 => i1 type C1
C1 disjointWith C2 => i1 type C1 ; i1 type C2
C1 complementOf C2 => i1 type C1 ; i1 type C2
K1 intersectionOf (C1 C2) => i1 type C1 ; i1 type C2
K1 intersectionOf (C1 C2 C3) => i1 type K1
K1 intersectionOf (C1 K2) => i1 type K1
K1 unionOf (C1 C2) => i1 type C2
K1 oneOf (i1 i2)
K1 oneOf (i1)
K1 onProperty p1 ; K1 someValuesFrom C1 => i1 p1 i2 ; i2 type C1
K1 onProperty p1 ; K1 someValuesFrom Thing => i1 p1 i2
K1 onProperty p1 ; K1 allValuesFrom C1 => i1 type K1 ; i1 p1 i2
K1 onProperty p1 ; K1 hasValue i1 => i2 p1 i1
K1 onProperty p1 ; K1 hasValue i1 => i2 type K1
M1 onProperty d1 ; M1 hasValue l1 => i1 type M1
M1 onProperty d1 ; M1 someValuesFrom D1 => i1 d1 l1
M1 onProperty d1 ; M1 allValuesFrom D1 => i1 type M1 ; i1 d1 l1
K1 onProperty p1 ; K1 maxCardinality 0 => i1 type K1 ; i1 p1 i2
K1 onProperty p1 ; K1 maxCardinality 1 => i1 type K1 ; i1 p1 i2 ; i1 p1 i3
M1 onProperty d1 ; M1 maxCardinality 1 => i1 type M1 ; i1 d1 l1 ; i1 d1 l2
K1 onProperty p1 ; K1 maxQualifiedCardinality 0 ; K1 onClass C1 =>
  i1 type K1 ; i1 p1 i2 ; i2 type C1
K1 onProperty p1 ; K1 maxQualifiedCardinality 0 ; K1 onClass Thing => i1 type K1 ; i1 p1 i2
K1 onProperty p1 ; K1 maxQualifiedCardinality 1 ; K1 onClass C1 =>
  i1 type K1 ; i1 p1 i2 ; i1 p1 i3 ; i2 type C1 ; i3 type C1
K1 onProperty p1 ; K1 maxQualifiedCardinality 1 ; K1 onClass Thing =>
  i1 type K1 ; i1 p1 i2 ; i1 p1 i3
M1 onProperty d1 ; M1 maxQualifiedCardinality 1 ; M1 onClass D1 => i1 type M1 ; i1 d1 l1 ; i1 d1 l2
K1 onProperty p1 ; K1 someValuesFrom C1 ; K2 onProperty p1 ; K2 someValuesFrom C2 ; C1 subClassOf C2
K1 onProperty p1 ; K1 allValuesFrom C1 ; K2 onProperty p1 ; K2 allValuesFrom C2 ; C1 subClassOf C2
K1 onProperty p1 ; K1 someValuesFrom C1 ; K2 onProperty p2 ; K2 someValuesFrom C1 ;
  p1 subPropertyOf p2
K1 onProperty p1 ; K1 allValuesFrom C1 ; K2 onProperty p2 ; K2 allValuesFrom C1 ;
  p1 subPropertyOf p2
K1 onProperty p1 ; K1 hasValue i1 ; K2 onProperty p2 ; K2 hasValue i1 ; p1 subPropertyOf p2
R1 equivalentClass D1
R1 intersectionOf (D1 D2)
R1 unionOf (D1 D2)
p1 subPropertyOf p2 => i1 p1 i2
d1 subPropertyOf d2 => i1 d1 l1
p1 equivalentProperty p2 => i1 p2 i2
p1 inverseOf p2 => i1 p1 i2
p1 propertyDisjointWith p2 => i1 p1 i2 ; i1 p2 i2
p1 propertyChainAxiom (p2) => i1 p2 i2
p1 propertyChainAxiom (p2 p3) => i1 p2 i2 ; i2 p3 i3
p1 propertyChainAxiom (p2 p3 p1) => i1 p2 i2 ; i2 p3 i3 ; i3 p1 i4
p1 domain C1
p1 range C1
d1 domain C1 => i1 d1 l1
d1 range D1 => i1 d1 l1
p1 type FunctionalProperty => i1 p1 i2 ; i1 p1 i3
d1 type FunctionalProperty => i1 d1 l1 ; i1 d1 l2
p1 type InverseFunctionalProperty => i2 p1 i1 ; i3 p1 i1
p1 type SymmetricProperty => i1 p1 i2
p1 type AsymmetricProperty
p1 type TransitiveProperty => i1 p1 i2 ; i2 p1 i3
p1 type IrreflexiveProperty => i1 p1 i1
C1 hasKey (p1) => i1 type C1 ; i2 type C1 ; i1 p1 i3 ; i2 p1 i3
C1 hasKey (p1 d1) => i1 type C1 ; i2 type C1 ; i1 p1 i3 ; i2 p1 i3 ; i1 d1 l1 ; i2 d1 l1
C1 hasKey (d1 d2 p1) => i1 type C1
i1 sameAs i2
i1 sameAs i1
C1 sameAs C2
p1 sameAs p2
p1 sameAs p1
i1 differentFrom i2 => i1 sameAs i2
_1 type AllDifferent ; _1 members (i1 i2 i3) => i1 sameAs i2
_1 type AllDifferent ; _1 distinctMembers (i1 i2) => i1 sameAs i2
_1 type AllDisjointClasses ; _1 members (C1 C2 C3) => i1 type C1 ; i1 type C3
_1 type AllDisjointProperties ; _1 members (p1 p2) => i1 p1 i2 ; i1 p2 i2
_1 sourceIndividual i1 ; _1 assertionProperty p1 ; _1 targetIndividual i2 => i1 p1 i2
_1 sourceIndividual i1 ; _1 assertionProperty d1 ; _1 targetValue l1 => i1 d1 l1
i1 type Nothing
i1 type K1
Thing subClassOf C1 => C2 type Class ; i1 type C2
Thing subClassOf K1 ; K1 onProperty p1 ; K1 allValuesFrom C1 =>
  C2 type Class ; i1 type C2 ; i1 p1 i2
Thing equivalentClass C1
Thing disjointWith C1 => C2 type Class ; i1 type C2 ; i1 type C1
C1 complementOf Thing => C2 type Class ; i1 type C2 ; i1 type C1
_1 type AllDisjointClasses ; _1 members (C1 Thing) => C1 type Class ; i1 type C1
K1 intersectionOf (C1 Thing) => C2 type Class ; i1 type C2 ; i1 type C1
K1 unionOf (C1 Thing) => C2 type Class ; i1 type C2
Thing hasKey (p1) => C1 type Class ; i1 type C1 ; i2 type C1 ; i1 p1 i3 ; i2 p1 i3
C1 subClassOf Nothing => C2 type Class ; i1 type C1
C1 subClassOf Nothing => C1 type Class ; C2 subClassOf C1
p1 domain Nothing => C1 type Class
p1 range Thing => i1 p1 i2
K1 onProperty p1 ; K1 someValuesFrom Nothing ; K2 onProperty p1 ; K2 someValuesFrom C1 =>
  C1 type Class
K1 onProperty p1 ; K1 someValuesFrom C1 ; K2 onProperty p1 ; K2 someValuesFrom Thing =>
  C1 type Class
K1 onProperty p1 ; K1 allValuesFrom C1 ; K2 onProperty p1 ; K2 allValuesFrom Thing =>
  C1 subClassOf C2 ; C2 type Class
C1 equivalentClass K1 ; K1 onProperty p1 ; K1 someValuesFrom C2 ; C2 type Class => i1 type C1
C1 subClassOf K1 ; K1 onProperty p1 ; K1 allValuesFrom C2 ; p1 type ObjectProperty => i1 type C1
M1 onProperty d1 ; M1 hasValue l1 ; d1 type DatatypeProperty => i1 type M1
C1 sameAs C2 ; C1 type Class
p1 sameAs p2 ; p1 type ObjectProperty
C1 sameAs Thing
d1 inverseOf p1 => i1 d1 l1 ; i2 d1 l2
d1 type SymmetricProperty => i1 d1 l1
p1 propertyChainAxiom (d1 p2) => d1 inverseOf p2 ; i1 d1 l1 ; i2 d1 l2
d1 type InverseFunctionalProperty => i1 d1 l1 ; i2 d1 l2
d1 propertyDisjointWith d2 => i1 d1 l1 ; i1 d2 l2
R1 oneOf (l1 l2) => d1 range R2 ; i1 d1 l1
C1 equivalentClass M1 ; M1 onProperty d1 ; M1 someValuesFrom R1 ; R1 oneOf (l1) => i1 d1 l2
C1 type Class
p1 type ObjectProperty
d1 type DatatypeProperty
D1 disjointWith D2 => i1 d1 l1
D1 disjointWith C1 ; d1 range C1 => i1 d1 l1
D1 subClassOf D2 => i1 d1 l1
D1 subClassOf C1 => i1 d1 l1
D1 subClassOf K1 => i1 d1 l1
D1 subClassOf C1 ; C1 subClassOf Nothing => i1 d1 l1
D1 equivalentClass C1 ; D1 equivalentClass D2
D1 sameAs C1
M1 complementOf D1 ; d1 range M1 => i1 d1 l1
D1 complementOf C1 ; d1 range C1 => i1 d1 l1
_1 type AllDisjointClasses ; _1 members (C1 D1) ; d1 range C1 => i1 d1 l1
K1 intersectionOf (C1 D1) ; K1 subClassOf Nothing ; d1 range C1 => i1 d1 l1
K1 unionOf (D1 D2) ; K1 disjointWith C1 ; d1 range C1 => i1 d1 l1
D1 intersectionOf (D2 C1) ; d1 range C1 => i1 d1 l1
D1 hasKey (p1) ; p1 inverseOf d1 => i1 d1 l1
D1 subClassOf K1 ; K1 onProperty p1 ; K1 allValuesFrom C1 ; p1 inverseOf d1 => i1 d1 l1
D1 subClassOf K1 ; K1 onProperty p1 ; K1 hasValue i1 ; p1 inverseOf d1 => i1 d1 l1
M1 onProperty d1 ; M1 allValuesFrom C1 ; C1 disjointWith D1 => i1 type M1 ; i1 d1 l1
M1 onProperty d1 ; M1 someValuesFrom C1 ; D1 subClassOf C1 => i1 d1 l1
i1 sameAs l1
i1 sameAs l1 ; i2 sameAs l2
i1 sameAs l1 ; D1 subClassOf C1
i1 sameAs l1 ; i1 p1 i2
t1 propertyChainAxiom (d1 type) => i1 d1 l1
type inverseOf t1 => i1 d1 l1
t1 inverseOf type => i1 d1 l1
type range C1 => i1 d1 l1
type domain C1 ; C1 disjointWith D1 => i1 d1 l1
type domain C1 ; M1 onProperty d1 ; M1 someValuesFrom C1 => i1 d1 l1
type subPropertyOf t1 ; _1 onProperty t1 ; _1 hasValue D1 ;
  M1 onProperty d1 ; M1 someValuesFrom _1 => i1 d1 l1
type propertyDisjointWith p1 ; p1 inverseOf d1 => i1 d1 l1
type sameAs t1
_1 onProperty type ; _1 hasValue D1 ; M1 onProperty d1 ; M1 someValuesFrom _1 => i1 d1 l1
""".strip(),
)
"""Triples with letters and numbers for terms, and after the arrow some that the axiom is about."""

FACTS = ["i1 type C1", "i1 p1 i2", "i1 p1 i2", "i1 d1 l1"]


def _literal(text: str) -> str:
    lexical, _, datatype = text.partition("^")
    if datatype.endswith("Literal"):
        return f'"{lexical}"^^<{RDF}{datatype}>'
    return f'"{lexical}"' + (f"^^<{XSD}{datatype}>" if datatype else "")


_CHOICES = {
    "C": [ex(f"C{n}") for n in range(4)],
    "K": [ex("K0"), ex("K1"), "_:k0", "_:k1"],
    "M": [ex("M0"), ex("M1"), "_:m0"],
    "p": [ex(f"p{n}") for n in range(3)],
    "d": [ex(f"d{n}") for n in range(2)],
    "t": [ex("t0"), ex("t1")],
    "i": [ex(f"i{n}") for n in range(4)],
    "R": [ex("R0"), ex("R1")],
    "D": [ex("R0"), ex("R1"), f"<{RDFS}Literal>"]
    + [f"<{XSD}{n}>" for n in ("integer", "int", "negativeInteger", "string", "double")],
    "l": [*map(_literal, ("1^integer", "01^int", "1.0^decimal", "2^integer", "-1^integer",
                          "1^double", "0.5^decimal", "a", "a^token",
                          "a@^PlainLiteral", "a@en^PlainLiteral", "<a/>^XMLLiteral",
                          "<a></a>^XMLLiteral"))],
}  # fmt: skip
"""What the letters stand for; K are restrictions and the like, M those on data properties, R data
ranges with a name, t properties that say what rdf:type does."""

_CARDINALS = [*["{}^nonNegativeInteger"] * 3, "{}^integer", "0{}^int", "{}.0^decimal"]
"""Ways to write a cardinality."""

ILL_TYPED = _literal("x^integer")

_SPACES = {"type": RDF, **dict.fromkeys(("subClassOf", "subPropertyOf", "domain", "range"), RDFS)}
_WORD = re.compile(r"\(|\)|[^\s()]+")


class Ontologist:
    """Makes axioms and facts; the nodes of each are its own."""

    def __init__(self, rnd: random.Random) -> None:
        self.rnd, self.nodes = rnd, 0

    def axiom(self) -> frozenset[Fact]:
        """An axiom, mostly with some facts that it is about."""
        axiom, _, facts = " ".join(self.rnd.choice(AXIOMS).split()).partition(" => ")
        kept = [fact for fact in facts.split(" ; ") if fact and self.rnd.random() < 0.8]
        return self._written([*axiom.split(" ; "), *kept])

    def fact(self) -> frozenset[Fact]:
        return self._written([self.rnd.choice(FACTS)])

    def ill_typed(self) -> frozenset[Fact]:
        ((s, p, _),) = self._written(["i1 d1 l1"])
        return frozenset([(s, p, ILL_TYPED)])

    def _node(self) -> str:
        self.nodes += 1
        return f"_:n{self.nodes}"

    def _written(self, parts: Iterable[str]) -> frozenset[Fact]:
        """The triples of some templates; what is called the same is the same."""
        meant: dict[str, str] = {}
        return frozenset(triple for part in parts for triple in self._triples(part, meant))

    def _triples(self, part: str, meant: dict[str, str]) -> Iterator[Fact]:
        subject, predicate, *rest = (self._term(w, meant) for w in _WORD.findall(part))
        if rest[0] != "(":
            yield subject, predicate, rest[0]
            return
        items = rest[1:-1]
        cells = [*(self._node() for _ in items), NIL]
        yield subject, predicate, cells[0]
        for cell, item, after in zip(cells, items, cells[1:], strict=False):
            yield from [(cell, FIRST, item), (cell, REST, after)]

    def _term(self, word: str, meant: dict[str, str]) -> str:
        if word in "()":
            return word
        if word.isdigit():
            return _literal(self.rnd.choice(_CARDINALS).format(word))
        if not word[-1].isdigit():
            return f"<{_SPACES.get(word, OWL)}{word}>"
        if word not in meant:
            meant[word] = self._node() if word[0] == "_" else self.rnd.choice(_CHOICES[word[0]])
        return meant[word]
