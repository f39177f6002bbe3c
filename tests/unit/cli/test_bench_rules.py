"""`rdfinc bench` hands rules to engines for Datalog, and they derive what rdfinc derives."""

from __future__ import annotations

import importlib.util
import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from rdfinc.plugins.bench import library_comparison, peers
from rdfinc.plugins.bench.peers import PEERS, RDFINC
from rdfinc.plugins.bench.programs.rule_engines import clingo_program, nemo_program, sql_selections
from rdfinc.plugins.bench.stratified_rules import UntranslatedError, strata

RULES = """
[?x, <a:far>, ?z] :- [?x, <a:far>, ?y], [?y, <a:near>, ?z] .
[?x, <a:far>, ?y] :- [?x, <a:near>, ?y] .
[?x, a, <a:Round>] :- [?x, <a:far>, ?x] .
[?x, a, <a:Open>] :- [?x, <a:near>, ?y], NOT [?x, a, <a:Round>], NOT [?y, <a:near>, ?x] .
[?x, <a:also>, ?y] :- [?p, <a:copied>, <a:yes>], [?x, ?p, ?y] .
[?x, <a:said>, "a \\"b\\"\\\\ \\n\\t ü"@en] :- [?x, <a:says>, "1"^^<a:T>] .
[?x, <a:text>, ?t] :- [?x, <a:says>, ?t] .
"""

DATA = """
<a:b> <a:near> <a:c>, <a:d> . <a:c> <a:near> <a:b> . <a:d> <a:near> <a:e> .
<a:says> <a:copied> <a:yes> . _:x <a:near> <a:d> .
<a:e> <a:says> "1"^^<a:T>, "01"^^<http://www.w3.org/2001/XMLSchema#integer>, 1,
  "é\\n\\r\\t\\u0001\\"" .
<a:f> <a:says> "1", "1"@en, "'" . <x:é> <a:says> <x:é> .
"""

ENGINES = {"clingo": "clingo", "nemo_python": "nmo_python", "duckdb": "duckdb"}


