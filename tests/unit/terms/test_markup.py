"""XML content of one value, of different values, and of none."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from rdfinc.terms.builtins import is_ill_typed, value_spelling
from rdfinc.terms.builtins.markup import read_markup
from rdfinc.terms.builtins.values import key_of, value_of
from rdfinc.terms.grammar import escape

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def markup(text: str) -> bytes:
    return f'"{escape(text)}"^^<{RDF}XMLLiteral>'.encode()


ALIKE = [
    ["", "<![CDATA[]]>"],
    ["a&lt;b", "a&#60;b", "a<![CDATA[<]]>b"],
    ["<a/>", "<a></a>", "<a ></a>", '<a xmlns:p="urn:p#"/>'],
    ['<a b="1" c="2"/>', "<a c='2'   b='1'/>"],
    ['<p:a xmlns:p="urn:p#"/>', '<p:a xmlns:q="urn:q#" xmlns:p="urn:p#"></p:a>'],
    ['<q:a xmlns:q="urn:p#"/>'],
    ['<a xmlns="urn:p#"><b/></a>', '<a xmlns="urn:p#"><b xmlns="urn:p#"/></a>'],
    ['<a xmlns="urn:p#"><b xmlns=""/></a>'],
    ["<a/><!-- b -->"],
    ["<a/><?b c?>", "<a/><?b   c?>"],
    ["<a> </a>"],
    ["a\nb", "a\r\nb"],
    ["a&#13;\nb"],
]


def test_values_are_told_apart():
    groups = [{value_spelling(markup(text)) for text in alike} for alike in ALIKE]
    assert [len(group) for group in groups] == [1] * len(ALIKE)
    assert len(set().union(*groups)) == len(ALIKE)


def test_the_canonical_form_has_the_value():
    for text in (text for alike in ALIKE for text in alike):
        value = value_of(markup(text))
        assert value_of(key_of(value)) == value and key_of(value) == value_spelling(markup(text))


@pytest.mark.parametrize(
    "text",
    [
        "<a>", "</a>", "a < b", "&b;", "a\x01", "<p:a/>", "<a b='1' b='2'/>", "</x><x>",
        "</x><!-- ", "<!DOCTYPE a><a/>", '<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>',
        '<?xml version="1.0"?><a/>',
    ],
)  # fmt: skip
def test_no_balanced_content(text):
    assert read_markup(text) is None and is_ill_typed(markup(text))


def test_long_text_is_looked_at():
    assert is_ill_typed(markup("<a>" + "b" * 1000))


def test_each_piece_is_written_once_however_deep_it_lies():
    deep = read_markup("<a>" * 100_000 + "</a>" * 100_000)
    assert deep is not None and len(deep.text) == 700_000


def random_content(rnd: random.Random, depth: int = 0) -> str:
    parts = [" ", "a&amp;&gt;", "\r\n", "&#13;", "&#9;", "<!--c-->", "<?d e?>", "<![CDATA[<&]]>"]
    if depth < 4:
        parts += [random_element(rnd, depth) for _ in range(3)]
    return "".join(rnd.choices(parts, k=rnd.randint(0, 4)))


def random_element(rnd: random.Random, depth: int) -> str:
    name = rnd.choice(["a", "b", "p:a", "q:a"])
    possible = ['xmlns:p="urn:1"', 'xmlns:p="urn:2"', 'xmlns:q="urn:3"']
    possible += ['xmlns="urn:4"', 'b="&quot;&#10;&lt;>"', "a='&#9;\n1'", 'p:c="1"', 'q:c=""']
    possible += ['xml:lang="en"']
    attributes = " ".join(rnd.sample(possible, rnd.randint(0, 5)))
    return f"<{name} {attributes}>{random_content(rnd, depth + 1)}</{name}>"


def test_the_form_is_that_of_the_standard_library():
    """Which takes any prefix of a namespace for the other, and an attribute without prefix for one
    of the default namespace: here each has one prefix, and there is no default to leave."""
    rnd, known = random.Random(7), 0
    for _ in range(3000):
        text = random_content(rnd)
        try:
            form = ElementTree.canonicalize(f"<x>{text}</x>", with_comments=True)
        except ElementTree.ParseError:
            assert read_markup(text) is None, text
            continue
        known += len(text) > 50
        value = read_markup(text)
        assert value is not None and f"<x>{value.text}</x>" == form, text
    assert known > 50
