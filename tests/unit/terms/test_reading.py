"""Reading sources of every kind and syntax."""

from __future__ import annotations

import gzip
import io
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import rdflib
from rdflib.compare import isomorphic

from rdfinc.errors import DataSyntaxError, UnsupportedError
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.reading import Loaded, expand, read
from rdfinc.terms.io.xml.xml_care import XmlWitness
from rdfinc.terms.rdflib_terms import to_rdflib
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put

TURTLE = """\
@prefix e: <http://e.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
e:a e:p 01, 1.50, true, "x \\"y\\" . z"@EN-gb, "a"^^<http://www.w3.org/2001/XMLSchema#string> ;
    e:q [ e:p _:n, ( e:b [] ) ], "line\\nbreak" .
_:n e:p e:a .
<http://e.org/o> owl:imports <http://e.org/x>, e:y .
"""
XML = """\
<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [<!ENTITY e "http://e.org/">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/">
  <rdf:Description rdf:about="&e;a"><e:p>01</e:p><e:q rdf:nodeID="n"/></rdf:Description>
  <rdf:Description rdf:nodeID="n"><e:p rdf:parseType="Resource"><e:p>x</e:p></e:p></rdf:Description>
</rdf:RDF>
"""
JSON = """{"@context": {"e": "http://e.org/"}, "@id": "e:a", "e:p": ["x", {"@id": "_:n"}],
"e:q": {"@id": "_:n", "e:p": 1}}"""
TRIG = "@prefix e: <http://e.org/> . e:a e:p _:x . e:g { _:x e:p e:b . } _:x { e:a e:p e:b }"


def statements(loaded: Loaded, dictionary: Dictionary) -> list[tuple[str, ...]]:
    rows = zip(*loaded.columns().tolist(), strict=True)
    return [tuple(dictionary.decode(id).decode() if id else "" for id in row) for row in rows]


def graph(loaded: Loaded, dictionary: Dictionary) -> rdflib.Graph:
    result = rdflib.Graph()
    for s, p, o in zip(*loaded.columns()[:3].tolist(), strict=True):
        result.add(tuple(to_rdflib(dictionary.decode(id)) for id in (s, p, o)))
    return result


@pytest.fixture
def dictionary() -> Dictionary:
    return Dictionary()


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    ("text", "format"), [(TURTLE.replace("01", "1"), "ttl"), (XML, "xml"), (JSON, "json-ld")]
)
def test_documents_give_the_graph_that_rdflib_reads(
    text: str, format: str, strict: bool, dictionary: Dictionary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)
    loaded = read(text.encode(), dictionary, format=format, strict=strict)
    dictionary._check()
    assert loaded.skipped.count == 0
    assert {a.dtype for a in loaded.columns()} == {np.dtype(np.uint32)}
    theirs = rdflib.Graph().parse(data=text, format=format)
    again = rdflib.Graph()
    for triple in theirs:
        again.add(tuple(_as_rdf_1_1(term) for term in triple))
    assert isomorphic(graph(loaded, dictionary), again)


def _as_rdf_1_1(term: rdflib.term.Node) -> rdflib.term.Node:
    """rdflib keeps `"a"^^xsd:string` apart from `"a"`, and the case of language tags."""
    if isinstance(term, rdflib.Literal) and (term.datatype == rdflib.XSD.string or term.language):
        return rdflib.Literal(str(term), lang=term.language and term.language.lower())
    return term


def test_lexical_forms_are_kept(dictionary: Dictionary) -> None:
    loaded = read(TURTLE.encode(), dictionary, format="turtle")
    objects = {row[2] for row in statements(loaded, dictionary)}
    assert '"01"^^<http://www.w3.org/2001/XMLSchema#integer>' in objects
    assert '"1.50"^^<http://www.w3.org/2001/XMLSchema#decimal>' in objects
    assert '"x \\"y\\" . z"@en-gb' in objects
    assert '"a"' in objects


def test_prefixes_and_imports(dictionary: Dictionary) -> None:
    loaded = read(TURTLE.encode(), dictionary, format="turtle")
    assert loaded.prefixes == {"e": "http://e.org/", "owl": "http://www.w3.org/2002/07/owl#"}
    assert loaded.imports == ("http://e.org/x", "http://e.org/y")
    xml = read(XML.encode(), dictionary, format="xml")
    assert xml.prefixes["e"] == "http://e.org/"
    assert xml.imports == ()


