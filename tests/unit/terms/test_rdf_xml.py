"""RDF/XML that the fast parser misreads is read as rdflib reads it, or refused by its grammar."""

from __future__ import annotations

import io
import random

import pytest
import rdflib
from rdflib.compare import isomorphic

from rdfinc import DataSyntaxError
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.reading import read
from rdfinc.terms.io.xml import xml_care
from rdfinc.terms.io.xml.xml_care import needs_care
from rdfinc.terms.rdflib_terms import to_rdflib

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
ROOT = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:e="http://e/">'
BASE = "http://b/"


def document(content: str, root: str = ROOT) -> str:
    """One that says something of one thing, from its second line on."""
    return f'{root}\n<rdf:Description rdf:about="http://e/s">{content}</rdf:Description></rdf:RDF>'


def ours(text: str, *, strict: bool = True) -> rdflib.Graph:
    dictionary = Dictionary()
    loaded = read(text.encode(), dictionary, format="xml", base=BASE, strict=strict)
    graph = rdflib.Graph()
    for s, p, o in zip(*loaded.columns()[:3].tolist(), strict=True):
        graph.add(tuple(to_rdflib(dictionary.decode(id)) for id in (s, p, o)))
    return graph


def theirs(text: str) -> rdflib.Graph:
    return rdflib.Graph().parse(data=text, format="xml", publicID=BASE)


MISREAD = {
    "a comment in a text": "<e:p>a<!-- c -->b</e:p>",
    "a comment before a text": "<e:p><!-- c -->b</e:p>",
    "a comment behind a text": "<e:p>10 <!-- c --> </e:p>",
    "comments in a number": "<e:p>1<!-- c --><!-- d -->0<!-- e --></e:p>",
    "a comment among spaces": "<e:p> <!-- c --> </e:p>",
    "an instruction in a text": "<e:p>a<?pi x?>b</e:p>",
    "CDATA in a text": "<e:p>a<![CDATA[<b>&]]>c</e:p>",
    "CDATA": "<e:p><![CDATA[ b ]]></e:p>",
    "a comment in a typed text": '<e:p rdf:datatype="http://e/d">a<!-- c -->b</e:p>',
    "no language": '<e:p xml:lang="">x</e:p>',
    "no language of an attribute": "<e:p xml:lang='' e:q=\"v\"/>",
    "resource": '<e:p resource="http://e/o"/>',
    "ID": '<e:p ID="i">x</e:p>',
    "about": '<e:p><rdf:Description about="http://e/o"/></e:p>',
    "about on a line of its own": '<e:p><rdf:Description\nabout="http://e/o"/></e:p>',
    "about with spaces": "<e:p><e:C about = 'http://e/o'/></e:p>",
    "parseType Resource": '<e:p parseType="Resource"><e:q>v</e:q></e:p>',
    "parseType Collection": '<e:p parseType="Collection"><e:C/><e:D/></e:p>',
    "parseType Literal": '<e:p parseType="Literal">v</e:p>',
    "type of a node": '<e:p><e:C type="http://e/T" e:q="v"/></e:p>',
    "type of an object": '<e:p rdf:type="http://e/T"/>',
    "type of an object with a name": '<e:p rdf:ID="i" rdf:type="http://e/T"></e:p>',
    "type of an object without namespace": '<e:p type="http://e/T"/>',
    "type of an object in a language": '<e:p xml:lang="en" rdf:type="http://e/T"/>',
    "type and resource": '<e:p rdf:type="http://e/T" rdf:resource="http://e/o"/>',
    "type and another property": '<e:p rdf:type="http://e/T" e:q="v"/>',
    "type within a collection": (
        '<e:p rdf:parseType="Collection"><e:C><e:q rdf:type="http://e/T"/></e:C></e:p>'
    ),
    "type within a resource": (
        '<e:p rdf:parseType="Resource"><e:q rdf:type="http://e/T"/><e:q>a</e:q></e:p>'
    ),
    "a line break in a value": '<e:p e:q="a\n\tb"/>',
    "a line break behind > in a value": "<e:p e:q='a>\nb'/>",
    "a carriage return in a value": '<e:p e:q="a\r\nb"/>',
    "a prefix that is taken": '<e:p xmlns:rdf_="http://e/" resource="http://e/o" rdf_:q="v"/>',
}


@pytest.mark.parametrize("case", MISREAD)
def test_what_the_fast_parser_misreads(case: str) -> None:
    text = document(MISREAD[case])
    assert isomorphic(ours(text), theirs(text))


def test_a_type_of_an_object_is_relative_to_the_base() -> None:
    """rdflib leaves it as it is."""
    found = ours(document('<e:p xml:base="http://c/" rdf:type="T"/>'))
    assert set(found.objects(None, rdflib.RDF.type)) == {rdflib.URIRef("http://c/T")}


