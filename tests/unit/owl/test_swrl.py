"""SWRL rules among triples: what each kind of atom means, and what is wrong with malformed ones."""

from __future__ import annotations

from collections import defaultdict

import pyoxigraph as ox
import pytest

from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.syntax.rule_text import PREFIXES, parse_rules
from rdfinc.errors import RuleError, UnsafeRuleError, UnsupportedError
from rdfinc.owl.swrl.swrl_triples import swrl_program
from rdfinc.terms.dictionary import Dictionary

NAMES = {**PREFIXES, "": "http://e.org/", "swrl": "http://www.w3.org/2003/11/swrl#"}
TURTLE = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in NAMES.items())
VARIABLES = "<urn:swrl#x> a swrl:Variable . <urn:swrl#y> a swrl:Variable .\n"


class Indexed:
    """Triples by ids, as the readers ask for them."""

    def __init__(self, data: str, format: ox.RdfFormat) -> None:
        self.terms = Dictionary()
        self.by_subject, self.by_object = defaultdict(list), defaultdict(list)
        for quad in ox.parse(data, format=format):
            triple = (quad.subject, quad.predicate, quad.object)
            s, p, o = (self.terms.encode(str(term).encode()) for term in triple)
            self.by_subject[p, s].append(o)
            self.by_object[p, o].append(s)

    def objects(self, p: int, s: int) -> list[int]:
        return self.by_subject.get((p, s), [])

    def subjects(self, p: int, o: int) -> list[int]:
        return self.by_object.get((p, o), [])


def read(turtle: str):
    triples = Indexed(TURTLE + VARIABLES + turtle, ox.RdfFormat.TURTLE)
    return swrl_program(triples, triples.terms)


def rule(body: str, head: str = "[ a swrl:ClassAtom ; swrl:classPredicate :H ; swrl:argument1 X ]"):
    text = f":r a swrl:Imp ; swrl:body ( {body} ) ; swrl:head ( {head} ) ."
    return text.replace(" X ", " <urn:swrl#x> ").replace(" Y ", " <urn:swrl#y> ")


def class_atom(class_: str, argument: str = "X") -> str:
    return f"[ a swrl:ClassAtom ; swrl:classPredicate {class_} ; swrl:argument1 {argument} ]"


def property_atom(property: str, one: str, two: str, kind: str = "Individual") -> str:
    return (
        f"[ a swrl:{kind}PropertyAtom ; swrl:propertyPredicate {property} ; "
        f"swrl:argument1 {one} ; swrl:argument2 {two} ]"
    )


def pair(kind: str, one: str, two: str) -> str:
    return f"[ a swrl:{kind}Atom ; swrl:argument1 {one} ; swrl:argument2 {two} ]"


def builtin(name: str, *arguments: str) -> str:
    listed = " ".join(arguments)
    return f"[ a swrl:BuiltinAtom ; swrl:builtin {name} ; swrl:arguments ( {listed} ) ]"


def data_range(range_: str, argument: str = "Y") -> str:
    return f"[ a swrl:DataRangeAtom ; swrl:dataRange {range_} ; swrl:argument1 {argument} ]"


def restriction(kind: str, value: str, property: str = ":p") -> str:
    return f"[ a owl:Restriction ; owl:onProperty {property} ; owl:{kind} {value} ]"


P = property_atom(":p", "X", "Y")
IN = "<urn:rdfinc:inDatatype>"
OUTSIDE = "<urn:rdfinc:outsideFacet>"
DEFINED = """:D a rdfs:Datatype ; owl:equivalentClass :Alias . :Alias owl:equivalentClass [
    owl:onDatatype xsd:int ; owl:withRestrictions ( [ xsd:minInclusive 5 ] [ xsd:maxExclusive 9 ] )
] ."""
LITERAL = f"FILTER({IN}(?y, rdfs:Literal))"
A = class_atom(":A")