def test_graphs(dictionary: Dictionary) -> None:
    loaded = read(TRIG.encode(), dictionary, format="trig")
    assert sorted(row[3] for row in statements(loaded, dictionary)) == [
        "",
        "<http://e.org/g>",
        "_:f1_x",
    ]
    named = read(TRIG.encode(), dictionary, format="trig", graph=b"<a:g>")
    assert sorted(row[3] for row in statements(named, dictionary)) == [
        "<a:g>",
        "<http://e.org/g>",
        "_:f2_x",
    ]


def test_blank_nodes_are_one_in_a_file_and_fresh_in_each(dictionary: Dictionary) -> None:
    text = b"_:a <a:p> _:b .\n_:b <a:p> _:a .\n"
    first = read(text, dictionary, format="nt")
    second = read(text, dictionary, format="nq")
    third = read(text, dictionary, format="ttl")
    for loaded in (first, second, third):
        assert loaded.columns()[0].tolist() == loaded.columns()[2].tolist()[::-1]
    subjects = (set(loaded.columns()[0].tolist()) for loaded in (first, second, third))
    assert len(set().union(*subjects)) == 6


def test_blank_node_names_depend_on_the_file_only() -> None:
    hash_seeds = ("0", "1")
    code = (
        "import sys; from rdfinc.terms.dictionary import Dictionary;"
        "from rdfinc.terms.io.reading import read; d = Dictionary();"
        "read(sys.stdin.buffer, d, format='turtle'); print(list(d))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            input=TURTLE.encode(),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in hash_seeds
    }
    assert len(outputs) == 1


def test_blank_nodes_never_meet_older_ones(dictionary: Dictionary) -> None:
    old = {
        dictionary.encode(b"_:f1_a"),
        dictionary.encode(b"_:f1-0"),
        dictionary.encode(b"_:f1_ax"),
    }
    lines = read(b"_:a <a:p> <a:o> .\n", dictionary, format="nt")
    assert not old & set(lines.columns()[0].tolist())
    dictionary._scopes = 0
    document = read(b"_:a <a:p> [] .", dictionary, format="ttl")
    new = {*document.columns()[[0, 2]].ravel().tolist()}
    assert len(new) == 2
    assert not new & (old | set(lines.columns()[0].tolist()))


def test_renamed_nodes_stay_apart(dictionary: Dictionary) -> None:
    dictionary.encode(b"_:f1_a")
    loaded = read(b"_:a <a:p> _:ax .\n", dictionary, format="nt")
    assert loaded.columns()[0][0] != loaded.columns()[2][0]


def test_triples_and_quads_are_numbered_in_the_order_of_the_text(dictionary: Dictionary) -> None:
    text = b'<a:1> <a:2> <a:3> <a:4> .\n<a:5> <a:6> <a:7> .\n<a:8> <a:9> "ab" <a:11> .\n'
    loaded = read(text, dictionary, format="nq")
    assert np.stack(loaded.columns()).T.tolist() == [
        [1, 2, 3, 4],
        [5, 6, 7, 0],
        [8, 9, 10, 11],
    ]


def test_what_stands_before_an_error_is_numbered(dictionary: Dictionary) -> None:
    with pytest.raises(DataSyntaxError):
        read(b"<a:1> <a:2> <a:3>, oh . <a:4> <a:5> <a:6> .", dictionary, format="ttl")
    assert list(dictionary) == [b"<a:1>", b"<a:2>", b"<a:3>"]


@pytest.mark.parametrize("strict", [True, False])
def test_generated_labels_and_written_ones_stay_apart(strict: bool, dictionary: Dictionary) -> None:
    text = b"[] <a:p> _:f1-0, _:b0, [], [] ."
    loaded = read(text, dictionary, format="ttl", strict=strict)
    assert len({*loaded.columns()[2].tolist(), *loaded.columns()[0].tolist()}) == 5


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("name", ["d.nt", "d.nt.gz", "d.NT.GZ", "d.ttl", "d.ttl.gz", "d.n3"])
def test_files(name: str, mark: bytes, tmp_path: Path, dictionary: Dictionary) -> None:
    data = mark + b"<a:a> <a:b> <a:c> .\n"
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.lower().endswith("gz") else data)
    loaded = read(path, dictionary)
    assert statements(loaded, dictionary) == [("<a:a>", "<a:b>", "<a:c>", "")]
    assert loaded.sources == (str(path),)
    assert len(read(str(path), dictionary)) == 1