def test_texts_are_not_cut_if_reading_is_not_strict() -> None:
    (found,) = ours(document("<e:p>10<!-- c -->000</e:p>"), strict=False).objects()
    assert str(found) == "10000"


def test_nodes_at_the_root() -> None:
    text = f'<e:C xmlns:rdf="{RDF}" xmlns:e="http://e/" about="http://e/s"><e:p type="x:T"/></e:C>'
    assert isomorphic(ours(text), theirs(text))


FORBIDDEN = {
    '<e:p rdf:parseType="Literal" rdf:resource="http://e/o"/>': "beside other attributes",
    '<e:p rdf:parseType="Resource" rdf:resource="http://e/o"/>': "beside other attributes",
    '<e:p rdf:resource="http://e/o" rdf:parseType="Collection"/>': "beside other attributes",
    '<e:p rdf:parseType="Resource" e:q="v"/>': "beside other attributes",
    '<e:p rdf:bagID="x">x</e:p>': "bagID",
    '<e:p><e:C rdf:bagID="x"/></e:p>': "bagID",
    '<e:p><e:C rdf:parseType="Literal"/></e:p>': "of a node",
    '<e:p rdf:datatype="http://e/d"><e:C/></e:p>': "within a text",
    '<e:p rdf:datatype="http://e/d">\n  <e:C/></e:p>': "within a text",
    '<e:p rdf:type="http://e/T"><e:C/></e:p>': "within a property with attributes",
    '<e:p rdf:parseType="Resource" xml:lang="en"><e:q xml:lang="">x</e:q></e:p>': "xml:lang",
}


@pytest.mark.parametrize("content", FORBIDDEN)
def test_what_the_grammar_forbids(content: str) -> None:
    with pytest.raises(DataSyntaxError) as caught:
        ours(document("\n" + content))
    assert caught.value.line == 3 + content.count("\n")
    assert FORBIDDEN[content] in caught.value.reason


ODD_ENCODINGS = ["MacArabic", "x-nonsense", "utf-7", "utf-32", "idna", "punycode", "undefined"]
ODD_ENCODINGS += ["unicode_escape", "raw_unicode_escape", "rot13", "hz", "iso2022_jp", "shift_jis"]


@pytest.mark.parametrize("name", ODD_ENCODINGS)
@pytest.mark.parametrize("strict", [True, False])
def test_encodings_that_are_not_read(name: str, strict: bool) -> None:
    text = f'<?xml version="1.0" encoding="{name}"?>' + document("<e:p>x</e:p>")
    if strict:
        with pytest.raises(DataSyntaxError, match=f"line 1.*{name}.*convert .* to UTF-8"):
            ours(text)
        return
    loaded = read(text.encode(), Dictionary(), format="xml", base=BASE, strict=False)
    assert (len(loaded), loaded.skipped.count) == (0, 1)


@pytest.mark.parametrize("name", ["latin1", "ISO-8859-1", "windows-1252", "koi8-r", "us-ascii"])
def test_encodings_with_a_byte_a_character(name: str) -> None:
    letter = {"koi8-r": "ж", "us-ascii": "z"}.get(name, "é")
    text = f'<?xml version="1.0" encoding="{name}"?>' + document(f"<e:p>{letter}</e:p>")
    dictionary = Dictionary()
    loaded = read(text.encode(name), dictionary, format="xml", base=BASE)
    assert dictionary.decode_many(loaded.columns()[2]) == [f'"{letter}"'.encode()]


PLAIN = [
    "<!-- a --> <!-- b\n --><e:p>a\n= b</e:p>\n<!-- about = c -->\n\n",
    "<?pi x?>\n<e:p rdf:parseType='Resource'>\n<e:q>x about y, type=z</e:q></e:p>",
    '<e:p rdf:datatype="http://e/d"\n  rdf:ID="a">a="b"</e:p>\n',
    '<e:p xml:lang="en"\n\trdf:ID="b">""</e:p>',
    '<e:p\n  rdf:parseType="Collection"><e:C/><!-- c --></e:p>',
    '<rdf:type rdf:resource="http://e/T"/><e:p rdf:resource="http://e/o" e:q="it\'s"/>',
]


@pytest.mark.parametrize("size", [64, 100, 257, 1 << 18])
def test_care_is_taken_wherever_a_feature_stands(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xml_care, "_BLOCK", size)
    chosen = random.Random(size)
    start = '<?xml version="1.0"?>\n<!-- a -->\n'
    for text in [*MISREAD.values(), '<e:p rdf:datatype="x:d"><e:C/></e:p>', '<e:p rdf:bagID="x"/>']:
        before, after = chosen.choices(PLAIN, k=9), chosen.choices(PLAIN, k=9)
        for parts, careful in [([*before, *after], False), ([*before, text, *after], True)]:
            content = start + document("".join(parts))
            assert needs_care(io.BytesIO(content.encode())) == careful, content
