"""One N-Triples term -> its key, compared with pyoxigraph's own canonical form."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from unit.terms.term_strategies import CHARACTERS, key, terms, texts

from rdfinc.errors import TermError, UnsupportedError
from rdfinc.terms.canonical_terms import canonical
from rdfinc.terms.grammar import SAFE, escape, literal_parts, unescape


@given(terms)
def test_a_canonical_term_is_its_own_key(term) -> None:
    assert canonical(str(term)) == key(term)


@given(texts)
@example("".join(map(chr, [*range(0x20), 0x22, 0x5C, 0x7F, 0x85, 0xFFFE, 0xFFFF, 0x10FFFF])))
def test_literals_are_escaped_as_pyoxigraph_does(text: str) -> None:
    assert f'"{escape(text)}"' == str(ox.Literal(text))
    assert unescape(escape(text)) == text
    assert literal_parts(key(ox.Literal(text))) == (text, None, None)


@given(texts, st.sampled_from(["", '"@en', '"^^<a:b>']))
def test_literal_parts_of_texts_that_look_like_suffixes(text: str, tail: str) -> None:
    literal = ox.Literal(text + tail, language="en")
    assert literal_parts(key(literal)) == (text + tail, "en", None)
    literal = ox.Literal(text + tail, datatype=ox.NamedNode("a:b"))
    assert literal_parts(key(literal)) == (text + tail, None, "a:b")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('"a"^^<http://www.w3.org/2001/XMLSchema#string>', b'"a"'),
        ('"a"@EN-gb', b'"a"@en-gb'),
        ('"01"^^<http://www.w3.org/2001/XMLSchema#integer>',) * 2,
        (r'"\u0041\U0001F600\'\t"', '"A😀\'\\t"'.encode()),
        ('"tab\there"', b'"tab\\there"'),
        (r"<http://e.org/\u0041>", b"<http://e.org/A>"),
        ("<http://h:80/%41>", b"<http://h:80/%41>"),
        ("_:a.b-c", b"_:a.b-c"),
    ],
)
def test_other_ways_to_write_a_term(written: str, expected: bytes | str) -> None:
    assert canonical(written) == (expected.encode() if isinstance(expected, str) else expected)


NO_IRIS = ["http://e.org/", "<a b>", "<rel>", "<a:b", "a:b>", "<a:b> ", "<a:b> .", "<a:b>#x"]
NO_IRIS += [r"<a:\u0020b>", "<a:b%zz>", "<a:b#c#d>", "ex:a", "<a:b> . <a:b> <a:b> <a:b>"]
NO_LITERALS = ['"a', "a", "5", '"a"@', '"a"@e_n', '"a"@toolonglanguage', '"a" @en', '"a"^^<rel>']
NO_LITERALS += ['"a"^^a:b', '"a"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>']
NO_LITERALS += [r'"\q"', r'"\ud800"', '"a\nb"', '"a" "b"', '"a". #"']
NO_BLANKS = ["", " ", "?x", "_:", "_:a b", "_:a.", "_:-a", "_:a#b", "_:a <a:b>"]


@pytest.mark.parametrize("text", NO_IRIS + NO_LITERALS + NO_BLANKS)
def test_things_that_are_no_term_are_refused(text: str) -> None:
    with pytest.raises(TermError, match=r"no N-Triples term|no blank node"):
        canonical(text)


def test_the_message_helps() -> None:
    with pytest.raises(TermError, match=r"an IRI is written <http://e\.org/a>"):
        canonical("http://e.org/a")


@pytest.mark.parametrize("text", ["<<( <a:b> <a:b> <a:b> )>>", '"a"@en--ltr', '"a"@en-gb--rtl'])
def test_terms_of_rdf_1_2(text: str) -> None:
    with pytest.raises(UnsupportedError, match=r"RDF 1\.2"):
        canonical(text)


def test_surrogates() -> None:
    with pytest.raises(TermError, match="surrogate"):
        canonical('"\ud800"')


SOUP = st.text(st.sampled_from('<>":/#?@^\\[]%_.-~a1 é') | CHARACTERS, max_size=12)


@given(st.builds("{}{}".format, st.sampled_from(["<a:", "<http://h", '"', '"a"@', "_:", ""]), SOUP))
@example("<http://h[/>")
@example("<a:///b>")
@example("<http://>")
@example("<http://h:8a>")
@example('"a"^^<a:>')
def test_terms_of_the_fast_pattern_are_accepted_by_the_parser_unchanged(text: str) -> None:
    for candidate in (text, text + ">", text + '"'):
        if candidate.isascii() and SAFE.fullmatch(candidate.encode()):
            line = f"<x:s> <x:p> {candidate} ."
            (quad,) = ox.parse(line, format=ox.RdfFormat.N_TRIPLES)
            assert str(quad.object) == candidate
