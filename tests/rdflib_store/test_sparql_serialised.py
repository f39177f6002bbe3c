"""`serialize` of results: values stay what they are, and TSV."""

from __future__ import annotations

import io
import pickle
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from rdflib import Graph, Literal, URIRef
from rdflib.query import Result

from rdfinc import KnowledgeBase, TermError

VALUES = """SELECT ?x ?y { VALUES (?x ?y) {
  (false "a\\r\\nb") (0 UNDEF) (0.0 "ä<&"@de) ("" <http://e/a?b&c>) (UNDEF UNDEF) } }"""
SPARQL = "{http://www.w3.org/2005/sparql-results#}"


@pytest.fixture(params=["knowledge base", "graph", "pickled", "prepared"])
def found(request: pytest.FixtureRequest, plain: Graph) -> Result:
    kb = KnowledgeBase("none")
    return {
        "knowledge base": lambda: kb.query(VALUES),
        "graph": lambda: plain.query(VALUES),
        "pickled": lambda: pickle.loads(pickle.dumps(plain.query(VALUES))),
        "prepared": kb.prepare(VALUES),
    }[request.param]()


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
def test_xml_comes_back(found: Result, encoding: str) -> None:
    text = found.serialize(format="xml", encoding=encoding)
    assert ET.fromstring(text).find(f".//{SPARQL}literal").text == "false"
    back = Result.parse(io.BytesIO(text), format="xml")
    assert back.vars == found.vars and back.bindings == found.bindings
    assert Literal("a\r\nb") in {row.y for row in found}
    assert found.serialize(encoding=encoding) == text, "XML is the usual format, again and again"


def test_tsv_comes_back(found: Result) -> None:
    text = found.serialize(format="tsv").decode()
    assert text.splitlines()[0] == "?x\t?y"
    assert text.endswith('\n""\t<http://e/a?b&c>\n\t\n') and text.count("\n") == 6
    assert list(Result.parse(io.BytesIO(text.encode()), format="tsv"))[:4] == list(found)[:4]


@pytest.mark.parametrize("format", ["xml", "tsv", "text/tab-separated-values"])
def test_destinations(found: Result, format: str, tmp_path: Path) -> None:
    content = found.serialize(format=format)
    path, stream, text = tmp_path / "a", io.BytesIO(), io.StringIO(newline="")
    destinations: list[Any] = [str(path), path.as_uri(), path, stream, text]
    for destination in destinations:
        path.unlink(missing_ok=True)
        assert found.serialize(destination, format=format) is None
        if destination not in (stream, text):
            assert path.read_bytes() == content
    assert stream.getvalue() == text.getvalue().encode() == content
    with pytest.raises(ValueError, match="another machine"):
        found.serialize("file://elsewhere/a", format=format)


def test_other_formats_are_rdflibs(found: Result, tmp_path: Path) -> None:
    assert b'"bindings"' in found.serialize(format="json")
    found.serialize(str(tmp_path / "a.csv"), format="csv")
    assert (tmp_path / "a.csv").read_bytes() == found.serialize(format="csv")


def test_what_has_no_place_is_refused_before_anything_is_written(
    plain: Graph, tmp_path: Path
) -> None:
    path = tmp_path / "old.xml"
    path.write_text("old")
    with pytest.raises(TermError, match=r"XML has no character U\+0001; JSON has"):
        plain.query('SELECT ?x { BIND("\\u0001" AS ?x) }').serialize(str(path))
    assert path.read_text() == "old"


def test_ask_and_graphs(plain: Graph) -> None:
    plain.add((URIRef("http://e/a"), URIRef("http://e/b"), Literal(0)))
    asked = plain.query("ASK { ?x ?y 1 }")
    assert ET.fromstring(asked.serialize(format="xml")).find(f"{SPARQL}boolean").text == "false"
    with pytest.raises(ValueError, match="no place for the answer of ASK"):
        asked.serialize(format="tsv")
    assert b"rdf:RDF" in plain.query("DESCRIBE <http://e/a>").serialize(format="xml")