# a graph, the rules it stands for
MEANING = [
    (rule(class_atom(":A")), ":H[?x] :- :A[?x] ."),
    (rule(class_atom(":A", ":eve") + class_atom(":B")), ":H[?x] :- [:eve, a, :A], :B[?x] ."),
    (rule(P), ":H[?x] :- [?x, :p, ?y] ."),
    (rule(property_atom(":p", ":eve", "X")), ":H[?x] :- [:eve, :p, ?x] ."),
    (rule(property_atom("[ owl:inverseOf :p ]", "X", "Y")), ":H[?x] :- [?y, :p, ?x] ."),
    (rule(property_atom(":p", "X", '"a"@en', "Datavalued")), ':H[?x] :- [?x, :p, "a"@en] .'),
    (rule(property_atom(":p", "X", "Y", "Datavalued")), ":H[?x] :- [?x, :p, ?y] ."),
    (
        rule(P + pair("SameIndividual", "X", "Y")),
        ":H[?x] :- [?x, :p, ?y], [?x, owl:sameAs, ?y] . :H[?x] :- [?x, :p, ?x] .",
    ),
    (
        rule(P + pair("DifferentIndividuals", "X", ":eve")),
        ":H[?x] :- [?x, :p, ?y], [?x, owl:differentFrom, :eve] ."
        ":H[?x] :- [?x, :p, ?y], [:eve, owl:differentFrom, ?x] .",
    ),
    (rule(P + data_range("xsd:int")), f":H[?x] :- [?x, :p, ?y], FILTER({IN}(?y, xsd:int)) ."),
    (
        rule(P + data_range('[ a rdfs:Datatype ; owl:oneOf ( 1 "a" ) ]')),
        ':H[?x] :- [?x, :p, ?y], FILTER(?y IN (1, "a")) .',
    ),
    (
        rule(P + builtin("swrlb:greaterThan", "Y", "18")),
        ":H[?x] :- [?x, :p, ?y], FILTER(swrlb:greaterThan(?y, 18)) .",
    ),
    (
        rule(P + data_range(":D")) + DEFINED,
        f":H[?x] :- [?x, :p, ?y], FILTER({IN}(?y, xsd:int)), "
        f"FILTER(!{OUTSIDE}(?y, xsd:maxExclusive, 9)), "
        f"FILTER(!{OUTSIDE}(?y, xsd:minInclusive, 5)) .",
    ),
    (
        rule(class_atom(restriction("someValuesFrom", ":D"))) + ":D a rdfs:Datatype ; "
        "owl:equivalentClass [ owl:oneOf ( 1 2 ) ] .",
        ":H[?x] :- [?x, :p, ?z], FILTER(?z IN (1, 2)) .",
    ),
    (
        rule(P + data_range(":E")) + DEFINED + ":E owl:equivalentClass [ a rdfs:Datatype ; "
        "owl:intersectionOf ( xsd:byte [ owl:unionOf ( [ owl:oneOf ( 1 ) ] xsd:string ) ] ) ] .",
        f":H[?x] :- [?x, :p, ?y], FILTER({IN}(?y, xsd:byte)), FILTER(?y IN (1)) ."
        f":H[?x] :- [?x, :p, ?y], FILTER({IN}(?y, xsd:byte)), FILTER({IN}(?y, xsd:string)) .",
    ),
    (
        "<urn:swrl#z> a swrl:Variable ."
        + rule(
            P + builtin("swrlb:add", "<urn:swrl#z>", "Y", "1"),
            property_atom(":q", "X", "<urn:swrl#z>", "Datavalued"),
        ),
        "[?x, :q, ?z] :- [?x, :p, ?y], BIND(swrlb:add(?y, 1) AS ?z) .",
    ),
    (
        rule(P + builtin("swrlb:add", "3", "Y", "1")),
        ":H[?x] :- [?x, :p, ?y], FILTER(swrlb:equal(3, swrlb:add(?y, 1))) .",
    ),
    (
        rule(P + builtin("swrlb:first", "X", "Y") + builtin("swrlb:member", "X", "Y")),
        ":H[?x] :- [?x, :p, ?y], [?y, swrlb:first, ?x], [?y, swrlb:member, ?x] .",
    ),
    # heads
    (
        rule(P, class_atom(":H") + class_atom(":I", "Y")),
        ":H[?x] :- [?x, :p, ?y] . :I[?y] :- [?x, :p, ?y] .",
    ),
    (rule(P, ""), "false :- [?x, :p, ?y] ."),
    (rule(P, pair("SameIndividual", "X", "Y")), "[?x, owl:sameAs, ?y] :- [?x, :p, ?y] ."),
    (
        rule(P, pair("DifferentIndividuals", "X", "Y")),
        "[?x, owl:differentFrom, ?y] :- [?x, :p, ?y] .",
    ),
    (rule(P, property_atom("[ owl:inverseOf :q ]", "X", "Y")), "[?y, :q, ?x] :- [?x, :p, ?y] ."),
    (rule(P, property_atom(":q", "X", "5", "Datavalued")), "[?x, :q, 5] :- [?x, :p, ?y] ."),
    # class expressions
    (rule(class_atom("[ owl:intersectionOf ( :A :B ) ]")), ":H[?x] :- :A[?x], :B[?x] ."),
    (rule(class_atom("[ owl:unionOf ( :A :B ) ]")), ":H[?x] :- :A[?x] . :H[?x] :- :B[?x] ."),
    (rule(class_atom(restriction("someValuesFrom", ":A"))), ":H[?x] :- [?x, :p, ?z], :A[?z] ."),
    (rule(class_atom(restriction("someValuesFrom", "owl:Thing"))), ":H[?x] :- [?x, :p, ?z] ."),
    (
        rule(class_atom(restriction("someValuesFrom", "xsd:int"))),
        f":H[?x] :- [?x, :p, ?z], FILTER({IN}(?z, xsd:int)) .",
    ),
    (rule(P + class_atom("rdfs:Literal", "Y")), f":H[?x] :- [?x, :p, ?y], {LITERAL} ."),
    (rule(P + property_atom("owl:topObjectProperty", "X", "Y")), ":H[?x] :- [?x, :p, ?y] ."),
    (rule(A + property_atom("owl:topObjectProperty", "X", "Y")), ":H[?x] :- :A[?x] ."),
    (
        rule(A + property_atom("[ owl:inverseOf owl:topObjectProperty ]", "X", ":eve")),
        ":H[?x] :- :A[?x] .",
    ),
    (
        rule(P + property_atom("owl:topDataProperty", "X", "Y", "Datavalued")),
        f":H[?x] :- [?x, :p, ?y], {LITERAL} .",
    ),
    (
        rule(A + class_atom(restriction("someValuesFrom", ":B", "owl:topObjectProperty"))),
        ":H[?x] :- :A[?x], :B[?z] .",
    ),
    (
        rule(A + class_atom(restriction("hasSelf", "true", "owl:topObjectProperty"))),
        ":H[?x] :- :A[?x] .",
    ),
    (rule(class_atom(restriction("hasValue", ":eve"))), ":H[?x] :- [?x, :p, :eve] ."),
    (rule(class_atom(restriction("hasSelf", "true"))), ":H[?x] :- [?x, :p, ?x] ."),
    (
        rule(class_atom(restriction("hasValue", ":eve", "[ owl:inverseOf :p ]"))),
        ":H[?x] :- [:eve, :p, ?x] .",
    ),
    (
        rule(P, class_atom("[ owl:intersectionOf ( :A " + restriction("hasValue", "1") + " ) ]")),
        ":A[?x] :- [?x, :p, ?y] . [?x, :p, 1] :- [?x, :p, ?y] .",
    ),
    (
        rule(class_atom(":A"), class_atom(restriction("allValuesFrom", ":B"))),
        ":B[?z] :- :A[?x], [?x, :p, ?z] .",
    ),
    (rule(class_atom(":A"), class_atom("[ owl:complementOf :B ]")), "false :- :A[?x], :B[?x] ."),
    (rule(class_atom(":A"), class_atom("owl:Nothing")), "false :- :A[?x] ."),
]


