"""Keys <-> rdflib terms, without loss."""

from __future__ import annotations

import logging
import pickle

import pytest
import rdflib
from hypothesis import given
from rdflib.namespace import XSD
from unit.terms.term_strategies import key, terms

from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.rdflib_terms import Decoder, from_rdflib, to_rdflib

pytestmark = pytest.mark.filterwarnings("ignore")


@given(terms)
def test_every_key_comes_back(term) -> None:
    assert from_rdflib(to_rdflib(key(term))) == key(term)


@given(terms)
def test_the_term_is_what_rdflib_itself_would_make(term) -> None:
    made = to_rdflib(key(term))
    if isinstance(made, rdflib.Literal):
        again = rdflib.Literal(str(made), made.language, made.datatype, normalize=False)
        assert (made.value, made.ill_typed) == (again.value, again.ill_typed)
        if made.datatype not in (XSD.token, XSD.normalizedString):
            assert made == again
            assert hash(made) == hash(again)
    else:
        assert type(made)(str(made)) == made


@pytest.mark.parametrize(
    "term",
    [
        rdflib.URIRef("has space"),
        rdflib.URIRef("<odd>"),
        rdflib.URIRef("line\nbreak\\"),
        rdflib.URIRef(""),
        rdflib.BNode("a label"),
        rdflib.Literal("  a  b ", datatype=XSD.integer),
        rdflib.Literal("x", datatype=rdflib.URIRef("no iri")),
    ],
)
def test_terms_that_only_rdflib_tolerates_come_back(term: rdflib.term.Node) -> None:
    assert to_rdflib(from_rdflib(term)) == term


@pytest.mark.parametrize("datatype", [XSD.token, XSD.normalizedString, XSD.integer, XSD.dateTime])
def test_lexical_forms_stay(datatype: rdflib.URIRef) -> None:
    term = to_rdflib(b'"  01  2 "^^<%b>' % datatype.encode())
    assert str(term) == "  01  2 "
    assert term.datatype == datatype


def test_values() -> None:
    number = to_rdflib(b'"01"^^<http://www.w3.org/2001/XMLSchema#integer>')
    assert (str(number), number.value, number.ill_typed) == ("01", 1, False)
    text = to_rdflib(b'"a"@en')
    assert (text.value, text.language, text.datatype) == ("a", "en", None)


def test_odd_iris_make_no_noise(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        to_rdflib(b"<has space>")
    assert not caplog.records


def test_the_terms_can_be_pickled() -> None:
    for key_ in (b"<a:b>", b"_:b", b'"a"@en', b'"1"^^<http://www.w3.org/2001/XMLSchema#integer>'):
        term = to_rdflib(key_)
        assert pickle.loads(pickle.dumps(term)) == term


def test_the_same_object_for_the_same_id() -> None:
    dictionary = Dictionary()
    ids = dictionary.encode_many([b"<a:b>", b'"x"', b"_:b"]).tolist()
    decoder = Decoder(dictionary)
    first, second = list(decoder.terms(ids)), [decoder[id] for id in ids]
    assert first == [rdflib.URIRef("a:b"), rdflib.Literal("x"), rdflib.BNode("b")]
    assert all(a is b for a, b in zip(first, second, strict=True))


def test_hidden_terms_are_never_decoded() -> None:
    dictionary = Dictionary()
    auxiliary = dictionary.auxiliary("secret")
    with pytest.raises(AssertionError):
        Decoder(dictionary)[auxiliary]
