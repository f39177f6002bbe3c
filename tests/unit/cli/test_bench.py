"""`rdfinc bench` measures what is installed, says what is not, and tells differences."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rdfinc import university
from rdfinc.plugins.bench import library_comparison, peers
from rdfinc.plugins.bench.peers import PEERS, RDFINC, Peer

QUICK = ("--repetitions", "1", "--changes", "3", "-q")
UNCHANGED = ("--repetitions", "1", "--changes", "0", "-q")

MADE_UP = """
import signal
import sys
import time
import rdflib

class Library:
    def __init__(self, profile):
        self._graph = rdflib.Graph()

    def load(self, data, rules):
        self._graph.parse(data, format="nt")
        return 0.0

    def size(self):
        return len(self._graph)

    def write(self, file):
        self._graph.serialize(file, format="nt", encoding="utf-8")

    def ask(self, query):
        return 7

class Wrong(Library):
    def load(self, data, rules):
        super().load(data, rules)
        self._graph.parse(data="<a:x> <a:p> _:b . <a:new> <a:p> <a:o>, <a:b> .", format="turtle")
        print("a library may print")
        return 0.001

class Slow(Library):
    def load(self, data, rules):
        time.sleep(60)

class Broken(Library):
    def load(self, data, rules):
        raise RuntimeError("out of order")

class Lasting(Library):
    def withdraw(self, line):
        pass

    state = withdraw

class Endless(Library):
    def __init__(self, profile):
        super().__init__(profile)
        self._asked = 0
        sys.modules["__main__"].SLOW = 0.5

    def ask(self, query):
        self._asked += 1
        if self._asked == 2:
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
        time.sleep(60)
"""


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts libraries that are no packages beside rdfinc."""
    file = tmp_path / "made_up.py"
    file.write_text(MADE_UP)
    monkeypatch.setattr(peers, "version", lambda name: f"of {name}")

    def beside(*names: str, **abilities: Any) -> None:
        others = (Peer(n, str(file.with_suffix("")), n, **abilities) for n in names)
        monkeypatch.setattr(library_comparison, "PEERS", (RDFINC, *others))

    return beside


