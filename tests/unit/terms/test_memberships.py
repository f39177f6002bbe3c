"""Datatypes of terms by ids, beside the functions that rules call."""

from itertools import product

import numpy as np

from rdfinc.terms.builtins import DATATYPES, FUNCTIONS, IN_DATATYPE, OUTSIDE_DATATYPE
from rdfinc.terms.builtins.memberships import Memberships
from rdfinc.terms.dictionary import Dictionary

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
WRITTEN = ("5", "-5", "300", "5.0", "5.5", "1E3", "true", "a b", " a", "en", "P1Y", "P1D", "x:y")
MOMENTS = ("2020-01-01", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00", "2020", "12:00:00")
NAMED = [iri for iri in DATATYPES if XSD in iri]
LITERALS = [
    *(f'"{text}"^^{datatype}' for text, datatype in product((*WRITTEN, *MOMENTS), NAMED)),
    '"abc"', '"abc"@en', f'"abc@en"^^<{RDF}PlainLiteral>', f'"<a/>"^^<{RDF}XMLLiteral>',
    f'"<a"^^<{RDF}XMLLiteral>', '"x"^^<urn:unknown>',
]  # fmt: skip
OTHERS = ["<urn:a>", "_:b", f"<{XSD}integer>"]


def test_columns_are_as_the_functions_one_by_one() -> None:
    dictionary = Dictionary()
    terms = [(dictionary.encode(term.encode()), term.encode()) for term in (*LITERALS, *OTHERS)]
    types = [(dictionary.encode(iri.encode()), iri.encode()) for iri in (*DATATYPES, "<urn:a>")]
    rows = list(product(terms, types))
    columns = [np.array([row[at][0] for row in rows], np.uint32) for at in (0, 1)]
    members = Memberships(dictionary)
    for test, name in ((members.inside, IN_DATATYPE), (members.outside, OUTSIDE_DATATYPE)):
        expected = [FUNCTIONS[name].holds((term, type_)) for (_, term), (_, type_) in rows]
        assert any(expected)
        assert test(*columns).tolist() == expected


def test_an_id_that_is_given_again_is_looked_at_again() -> None:
    dictionary = Dictionary()
    five, string = (dictionary.encode(t) for t in (b'"5"', f"<{XSD}string>".encode()))
    members, columns = Memberships(dictionary), [np.array([id], np.uint32) for id in (five, string)]
    assert members.inside(*columns).tolist() == [True]
    kept = np.ones(dictionary.bound, np.bool_)
    kept[five] = False
    dictionary.sweep(kept)
    members.forget(dictionary.sweep(kept))
    assert dictionary.encode(b"<urn:new>") == five
    assert members.inside(*columns).tolist() == [False]
