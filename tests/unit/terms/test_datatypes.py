"""Values and the datatypes whose value space they belong to."""

import pytest

from rdfinc.datalog.syntax.rule_text import parse_expression
from rdfinc.terms.builtins import DATATYPES
from rdfinc.terms.expressions.expression import holds

# datatype, its values, others
MEMBERS = [
    ("xsd:integer", ["5", '"5"^^xsd:byte', "5.0", '"-7"^^xsd:decimal'], ["5.5", "5e0", '"5"']),
    ("xsd:byte", ["127", '"-128"^^xsd:long'], ["128", '"300"^^xsd:byte', "true"]),
    ("xsd:int", ["2147483647"], ["2147483648", "<urn:x>"]),
    ("xsd:positiveInteger", ["1", "99999999999999999999"], ["0", "-1"]),
    ("xsd:decimal", ["5", "5.5"], ["5e0", '"5"^^xsd:float', '"x"^^xsd:decimal']),
    ("xsd:float", ['"1"^^xsd:float', '"NaN"^^xsd:float'], ["1e0", "1.0"]),
    ("xsd:double", ["1e0", '"INF"^^xsd:double'], ['"1"^^xsd:float', "1"]),
    ("xsd:boolean", ["true", '"0"^^xsd:boolean'], ["0", '"yes"^^xsd:boolean']),
    ("xsd:string", ['"a"', '"a"^^xsd:token'], ['"a"@en', "1", '"a"^^xsd:anyURI']),
    ("xsd:normalizedString", ['" a  b"'], [r'"a\nb"']),
    ("xsd:token", ['"a b"', '""'], ['" a"', '"a  b"']),
    ("xsd:language", ['"de-AT"'], ['"de_AT"']),
    ("xsd:anyURI", ['"a"^^xsd:anyURI'], ['"a"', "<urn:a>"]),
    ("xsd:dateTime", ['"2000-01-01T00:00:00"^^xsd:dateTime'], ['"2000-01-01"^^xsd:date']),
    (
        "xsd:dateTimeStamp",
        ['"2000-01-01T00:00:00Z"^^xsd:dateTime'],
        ['"2000-01-01T00:00:00"^^xsd:dateTime', '"2000-01-01T00:00:00"^^xsd:dateTimeStamp'],
    ),
    ("xsd:date", ['"2000-02-29"^^xsd:date'], ['"2001-02-29"^^xsd:date', '"2000-02-29"']),
    ("xsd:time", ['"24:00:00"^^xsd:time'], ['"24:00:01"^^xsd:time']),
    ("xsd:gYear", ['"2000"^^xsd:gYear'], ['"20"^^xsd:gYear']),
    (
        "xsd:duration",
        ['"P1Y1D"^^xsd:duration', '"P1Y"^^xsd:yearMonthDuration'],
        ['"P"^^xsd:duration'],
    ),
    ("xsd:yearMonthDuration", ['"P1Y"^^xsd:duration'], ['"P1D"^^xsd:duration']),
    ("xsd:dayTimeDuration", ['"P1D"^^xsd:duration'], ['"P1M"^^xsd:duration']),
    ("xsd:hexBinary", ['"0A"^^xsd:hexBinary'], ['"0"^^xsd:hexBinary', '"QQ=="^^xsd:base64Binary']),
    ("xsd:base64Binary", ['"Q Q=="^^xsd:base64Binary'], ['"Q"^^xsd:base64Binary']),
    ("xsd:Name", ['"a:b"', '"é"'], ['"1a"', '"a b"', '""']),
    ("xsd:NCName", ['"a.b"'], ['"a:b"']),
    ("xsd:NMTOKEN", ['"1a"', '"-"'], ['"a b"', '""']),
    ("rdf:XMLLiteral", ['"<a/>"^^rdf:XMLLiteral'], ['"<a>"^^rdf:XMLLiteral', '"<a/>"']),
    ("rdf:langString", ['"a"@en', '"a@en"^^rdf:PlainLiteral'], ['"a"', '"a@"^^rdf:PlainLiteral']),
    (
        "rdf:PlainLiteral",
        ['"a"@en', '"a"', '"a@en"^^rdf:PlainLiteral'],
        ["1", '"a"^^rdf:PlainLiteral'],
    ),
    ("rdfs:Literal", ["1", '"x"^^<urn:d>', '"x"^^xsd:int'], ["<urn:x>"]),
    ("owl:real", ["1.5", "1"], ["1e0"]),
    ("<urn:no-datatype>", [], ["1", '"x"^^<urn:no-datatype>']),
]


@pytest.mark.parametrize(("datatype", "members", "others"), MEMBERS)
def test_membership(datatype, members, others):
    def within(term: str) -> bool:
        return holds(parse_expression(f"<urn:rdfinc:inDatatype>({term}, {datatype})"), [()])[0]

    assert [term for term in members if not within(term)] == []
    assert [term for term in others if within(term)] == []


def test_blank_nodes_are_values_of_no_datatype():
    expression = parse_expression("<urn:rdfinc:inDatatype>(?x, rdfs:Literal)")
    assert holds(expression, [(b"_:b",), (b'"b"',)]) == [False, True]


@pytest.mark.parametrize("datatype", sorted(DATATYPES))
def test_every_datatype_refuses_iris(datatype):
    assert not holds(parse_expression(f"<urn:rdfinc:inDatatype>(<urn:x>, {datatype})"), [()])[0]