@pytest.fixture
def unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No queries, for tests that do not look at answers."""
    monkeypatch.setattr(library_comparison._Comparison, "answers", lambda self, queries: iter(()))


def by_library(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["library"]: row for row in rows}


def test_what_is_installed_is_measured_and_what_is_not_is_told(run, zoo: Path) -> None:
    """One text has several lines: owlrl makes subjects of texts."""
    zoo.write_text(zoo.read_text() + '\n:tom :says "hm\\n`well`\\n" .\n')
    done = run("bench", zoo, *QUICK, "--json")
    assert (done.status, done.err) == (0, "")
    found = json.loads(done.out)
    assert (found["triples"], found["profile"], found["what"]) == (7, "owl2rl", "zoo.ttl")
    rows = by_library(found["closings"])
    assert list(rows) == [peer.name for peer in PEERS]
    for peer in PEERS:
        row = rows[peer.name]
        if peer.version is None:
            assert row["why"] == f"not installed: `pip install {peer.name}`"
            assert row["seconds"] is None
        elif peer.lacks("owl2rl", rules=False):
            assert row["why"] == "has no profile owl2rl"
        else:
            assert row["facts"] == 7 if not peer.derives else row["facts"] >= 9
            assert row["seconds"] > 0 and row["processor"] > 0 and row["peak_bytes"] > 10**6
            assert (row["deriving"] is None) == (not peer.derives)
    assert [(each["only_rdfinc"], each["common"]) for each in found["differences"]] == [
        (0, 9) for peer in PEERS[1:] if "owl2rl" in peer.derives and peer.version
    ]
    (changed,) = found["changes"]
    assert changed["exact"] and len(changed["gone"]) == len(changed["back"]) == 3
    answers = [each["answers"] for each in found["answers"]]
    assert {len(each) for each in answers} == {len(found["queries"])}
    for query in found["queries"]:
        assert len({each[query]["rows"] for each in answers}) == 1, query


def test_no_query_takes_the_place_of_another(run, zoo: Path, made_up) -> None:
    made_up()
    files = [zoo.with_name("facts.rq"), zoo.parent / "more" / "facts.rq"]
    files[1].parent.mkdir()
    options = []
    for number, file in enumerate(files):
        file.write_text(f"ASK {{ <x:{number}> ?p ?o }}")
        options += ["--query", file]
    done = run("bench", zoo, *UNCHANGED, *options, "--json")
    asked = json.loads(done.out)["queries"]
    assert [asked[name] for name in ("facts", str(files[1]))] == [f.read_text() for f in files]
    assert list(asked)[:2] == ["facts", str(files[1])] and len(asked) > 2


def test_universities_are_made_up(run, made_up) -> None:
    made_up()
    found = json.loads(run("bench", "--departments", "1", *UNCHANGED, "--json").out)
    assert found["triples"] == 8129
    answers = found["answers"][0]["answers"]
    assert answers["q06"]["rows"] == 612
    assert university.queries().keys() < answers.keys()


@pytest.mark.usefixtures("unasked")
def test_rules(run, zoo: Path, made_up) -> None:
    made_up("Wrong", derives=("owl2rl",))
    rules = zoo.with_name("zoo.dlog")
    rules.write_text("[?y, <a:feeds>, ?x] :- [?x, <http://example.org/zoo#eats>, ?y] .\n")
    rows = by_library(json.loads(run("bench", zoo, rules, *UNCHANGED, "--json").out)["closings"])
    assert rows["rdfinc"]["facts"] == 9
    assert rows["Wrong"]["why"] == "has no rules of users"


@pytest.mark.usefixtures("unasked")
def test_where_nothing_is_derived_all_stores_are_changed(run, zoo: Path) -> None:
    found = json.loads(run("bench", zoo, *QUICK, "--profile", "none", "--json").out)
    assert by_library(found["closings"])["owlrl"]["why"].startswith(("has no", "not installed"))
    stores = {peer.name for peer in PEERS if peer.answers and peer.version}
    exact = {each["library"]: each["exact"] for each in found["changes"]}
    assert exact == dict.fromkeys(stores, True)


@pytest.mark.usefixtures("unasked")
def test_changes_that_are_not_exact_are_told(run, zoo: Path, made_up) -> None:
    made_up("Lasting")
    told = run("bench", zoo, *QUICK, "--profile", "none").out
    (line,) = [each for each in told.splitlines() if each.endswith("facts as anew |")][1:]
    assert line.startswith("| Lasting | ") and line.endswith("NOT the same facts as anew |")


def test_a_difference_is_told(run, zoo: Path, made_up) -> None:
    made_up("Wrong", derives=("owl2rl",))
    zoo.write_text(zoo.read_text() + ":eats <http://www.w3.org/2002/07/owl#inverseOf> [] .\n")
    done = run("bench", zoo, *UNCHANGED)
    assert "(7 rows)" in done.out
    assert "**rdfinc and Wrong**: 6 facts are in both; 2 are only in Wrong; 2 are only" in done.out
    assert "only Wrong: <a:new> <a:p> <a:b>" in done.out
    assert "only rdfinc: <http://example.org/zoo#jerry> " in done.out
    assert "may print" not in done.out


@pytest.mark.usefixtures("unasked")
def test_who_is_slow_or_fails_stops_nobody_else(run, zoo: Path, made_up) -> None:
    made_up("Slow", "Broken", "Wrong", derives=("owl2rl",), answers=False)
    rows = by_library(
        json.loads(run("bench", zoo, *UNCHANGED, "--timeout", "3", "--json").out)["closings"]
    )
    assert rows["Slow"]["why"] == "more than 3 s"
    assert rows["Broken"]["why"] == "failed: RuntimeError: out of order"
    assert rows["Wrong"]["facts"] == 9 and rows["rdfinc"]["facts"] == 8


def test_a_query_that_never_ends(run, zoo: Path, made_up) -> None:
    made_up("Endless")
    """The second one lets itself not be interrupted."""
    found = json.loads(run("bench", zoo, *UNCHANGED, "--timeout", "5", "--json").out)
    answers = by_library(found["answers"])["Endless"]
    assert answers["answers"]["facts"]["failure"] == "more than 0.5 s"
    assert answers["why"] == "more than 5 s"
    assert by_library(found["answers"])["rdfinc"]["why"] == ""


def test_tables_are_whole(run, zoo: Path, made_up, tmp_path: Path) -> None:
    made_up("Wrong", "Broken", derives=("owl2rl",))
    zoo = zoo.rename(zoo.with_name("a|b.ttl"))
    report, query = tmp_path / "report.md", tmp_path / "mine.rq"
    query.write_text("SELECT * { ?x a ?y }")
    done = run("bench", zoo, *QUICK, "-o", report, "--query", query)
    assert (done.status, done.out) == (0, "")
    text = report.read_text()
    assert text.startswith("# a\\|b.ttl\n")
    tables = [block.split("\n") for block in text.split("\n\n") if block.startswith("| ")]
    assert len(tables) == 3
    for table in tables:
        assert len({line.replace("\\|", "").count("|") for line in table}) == 1
    assert "| mine | 3 |" in text and "# mine\nSELECT * { ?x a ?y }" in text


def test_no_triples(run, tmp_path: Path, made_up) -> None:
    made_up()
    empty = tmp_path / "empty.ttl"
    empty.touch()
    done = run("bench", empty, *QUICK)
    assert (done.status, done.err) == (0, "")
    assert "0 triples, profile owl2rl" in done.out


def test_a_picture(run, zoo: Path, tmp_path: Path, made_up) -> None:
    pytest.importorskip("matplotlib")
    made_up()
    report, picture = tmp_path / "report.md", tmp_path / "pictures" / "a b.png"
    picture.parent.mkdir()
    assert run("bench", zoo, *UNCHANGED, "-o", report, "--plot", picture).status == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "](<pictures/a b.png>)" in report.read_text()
    failed = run("bench", zoo, "--plot", tmp_path / "a.docx")
    assert failed.status == 2 and "a picture is one of" in failed.err and ".png" in failed.err


def test_without_matplotlib_the_error_says_how_to_install_it(zoo: Path) -> None:
    program = (
        "import sys\n"
        "sys.modules['matplotlib'] = None\n"
        f"sys.argv[1:] = ['bench', {str(zoo)!r}, '--plot', 'a.png']\n"
        "from rdfinc.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "'bench_plot' without matplotlib" in done.stderr
    assert "run `pip install rdfinc[bench]`" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.ttl"], "there is no file 'nowhere.ttl'"),
        (["broken.ttl"], "broken.ttl, line 1"),
        (["only.dlog"], "there are only rules"),
        (["table.csv"], ".csv"),
        (["zoo.ttl", "-o", "no/report.md"], "there is no folder no"),
        (["zoo.ttl", "-o", "zoo.ttl"], "zoo.ttl is an input"),
        (["zoo.ttl", "--query", "no.rq"], "no.rq: No such file"),
        (["zoo.ttl", "--query", "broken.ttl"], "broken.ttl: query, line 1, column 1: no SPARQL"),
        (["zoo.ttl", "--departments", "0"], "--departments"),
        (["zoo.ttl", "--timeout", "0"], "--timeout"),
    ],
)
def test_mistakes(
    run, zoo: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.chdir(zoo.parent)
    for name, text in (
        ("broken.ttl", "<a:a> <a:b>"),
        ("table.csv", "a,b"),
        ("only.dlog", "[?x, <a:p>, ?y] :- [?y, <a:p>, ?x] ."),
    ):
        zoo.with_name(name).write_text(text)
    failed = run("bench", *arguments, "-q")
    assert (failed.status, failed.out) == (2, "")
    assert told in failed.err and failed.err.count("\n") <= 4
