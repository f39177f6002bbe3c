"""Every script under `examples/` runs, explains itself, and prints what it promises."""

from __future__ import annotations

import ast
import json
import os
import re
import runpy
import sys
from pathlib import Path

import pytest
from warm_scripts import run

EXAMPLES = Path(__file__).parents[2] / "examples"
BENCHMARKS = EXAMPLES / "benchmarks"
RUN = ("aliases", "chains", "cliffs", "closure", "closures", "components_table", "deletions",
       "first_answers", "graphs", "home_towns", "interval_table", "joins", "loading", "look_ups",
       "mailboxes", "memory_kinds", "merges", "on_disk", "ontologies", "queries", "query_kinds",
       "relations", "rule_changes", "schemas", "self_chains", "server", "shop", "shop_queries",
       "small_queries", "soak", "spark_closure", "spark_loading", "streams", "terms",
       "union_table", "university", "updates", "walked_queries", "watches",
       "wind_farm")  # fmt: skip
FIRST = ("asserted_and_inferred", "first_hour", "on_disk", "ontology_ci", "owlrl_to_rdfinc",
         "rdfox_port", "sensor_stream", "swrl_over_obo")  # fmt: skip
ELSEWHERE = {"spark_to_open.py"}  # see tests/spark/test_examples.py
LIBRARIES = ("closure_questions", "closure_runs", "map_track", "measure", "reach")
TINY = ("--departments", "1", "--repetitions", "2")
NUMBER = r"[\d.,]+ (?:µs|ms|s) "