@pytest.mark.parametrize("format", ["nt", "ttl"])
def test_streams(format: str, dictionary: Dictionary) -> None:
    text = '<a:a> <a:b> "é" .\n'
    binary, plain = io.BytesIO(text.encode()), io.StringIO(text)
    for stream in (binary, plain):
        loaded = read(stream, dictionary, format=format)
        assert statements(loaded, dictionary)[0][2] == '"é"'
        assert not stream.closed
    assert loaded.sources == ("<stream>",)


def test_relative_iris(tmp_path: Path, dictionary: Dictionary) -> None:
    path = tmp_path / "a b.ttl"
    path.write_text("<#x> <p> <http://e.org/> .")
    (row,) = statements(read(path, dictionary), dictionary)
    assert row[0] == f"<{path.as_uri()}#x>"
    (row,) = statements(read(path, dictionary, base="http://e.org/d/f"), dictionary)
    assert row[:2] == ("<http://e.org/d/f#x>", "<http://e.org/d/p>")
    with pytest.raises(DataSyntaxError, match="base="):
        read(path.read_bytes(), dictionary, format="ttl")


@pytest.mark.parametrize("format", [None, "ttl"])
def test_truncated_compression(format: str | None, tmp_path: Path, dictionary: Dictionary) -> None:
    path = tmp_path / "d.nt.gz"
    whole = gzip.compress(os.urandom(9).hex().join(["<a:a> <a:b> <a:c> .\n"] * 999).encode())
    for damaged in (whole[: len(whole) // 2], b"no gzip", whole[:-4]):
        path.write_bytes(damaged)
        with pytest.raises(DataSyntaxError) as caught:
            read(path, dictionary, format=format, strict=False)
        assert caught.value.file == str(path)


@pytest.mark.parametrize(
    ("text", "format", "line"),
    [
        ("@prefix e: <a:> .\ne:a e:b e:c .\ne:a junk e:b .\n", "ttl", 3),
        ("<a:a> <a:b> <a:c> .\n<a:a> <a:b> <a:c>", "ttl", 2),
        ("<a:g> {\n <a:a> <a:b> <a:c> .", "trig", 2),
        ('{"@id": "a:b",\n "a:b": 1', "json-ld", 2),
    ],
)
def test_malformed_documents(text: str, format: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "d.txt"
    path.write_text(text)
    for readable in (path, text.encode()):
        with pytest.raises(DataSyntaxError) as caught:
            read(readable, Dictionary(), format=format)
        assert caught.value.line == line
        assert caught.value.text == text.splitlines()[line - 1]


@pytest.mark.parametrize("end", [XML.rindex("</rdf:RDF>"), XML.index("<e:q"), 0])
def test_xml_that_ends_too_early(end: int) -> None:
    with pytest.raises(DataSyntaxError, match="XML"):
        read(XML[:end].encode(), Dictionary(), format="xml")
    loaded = read(XML[:end].encode(), Dictionary(), format="xml", strict=False)
    assert loaded.skipped.count == 1


@pytest.mark.parametrize(
    ("fine", "broken", "line"),
    [
        ("</rdf:RDF>", "</rdf:Rdf>", XML.rstrip().count("\n") + 1),
        ("<e:q", "<u:q", XML[: XML.index("<e:q")].count("\n") + 1),
        ("<e:q", "<e:q <", XML[: XML.index("<e:q")].count("\n") + 1),
    ],
)
def test_xml_that_is_none_is_told_with_its_line(
    fine: str, broken: str, line: int, tmp_path: Path
) -> None:
    text = XML.replace(fine, broken, 1) + "\n" * 100_000
    path = tmp_path / "d.rdf"
    path.write_text(text)
    for readable in (path, text.encode()):
        with pytest.raises(DataSyntaxError, match="XML") as caught:
            read(readable, Dictionary(), format="xml")
        assert caught.value.line == line
        assert caught.value.text == text.splitlines()[line - 1]


def test_well_formed_xml_that_is_no_rdf() -> None:
    with pytest.raises(DataSyntaxError, match="nodeID") as caught:
        read(XML.replace("rdf:about", "rdf:nodeID").encode(), Dictionary(), format="xml")
    assert caught.value.line is None


def test_lenient_turtle_goes_on_behind_a_problem(dictionary: Dictionary) -> None:
    text = b"<a:a> <a:b> <a:c> .\n<a:a> junk <a:b> .\n<a:a> <a:b> <with space> .\n"
    loaded = read(text, dictionary, format="ttl", strict=False)
    assert [row[2] for row in statements(loaded, dictionary)] == ["<a:c>", "<with space>"]
    (problem,) = loaded.skipped.first
    assert problem.line == 2


def test_lenient_trig_ends_at_a_problem(dictionary: Dictionary) -> None:
    text = b"<a:g> { <a:a> <a:b> <a:c> . junk . <a:a> <a:b> <a:d> } <a:a> <a:b> <a:e> ."
    loaded = read(text, dictionary, format="trig", strict=False)
    assert statements(loaded, dictionary) == [("<a:a>", "<a:b>", "<a:c>", "<a:g>")]
    assert "rest of this TriG file" in str(loaded.skipped.first[0])


def test_lenient_terms_cannot_smuggle_statements_in(dictionary: Dictionary) -> None:
    text = rb"<a:a> <a:b> <a:c\u003E\u0020.\u000A<a:x\u003E\u0020<a:y\u003E\u0020<a:z> ."
    assert len(read(text, dictionary, format="ttl", strict=False)) == 1
    assert len(read(text, dictionary, format="nt", strict=False)) == 1


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("verb", [b"<a:p>", b"=>"])
def test_formulas_are_refused(verb: bytes, strict: bool) -> None:
    text = b"{ <a:a> <a:b> <a:c> . } %b { <a:a> <a:b> <a:d> . } ." % verb
    with pytest.raises(UnsupportedError, match="N3"):
        read(text, Dictionary(), format="n3", strict=strict)


@pytest.mark.parametrize(
    "text", [b"<a:a> <a:b> <<( <a:a> <a:b> <a:c> )>> .", b'<a:a> <a:b> "x"@en--ltr .']
)
def test_turtle_1_2(text: bytes) -> None:
    with pytest.raises(UnsupportedError, match=r"RDF 1\.2"):
        read(text, Dictionary(), format="ttl")
    loaded = read(text + b"<a:a> <a:b> <a:c> .", Dictionary(), format="ttl", strict=False)
    assert (len(loaded), loaded.skipped.count) == (1, 1)


def test_a_format_has_to_be_known(tmp_path: Path) -> None:
    for name in ("d.foo", "plain"):
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(ValueError, match="format="):
            read(tmp_path / name, Dictionary())
    with pytest.raises(ValueError, match="format="):
        read(b"", Dictionary())
    with pytest.raises(ValueError, match="known are nt, nq"):
        read(b"", Dictionary(), format="foo")


@pytest.mark.parametrize("format", ["nt", "nq", "ttl", "trig", "n3"])
def test_empty_sources(format: str, dictionary: Dictionary) -> None:
    loaded = read(b"", dictionary, format=format)
    assert len(loaded) == len(loaded.columns()[3]) == 0


def test_many_blocks(dictionary: Dictionary, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TERMS, document_block=7)
    text = b"".join(b"<a:%d> <a:p> [] .\n" % (n // 2) for n in range(100))
    loaded = read(text, dictionary, format="ttl")
    assert len(loaded) == 100
    assert len(set(loaded.columns()[2].tolist())) == 100
    assert len(set(loaded.columns()[0].tolist())) == 50


def test_globs(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    files = [tmp_path / name for name in ("a.nt", "b.nt", "c[1].nt", "sub/a.nt")]
    for file in files:
        file.touch()
    assert expand([f"{tmp_path}/*.nt"]) == files[:3]
    assert expand([f"{tmp_path}/**/a.nt"]) == [files[0], files[3]]
    assert expand([files[2], f"{tmp_path}/c*", files[0]]) == [files[2], files[0]]
    assert expand([str(files[2])]) == [files[2]]


@pytest.mark.parametrize("pattern", ["nothing.nt", "*.nothing"])
def test_a_pattern_without_match(pattern: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        expand([tmp_path / pattern])
    assert pattern in str(caught.value)


@pytest.mark.parametrize("seed", range(200))
def test_lines_of_xml_end_with_line_feeds(seed: int) -> None:
    """However they end in the document, and wherever a block ends (XML 1.0, 2.11)."""
    chance = random.Random(seed)
    text = b"<a>%s</a>" % bytes(chance.choices(b"\r\nx", k=chance.randint(0, 9)))

    class Blocks(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(chance.randint(1, 3))

    witness = XmlWitness(Blocks(text))
    found = b"".join(iter(lambda: witness.read(100), b""))
    assert found == text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert witness.problem is None
