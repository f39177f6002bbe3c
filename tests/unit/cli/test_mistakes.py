"""What a user does wrong is one clear message on stderr and status 2, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_a_missing_file(run) -> None:
    failed = run("stats", "nowhere.ttl")
    assert (failed.status, failed.out) == (2, "")
    assert failed.err.splitlines()[-1].startswith("rdfinc: there is no file 'nowhere.ttl'")


def test_a_malformed_file_is_named_with_its_line(run, zoo: Path) -> None:
    bad = zoo.with_name("bad.nt")
    bad.write_text("<http://a.example/> <http://a.example/> <http://a.example/> .\nnonsense\n")
    failed = run("stats", bad)
    assert failed.status == 2
    assert f"{bad}, line 2" in failed.err


def test_malformed_statements_can_be_skipped_and_are_counted(run, zoo: Path) -> None:
    bad = zoo.with_name("bad.nt")
    bad.write_text("nonsense\n<http://a.example/> <http://a.example/> <http://a.example/> .\n")
    done = run("stats", bad, "--skip-malformed")
    assert done.status == 0
    assert "warning: 1 malformed" in done.err
    assert f"{bad}, line 1" in done.err


def test_an_unknown_format_is_known_before_any_work(run, zoo: Path) -> None:
    failed = run("materialise", zoo, "-o", zoo.with_name("out.docx"))
    assert failed.status == 2
    assert "--output" in failed.err
    assert ".docx" in failed.err
    assert "reading" not in failed.err


def test_a_folder_that_is_not_there_is_known_before_any_work(run, zoo: Path) -> None:
    failed = run("materialise", zoo, "-o", zoo.parent / "no" / "out.nt")
    assert failed.status == 2
    assert "there is no folder" in failed.err
    assert "reading" not in failed.err


def test_a_file_of_unknown_format(run, zoo: Path) -> None:
    other = zoo.with_name("data.csv")
    other.write_text("a,b,c\n")
    failed = run("stats", other)
    assert failed.status == 2
    assert ".csv" in failed.err


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT ?x WHERE { ?x a :Cat", "line 1"),
        ("SELECT ?x WHERE { ?x a what:Cat }", "what"),
        ("hello", "SPARQL"),
    ],
)
def test_a_query_that_is_none(run, zoo: Path, query: str, expected: str) -> None:
    failed = run("query", query, zoo)
    assert (failed.status, failed.out) == (2, "")
    assert expected in failed.err


def test_a_query_file_that_is_not_there(run, zoo: Path) -> None:
    failed = run("query", zoo.with_name("missing.rq"), zoo)
    assert failed.status == 2
    assert "missing.rq" in failed.err


def test_a_term_that_is_none(run, zoo: Path) -> None:
    failed = run("explain", "tom", "a", ":Cat", zoo)
    assert failed.status == 2
    assert "'tom' is no term" in failed.err
    assert ":, owl:" in failed.err  # the prefixes there are


def test_a_broken_rule_shows_the_place(run, zoo: Path) -> None:
    rules = zoo.with_name("bad.dlog")
    rules.write_text("[?x, a, <http://a.example/C>] :- [?x a ?y] .\n")
    failed = run("stats", rules, zoo)
    assert failed.status == 2
    assert "line 1, column" in failed.err


def test_contradictions_are_told(run, zoo: Path) -> None:
    zoo.write_text(
        zoo.read_text() + ":Cat <http://www.w3.org/2002/07/owl#disjointWith> :Dog . :tom a :Dog .\n"
    )
    done = run("stats", zoo)
    assert done.status == 0
    assert "warning: 1 contradiction" in done.err


def test_no_arguments_and_unknown_commands(run) -> None:
    assert run("dance").status == 2
    assert run("stats").status == 2


@pytest.fixture
def here(zoo: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the zoo, which is the current one, so that messages are short."""
    monkeypatch.chdir(zoo.parent)
    return zoo.parent


EXTENSIONS = ".nt .nq .ttl .trig .n3 .rdf .jsonld"


