"""Answers to queries in the formats of programs, on standard output and in files."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from functools import partial
from pathlib import Path

import pytest

TEXTS = ["a\r\nb", "a\rb", "a\nb", 'say "a,b"', " "]
ALL = "SELECT ?o { ?s ?p ?o } ORDER BY ?p"
GAPS = "SELECT ?x { VALUES ?x { 1 UNDEF UNDEF } }"
SPARQL = "{http://www.w3.org/2005/sparql-results#}"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.nt"
    escaped = [text.replace('"', '\\"').replace("\r", "\\r").replace("\n", "\\n") for text in TEXTS]
    path.write_text("".join(f'<a:s> <a:p{i}> "{text}" .\n' for i, text in enumerate(escaped)))
    return path


def asked(run, query: str, file: Path, *options: object):
    done = run("query", "-q", query, file, "--profile", "none", *options)
    assert (done.status, done.err) == (0, "")
    return done.out


def test_csv_keeps_ends_of_lines_in_texts(run, texts: Path) -> None:
    output = texts.with_name("texts.csv")
    asked(run, ALL, texts, "-o", output)
    printed = asked(run, ALL, texts, "--results", "csv")
    for text in (output.read_bytes().decode(), printed):
        _, *rows = csv.reader(io.StringIO(text, newline=""))
        assert rows == [[text] for text in TEXTS]
    assert output.read_bytes().startswith(b'o\r\n"a\r\nb"\r\n"a\rb"\r\n')
    assert printed.startswith('o\n"a\r\nb"\n"a\rb"\n')


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_rows_that_bind_nothing_are_rows_at_the_end_too(run, zoo: Path, form: str) -> None:
    output = zoo.with_name(f"gaps.{form}")
    asked(run, GAPS, zoo, "-o", output)
    assert output.read_text().count("\n") == 4
    assert asked(run, GAPS, zoo, "--results", form).count("\n") == 4
    assert asked(run, GAPS, zoo, "--results", form, "--limit", 2).count("\n") == 3


def values(document: str) -> list[str]:
    """The texts of what stands in bindings; an empty one is `""`."""
    return [binding[0].text or "" for binding in ET.fromstring(document).iter(f"{SPARQL}binding")]


def test_xml_keeps_values(run, texts: Path) -> None:
    query = 'SELECT ?x { VALUES ?x { false 0 0.0 0e0 "" "a\\r\\nb" } }'
    output = texts.with_name("texts.srx")
    asked(run, query, texts, "-o", output)
    expected = ["false", "0", "0.0", "0e0", "", "a\r\nb"]
    assert values(output.read_text()) == expected
    assert values(asked(run, query, texts, "--results", "xml")) == expected
    assert values(asked(run, query, texts, "--results", "xml", "--limit", 1)) == ["false"]
    assert "<boolean>false</boolean>" in asked(run, "ASK { <a:a> ?x ?y }", texts, "--results=xml")


def test_what_xml_has_no_place_for_is_told_and_the_old_file_stays(run, zoo: Path) -> None:
    output = zoo.with_name("old.xml")
    output.write_text("old")
    failed = run("query", "-q", 'SELECT ?x { BIND("\\u0001" AS ?x) }', zoo, "-o", output)
    assert (failed.status, failed.out) == (2, "")
    assert "XML has no character U+0001; JSON has" in failed.err
    assert output.read_text() == "old"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["query", "SELECT * { ?s ?p ?o }"], "old.csv"),
        (["explain", "<a:s>", "<a:p>", '"' + "x" * 5000 + '"'], "old.txt"),
    ],
)
def test_a_file_appears_only_when_it_is_complete(zoo: Path, words: list[str], name: str) -> None:
    resource = pytest.importorskip("resource", reason="files have no limits")
    big, output = zoo.with_name("big.nt"), zoo.with_name(name)
    big.write_text(f'<a:s> <a:p> "{"x" * 5000}" .\n')
    output.write_text("old")
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (4096, 4096))
    command = [sys.executable, "-m", "rdfinc", *words, big, "-q", "-o", output]
    whole = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}  # what Python keeps would be cut as well
    done = subprocess.run(command, capture_output=True, preexec_fn=limit, env=whole, check=False)
    assert (done.returncode, done.stderr.decode()) == (2, f"rdfinc: {output}: File too large\n")
    assert output.read_text() == "old"
    assert {path.name for path in zoo.parent.iterdir()} == {"zoo.ttl", "big.nt", name}


@pytest.mark.parametrize(
    "words",
    [
        ["update", "INSERT DATA { <a:s> <a:p> <a:o> }"],
        ["convert", "--force", "-o", "link.ttl"],
    ],
)
def test_a_link_stays_and_what_it_leads_to_is_written(
    run, zoo: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(zoo.parent)
    Path("elsewhere").mkdir()
    target = zoo.rename("elsewhere/animals.ttl")
    Path("link.ttl").symlink_to("elsewhere/animals.ttl")
    before = target.read_bytes()
    assert run(*words, "link.ttl", "-q").status == 0
    assert Path("link.ttl").is_symlink()
    assert target.read_bytes() != before
    assert [path.name for path in Path("elsewhere").iterdir()] == ["animals.ttl"]


@pytest.mark.skipif(os.name != "posix", reason="pipes have no names otherwise")
def test_a_named_pipe_is_written_to(run, zoo: Path) -> None:
    pipe = zoo.with_name("pipe.csv")
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    asked(run, GAPS, zoo, "-o", pipe)
    assert os.read(reader, 100) == b'x\r\n1\r\n""\r\n""\r\n'
    assert pipe.is_fifo()
    os.close(reader)
