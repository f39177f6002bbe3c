"""OWL 2 RL/RDF evaluated naively, written down from the tables of the W3C recommendation ("OWL 2
Web Ontology Language Profiles", section 4.3), rule by rule and without the engine's rule file.

A triple is three terms in N-Triples. Rules are functions from a graph to the triples they give, or
to FALSE; they are applied together until nothing is new. What the tables leave open is decided as
the engine declares it: literals are those of the explicit triples other than cardinalities, and
a literal that is none of the datatype it names is `false`; of the literals that equal the number
of a cardinality the one that the tables name takes its place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Set
from decimal import Decimal
from functools import cache
from itertools import combinations, product
from xml.etree.ElementTree import canonicalize

from laws.names import FIRST, NIL, RDF, REST, TYPE, XSD, Fact, owl, rdfs
from rdfinc.terms.builtins import DATATYPES as SUPPORTED

FALSE = ("false", "false", "false")
UNEQUAL = ("false", "dt-diff", "dt-diff")
SAME, DIFFERENT, THING, NOTHING = map(owl, ("sameAs", "differentFrom", "Thing", "Nothing"))
SUB, SUBP, DOMAIN, RANGE = map(rdfs, ("subClassOf", "subPropertyOf", "domain", "range"))
EQC, EQP, ON = map(owl, ("equivalentClass", "equivalentProperty", "onProperty"))
CARDINALITIES = [owl(name) for name in ("maxCardinality", "maxQualifiedCardinality")]


class Graph:
    """Triples, indexed as the rules look them up."""

    def __init__(self, explicit: Set[Fact], triples: Set[Fact]) -> None:
        self.triples = triples
        self.literals = {o for _, p, o in explicit if o[0] == '"' and p not in CARDINALITIES}
        self.pairs = defaultdict(list)
        self._objects, self._subjects = defaultdict(list), defaultdict(list)
        for s, p, o in triples:
            self.pairs[p].append((s, o))
            self._objects[s, p].append(o)
            self._subjects[p, o].append(s)

    def objects(self, s: str, p: str) -> list[str]:
        return self._objects.get((s, p), [])

    def subjects(self, p: str, o: str) -> list[str]:
        return self._subjects.get((p, o), [])

    def of(self, class_: str) -> list[str]:
        """The members of a class."""
        return self.subjects(TYPE, class_)

    def a(self, kind: str) -> list[str]:
        """The members of a class of OWL's."""
        return self.of(owl(kind))

    def lists(self, head: str, seen: frozenset[str] = frozenset()) -> Iterator[tuple[str, ...]]:
        """LIST[head, e1, ..., en] for every reading there is."""
        if head == NIL:
            yield ()
        elif head not in seen:
            for first, rest in product(self.objects(head, FIRST), self.objects(head, REST)):
                for others in self.lists(rest, seen | {head}):
                    yield first, *others

    def listed(self, predicate: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """(s, items) for each list that s bears under a predicate of OWL's; none is empty."""
        for s, head in self.pairs[owl(predicate)]:
            yield from ((s, items) for items in self.lists(head) if items)

    def restrictions(self, kind: str) -> Iterator[tuple[str, str, str]]:
        """(x, what it restricts to, property)."""
        for x, y in self.pairs[owl(kind)]:
            yield from ((x, y, p) for p in self.objects(x, ON))


Rule = Callable[[Graph], Iterator[Fact]]
RULES: dict[str, Rule] = {}
OFF = {"eq-ref", "prp-ap", "dt-type1", "cls-thing", "cls-nothing1", "scm-cls", "scm-op", "scm-dp"}


def rule(*names: str) -> Callable[[Rule], Rule]:
    def noted(function: Rule) -> Rule:
        RULES[" ".join(names)] = function
        return function

    return noted


# Table 4


@rule("eq-ref")
def eq_ref(g):
    for triple in g.triples:
        yield from ((term, SAME, term) for term in triple)


@rule("eq-sym")
def eq_sym(g):
    yield from ((y, SAME, x) for x, y in g.pairs[SAME])


@rule("eq-trans")
def eq_trans(g):
    for x, y in g.pairs[SAME]:
        yield from (t for z in g.objects(y, SAME) for t in made_equal(x, z))


@rule("eq-rep-s eq-rep-p eq-rep-o")
def eq_rep(g):
    for s, p, o in g.triples:
        yield from ((s2, p, o) for s2 in g.objects(s, SAME))
        yield from ((s, p2, o) for p2 in g.objects(p, SAME))
        yield from ((s, p, o2) for o2 in g.objects(o, SAME))


@rule("eq-diff1")
def eq_diff1(g):
    for x, y in g.pairs[DIFFERENT]:
        if x == y or y in g.objects(x, SAME):
            yield FALSE
    yield from (UNEQUAL for x, y in g.pairs[SAME] if differ(x, y))


def _all_different(g, predicate):
    for x, items in g.listed(predicate):
        if x in g.a("AllDifferent"):
            for y, z in combinations(items, 2):
                if y == z or z in g.objects(y, SAME):
                    yield FALSE


@rule("eq-diff2")
def eq_diff2(g):
    yield from _all_different(g, "members")


@rule("eq-diff3")
def eq_diff3(g):
    yield from _all_different(g, "distinctMembers")


# Table 5


@rule("prp-ap")
def prp_ap(g):
    names = [rdfs(n) for n in ("label", "comment", "seeAlso", "isDefinedBy")]
    names += [owl(n) for n in ("deprecated", "versionInfo", "priorVersion",
                               "backwardCompatibleWith", "incompatibleWith")]  # fmt: skip
    yield from ((name, TYPE, owl("AnnotationProperty")) for name in names)


@rule("prp-dom")
def prp_dom(g):
    for p, c in g.pairs[DOMAIN]:
        yield from ((x, TYPE, c) for x, _ in g.pairs[p])


@rule("prp-rng")
def prp_rng(g):
    for p, c in g.pairs[RANGE]:
        yield from ((y, TYPE, c) for _, y in g.pairs[p])


@rule("prp-fp")
def prp_fp(g):
    for p in g.a("FunctionalProperty"):
        for x, y in g.pairs[p]:
            yield from (t for z in g.objects(x, p) if y != z for t in made_equal(y, z))


@rule("prp-ifp")
def prp_ifp(g):
    for p in g.a("InverseFunctionalProperty"):
        for x, y in g.pairs[p]:
            yield from (t for z in g.subjects(p, y) if x != z for t in made_equal(x, z))


@rule("prp-irp")
def prp_irp(g):
    for p in g.a("IrreflexiveProperty"):
        yield from (FALSE for x, y in g.pairs[p] if x == y)


@rule("prp-symp")
def prp_symp(g):
    for p in g.a("SymmetricProperty"):
        yield from ((y, p, x) for x, y in g.pairs[p])


@rule("prp-asyp")
def prp_asyp(g):
    for p in g.a("AsymmetricProperty"):
        yield from (FALSE for x, y in g.pairs[p] if x in g.objects(y, p))


@rule("prp-trp")
def prp_trp(g):
    for p in g.a("TransitiveProperty"):
        for x, y in g.pairs[p]:
            yield from ((x, p, z) for z in g.objects(y, p))


@rule("prp-spo1")
def prp_spo1(g):
    for p, q in g.pairs[SUBP]:
        yield from ((x, q, y) for x, y in g.pairs[p])


@rule("prp-spo2")
def prp_spo2(g):
    for p, chain in g.listed("propertyChainAxiom"):
        paths = g.pairs[chain[0]]
        for step in chain[1:]:
            paths = {(x, z) for x, y in paths for z in g.objects(y, step)}
        yield from ((x, p, y) for x, y in paths)


@rule("prp-eqp1 prp-eqp2")
def prp_eqp(g):
    for p, q in g.pairs[EQP]:
        yield from ((x, q, y) for x, y in g.pairs[p])
        yield from ((x, p, y) for x, y in g.pairs[q])


@rule("prp-pdw")
def prp_pdw(g):
    for p, q in g.pairs[owl("propertyDisjointWith")]:
        yield from (FALSE for x, y in g.pairs[p] if y in g.objects(x, q))


@rule("prp-adp")
def prp_adp(g):
    for x, items in g.listed("members"):
        if x in g.a("AllDisjointProperties"):
            for p, q in combinations(items, 2):
                yield from (FALSE for u, v in g.pairs[p] if v in g.objects(u, q))


@rule("prp-inv1 prp-inv2")
def prp_inv(g):
    for p, q in g.pairs[owl("inverseOf")]:
        yield from ((y, q, x) for x, y in g.pairs[p])
        yield from ((y, p, x) for x, y in g.pairs[q])


@rule("prp-key")
def prp_key(g):
    for c, keys in g.listed("hasKey"):
        for x, y in product(g.of(c), repeat=2):
            if x != y and all(set(g.objects(x, k)) & set(g.objects(y, k)) for k in keys):
                yield from made_equal(x, y)


def _negative(g, target):
    for n, x in g.pairs[owl("sourceIndividual")]:
        for p, y in product(g.objects(n, owl("assertionProperty")), g.objects(n, owl(target))):
            if y in g.objects(x, p):
                yield FALSE


@rule("prp-npa1")
def prp_npa1(g):
    yield from _negative(g, "targetIndividual")


@rule("prp-npa2")
def prp_npa2(g):
    yield from _negative(g, "targetValue")


# Table 6


@rule("cls-thing")
def cls_thing(g):
    yield THING, TYPE, owl("Class")


@rule("cls-nothing1")
def cls_nothing1(g):
    yield NOTHING, TYPE, owl("Class")


@rule("cls-nothing2")
def cls_nothing2(g):
    yield from (FALSE for _ in g.of(NOTHING))


@rule("cls-int1 cls-int2")
def cls_int(g):
    for c, items in g.listed("intersectionOf"):
        for y in g.of(items[0]):
            if all(y in g.of(item) for item in items):
                yield y, TYPE, c
        yield from ((y, TYPE, item) for y in g.of(c) for item in items)


@rule("cls-uni")
def cls_uni(g):
    for c, items in g.listed("unionOf"):
        yield from ((y, TYPE, c) for item in items for y in g.of(item))


@rule("cls-com")
def cls_com(g):
    for c, d in g.pairs[owl("complementOf")]:
        yield from (FALSE for x in g.of(c) if x in g.of(d))


@rule("cls-svf1 cls-svf2")
def cls_svf(g):
    for x, y, p in g.restrictions("someValuesFrom"):
        members = set(g.of(y))
        yield from ((u, TYPE, x) for u, v in g.pairs[p] if v in members or y == THING)


@rule("cls-avf")
def cls_avf(g):
    for x, y, p in g.restrictions("allValuesFrom"):
        yield from ((v, TYPE, y) for u in g.of(x) for v in g.objects(u, p))


@rule("cls-hv1 cls-hv2")
def cls_hv(g):
    for x, y, p in g.restrictions("hasValue"):
        yield from ((u, p, y) for u in g.of(x))
        yield from ((u, TYPE, x) for u in g.subjects(p, y))


def number(n: int) -> str:
    return f'"{n}"^^<{XSD}nonNegativeInteger>'


@rule("cls-maxc1")
def cls_maxc1(g):
    for x, n, p in g.restrictions("maxCardinality"):
        yield from (FALSE for u in g.of(x) for _ in g.objects(u, p) if n == number(0))


@rule("cls-maxc2")
def cls_maxc2(g):
    for x, n, p in g.restrictions("maxCardinality"):
        for u in g.of(x) if n == number(1) else ():
            pairs = product(g.objects(u, p), repeat=2)
            yield from (t for y, z in pairs if y != z for t in made_equal(y, z))


def _qualified(g, n):
    """(values, whether the class is owl:Thing) for each member of such a restriction."""
    for x, found, p in g.restrictions("maxQualifiedCardinality"):
        for c in g.objects(x, owl("onClass")) if found == number(n) else ():
            for u in g.of(x):
                members = set(g.of(c))
                yield [v for v in g.objects(u, p) if v in members], False
                yield g.objects(u, p) if c == THING else [], True


@rule("cls-maxqc1")
def cls_maxqc1(g):
    yield from (FALSE for values, thing in _qualified(g, 0) if values and not thing)


@rule("cls-maxqc2")
def cls_maxqc2(g):
    yield from (FALSE for values, thing in _qualified(g, 0) if values and thing)


@rule("cls-maxqc3 cls-maxqc4")
def cls_maxqc3(g):
    for values, _ in _qualified(g, 1):
        pairs = product(values, repeat=2)
        yield from (t for y, z in pairs if y != z for t in made_equal(y, z))


@rule("cls-oo")
def cls_oo(g):
    for c, items in g.listed("oneOf"):
        yield from ((item, TYPE, c) for item in items)


# Table 7


@rule("cax-sco")
def cax_sco(g):
    for c, d in g.pairs[SUB]:
        yield from ((x, TYPE, d) for x in g.of(c))


@rule("cax-eqc1 cax-eqc2")
def cax_eqc(g):
    for c, d in g.pairs[EQC]:
        yield from ((x, TYPE, d) for x in g.of(c))
        yield from ((x, TYPE, c) for x in g.of(d))


@rule("cax-dw")
def cax_dw(g):
    for c, d in g.pairs[owl("disjointWith")]:
        yield from (FALSE for x in g.of(c) if x in g.of(d))


@rule("cax-adc")
def cax_adc(g):
    for x, items in g.listed("members"):
        if x in g.a("AllDisjointClasses"):
            for c, d in combinations(items, 2):
                yield from (FALSE for y in g.of(c) if y in g.of(d))


# Table 8


@rule("dt-type1")
def dt_type1(g):
    yield from ((datatype, TYPE, rdfs("Datatype")) for datatype in SUPPORTED)


@rule("dt-type2")
def dt_type2(g):
    for literal in g.literals:
        yield from ((literal, TYPE, datatype) for datatype in types(literal))


@rule("dt-eq")
def dt_eq(g):
    for x, y in product(g.literals, repeat=2):
        if x != y and value(x) is not None and value(x) == value(y):
            yield x, SAME, y
    for p, n in product(CARDINALITIES, (0, 1)):
        yield from ((x, p, number(n)) for x, m in g.pairs[p] if value(m) == ("number", n))


@rule("dt-not-type")
def dt_not_type(g):
    for datatype in DATATYPES:
        for x in g.of(datatype):
            if x[0] == '"' and value(x) is not None and datatype not in types(x):
                yield FALSE
    yield from (FALSE for literal in g.literals if value(literal) is None)


@rule("dt-diff")
def dt_diff(g):
    """Of literals that names equal: others are not told to differ."""
    named = sorted({y for x, y in g.pairs[SAME] if y[0] == '"' != x[0]})
    yield from ((x, DIFFERENT, y) for x, y in product(named, repeat=2) if differ(x, y))


_WHOLE = {
    "integer": (None, None), "nonNegativeInteger": (0, None), "positiveInteger": (1, None),
    "nonPositiveInteger": (None, 0), "negativeInteger": (None, -1),
    **{name: (-(1 << bits - 1), (1 << bits - 1) - 1)
       for name, bits in (("long", 64), ("int", 32), ("short", 16), ("byte", 8))},
    **{f"unsigned{name}": (0, (1 << bits) - 1)
       for name, bits in (("Long", 64), ("Int", 32), ("Short", 16), ("Byte", 8))},
}  # fmt: skip
BOUNDS = {f"<{XSD}{name}>": bounds for name, bounds in _WHOLE.items()}
"""The datatypes of whole numbers, with the least and the greatest of their values."""

_TEXT = ["string", "normalizedString", "token", "language", "Name", "NCName", "NMTOKEN"]
_OF_SPACE = {
    "number": {f"<{XSD}decimal>", owl("real"), owl("rational")},
    "double": {f"<{XSD}double>"},
    "tagged": {f"<{RDF}langString>", f"<{RDF}PlainLiteral>"},
    "markup": {f"<{RDF}XMLLiteral>"},
    "text": {*(f"<{XSD}{name}>" for name in _TEXT), f"<{RDF}PlainLiteral>"},
}
"""The other datatypes of the literals that random ontologies hold; the texts are short words."""

DATATYPES = {*BOUNDS, rdfs("Literal")}.union(*_OF_SPACE.values())


@cache
def value(literal: str):
    """(value space, value) of the literals that random ontologies hold; None if ill-typed."""
    text, _, datatype = literal[1:].rpartition('"')
    name = datatype[2:].removeprefix(f"<{XSD}").removesuffix(">")
    if name == f"<{RDF}PlainLiteral":
        text, _, tag = text.rpartition("@")
        return ("tagged", f"{text}@{tag}") if tag else ("text", text)
    if name == f"<{RDF}XMLLiteral":
        return "markup", canonicalize(f"<x>{text}</x>")
    if name in ("", "token"):
        return "text", text
    if name == "double":
        return "double", float(text)
    try:
        number = Decimal(text)
    except ArithmeticError:
        return None
    least, most = BOUNDS.get(f"<{XSD}{name}>", (None, None))
    outside = (least is not None and number < least) or (most is not None and number > most)
    return None if outside else ("number", number)


def as_value(term: str) -> str:
    """A term, the same for all literals of a value."""
    space, found = (term[0] == '"' and value(term)) or ("", term)
    if isinstance(found, Decimal):
        found = found.normalize()
    return f'"{space} {found}"' if space else term


@cache
def types(literal: str) -> frozenset[str]:
    """The datatypes that have a literal's value."""
    space, found = value(literal) or ("", "")
    whole = space == "number" and found == int(found)
    bounds = BOUNDS.items() if whole else ()
    within = {d for d, (least, most) in bounds if _reaches(least, found) and _reaches(found, most)}
    return frozenset(within | _OF_SPACE.get(space, set()) | {rdfs("Literal")})


def _reaches(least: Decimal | None, most: Decimal | None) -> bool:
    return least is None or most is None or least <= most


def made_equal(x: str, y: str) -> Iterator[Fact]:
    """What follows where a rule makes two terms equal: of literals only what dt-eq says as well,
    and of different values nothing but that they differ."""
    if differ(x, y):
        yield UNEQUAL
    elif not x[0] == y[0] == '"' or value(x) == value(y) is not None:
        yield x, SAME, y


def differ(x: str, y: str) -> bool:
    """Whether both are literals, of different values."""
    if x[0] != '"' or y[0] != '"':
        return False
    one, other = value(x), value(y)
    return one is not None and other is not None and one != other


# Table 9


@rule("scm-cls")
def scm_cls(g):
    for c in g.a("Class"):
        yield from [(c, SUB, c), (c, EQC, c), (c, SUB, THING), (NOTHING, SUB, c)]


@rule("scm-op")
def scm_op(g):
    for p in g.a("ObjectProperty"):
        yield from [(p, SUBP, p), (p, EQP, p)]


@rule("scm-dp")
def scm_dp(g):
    for p in g.a("DatatypeProperty"):
        yield from [(p, SUBP, p), (p, EQP, p)]


@rule("scm-sco scm-spo")
def scm_above(g):
    for below in (SUB, SUBP):
        for x, y in g.pairs[below]:
            yield from ((x, below, z) for z in g.objects(y, below))


@rule("scm-eqc1 scm-eqc2 scm-eqp1 scm-eqp2")
def scm_equivalent(g):
    for same, below in ((EQC, SUB), (EQP, SUBP)):
        for x, y in g.pairs[same]:
            yield from [(x, below, y), (y, below, x)]
        yield from ((x, same, y) for x, y in g.pairs[below] if x in g.objects(y, below))


@rule("scm-dom1 scm-dom2 scm-rng1 scm-rng2")
def scm_typing(g):
    for typing in (DOMAIN, RANGE):
        for p, c in g.pairs[typing]:
            yield from ((p, typing, d) for d in g.objects(c, SUB))
            yield from ((q, typing, c) for q in g.subjects(SUBP, p))


@rule("scm-hv scm-svf1 scm-svf2 scm-avf1 scm-avf2")
def scm_restrictions(g):
    for kind in ("hasValue", "someValuesFrom", "allValuesFrom"):
        for (c, y, p), (d, z, q) in product(list(g.restrictions(kind)), repeat=2):
            if y == z and q in g.objects(p, SUBP):
                yield (d, SUB, c) if kind == "allValuesFrom" else (c, SUB, d)
            if p == q and kind != "hasValue" and z in g.objects(y, SUB):
                yield c, SUB, d


@rule("scm-int scm-uni")
def scm_lists(g):
    for c, items in g.listed("intersectionOf"):
        yield from ((c, SUB, item) for item in items)
    for c, items in g.listed("unionOf"):
        yield from ((item, SUB, c) for item in items)


# The closure


def closure(
    explicit: Set[Fact], known: Set[Fact] = frozenset(), *, axiomatic: bool
) -> tuple[set[Fact], set[str]]:
    """All triples that follow, some of which may be known, and the names of the rules that give
    `false`."""
    triples = {*explicit, *known}
    chosen = {name: apply for name, apply in RULES.items() if axiomatic or name not in OFF}
    while True:
        graph = Graph(explicit, triples)
        given = {name: set(apply(graph)) for name, apply in chosen.items()}
        new = set().union(*given.values()) - triples - {FALSE, UNEQUAL}
        if not new:
            contradicted = {name for name, found in given.items() if FALSE in found}
            return triples, contradicted | {"dt-diff" for f in given.values() if UNEQUAL in f}
        triples |= new


def is_shown(triple: Fact) -> bool:
    """Whether users see a derived triple, unless they see all; those about literals are not
    compared."""
    s, p, o = triple
    if s[0] == '"' or p[0] != "<":
        return False
    pairs = (SUB, EQC, owl("disjointWith"))
    classes = [o] * (p in (TYPE, DOMAIN, RANGE, *pairs)) + [s] * (p in pairs)
    return not (p == SAME and s == o) and not any(c.startswith("_:") for c in classes)


def is_said(triple: Fact) -> bool:
    """Whether a triple says more than the axiomatic ones: these may be left out unless stated."""
    s, p, o = triple
    reflexive = s == o and p in (SAME, SUB, EQC, SUBP, EQP)
    above, below = o == THING and p in (SUB, TYPE, DOMAIN, RANGE), s == NOTHING and p == SUB
    declared = p == TYPE and (s, o) in AXIOMS
    return not (reflexive or above or below or declared or o.endswith("#Datatype>"))


def is_about_built_in(triple: Fact) -> bool:
    """Whether a triple is about a term of which there are axiomatic triples."""
    return not BUILT_IN.isdisjoint((triple[0], triple[2]))


AXIOMS = {(s, o) for apply in (prp_ap, cls_thing, cls_nothing1) for s, _, o in apply(None)}
"""Subjects and classes of the axiomatic triples about types."""
BUILT_IN = {term for axiom in AXIOMS for term in axiom} | {*SUPPORTED, rdfs("Datatype")}
