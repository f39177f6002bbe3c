"""Each command: what it prints for people, what for programs, and its exit status."""

from __future__ import annotations

import gzip
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from rdflib import PROV, RDF, Graph

import rdfinc

COMMANDS = ["demo", "load", "materialise", "query", "explain", "check", "stats", "bench"]
ANIMALS = "SELECT ?x WHERE { ?x a :Animal } ORDER BY ?x"


def test_help_lists_the_commands(run) -> None:
    shown = run("--help")
    assert shown.status == 0
    assert all(command in shown.out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_json(run, command: str) -> None:
    shown = run(command, "--help")
    assert shown.status == 0
    assert "--json" in shown.out


def test_version(run) -> None:
    assert run("--version").out.strip() == rdfinc.__version__


@pytest.mark.parametrize(("what", "facts"), [("explicit", 6), ("derived", 2), ("all", 8)])
def test_materialise_writes_what_is_asked_for(run, zoo: Path, what: str, facts: int) -> None:
    output = zoo.with_name("out.nt.gz")
    done = run("materialise", zoo, "-o", output, "--what", what)
    assert done.status == 0
    assert "6 stated, 2 derived: 8 facts" in done.out
    assert len(gzip.decompress(output.read_bytes()).splitlines()) == facts


def test_load_makes_a_folder_that_other_commands_read(run, zoo: Path) -> None:
    pytest.importorskip("pyspark")
    folder = zoo.with_name("loaded")
    again = zoo.with_name("again.ttl")
    again.write_text(zoo.read_text())
    done = run("load", zoo, again, "-o", folder)
    assert done.status == 0
    assert done.out.startswith("6 facts of ")
    record = json.loads(run("stats", folder, "--json").out)
    assert (record["explicit"], record["derived"]) == (6, 2)
    assert run("query", ANIMALS, folder).out == run("query", ANIMALS, zoo).out
    refused = run("load", zoo, "-o", folder, "--json")
    assert (refused.status, refused.out) == (2, "")
    assert "exists; name a new folder" in refused.err


def test_materialise_reports_to_programs(run, zoo: Path) -> None:
    output = zoo.with_name("out.ttl")
    record = json.loads(run("materialise", zoo, "-o", output, "--json").out)
    assert (record["explicit"], record["derived"], record["output"]) == (6, 2, str(output))
    assert len(Graph().parse(output)) == 8


def test_the_profile_decides_what_follows(run, zoo: Path) -> None:
    record = json.loads(run("stats", zoo, "--profile", "none", "--json").out)
    assert record["derived"] == 0


def test_query_prints_a_table(run, zoo: Path) -> None:
    done = run("query", ANIMALS, zoo)
    assert done.status == 0
    assert done.out.splitlines() == ["?x", ":jerry", ":tom", "", "2 rows"]


def test_query_shows_unbound_variables_literals_and_numbers(run, zoo: Path) -> None:
    text = "SELECT ?n ?a ?z WHERE { :tom :name ?n ; :age ?a OPTIONAL { :tom :owner ?z } }"
    assert run("query", text, zoo).out.splitlines() == ["?n     ?a  ?z", '"Tom"   7', "", "1 row"]


def test_query_prints_sparql_json(run, zoo: Path) -> None:
    answer = json.loads(run("query", ANIMALS, zoo, "--json").out)
    values = [row["x"]["value"].partition("#")[2] for row in answer["results"]["bindings"]]
    assert values == ["jerry", "tom"]


def test_query_reads_a_file(run, zoo: Path) -> None:
    file = zoo.with_name("animals.rq")
    file.write_text(ANIMALS)
    assert ":jerry" in run("query", file, zoo).out


def test_query_answers_ask_and_construct(run, zoo: Path) -> None:
    assert run("query", "ASK { :tom a :Animal }", zoo).out == "true\n"
    assert run("query", "ASK { :tom a :Plant }", zoo).out == "false\n"
    text = "CONSTRUCT { ?x :is :alive } WHERE { ?x a :Animal }"
    assert len(Graph().parse(data=run("query", text, zoo).out, format="turtle")) == 2
    assert len(Graph().parse(data=run("query", text, zoo, "--json").out, format="json-ld")) == 2


def test_explain_prints_a_proof(run, zoo: Path) -> None:
    done = run("explain", ":tom", "a", ":Animal", zoo)
    assert done.status == 0
    assert done.out.splitlines() == [
        ":tom rdf:type :Animal   by cax-sco"
        " (what belongs to a class belongs to those above it) from",
        "  :Cat rdfs:subClassOf :Animal   stated",
        "  :tom rdf:type :Cat   stated",
    ]


def test_explain_for_programs_and_for_graphviz(run, zoo: Path) -> None:
    steps = json.loads(run("explain", ":tom", "a", ":Animal", zoo, "--json").out)
    assert [step["rule"] for step in steps] == ["cax-sco", "", ""]
    assert steps[0]["premises"] == [1, 2]
    assert steps[0]["fact"][2] == "<http://example.org/zoo#Animal>"
    drawn = run("explain", ":tom", "a", ":Animal", zoo, "--format", "dot").out
    assert drawn.startswith("digraph")


def test_explain_for_a_browser_and_in_prov_o(run, zoo: Path) -> None:
    svg = ET.fromstring(run("explain", ":tom", "a", ":Animal", zoo, "--format", "svg").out)
    words = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert words[:2] == [":tom rdf:type :Animal", "by cax-sco"] and len(words) == 7
    assert words[4:] == ["stated", "follows by a rule", "from"]
    paths = list(svg.iter("{http://www.w3.org/2000/svg}path"))
    assert len(paths) == 4  # an arrow head, and one of the legend
    (style,) = svg.iter("{http://www.w3.org/2000/svg}style")
    classes = {name for path in paths for name in path.get("class").split()}
    for scheme in style.text.split("@media (prefers-color-scheme: dark)"):
        assert {"head", "edge", "positive"} >= classes and ".head.positive { fill:" in scheme
    turtle = run("explain", ":tom", "a", ":Animal", zoo, "--format", "turtle").out
    graph = Graph().parse(data=turtle, format="turtle")
    assert len(list(graph.subjects(RDF.type, PROV.Entity))) == 3
    assert len(list(graph.subject_objects(PROV.used))) == 2


def test_a_proof_fills_its_picture(run, zoo: Path) -> None:
    svg = ET.fromstring(run("explain", ":tom", "a", ":Animal", zoo, "--format", "svg").out)
    boxes = [group[1] for group in svg.iter("{http://www.w3.org/2000/svg}g")]
    left, top, right, bottom = (
        pick(float(box.get(start)) + float(box.get(size, 0)) for box in boxes)
        for pick, start, size in (
            (min, "x", ""),
            (min, "y", ""),
            (max, "x", "width"),
            (max, "y", "height"),
        )
    )
    assert left == top == 24
    assert float(svg.get("width")) == max(400, round(right + 24))
    assert float(svg.get("height")) == round(bottom + 48)  # a margin, and the legend's line


def test_explain_shows_several_proofs(run, zoo: Path) -> None:
    zoo.write_text(zoo.read_text() + ":jerry a :Cat .\n")
    done = run("explain", ":jerry", "a", ":Animal", zoo, "--proofs", "5")
    assert done.out.count(":jerry rdf:type :Animal   by") == 2
    found = json.loads(run("explain", ":jerry", "a", ":Animal", zoo, "--proofs", "5", "--json").out)
    assert [steps[0]["rule"] for steps in found] == ["cax-sco", "prp-rng"]
    refused = run("explain", ":jerry", "a", ":Animal", zoo, "--proofs", "5", "--format", "dot")
    assert refused.status == 2 and "as text or JSON" in refused.err


def test_explain_says_if_nothing_supports_a_fact(run, zoo: Path) -> None:
    done = run("explain", ":tom", "a", ":Plant", zoo)
    assert (done.status, done.out) == (1, "")
    assert "does not follow: no rule comes near" in done.err
    near = run("explain", ":jerry", "a", ":Cat", zoo, "--profile", "none")
    assert near.status == 1
    assert ":meg rdf:type :Cat   is missing" in run("explain", ":meg", "a", ":Animal", zoo).err
    assert run("explain", ":tom", "a", ":Plant", zoo, "--json").out == "null\n"


@pytest.mark.parametrize(
    "tom", [":tom", "http://example.org/zoo#tom", "<http://example.org/zoo#tom>"]
)
def test_explain_takes_terms_as_people_write_them(run, zoo: Path, tom: str) -> None:
    assert run("explain", tom, "rdf:type", ":Cat", zoo).status == 0


def test_explain_takes_literals(run, zoo: Path) -> None:
    assert run("explain", ":tom", ":name", '"Tom"', zoo).status == 0


def test_stats_counts(run, zoo: Path) -> None:
    lines = run("stats", zoo).out.splitlines()
    assert lines[0].split() == ["facts", "8"]
    assert ["rdf:type", "3", "1"] in [line.split()[:3] for line in lines]
    assert json.loads(run("stats", zoo, "--json").out)["explicit"] == 6


def test_rules_are_files_too(run, zoo: Path) -> None:
    rules = zoo.with_name("zoo.dlog")
    rules.write_text(
        "@prefix : <http://example.org/zoo#> .\n[?y, :fears, ?x] :- [?x, :eats, ?y] .\n"
    )
    assert run("explain", ":jerry", ":fears", ":tom", rules, zoo).status == 0


@pytest.mark.parametrize("command", ["load", "materialise"])
def test_commands_that_need_spark_say_so(run, command: str) -> None:
    assert 'pip install "rdfinc[spark]"' in run(command, "--help").out


def test_query_explains_itself(run, zoo: Path) -> None:
    found = run("query", "SELECT ?x { ?x a :Plant FILTER(?y > 1) }", zoo, "--explain").out
    first, *_, one, other = found.splitlines()
    assert first.startswith("Project ?x: 0 rows, ")
    assert one.startswith("warning: FILTER reads ?y")
    assert other.startswith("warning: no fact has <")
