"""`rdfinc check`: what it finds, and its status for programs that only look at that."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

CLASH = """
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:Cat owl:disjointWith :Dog .
:rex a :Dog , :Cat .
"""
IGNORED = """
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:Cat rdfs:subClassOf [ owl:onProperty :has ; owl:someValuesFrom :Tail ] .
"""


@pytest.fixture
def add(zoo: Path):
    def more(text: str) -> Path:
        zoo.write_text(zoo.read_text() + text)
        return zoo

    return more


def test_all_is_well(run, zoo: Path) -> None:
    done = run("check", zoo)
    assert done.status == 0
    assert done.out.splitlines() == [
        "axioms: 2 used, 0 partly used, 0 ignored",
        "no contradiction",
    ]


def test_a_contradiction_is_proved(run, add) -> None:
    done = run("check", add(CLASH))
    assert done.status == 1
    shown = [line.strip().partition("   ")[0] for line in done.out.splitlines()]
    assert shown[1] == "contradictions: 1"
    assert shown[2:] == [
        "1 by cax-dw (something belongs to two disjoint classes), by",
        ":Cat owl:disjointWith :Dog",
        "from",
        ":rex rdf:type :Cat",
        ":rex rdf:type :Dog",
    ]
    assert "warning" not in done.err
    assert re.findall(r"zoo.ttl, line (\d+)$", done.out, re.MULTILINE) == ["10", "11", "11"]


def test_the_record_that_programs_read(run, add) -> None:
    done = run("check", add(CLASH), "--json")
    record = json.loads(done.out)
    (violation,) = record["violations"]
    assert done.status == 1 and violation["rule"] == "cax-dw"
    assert len(violation["facts"]) == len(violation["proofs"]) == 3
    assert record["axioms"] == {"used": 3, "partly used": 0, "ignored": 0}


def test_ignored_axioms_fail_where_asked(run, add) -> None:
    file = add(IGNORED)
    assert run("check", file).status == 0
    done = run("check", file, "--every-axiom")
    assert done.status == 1
    assert "  ignored: " in done.out or "  partly used: " in done.out
    (gap,) = json.loads(run("check", file, "--json").out)["gaps"]
    assert gap["reason"]


def test_few_are_proved_where_there_are_many(run, add) -> None:
    many = "".join(f":x{i} a :Dog , :Cat .\n" for i in range(30))
    record = json.loads(run("check", add(CLASH + many), "--most", "2", "--json").out)
    assert [each["proofs"] is None for each in record["violations"]] == [False] * 2 + [True] * 29


def test_bad_input(run, add, tmp_path: Path) -> None:
    done = run("check", add("this is no Turtle"))
    assert done.status == 2 and "zoo.ttl, line" in done.err
    assert run("check", tmp_path / "nowhere.ttl").status == 2