@pytest.mark.parametrize(("turtle", "rules"), MEANING)
def test_meaning(turtle, rules):
    found = [canonical(rule) for rule in read(turtle)]
    assert found == [canonical(rule) for rule in parse_rules(rules, NAMES)]


def test_rdf_xml_with_atom_lists():
    document = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns:swrl="http://www.w3.org/2003/11/swrl#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
      <swrl:Variable rdf:about="urn:swrl#a"/>
      <swrl:Imp><rdfs:label xml:lang="en">adults</rdfs:label>
        <swrl:body><swrl:AtomList><rdf:first><swrl:ClassAtom>
            <swrl:classPredicate rdf:resource="http://e.org/A"/>
            <swrl:argument1 rdf:resource="urn:swrl#a"/></swrl:ClassAtom></rdf:first>
          <rdf:rest rdf:resource="http://www.w3.org/1999/02/22-rdf-syntax-ns#nil"/>
        </swrl:AtomList></swrl:body>
        <swrl:head><swrl:AtomList><rdf:first><swrl:ClassAtom>
            <swrl:classPredicate rdf:resource="http://e.org/B"/>
            <swrl:argument1 rdf:resource="urn:swrl#a"/></swrl:ClassAtom></rdf:first>
          <rdf:rest rdf:resource="http://www.w3.org/1999/02/22-rdf-syntax-ns#nil"/>
        </swrl:AtomList></swrl:head>
      </swrl:Imp></rdf:RDF>"""
    triples = Indexed(document, ox.RdfFormat.RDF_XML)
    (found,) = swrl_program(triples, triples.terms)
    assert str(found) == "[?a, a, <http://e.org/B>] :- [?a, a, <http://e.org/A>] ."
    assert found.name == "adults"


def test_variables_are_told_apart_and_rules_named():
    turtle = """<urn:a#x> a swrl:Variable . <urn:b#x> a swrl:Variable .
        :r a swrl:Imp ; swrl:body ( [ a swrl:IndividualPropertyAtom ; swrl:propertyPredicate :p ;
            swrl:argument1 <urn:a#x> ; swrl:argument2 <urn:b#x> ] ) ;
          swrl:head ( [ a swrl:IndividualPropertyAtom ; swrl:propertyPredicate :q ;
            swrl:argument1 _:v ; swrl:argument2 <urn:a#x> ] ) .
        _:v a swrl:Variable ."""
    with pytest.raises(UnsafeRuleError, match=r"\?v is used .*\n.* # the SWRL rule at <http://e"):
        read(turtle)
    (found,) = read(turtle.replace("_:v", "<urn:b#x>"))
    assert str(found) == "[?x2, <http://e.org/q>, ?x] :- [?x, <http://e.org/p>, ?x2] ."
    assert found.name == "http://e.org/r"


R = ":r a swrl:Imp ; "

# a graph, what is wrong, the node that is named
MALFORMED = [
    (R + f"swrl:head ( {A} ) .", "swrl:body is missing", "<http://e.org/r>"),
    (R + f"swrl:body ( {A} ) .", "swrl:head is missing", "<http://e.org/r>"),
    (R + f"swrl:body ( {A} ) , ( {A} ) ; swrl:head ( {A} ) .", "2 swrl:body", "<http://e.org/r>"),
    (R + f"swrl:body ( {A} ) ; swrl:head () , ( {A} ) .", "2 swrl:head", "<http://e.org/r>"),
    (rule(""), "a rule without a body is a fact; insert it as triples", "<http://e.org/r>"),
    (R + 'swrl:body "A(?x)" ; swrl:head () .', "a list stands here, not a literal", '"A(?x)"'),
    (
        R + f"swrl:body :l ; swrl:head () . :l rdf:first {A} .",
        "rdf:rest is missing",
        "<http://e.org/l>",
    ),
    (
        R + "swrl:body :l ; swrl:head () . :l rdf:rest () .",
        "rdf:first is missing",
        "<http://e.org/l>",
    ),
    (
        R + f"swrl:body :l ; swrl:head () . :l rdf:first {A}, {A} ; rdf:rest () .",
        "it has 2 rdf:first",
        "<http://e.org/l>",
    ),
    (
        R + f"swrl:body :l ; swrl:head () . :l rdf:first {A} ; rdf:rest () , :m .",
        "it has 2 rdf:rest",
        "<http://e.org/l>",
    ),
    (
        R + f"swrl:body :l ; swrl:head () . :l rdf:first {A} ; rdf:rest :l .",
        "this list runs in a circle",
        "<http://e.org/l>",
    ),
    (rule(":a"), "an atom has one of SWRL's atom types, this one has none", "<http://e.org/a>"),
    (
        rule(":a") + ":a a swrl:ClassAtom, swrl:BuiltinAtom .",
        "has swrl:ClassAtom and swrl:BuiltinAtom",
        "<http://e.org/a>",
    ),
    (
        rule(":a") + ":a a swrl:ClassAtom ; swrl:argument1 :b .",
        "swrl:classPredicate is missing",
        "<http://e.org/a>",
    ),
    (
        rule(":a") + ":a a swrl:ClassAtom ; swrl:classPredicate :B .",
        "swrl:argument1 is missing",
        "<http://e.org/a>",
    ),
    (
        rule(":a") + ":a a swrl:ClassAtom ; swrl:classPredicate :A, :B ; swrl:argument1 :b .",
        "2 swrl:classPredicate",
        "<http://e.org/a>",
    ),
    (
        rule(":a") + ":a a swrl:ClassAtom ; swrl:classPredicate :A ; swrl:argument1 :b, :c .",
        "2 swrl:argument1",
        "<http://e.org/a>",
    ),
    (rule(class_atom('"A"')), "a class stands here, not a literal", '"A"'),
    (
        rule(":a") + ":a a swrl:ClassAtom ; swrl:classPredicate xsd:int ; swrl:argument1 :b .",
        "a class stands here, not the datatype",
        "<http://e.org/a>",
    ),
    (
        rule(":a") + ':a a swrl:ClassAtom ; swrl:classPredicate :A ; swrl:argument1 "b" .',
        'swrl:argument1 is a variable or an individual here, not "b"',
        "<http://e.org/a>",
    ),
    (rule(class_atom(":A", "_:b")), "this blank node is no swrl:Variable; declare it one", "_:"),
    (
        rule(class_atom("_:c")) + "_:c a owl:Class .",
        "a class expression has one constructor, this one has none",
        "_:",
    ),
    (
        rule(class_atom("_:c")) + "_:c owl:unionOf ( :A ) ; owl:complementOf :B .",
        "this one has owl:unionOf and owl:complementOf",
        "_:",
    ),
    (
        rule(class_atom("_:c")) + "_:c owl:complementOf _:c .",
        "this class expression contains itself",
        "_:",
    ),
    (rule(class_atom("[ owl:someValuesFrom :A ]")), "owl:onProperty is missing", "_:"),
    (rule(class_atom(restriction("hasValue", "[]"))), "a rule cannot be about a blank node", "_:"),
    (rule(property_atom('"p"', "X", "Y")), "a property stands here, not a literal", '"p"'),
    (rule(property_atom("[]", "X", "Y")), "owl:inverseOf is missing", "_:"),
    (
        rule(property_atom("[ owl:inverseOf [] ]", "X", "Y")),
        "owl:inverseOf is a named property here",
        "_:",
    ),
    (
        rule(property_atom("[ owl:inverseOf :p ]", "X", "1", "Datavalued")),
        "a data property has no inverse",
        "_:",
    ),
    (
        rule(":a")
        + ":a a swrl:IndividualPropertyAtom ; swrl:propertyPredicate :p ; swrl:argument1 :b .",
        "swrl:argument2 is missing",
        "<http://e.org/a>",
    ),
    (
        rule(property_atom(":p", "X", '"a"')),
        'swrl:argument2 is a variable or an individual here, not "a"',
        "_:",
    ),
    (
        rule(property_atom(":p", '"a"', "X", "Datavalued")),
        'swrl:argument1 is a variable or an individual here, not "a"',
        "_:",
    ),
    (
        rule(property_atom(":p", "X", ":b", "Datavalued")),
        "swrl:argument2 is a variable or a literal here, not <http",
        "_:",
    ),
    (
        rule(A + pair("SameIndividual", "X", '"a"')),
        "swrl:argument2 is a variable or an individual",
        "_:",
    ),
    (
        rule(A + "[ a swrl:DifferentIndividualsAtom ; swrl:argument1 X ]"),
        "swrl:argument2 is missing",
        "_:",
    ),
    (rule(P + data_range('"int"')), "a data range stands here, not a literal", '"int"'),
    (
        rule(P + data_range("[ a rdfs:Datatype ]")),
        "this data range says nothing about its values",
        "_:",
    ),
    (
        rule(P + data_range(":D")) + ":D owl:equivalentClass :E . :E owl:equivalentClass :D .",
        "this data range contains itself",
        "<http://e.org/D>",
    ),
    (
        rule(P + data_range(":D")) + ":D owl:equivalentClass xsd:int, xsd:byte .",
        "it has 2 owl:equivalentClass",
        "<http://e.org/D>",
    ),
    (
        rule(P + data_range("[ owl:onDatatype xsd:int ]")),
        "owl:withRestrictions is missing",
        "_:",
    ),
    (
        rule(
            P
            + data_range(
                "[ owl:onDatatype xsd:int ; owl:withRestrictions ( [ xsd:minInclusive :b ] ) ]"
            )
        ),
        "the limit of a facet is a literal, not <http",
        "_:",
    ),
    (
        rule(P + data_range("[ owl:oneOf ( 1 :b ) ]")),
        "owl:oneOf of a data range holds literals, not <http",
        "_:",
    ),
    (rule(P + data_range("xsd:int", ":b")), "swrl:argument1 is a variable or a literal here", "_:"),
    # names of variables that are none
    (
        rule(P + data_range("xsd:int", ":b")),
        "not <http://e.org/b>; if that is a variable, declare it a swrl:Variable",
        "_:",
    ),
    (
        rule(property_atom(":p", "X", ":b", "Datavalued")),
        "not <http://e.org/b>; if that is a variable, declare it a swrl:Variable",
        "_:",
    ),
    (
        rule(P + builtin("swrlb:lessThan", "X", ":b")),
        "argument 2 of swrlb:lessThan is a variable or a literal, not <http://e.org/b>; if that is",
        "_:",
    ),
    (
        rule(property_atom(":p", "X", "<urn:swrl#age>")),
        "this is a variable's name, and no swrl:Variable; declare it one",
        "<urn:swrl#age>",
    ),
    (
        rule(class_atom(":A", "<urn:swrl:var#v>")),
        "this is a variable's name, and no swrl:Variable; declare it one",
        "<urn:swrl:var#v>",
    ),
    (rule(A + class_atom("rdfs:Literal", "Y")), "nothing binds ?y; add an atom with ?y", "_:"),
    (rule(P, class_atom("rdfs:Literal")), "a class stands here, not the datatype <http", "_:"),
    (
        rule(P + property_atom("owl:topDataProperty", '"a"', "Y", "Datavalued")),
        'swrl:argument1 is a variable or an individual here, not "a"',
        "_:",
    ),
    (rule(A + data_range("xsd:int")), "nothing binds ?y; add an atom with ?y", "_:"),
    (rule(A + "[ a swrl:BuiltinAtom ; swrl:arguments ( X ) ]"), "swrl:builtin is missing", "_:"),
    (
        rule(A + "[ a swrl:BuiltinAtom ; swrl:builtin swrlb:abs ]"),
        "swrl:arguments is missing",
        "_:",
    ),
    (rule(A + builtin('"add"', "X")), 'swrl:builtin is an IRI, not "add"', "_:"),
    (rule(A + builtin("swrlb:lessThan", "X")), "swrlb:lessThan takes 2 arguments, not 1", "_:"),
    (
        rule(A + builtin("swrlb:lessThan", "X", "Y")),
        "?y, argument 2 of swrlb:lessThan, is unbound; none of its",
        "_:",
    ),
    (
        rule(A + builtin("swrlb:sublist", "X", "1")),
        "an individual stands here, not the literal",
        "_:",
    ),
    (
        rule(property_atom("rdf:rest", "X", "Y") + builtin("swrlb:listConcat", "X", "Y", "Y")),
        "only atoms about lists say which list ?y is",
        "<http://e.org/r>",
    ),
    (
        rule(A + builtin("swrlb:mod", "X", "1", "Y")),
        "?y, argument 3 of swrlb:mod, is unbound; only the first",
        "_:",
    ),
]


@pytest.mark.parametrize(("turtle", "reason", "node"), MALFORMED)
def test_malformed(turtle, reason, node):
    turtle = turtle.replace(" X ", " <urn:swrl#x> ").replace(" Y ", " <urn:swrl#y> ")
    with pytest.raises(RuleError) as raised:
        read(turtle)
    message = str(raised.value)
    assert message.startswith("SWRL rule <http://e.org/r>: ")
    assert reason in message
    assert node in message
    assert "\n" not in message


UNSUPPORTED = [
    (rule(A + builtin("swrlb:nope", "X")), "the built-in swrlb:nope"),
    (rule(A + builtin(":f", "X")), "the built-in <http://e.org/f>"),
    (rule(class_atom(restriction("maxCardinality", "1"))), "owl:maxCardinality in a SWRL rule"),
    (rule(class_atom(restriction("hasSelf", "false"))), "owl:hasSelf in a SWRL rule"),
    (rule(class_atom("[ owl:oneOf ( :a ) ]")), "owl:oneOf in a SWRL rule"),
    (rule(class_atom(restriction("allValuesFrom", ":B"))), "owl:allValuesFrom in the body"),
    (rule(class_atom("[ owl:complementOf :B ]")), "owl:complementOf in the body"),
    (rule(A, class_atom(restriction("someValuesFrom", ":B"))), "owl:someValuesFrom in the head"),
    (rule(A, class_atom("[ owl:unionOf ( :B :C ) ]")), "owl:unionOf in the head"),
    (rule(A, builtin("swrlb:add", "1", "1", "1")), "a built-in in the head"),
    (rule(A, data_range("xsd:int", "1")), "a data range in the head"),
    (rule(P + data_range("xsd:ENTITY")), "the datatype <http://www.w3.org/2001/XMLSchema#ENT"),
    (rule(P + data_range(":D")), "the datatype <http://e.org/D>"),
    (
        rule(P + data_range("[ owl:datatypeComplementOf xsd:int ]")),
        "owl:datatypeComplementOf in a SWRL rule",
    ),
    (
        rule(P + data_range("[ owl:onDatatype xsd:int ; owl:withRestrictions ( [ :min 1 ] ) ]")),
        "a restriction without a facet that is known",
    ),
    (
        rule(class_atom(restriction("someValuesFrom", "xsd:NOTATION"))),
        "the datatype <http://www.w3.org/2001/XMLSchema#NOTATION>",
    ),
    (
        rule(P, property_atom("owl:topObjectProperty", "X", "Y")),
        "the property owl:topObjectProperty in a SWRL rule",
    ),
    (
        rule(P + property_atom("owl:bottomObjectProperty", "X", "Y")),
        "the property owl:bottomObjectProperty in a SWRL rule",
    ),
]


@pytest.mark.parametrize(("turtle", "construct"), UNSUPPORTED)
def test_unsupported_constructs_are_named(turtle, construct):
    with pytest.raises(UnsupportedError) as raised:
        read(turtle.replace(" X ", " <urn:swrl#x> ").replace(" Y ", " <urn:swrl#y> "))
    assert raised.value.construct.startswith(construct)
    assert raised.value.node.startswith("_:")
