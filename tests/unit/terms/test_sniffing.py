"""What a file holds is told by its contents where its name leaves it open, and packed files are
unpacked."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat

from rdfinc import DataSyntaxError, KnowledgeBase
from rdfinc.terms.io.sniffing import refusal, syntax_of

XML, TURTLE, TRIG, JSON = RdfFormat.RDF_XML, RdfFormat.TURTLE, RdfFormat.TRIG, RdfFormat.JSON_LD
RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
BEGINNINGS = {
    f'<?xml version="1.0"?>\n<!-- a -->\n<rdf:RDF {RDF}>': XML,
    f'<?xml version="1.0"?><!DOCTYPE rdf:RDF [\n<!ENTITY a "b" >]>\n<rdf:RDF\n  {RDF}/>': XML,
    "# a\n@prefix : <http://e/> .": TURTLE,
    "PREFIX : <http://e/>": TURTLE,
    "base <http://e/>": TURTLE,
    "<a:b> <a:c> <a:d> .": TURTLE,
    "_:a <a:c> <a:d> .": TURTLE,
    "[ a <a:c> ] .": TURTLE,
    "[] a <a:c> .": TURTLE,
    "{ <a:b> <a:c> <a:d> }": TRIG,
    "GRAPH <a:g> {": TRIG,
    '{ "@context": {} }': JSON,
    '[{ "@id": "a:b" }]': JSON,
    "": None,
    "hello": None,
}
TRIPLE = "<http://e/a> <http://e/b> <http://e/c> ."


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_syntaxes_by_how_they_begin(beginning: str) -> None:
    assert syntax_of(beginning.encode()) == BEGINNINGS[beginning]
    assert refusal(beginning.encode()) == ""


@pytest.mark.parametrize("name", ["o.owl", "o.rdf", "o.xml", "o.owl.gz"])
def test_turtle_with_a_name_of_xml(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(gzip.compress(TRIPLE.encode()) if name.endswith("gz") else TRIPLE.encode())
    kb = KnowledgeBase()
    assert kb.load(file).triples == 1


NOT_READ = {
    "Prefix(:=<http://e/>)\nOntology(<http://e>)": "OWL functional syntax",
    '<?xml version="1.0"?>\n<Ontology xmlns="http://www.w3.org/2002/07/owl#"': "OWL/XML",
    "Prefix: : <http://e/>\nOntology: <http://e>": "Manchester syntax",
    "format-version: 1.2\n": "OBO format",
    "<!DOCTYPE html>\n<html lang='en'>": "a page of HTML",
}


@pytest.mark.parametrize("name", ["o.owl", "o.ofn", "o.txt"])
@pytest.mark.parametrize("text", NOT_READ)
def test_what_cannot_be_read_is_named(tmp_path: Path, text: str, name: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(DataSyntaxError, match=f"this is {NOT_READ[text]}") as refused:
        KnowledgeBase().load(file)
    assert ("robot convert" in str(refused.value)) == ("HTML" not in NOT_READ[text])


def zst(data: bytes) -> bytes:
    return pytest.importorskip("zstandard").compress(data)


PACKED = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zst}


@pytest.mark.parametrize("extension", PACKED)
def test_packed_files_are_read_and_written(tmp_path: Path, extension: str) -> None:
    file, pack = tmp_path / f"data.nt{extension}", PACKED[extension]
    text = "".join(f"<http://e/{i}> <http://e/b> <http://e/c> .\n" for i in range(5000)).encode()
    file.write_bytes(pack(text[: len(text) // 2]) + pack(text[len(text) // 2 :]))
    kb = KnowledgeBase()
    assert kb.load(file).triples == 5000
    with file.open("rb") as stream:
        assert kb.load(stream).added == 0
    kb.dump(tmp_path / f"out.ttl{extension}")
    assert (tmp_path / f"out.ttl{extension}").stat().st_size < len(text) / 5
    assert KnowledgeBase().load(tmp_path / f"out.ttl{extension}").triples == 5000


@pytest.mark.parametrize("damage", [lambda data: data[:-20], lambda data: b"no" + data[2:]])
@pytest.mark.parametrize("extension", PACKED)
def test_damaged_files_are_refused(tmp_path: Path, extension: str, damage) -> None:
    for name in ("data.nt", "data.owl"):
        file = tmp_path / f"{name}{extension}"
        text = "".join(f"<http://e/{i * i}> <http://e/{i}> <a:b> .\n" for i in range(999)).encode()
        file.write_bytes(damage(PACKED[extension](text)))
        with pytest.raises(DataSyntaxError, match="damaged or end too early"):
            KnowledgeBase().load(file)
