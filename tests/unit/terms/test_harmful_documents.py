"""Documents that would cost far more than their size are refused, with the place."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from rdfinc import DataSyntaxError, UnsupportedError
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.nesting_depth import DEEPEST, TermDepth
from rdfinc.terms.io.reading import Loaded, read
from rdfinc.terms.io.xml.xml_care import needs_care
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
ROOT = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns="urn:d:" xmlns:e="urn:e:">'


def rdf_xml(content: str, dtd: str = "") -> bytes:
    declared = f"<!DOCTYPE rdf:RDF {dtd}>\n" if dtd else ""
    return f"{declared}{ROOT}{content}</rdf:RDF>".encode()


def said(content: str, dtd: str = "") -> bytes:
    """A document that states one text, or one piece of XML, of one thing."""
    return rdf_xml(f'<rdf:Description rdf:about="urn:s">{content}</rdf:Description>', dtd)


def objects(data: bytes, format: str = "xml") -> list[bytes]:
    dictionary = Dictionary()
    loaded: Loaded = read(data, dictionary, format=format)
    return dictionary.decode_many(loaded.columns()[2].tolist())


def refused(data: bytes, format: str = "xml") -> DataSyntaxError:
    with pytest.raises(DataSyntaxError) as caught:
        read(data, Dictionary(), format=format, base="urn:base:")
    return caught.value


def test_entities_in_single_and_double_quotes_are_replaced() -> None:
    dtd = """[<!ENTITY x 'a &#38;#60; "value"'><!ENTITY y "urn:y:">]"""
    content = '<e:p>&x; &amp; more</e:p><e:q rdf:resource="&y;z"/>'
    assert objects(said(content, dtd)) == [rb'"a < \"value\" & more"', b"<urn:y:z>"]


def test_entities_that_stand_for_entities_are_refused() -> None:
    names = "abcdefghij"
    layers = [f'<!ENTITY {n} "{f"&{m};" * 10}">' for m, n in pairwise(names)]
    dtd = "[<!ENTITY a 'text'>\n" + "\n".join(layers) + "]"
    error = refused(said("<e:p>&j;</e:p>", dtd))
    assert error.line == 2 and "&b; stands for other entities" in error.reason


@pytest.mark.parametrize("content", ["<e:p>{}</e:p>", '<e:p e:q="{}"/>'])
def test_a_large_entity_used_often_is_refused(content: str) -> None:
    dtd = f"[<!ENTITY a '{'x' * 100_000}'>]"
    assert refused(said(content.format("&a;" * 20_000), dtd)).line == 2


def test_entities_may_make_a_document_a_few_times_as_long() -> None:
    dtd = f"[<!ENTITY a '{'x' * 1000}'>]"
    (text,) = objects(said("<e:p>" + "&a;" * 5000 + "</e:p>", dtd))
    assert len(text) == 5_000_002


def test_growth_is_bounded_by_a_limit_of_our_own() -> None:
    dtd = f"[<!ENTITY a '{'x' * 200}'>]"
    error = refused(said("<e:p>" + "&a;" * 60_000 + "</e:p>", dtd))
    assert "stand for too much" in error.reason


@pytest.mark.parametrize(
    ("content", "dtd"),
    [
        ("<e:p>&a;</e:p>", "[<!ENTITY a SYSTEM 'file:///etc/hostname'>]"),
        ("<e:p>a</e:p>", "[<!ENTITY % a 'text'>]"),
        ("<e:p>&a;</e:p>", "SYSTEM 'file:///etc/hostname'"),
        ("<e:p e:q='&a;'/>", "SYSTEM 'file:///etc/hostname'"),
        ("<e:p>&a;</e:p>", "[]"),
    ],
)
def test_entities_from_elsewhere_are_refused(content: str, dtd: str) -> None:
    assert refused(said(content, dtd)).line is not None


def test_a_dtd_elsewhere_is_not_fetched() -> None:
    assert objects(said("<e:p>a</e:p>", "SYSTEM 'file:///no/such.dtd'")) == [b'"a"']


def test_xml_literals_are_canonical() -> None:
    content = (
        '<e:p rdf:parseType="Literal">a <b z="1" e:y=\'"\' a="2">&lt;<br/></b><!--c--><?d e?>'
        '<e:f xmlns:e="urn:other:"><e:g/></e:f><x xmlns=""><y xmlns="urn:y:"/></x></e:p>'
    )
    expected = (
        'a <b xmlns="urn:d:" xmlns:e="urn:e:" a="2" z="1" e:y="&quot;">&lt;<br></br></b>'
        '<!--c--><?d e?><e:f xmlns:e="urn:other:"><e:g></e:g></e:f>'
        '<x><y xmlns="urn:y:"></y></x>'
    )
    escaped = expected.replace('"', '\\"')
    assert objects(said(content)) == [f'"{escaped}"^^<{RDF}XMLLiteral>'.encode()]


def test_xml_literals_are_what_elementtree_calls_canonical() -> None:
    from xml.etree.ElementTree import canonicalize

    inner = '<b z="1" xml:lang="en" a="&#9;"><c xmlns:u="urn:u:" u:k="&amp;"/>&gt;\n</b>'
    (found,) = objects(said(f'<e:p rdf:parseType="Literal">{inner}</e:p>'))
    whole = canonicalize(f'<b xmlns="urn:d:"{inner[2:]}')
    escaped = whole.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    assert found == f'"{escaped}"^^<{RDF}XMLLiteral>'.encode()


def test_an_unfinished_xml_literal_is_refused_with_its_line() -> None:
    assert refused(said('\n<e:p rdf:parseType="Literal"><b></e:p>')).line == 2


def test_leniently_read_what_is_no_xml_is_a_problem_of_the_document() -> None:
    data = said('<e:p rdf:parseType="Literal"><b></e:p>')
    assert read(data, Dictionary(), format="xml", strict=False).skipped.count == 1


@pytest.mark.parametrize("depth", [100, 450])
def test_rdf_xml_may_be_deep(depth: int) -> None:
    assert len(objects(rdf_xml("<e:C><e:p>" * depth + "</e:p></e:C>" * depth))) == 2 * depth


def test_rdf_xml_that_is_too_deep_is_refused() -> None:
    error = refused(rdf_xml("\n" + "<e:C><e:p>" * 50_000 + "</e:p></e:C>" * 50_000))
    assert error.line == 2 and "within each other" in error.reason


@pytest.mark.parametrize(
    ("content", "careful"),
    [
        ("<e:p>a</e:p><e:p/>" * 50_000, False),
        ("<!-- a --><e:p rdf:parseType='Resource'/>" * 20_000, False),
        ("<e:p>a</e:p>" * 30_000 + "<e:p rdf:parseType = 'Literal'/>", True),
        ("<e:p>a</e:p>" * 30_000 + "<e:p rdf:parseType" + " " * 600_000 + "= 'Literal'/>", True),
        ("<e:p>" * 300, True),
    ],
)
def test_care_is_taken_where_it_is_needed(content: str, careful: bool, tmp_path: Path) -> None:
    file = tmp_path / "some.rdf"
    file.write_bytes(rdf_xml(content))
    with file.open("rb") as stream:
        assert needs_care(stream) == careful


def test_another_encoding_is_read() -> None:
    text = '<?xml version="1.0" encoding="utf-16"?>' + said("<e:p>é</e:p>").decode()
    assert objects(text.encode("utf-16")) == ['"é"'.encode()]


@pytest.mark.parametrize("opened", ['{"urn:p":', "[", '{"urn:p":['])
def test_json_that_is_too_deep_is_refused(opened: str) -> None:
    closed = opened[::-1].translate(str.maketrans("[{", "]}", '":pnru'))
    error = refused(("\n" + opened * 5000 + "1" + closed * 5000).encode(), "json-ld")
    assert error.line is not None and "within each other" in error.reason


def test_brackets_in_strings_are_not_deep() -> None:
    text = '{"@id":"urn:s","urn:p":"' + '[{\\"\\\\' * 40_000 + '"}'
    (found,) = objects(text.encode(), "json-ld")
    assert found.count(b"[{") == 40_000


@pytest.mark.parametrize("make", ["pipe", "device"])
def test_pipes_and_devices_are_refused_by_their_path(make: str, tmp_path: Path) -> None:
    path = tmp_path / "pipe.nt"
    if make == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(DataSyntaxError, match="load the open stream"):
        read(path, Dictionary())


def test_an_open_pipe_is_read(tmp_path: Path) -> None:
    outlet, inlet = os.pipe()
    os.write(inlet, b"<urn:a> <urn:b> <urn:c> .\n")
    os.close(inlet)
    with open(outlet, "rb") as stream:
        assert len(read(stream, Dictionary(), format="nt")) == 1


OPENINGS = [
    "<<( <x:a> <x:b> ",
    "<<(<x:a><x:b>",
    "<<( # )>> a ' comment\n e:a\\'\\) a ",
    "<<( [ ] <x:#(> ",
    "<<( _:a e:b # <<( s p\n",
]


@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("format", ["turtle", "trig"])
def test_triple_terms_nested_too_deeply_are_refused(opening: str, format: str) -> None:
    nested = f"{opening * 100_000}<x:o>{')>>' * 100_000} ."
    data = f"PREFIX e: <x:>\n<x:s> <x:p> <x:o> .\n<x:s> <x:p> {nested}".encode()
    for strict in (True, False):
        with pytest.raises(UnsupportedError, match="200 within each other"):
            read(data, Dictionary(), format=format, strict=strict)


@pytest.mark.parametrize("format", ["nt", "nq"])
def test_lines_of_triple_terms_nested_too_deeply_are_problems(format: str) -> None:
    nested = f"{OPENINGS[0] * 100_000}<x:o>{')>>' * 100_000} .\n"
    data = f"<x:s> <x:p> <x:o> .\n<x:s> <x:p> {nested}<x:s> <x:p> <x:q> .\n".encode()
    with pytest.raises(UnsupportedError, match=r"line 2: .* 200 within each other"):
        read(data, Dictionary(), format=format)
    loaded = read(data, Dictionary(), format=format, strict=False)
    assert (len(loaded), loaded.skipped.count) == (2, 1)


def test_triple_terms_one_after_the_other_are_not_nested() -> None:
    TermDepth().follow(b"<x:s> <x:p> <<( <x:a> <x:b> <x:c> )>> .\n" * 10 * DEEPEST)
    TermDepth().follow(b"<<( <x:a> <x:b> " * DEEPEST)
    data = "<x:s> <x:p> " + ", ".join(f'"cout <<(x{i}) <<( \'{i}"' for i in range(9 * DEEPEST))
    assert len(read(f"{data} .".encode(), Dictionary(), format="turtle")) == 9 * DEEPEST


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("before", ['"#" ', '"<<( #", ', "# <<(\n", ""])
def test_nested_triple_terms_are_seen_in_parts(before: str, opening: str, size: int) -> None:
    text = (before + opening * (DEEPEST + 2)).encode()
    depth = TermDepth()
    with pytest.raises(UnsupportedError):
        for start in range(0, len(text), size):
            depth.follow(text[start : start + size])


@pytest.mark.parametrize("format", ["turtle", "trig", "n3", "json-ld"])
def test_a_text_that_is_too_long_for_a_parser_is_refused(format: str) -> None:
    text = "a" * (17 << 20)
    turtle, json = f'<x:s> <x:p> "{text}" .', f'{{"@id":"x:s","x:p":"{text}"}}'
    error = refused((json if format == "json-ld" else turtle).encode(), format)
    assert "more than 16 MB" in error.reason
    assert len(read(turtle.encode(), Dictionary(), format="nt")) == 1


def test_blank_nodes_whose_labels_are_none_are_refused() -> None:
    error = refused(b'{"@id": "_:x:n", "x:p": 1}', "json-ld")
    assert "_:x:n" in str(error)


def test_a_long_token_is_read_a_few_times() -> None:
    """The parser begins anew with each piece of it."""
    assert "unclosed token" in str(refused(b"<a b='" + b"a" * 40_000_000))


@pytest.mark.parametrize("ahead", [0, 3, 500])
def test_a_line_that_is_too_long_is_refused(ahead: int, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TERMS, longest_line=1000, line_block_bytes=100)
    before = b"<x:s> <x:p> <x:o> .\n" * ahead
    text = before + b'<x:s> <x:p> "%b" .\n'
    assert len(read(text % (b"a" * 900), Dictionary(), format="nt")) == ahead + 1
    error = refused(text % (b"a" * 1200), "nt")
    assert f"the line after byte {len(before):,} is longer than 1,000 bytes" in error.reason
