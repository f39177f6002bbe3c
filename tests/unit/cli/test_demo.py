"""`rdfinc demo` tells its whole story, with figures that were measured."""

from __future__ import annotations

import json
import re

import pytest

from rdfinc import university
from rdfinc.cli import demo


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """One department and few single updates."""
    blocks = university.blocks
    monkeypatch.setattr(university, "blocks", lambda count: blocks(count, departments=1))
    monkeypatch.setattr(demo, "DRAWN", 20)


def test_for_people(run) -> None:
    done = run("demo")
    assert done.status == 0
    assert re.findall(r"^(\d)\. ", done.out, re.MULTILINE) == list("1234567")
    assert "now no proof is left" in done.out
    assert "by cax-sco (what belongs to a class belongs to those above it) from" in done.out
    assert "always the same" in done.out


def test_for_programs(run) -> None:
    record = json.loads(run("demo", "--json").out)
    assert record["loading"]["derived"] > 1000
    assert [query["query"] for query in record["queries"]] == list(demo.QUERIES)
    rows = {query["query"]: query["rows"] for query in record["queries"]}
    assert rows["q06"] > 100  # students
    assert rows["q12"] == 1  # the head of the one department
    updates = record["updates"]
    assert len(updates) == 7
    assert all(update["same"] for update in updates)
    assert all(update["seconds"] > 0 < update["again_seconds"] for update in updates)
    changes = [(update["added"], update["removed"]) for update in updates]
    assert changes[:3] == [(0, 2), (0, 4), (2, 0)]
    wide, back = changes[3:5]
    assert wide == back[::-1]
    assert wide[0] > 100


def test_a_difference_would_be_told(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "derived_again", lambda kb: (1.0, False))
    assert "NOT THE SAME" in run("demo").out