def test_every_script_is_run_here() -> None:
    scripts = {path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.py")}
    scripts -= {name for name in scripts if name.startswith("peers/")}  # see test_peers.py
    scripts -= ELSEWHERE
    benchmarks = (f"benchmarks/{name}.py" for name in (*RUN, *LIBRARIES))
    assert scripts == {*(f"{name}.py" for name in FIRST), *benchmarks}


@pytest.mark.parametrize("name", RUN)
def test_help_shows_how_to_run_it(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this process, which has imported most of what they import."""
    monkeypatch.setattr(sys, "argv", [f"{name}.py", "--help"])
    with pytest.raises(SystemExit, match="0"):
        runpy.run_path(str(BENCHMARKS / f"{name}.py"), run_name="__main__")
    assert f"python examples/benchmarks/{name}.py" in capsys.readouterr().out


def test_university_writes_the_same_to_a_file_and_to_standard_output(tmp_path: Path) -> None:
    script = BENCHMARKS / "university.py"
    run(script, "1", str(tmp_path / "data.nt"), "--departments", "1")
    text = (tmp_path / "data.nt").read_text()
    assert text == run(script, "--departments", "1")
    assert text.count("\n") > 5_000


@pytest.mark.parametrize(
    ("name", "size", "lines"), [("chains", 5, 20), ("relations", 12, 109), ("wind_farm", 5, 9)]
)
def test_small_data_sets(name: str, size: int, lines: int, tmp_path: Path) -> None:
    script = BENCHMARKS / f"{name}.py"
    run(script, str(size), str(tmp_path / "data.nt"))
    text = (tmp_path / "data.nt").read_text()
    assert text == run(script, str(size))
    assert text.count(" .\n") == text.count("\n") == lines


def test_graphs(tmp_path: Path) -> None:
    script = BENCHMARKS / "graphs.py"
    run(script, "dag", str(tmp_path / "data.nt"), "--scale", "0.01")
    text = (tmp_path / "data.nt").read_text()
    assert text == run(script, "dag", "--scale", "0.01")
    assert text.count("#edge> ") == text.count(" .\n") == 1000


def test_home_towns(tmp_path: Path) -> None:
    script = BENCHMARKS / "home_towns.py"
    run(script, "1", str(tmp_path / "data.nt"), "--departments", "1")
    text = (tmp_path / "data.nt").read_text()
    assert text == run(script, "--departments", "1")
    assert text.count("#hasSameHomeTownWith> ") == text.count(" .\n") > 500


def test_streams() -> None:
    printed = run(BENCHMARKS / "streams.py", "seq", "--sizes", "10", "--seeds", "1",
                  "--repetitions", "1", "--fleeting")  # fmt: skip
    ours, paper = (line.replace(",", "").split()[-9:] for line in printed.splitlines()[2:4])
    assert re.search(r"fewer with a look ahead: [1-9][\d,]* to ", printed)
    insertions = int(ours.pop(6)), int(paper.pop(6))
    assert ours == paper, "what does not depend on the machine is the paper's"
    assert insertions[0] == pytest.approx(insertions[1], rel=0.01), "as edges are drawn twice"
    assert "P_trans" in run(BENCHMARKS / "streams.py", "trans", "--sizes", "10", "--seeds", "1",
                            "--repetitions", "1", "--batches")  # fmt: skip


def test_soak() -> None:
    assert run(BENCHMARKS / "soak.py", "--updates", "700").count(" MB") == 10


def test_deletions(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """From facts under rules, and with --long from an ontology and its data."""
    name = "university" if pytestconfig.getoption("--long") else "tutors"
    printed = run(BENCHMARKS / "deletions.py", name, "cliques", "--departments", "1",
                  "--people", "60", "--town", "4", "--places", "6", "--cliques", "3",
                  "--repetitions", "1", "--learning", "1", "--plots", str(tmp_path))  # fmt: skip
    first, second = printed.split("milliseconds")[:2]
    [stated, whole] = re.findall(rf"{name}: \|E\| = ([\d,]+), \|I\| = ([\d,]+)", first)[0]
    assert int(stated.replace(",", "")) < int(whole.replace(",", ""))
    assert re.search(r"equilibrium (up to )?[\d,]+", first)
    rows = [line.split() for line in first.splitlines()[2:]]
    assert rows[0][:2] == ["1", "1"] and {len(row) for row in rows} == {17}
    assert len(second.splitlines()) >= len(rows) + 2, "and all strategies"
    for drawn in (name, "cliques"):
        assert (tmp_path / f"{drawn}.svg").read_text().count("<polyline") == 6


def test_loading() -> None:
    printed = run(BENCHMARKS / "loading.py", *TINY)
    assert printed.count("rdfinc load") == 4
    assert re.search(rf"pyoxigraph bulk_load +{NUMBER}", printed)
    assert re.search(rf"rdflib parse +{NUMBER}", printed)


def test_closure() -> None:
    printed = run(
        BENCHMARKS / "closure.py", *TINY, "--universities", "1", "--owlrl-departments", "0"
    )
    stated, derived = re.search(r"([\d,]+) stated, ([\d,]+) derived", printed).groups()
    assert 0 < int(derived.replace(",", "")) < int(stated.replace(",", ""))
    assert re.search(r"whole process: [\d,]+ facts, at most \d+ MB", printed)
    assert re.search(r"[\d.]+ bytes a fact .* [\d.]+ bytes a term", printed)


def closures(*arguments: str) -> str:
    tiny = ("--scale", "0.002", "--singles", "2", "--questions", "3", "--repetitions", "1")
    return run(BENCHMARKS / "closures.py", *tiny, *arguments)


def test_aliases() -> None:
    printed = run(BENCHMARKS / "aliases.py", "--aliases", "6", "--facts", "60")
    assert "60 facts of 6 aliases, values" in printed and "linked: 390 facts" in printed
    assert printed.count("a fact of another alias is there") == 3


def test_look_ups() -> None:
    printed = run(BENCHMARKS / "look_ups.py", "--departments", "1", "--look-ups", "20")
    assert len(re.findall(r"^\w.*( +[\d.]+ (µs|ms) \([\d.]+\)){2}", printed, re.MULTILINE)) == 9


def test_first_answers() -> None:
    printed = run(BENCHMARKS / "first_answers.py", "--runs", "1")
    assert len(re.findall(r"^\S.* +\d+\.\d\d s$", printed, re.MULTILINE)) == 8


def test_mailboxes() -> None:
    printed = run(BENCHMARKS / "mailboxes.py", "--people", "20", "--updates", "2")
    assert re.search(r"^20 people, [1-9]\d\d facts, loaded in ", printed)
    assert len(re.findall(rf"^    one (?:less|more): {NUMBER[:-1]},", printed, re.MULTILINE)) == 6


def test_merges() -> None:
    printed = run(BENCHMARKS / "merges.py", "--terms", "10", "20")
    assert len(re.findall(rf"^20  +\d+(?: +{NUMBER}+[\d.]+){{3}}", printed, re.MULTILINE)) == 3


def test_ontologies() -> None:
    printed = run(
        BENCHMARKS / "ontologies.py",
        str(EXAMPLES.parent / "ontologies/family.ttl"),
        "--drawn",
        "3",
        "--slowest",
        "1",
    )
    assert re.match(r"[1-9]\d\d stated, [1-9]\d\d facts: loaded in ", printed)
    rows = [line.split() for line in printed.splitlines()]
    assert [row[:2] for row in rows if row[0] in ("fact", "axiom")] == [
        [kind, way] for kind in ("fact", "axiom") for way in ("out", "in")
    ]
    assert len(re.findall(r" facts\)$", printed, re.MULTILINE)) == 2


def test_cliffs() -> None:
    sizes = ("--graphs", "9", "--predicates", "20", "--links", "30", "--terms", "50")
    lines = run(BENCHMARKS / "cliffs.py", "--doublings", "1", *sizes).splitlines()[1:]
    assert len(lines) == 2 * (14 + 25 + 11 + 22)
    assert all(re.match(rf" +[\d,]+ +{NUMBER} *{NUMBER} *[\d.]+x ", line) for line in lines)


def test_small_queries() -> None:
    printed = run(BENCHMARKS / "small_queries.py", "--subjects", "50", "--rounds", "1")
    lines = printed.splitlines()[1:]
    assert len(lines) == 14
    kind = r"[\w ,-]+?"
    assert all(re.match(rf"{kind} +{NUMBER} *{NUMBER} *[\d.]+x +{NUMBER}", line) for line in lines)


def test_query_kinds() -> None:
    printed = run(BENCHMARKS / "query_kinds.py", "--departments", "1", "--runs", "1")
    lines = printed.splitlines()[1:-1]
    assert len(lines) == 34
    kind = r"[\w ,+*()-]+?"
    assert all(re.match(rf"{kind} +[\d,]+ +{NUMBER} *{NUMBER} *[\d.]+x", line) for line in lines)


def test_walked_queries() -> None:
    given = [str(EXAMPLES.parent / "ontologies" / f"{name}.ttl") for name in ("skos", "family")]
    printed = run(BENCHMARKS / "walked_queries.py", *given, "--count", "40").splitlines()
    assert re.fullmatch(r"\d+ queries, \d left out as too long, 0 with other rows", printed[1])
    means = [line for line in printed if "geometric mean" in line]
    assert [line.partition(":")[0] for line in means] == ["first time", "third time"]
    assert len(printed) == 4 + 2 * 5


def test_shop_queries() -> None:
    printed = run(BENCHMARKS / "shop_queries.py", "--products", "50", "--runs", "1")
    lines = [line for line in printed.splitlines()[1:] if "geometric mean" not in line]
    assert len(lines) == 36
    kind = r"[\w ,]+?"
    assert all(re.match(rf"{kind} +[\d,]+ +{NUMBER} *{NUMBER} *[\d.]+x", line) for line in lines)


def test_closures() -> None:
    printed = closures("--only", "relations", "farm", "--turbines", "6")
    for row in ("materialise", "delete one", "insert few", "delete many", "all pairs, SPARQL"):
        assert len(re.findall(rf"^  {row} +{NUMBER[:-1]}", printed, re.MULTILINE)) == 1, row
    added, removed = re.findall(r"^  turbine in the middle +(\d+) ", printed, re.MULTILINE)[:2]
    assert added == removed


def test_closures_skips_what_plain_storage_cannot_hold() -> None:
    pairs = closures("--only", "ontology", "--storages", "plain", "--pairs", "100")
    assert re.search(r"plain: skipped, about [\d,]+ pairs$", pairs, re.MULTILINE)
    work = closures("--only", "ontology", "--storages", "plain", "--instances", "0")
    assert re.search(r"plain: skipped, about [\d,]+ instances of the rules$", work, re.MULTILINE)
    assert "materialise" not in pairs + work


def test_closures_skips_a_storage_that_is_refused() -> None:
    printed = closures("--only", "ontology", "--storages", "plain", "paper")
    assert "paper: skipped, this rdfinc refuses it" in printed
    assert printed.count("materialise") == 1


def test_components_table() -> None:
    sizes = ("--clique", "20", "--nodes", "400", "--repetitions", "2")
    printed = run(BENCHMARKS / "components_table.py", *sizes)
    assert len(re.findall(rf"an edge goes +{NUMBER}", printed)) == 3
    assert "400 external facts, 400 facts" in printed
    assert "300 external facts, 1,600 facts" in printed
    assert re.search(r"[\d.]+ bytes a node", printed)


def test_terms() -> None:
    printed = run(BENCHMARKS / "terms.py", "--terms", "50000", "--repetitions", "1")
    assert re.search(r"50,000 terms: \d+ bytes a term, 6\d of them its text", printed)
    assert re.findall(r"  (by text|in vain|by id) +[\d.]+ µs", printed) == [
        "by text", "in vain", "by id",
    ]  # fmt: skip


def test_self_chains() -> None:
    printed = run(BENCHMARKS / "self_chains.py", "12", "--repetitions", "3")
    assert re.findall(r"P is (\w+): ", printed) == ["neither", "symmetric", "transitive", "both"]
    assert len(re.findall(rf"the chain +{NUMBER}", printed)) == 8


def test_union_table() -> None:
    sizes = ("--classes", "50", "--members", "500")
    printed = run(BENCHMARKS / "union_table.py", *TINY, *sizes)
    assert re.search(r"tree: [\d,]+ pairs of 500 individuals", printed)
    for row in ("has, one by one", "by ten classes", "a quarter goes and comes"):
        assert printed.count(row) == 2
    assert len(re.findall(rf"^  Union +{NUMBER}", printed, re.MULTILINE)) == 32
    assert len(re.findall(r"Union: [\d.]+ bytes a pair", printed)) == 2


def test_updates() -> None:
    printed = run(BENCHMARKS / "updates.py", *TINY, "--facts", "10", "--owlrl-departments", "0")
    for way in ("kb.update", "Graph.remove/add", "re-materialise"):
        assert len(re.findall(rf"{way} +{NUMBER}", printed)) == 2
    assert "by predicate" in printed
    once = run(BENCHMARKS / "updates.py", *TINY[:2], "--facts", "2", "--owlrl-departments", "0",
               "--repetitions", "1")  # fmt: skip
    assert len(re.findall(rf"re-materialise +{NUMBER}", once)) == 2


def test_rule_changes() -> None:
    printed = run(
        BENCHMARKS / "rule_changes.py", "--links", "4", "--turbines", "8", "--growing", "10",
        "--repetitions", "1", "--rules", "r1", "r10", "r15", "r18",
    )  # fmt: skip
    assert printed.count("14 hyper-nodes, 18 rules, 15 predicates, 16 facts stated") == 2
    assert printed.count("5 hyper-nodes, 6 rules, 6 predicates, 15 facts stated") == 1
    for name in ("r1", "r10", "r15", "r18", "r10 r15 r18"):
        changes = re.findall(rf"^  {name} +[\d,]+ +0 +(?:{NUMBER} *){{5}}", printed, re.MULTILINE)
        assert len(changes) >= 4, name
    assert printed.count("over 1.1 times the cost from scratch") == 2
    there, back = re.findall(r"a measurement +(\d+) +(\d+) ", printed)
    assert there == back
    assert int(there[1]) >= 7  # all neighbours' counts or medians


def test_queries() -> None:
    printed = run(BENCHMARKS / "queries.py", *TINY, "--rdflib-departments", "0")
    rows = dict(re.findall(r"^  (q\d\d) +([\d,]+) ", printed, re.MULTILINE))
    assert len(rows) == 14
    assert rows["q01"] == rows["q10"]
    assert "all 14" in printed


@pytest.mark.skipif(os.name != "posix", reason="kills processes")
def test_on_disk() -> None:
    printed = run(EXAMPLES / "on_disk.py")
    assert printed.count("all is well") == 2
    assert "the backup: <KnowledgeBase owl2rl" in printed


def test_knowledge_bases_on_disk() -> None:
    small = ("--universities", "1", "--departments", "1", "--commits", "3")
    printed = run(BENCHMARKS / "on_disk.py", *small)
    for name in ("open", "query", "first update", "update", "memory", "interval", "commit"):
        assert re.search(rf"^  {name} +{NUMBER}", printed, re.MULTILINE)


def test_first_hour() -> None:
    printed = run(EXAMPLES / "first_hour.py")
    assert re.findall(r"^--- (\d)", printed, re.MULTILINE) == list("1234567")
    assert "a mother: :berta" in printed
    assert "Berta is still a mother: True" in printed
    assert ":frida :hasGrandmother :berta" in printed
    stated, known = re.search(r"(\d+) of (\d+) facts saved", printed).groups()
    assert int(stated) < int(known)
    line, caret = printed.rstrip().splitlines()[-2:]
    assert line[caret.index("^") :].startswith("?z] .")


def test_owlrl_to_rdfinc() -> None:
    lines = run(EXAMPLES / "owlrl_to_rdfinc.py").splitlines()
    assert [re.findall(r"(\d) facts|(True|False)", line) for line in lines] == [
        [("7", ""), ("", "True"), ("", "True")],
        [("6", ""), ("", "True"), ("", "True")],
        [("7", ""), ("", "True"), ("", "True")],
        [("4", ""), ("", "False"), ("", "False")],
    ]


def test_ontology_ci() -> None:
    printed = run(EXAMPLES / "ontology_ci.py")
    assert re.findall(r"exit status (\d)", printed) == ["0", "1", "1"]
    assert "+ :tom rdf:type :Pet" in printed
    assert "::error file=wrong.ttl,line=4,title=cax-dw::" in printed
    assert "did you mean rdfs:subClassOf?" in printed


def test_sensor_stream() -> None:
    lines = run(EXAMPLES / "sensor_stream.py").splitlines()
    assert [
        line.strip() for line in lines if line.startswith("  began") or line.startswith("  ended")
    ] == [
        "began: kitchen is a HotRoom",
        "began: hall is a HotRoom",
        "began: ground is a Alarmed",
        "ended: kitchen is a HotRoom",
        "ended: ground is a Alarmed",
    ]
    assert "    FILTER(?n >= 2)   does not hold for ?n = 1" in lines


def test_asserted_and_inferred() -> None:
    printed = run(EXAMPLES / "asserted_and_inferred.py")
    parts = printed.split("Asked by graph")[0].splitlines()
    follows = [line.count("only follows") for line in parts]
    assert [sum(follows[:7]), sum(follows[7:13]), sum(follows[13:])] == [2, 2, 1]
    stated = printed.split("follows:\n")[-1]
    assert stated.count(" .\n") == 4
    assert "/prado> <http://example.org/locatedIn> <http://example.org/spain>" not in stated


def test_rdfox_port() -> None:
    printed = run(EXAMPLES / "rdfox_port.py")
    assert "10 facts, 5 rules\ntotals: basket1 7 basket2 3\nopen baskets: basket1\n" in printed
    assert "- :basket1 :total 7" in printed and "- :basket1 rdf:type :Large" in printed
    assert "  :basket1 rdf:type :Empty   is not there" in printed
    assert "Refused: line 1, column 1: the rules cannot be put in order" in printed


def test_swrl_over_obo() -> None:
    printed = run(EXAMPLES / "swrl_over_obo.py")
    assert "'sample 7' rdf:type 'brain cell'   by rule" in printed
    assert "    neuron rdfs:subClassOf cell   stated" in printed
    assert printed.endswith("1 gone\n")


def test_family_notebook() -> None:
    """Every cell runs, and shows something for its last line."""
    pytest.importorskip("pandas")
    cells = json.loads((EXAMPLES / "family.ipynb").read_text())["cells"]
    known: dict[str, object] = {}
    shown = []
    for cell in cells:
        if cell["cell_type"] == "code":
            *first, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(first, []), "cell", "exec"), known)
            assert isinstance(last, ast.Expr)
            shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), known))
    pages = [value._repr_html_() for value in shown]
    assert [type(value).__name__ for value in shown] == [
        "LoadReport", "KnowledgeBase", "Proof", "Delta", "Delta", "Selected", "DataFrame",
        "Delta", "Delta", "Violations", "ClassTree",
    ]  # fmt: skip
    assert ":hasGreatUncle" in pages[2] and len(shown[3].removed) == len(shown[4].added) > 10
    assert len(shown[7].added) == len(shown[8].removed) == 6
    assert "Man" in pages[9] and "image/svg" in pages[10]


def test_joins_answer_as_oxigraph_does() -> None:
    printed = run(BENCHMARKS / "joins.py", "--nodes", "20", "--repetitions", "2")
    assert len(re.findall(r": 400 rows, \d+ answers", printed)) == 6
    assert len(re.findall(rf"pyoxigraph +{NUMBER}", printed)) == 6


def test_watches_are_told_of_every_update() -> None:
    script = BENCHMARKS / "watches.py"
    printed = run(script, "--universities", "1", "--departments", "1", "--updates", "5")
    told = re.findall(r"told ([\d,]+) rows; asked again", printed)
    assert len(told) == 7 and "0" not in (told[4], told[6]), printed


def test_no_answer_of_a_server_is_torn() -> None:
    pytest.importorskip("fastapi")
    script = BENCHMARKS / "server.py"
    printed = run(script, "--clients", "3", "--seconds", "1", "--departments", "1")
    rows = [line.split() for line in printed.splitlines()[1:]]
    assert [row[1] for row in rows if row[0] == "rdfinc"] == ["3"]
    assert {row[0] for row in rows} <= {"rdfinc", "oxigraph"}
    assert all(row[-2:] == ["0", "0"] for row in rows), printed
