"""The lines in which triples stand."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from rdfinc.terms.io.places import lines_of

A, B, P = b"<http://e/a>", b"<http://e/b>", b"<http://e/p>"
TYPE = b"<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"

TURTLE = """@prefix : <http://e/> .
# :a :p :b .

:b a :a ,
     :b ;
   :p \"\"\"two
lines\"\"\" .
:a :p :b . :a :p :b .
:a :p :b .
"""
XML = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">
  <rdf:Description rdf:about="http://e/a">
    <e:p rdf:resource="http://e/b"/>
  </rdf:Description>
</rdf:RDF>"""


def test_turtle(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl.gz"
    path.write_bytes(gzip.compress(TURTLE.encode()))
    wanted = {(B, TYPE, A): 4, (B, TYPE, B): 5, (B, P, b'"two\\nlines"'): 7, (A, P, B): 8}
    assert lines_of(path, wanted) == wanted
    assert lines_of(path, {(A, P, A)}) == {}


def test_other_syntaxes_and_what_is_before_a_malformed_line(tmp_path: Path) -> None:
    (tmp_path / "a.rdf").write_text(XML)
    assert lines_of(tmp_path / "a.rdf", {(A, P, B)}) == {(A, P, B): 3}
    (tmp_path / "a.nt").write_text("<http://e/a> <http://e/p> <http://e/b> .\nhello\n")
    assert lines_of(tmp_path / "a.nt", {(A, P, B), (A, P, A)}) == {(A, P, B): 1}


@pytest.mark.parametrize("name", ["x.ttl"])
def test_relative_names_are_those_of_the_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("<#a> <#p> <#b> .")
    base = (tmp_path / name).as_uri().encode()
    triple = tuple(b"<%b#%b>" % (base, each) for each in (b"a", b"p", b"b"))
    assert lines_of(tmp_path / name, {triple}) == {triple: 1}