def numbers() -> Callable[[str], int]:
    ids: defaultdict[str, int] = defaultdict(lambda: len(ids))
    return ids.__getitem__


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], list[Path]]:
    def written(text: str) -> list[Path]:
        path = tmp_path / "rules.dlog"
        path.write_text(text, "utf-8")
        return [path]

    return written


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only these are measured beside rdfinc."""
    translated = (peer for peer in PEERS if peer.is_translated)
    monkeypatch.setattr(library_comparison, "PEERS", (RDFINC, *translated))


def test_rules_in_strata(file) -> None:
    first, second = strata(file(RULES))
    assert [head[1:] for head, _, _ in second] == [
        ["<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "<a:Open>"],
        ["<a:also>", "?1"],
    ]
    assert second[0][1:] == (
        [["?0", "<a:near>", "?1"]],
        [
            ["?0", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "<a:Round>"],
            ["?1", "<a:near>", "?0"],
        ],
    )
    assert first[0] == (
        ["?0", "<a:far>", "?1"],
        [["?0", "<a:far>", "?2"], ["?2", "<a:near>", "?1"]],
        [],
    )
    assert first[3][0][2] == '"a \\"b\\"\\\\ \\n\\t ü"@en'
    assert first[3][1] == [["?0", "<a:says>", '"1"^^<a:T>']]


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("[?x, <a:p>, ?z] :- [?x, <a:p>, ?y], BIND(?y + 1 AS ?z) .", "without BIND"),
        ("[?x, <a:p>, ?x] :- [?x, <a:q>, ?y], FILTER(?y > 1) .", "without FILTER"),
        ("[?x, <a:p>, ?x] :- [?x, <a:q>, ?y], NOT EXISTS ?z IN [?y, <a:q>, ?z] .", "NOT EXISTS"),
        ("[<a:a>, <a:p>, <a:b>] :- NOT [<a:a>, <a:q>, <a:b>] .", "nothing but NOT"),
        ("false :- [?x, <a:q>, ?x] .", "no contradictions"),
        ("[<a:a>, <a:q>, <a:b>] .", "no facts among rules"),
        ("[?x, ?y, ?x] :- [?x, <a:q>, ?y], NOT [?x, <a:p>, ?x] .", "may follow from the rule"),
    ],
)
def test_rules_that_go_further(file, rule: str, why: str) -> None:
    with pytest.raises(UntranslatedError, match=why):
        strata(file(rule))


PROGRAM = [
    [
        (["?0", "<a:p>", "?1"], [["?0", "<a:p>", "?2"], ["?2", "?3", "?1"]], []),
        (["<a:c>", "<a:p>", '"x"@en'], [["<a:c>", "<a:p>", "<a:c>"]], []),
    ],
    [(["?0", "<a:q>", "?0"], [["?0", "<a:p>", "?0"]], [["?0", "<a:r>", "<a:c>"]])],
]


def test_a_program_for_clingo() -> None:
    assert clingo_program(PROGRAM, numbers()).splitlines() == [
        "t1(V0, V1, V2) :- t0(V0, V1, V2) .",
        "t1(V0, 0, V1) :- t1(V0, 0, V2), t1(V2, V3, V1) .",
        "t1(1, 0, 2) :- t1(1, 0, 1) .",
        "t2(V0, V1, V2) :- t1(V0, V1, V2) .",
        "t2(V0, 4, V0) :- t2(V0, 0, V0), not t1(V0, 3, 1) .",
    ]


def test_a_program_for_nemo() -> None:
    assert nemo_program(PROGRAM, numbers(), Path('a"b.csv')).splitlines() == [
        '@import t0 :- csv{resource="a\\"b.csv", format=(int, int, int)} .',
        "t1(?v0, ?v1, ?v2) :- t0(?v0, ?v1, ?v2) .",
        "t1(?v0, 0, ?v1) :- t1(?v0, 0, ?v2), t1(?v2, ?v3, ?v1) .",
        "t1(1, 0, 2) :- t1(1, 0, 1) .",
        "t2(?v0, ?v1, ?v2) :- t1(?v0, ?v1, ?v2) .",
        "t2(?v0, 4, ?v0) :- t2(?v0, 0, ?v0), ~t1(?v0, 3, 1) .",
        "@output t2 .",
    ]


def test_selections_in_sql() -> None:
    number = numbers()
    tables = "SELECT a0.s AS s, 0 AS p, a1.o AS o FROM {} a0, {} a1 WHERE a0.p = 0 AND a1.s = a0.o"
    fact = "SELECT 1 AS s, 0 AS p, 2 AS o FROM delta a0 WHERE a0.s = 1 AND a0.p = 0 AND a0.o = 1"
    assert sql_selections(PROGRAM[0], number, first=True) == [tables.format("delta", "t"), fact]
    assert sql_selections(PROGRAM[0], number, first=False) == [
        tables.format("delta", "t"),
        tables.format("t", "delta"),
        fact,
    ]
    assert sql_selections(PROGRAM[1], number, first=True) == [
        "SELECT a0.s AS s, 4 AS p, a0.s AS o FROM delta a0 WHERE a0.p = 0 AND a0.o = a0.s"
        " AND NOT EXISTS (SELECT 1 FROM t n0 WHERE n0.s = a0.s AND n0.p = 3 AND n0.o = 1)"
    ]


def test_engines_agree_with_rdfinc(run, tmp_path: Path, file, engines) -> None:
    """Those that are installed; a term comes back as it was written."""
    installed = {n for n, module in ENGINES.items() if importlib.util.find_spec(module)}
    if not installed:
        pytest.skip("no engine for rules is installed")
    data = tmp_path / "data.ttl"
    data.write_text(DATA, "utf-8")
    done = run(
        "bench", data, *file(RULES), "--profile", "none", "--repetitions", "1", "--changes", "0",
        "-q", "--json",
    )  # fmt: skip
    assert done.status == 0, done.err
    found = json.loads(done.out)
    agreed = {each["other"]: each for each in found["differences"]}
    assert agreed.keys() == installed
    for each in agreed.values():
        assert (each["only_other"], each["only_rdfinc"]) == (0, 0), each["examples"]
    rows = {row["library"]: row for row in found["closings"]}
    assert len({rows[name]["facts"] for name in ("rdfinc", *installed)}) == 1


def test_rules_that_go_further_make_a_row(run, tmp_path: Path, file, engines, monkeypatch) -> None:
    monkeypatch.setattr(peers, "version", lambda name: f"of {name}")
    monkeypatch.setattr(library_comparison, "PEERS", library_comparison.PEERS[1:])
    data = tmp_path / "data.nt"
    data.write_text("<a:a> <a:b> <a:c> .\n")
    rule = file("[?x, <a:p>, ?x] :- [?x, <a:q>, ?y], FILTER(?y > 1) .")
    options = ("--profile", "none", "--repetitions", "1", "--changes", "0", "-q", "--json")
    rows = json.loads(run("bench", data, *rule, *options).out)["closings"]
    assert [row["library"] for row in rows] == [*ENGINES]
    assert {row["why"] for row in rows} == {"has rules of users without FILTER"}
