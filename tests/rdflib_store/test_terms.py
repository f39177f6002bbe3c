"""Terms go in and come out as RDF 1.1 identifies them."""

from __future__ import annotations

import pytest
from rdflib import XSD, BNode, Graph, Literal, URIRef
from rdflib.term import XSDToPython
from rdflib_store.names import EX, KNOWS, TOM

from rdfinc.terms.rdflib_terms import to_rdflib

KEPT = [
    URIRef("http://example.org/a b<>"),
    URIRef(""),
    URIRef("http://example.org/ü"),
    BNode("b1"),
    BNode("odd label"),
    Literal(""),
    Literal('quo"te \\ back\nline\ttab\r'),
    Literal("ü\u2028\U0001f600"),
    Literal("chat", lang="fr"),
    Literal(1),
    Literal("01", datatype=XSD.integer, normalize=False),
    Literal("abc", datatype=XSD.integer),
    Literal("  a  b ", datatype=XSD.token, normalize=False),
    Literal("1.50", datatype=XSD.decimal, normalize=False),
    Literal("<a>x</a>", datatype=URIRef("http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral")),
    Literal("x", datatype=EX.type),
]


@pytest.mark.parametrize("term", KEPT, ids=repr)
@pytest.mark.filterwarnings("ignore")
def test_kept(plain: Graph, term) -> None:
    plain.add((TOM, KNOWS, term))
    (found,) = plain.objects(TOM, KNOWS)
    assert (found, type(found), str(found)) == (term, type(term), str(term))
    assert set(plain.subjects(KNOWS, term)) == {TOM}
    plain.remove((None, None, term))
    assert len(plain) == 0


FORMS = ["7", "-07", "1.50", "1e3", "-INF", "NaN", "", " 7 ", "2001-02-03", "2001-02-30"]
FORMS += [
    "01:02:03",
    "2001-02-03T04:05:06.7Z",
    "-0001-01-01",
    "P1D",
    "true",
    "1",
    "ü",
    "99999999999999999999",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("datatype", [iri for iri in XSDToPython if iri in XSD], ids=str)
def test_literals_are_those_that_the_constructor_makes(datatype) -> None:
    for text in FORMS if datatype != XSD.string else []:
        found = to_rdflib(f'"{text}"^^<{datatype}>'.encode())
        made = Literal(text, datatype=datatype, normalize=False)
        assert (str(found), found.datatype, found.language) == (text, datatype, None)
        assert (repr(found.value), found.ill_typed) == (repr(made.value), made.ill_typed)


def test_lexical_forms_differ(plain: Graph) -> None:
    forms = [Literal(text, datatype=XSD.integer, normalize=False) for text in ("1", "01", "+1")]
    for form in forms:
        plain.add((TOM, KNOWS, form))
    assert sorted(map(str, plain.objects(TOM))) == ["+1", "01", "1"]


def test_a_string_and_a_plain_literal_are_one_term(plain: Graph) -> None:
    plain.add((TOM, KNOWS, Literal("a"))).add((TOM, KNOWS, Literal("a", datatype=XSD.string)))
    assert list(plain.objects()) == [Literal("a")]
    plain.remove((TOM, KNOWS, Literal("a", datatype=XSD.string)))
    assert len(plain) == 0


def test_a_term_added_in_one_form_is_removed_in_another_before_maintenance(plain: Graph) -> None:
    plain.add((TOM, KNOWS, Literal("a"))).remove((TOM, KNOWS, Literal("a", datatype=XSD.string)))
    assert len(plain) == 0


def test_language_tags_are_lower_case(plain: Graph) -> None:
    plain.add((TOM, KNOWS, Literal("a", lang="en-GB"))).add(
        (TOM, KNOWS, Literal("a", lang="EN-gb"))
    )
    assert [literal.language for literal in plain.objects()] == ["en-gb"]


def test_the_same_object_comes_out_each_time(plain: Graph) -> None:
    plain.add((TOM, KNOWS, Literal("a")))
    assert next(plain.objects()) is next(plain.objects())


def test_parsing_and_loading_give_one_graph(plain: Graph) -> None:
    text = f'<{TOM}> <{KNOWS}> "01"^^<{XSD.integer}>, "a"@EN, "b" .'
    plain.parse(data=text, format="turtle")
    before = set(plain)
    plain.store.kb.load(text.encode(), format="turtle")
    assert set(plain) == before
    assert len(before) == 3