@pytest.mark.parametrize("name", ["data", "data.csv", "data.dlog.txt"])
@pytest.mark.parametrize("command", ["stats", "check", "load"])
def test_the_extensions_there_are(run, here: Path, command: str, name: str) -> None:
    (here / name).write_text("a,b,c\n")
    failed = run(command, name, *(["-o", "made"] if command == "load" else []))
    assert failed.status == 2
    assert f"{EXTENSIONS}, each also with .gz .bz2 .xz .zst, and .dlog" in failed.err
    assert "format=" not in failed.err
    assert "reading" not in failed.err


@pytest.mark.parametrize("name", ["out", "out.docx", "out.gz"])
def test_the_extensions_of_outputs(run, here: Path, name: str) -> None:
    failed = run("materialise", "zoo.ttl", "-o", name)
    assert failed.status == 2
    assert f"{EXTENSIONS}, each also with .gz .bz2 .xz .zst" in failed.err
    assert "format=" not in failed.err
    assert not (here / name).exists()


def test_a_folder_of_files(run, zoo: Path) -> None:
    failed = run("stats", zoo.parent)
    assert failed.status == 2
    assert f'say "{zoo.parent}/*"' in failed.err


def test_a_drawing_of_another_kind(run, zoo: Path) -> None:
    rules, picture = zoo.with_name("r.dlog"), zoo.with_name("d.png")
    rules.write_text("[?x, <x:p>, ?y] :- [?y, <x:p>, ?x] .\n")
    failed = run("rules", "draw", rules, "-o", picture)
    assert failed.status == 2
    assert ".svg .dot .gv .txt" in failed.err
    assert not picture.exists()
    assert run("rules", "draw", rules, "--format", "svg", "-o", picture).status == 0
    assert picture.read_text().startswith("<svg")


def test_an_interruption(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rdfinc.cli.app.run", interrupted)
    stopped = run("stats")
    assert (stopped.status, stopped.out, stopped.err) == (130, "", "")


def test_a_name_with_other_capitals_is_told_once(run, here: Path) -> None:
    here.joinpath("m.ttl").write_text("@prefix : <http://e.org/> . :louvre :locatedIn :paris .\n")
    failed = run("explain", ":louvre :locatedin :paris", "m.ttl")
    assert failed.status == 1
    assert failed.err.count("no fact has :locatedin; did you mean :locatedIn?") == 1


@pytest.mark.parametrize("command", ["query", "update", "explain"])
def test_a_file_in_front_is_told_though_it_is_not_there(run, here: Path, command: str) -> None:
    failed = run(command, "gone.ttl", "ASK { ?s ?p ?o }")
    assert failed.status == 2
    assert "first, and then the files, such as gone.ttl" in failed.err


def test_the_name_of_a_resource_may_end_as_a_file_does(run, here: Path) -> None:
    failed = run("explain", "http://e.org/x.rdf", "a", "http://e.org/C", "zoo.ttl")
    assert (failed.status, "and then the files" in failed.err) == (1, False)


@pytest.mark.parametrize("group", [[], ["rules"]])
def test_a_file_where_a_command_is_expected(run, here: Path, group: list[str]) -> None:
    failed = run(*group, "zoo.ttl")
    assert failed.status == 2
    assert f"a command comes first: {' '.join(['rdfinc', *group])} check zoo.ttl" in failed.err


def test_a_command_is_told_by_its_beginning(run) -> None:
    assert "there is materialise: Derive" in run("mat", "zoo.ttl").err


def test_a_format_that_means_nothing(run, zoo: Path) -> None:
    failed = run("convert", "--format", "nt", zoo)
    assert failed.status == 2
    assert "--format: it says what standard input (-) is" in failed.err


@pytest.mark.parametrize("seconds", ["nan", "inf", "soon", "-1"])
@pytest.mark.parametrize("command", [("serve",), ("query", "ASK {}")])
def test_what_is_no_number_of_seconds(
    run, zoo: Path, command: tuple[str, ...], seconds: str
) -> None:
    failed = run(*command, zoo, "--timeout", seconds)
    assert failed.status == 2
    assert "--timeout" in failed.err and "Traceback" not in failed.err
