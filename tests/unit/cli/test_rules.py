"""`rdfinc rules`: list, check, add, remove, draw."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from rdfinc.datalog.syntax.rule_text import parse_rules
from rdfinc.owl.profiles.profile_rules import (
    axiomatic_rules,
    fixed_rules,
    list_constructs,
    list_rules,
)

RULES = """\
@prefix : <http://example.org/zoo#> .

# who is afraid of whom
[?y, :fears, ?x] :- [?x, :eats, ?y] .   # of course

@rule food "chains of eating" .
:below[?y, ?x], :Food[?y] :- [?x, :eats, ?y] .
[?z, :below, ?x] :- [?z, :below, ?y],
    [?y, :below, ?x] .
@rule .
:Top[?x] :- [?x, :eats, ?y], NOT EXISTS ?z IN ([?z, :eats, ?x]) .
[?x, :preys, ?n] :- AGGREGATE([?x, :eats, ?y] ON ?x BIND COUNT(?y) AS ?n) .
false :- [?x, :below, ?x] .
"""
COMMANDS = ["list", "check", "add", "remove", "draw"]


@pytest.fixture
def rules(zoo: Path) -> Path:
    path = zoo.with_name("zoo.dlog")
    path.write_text(RULES)
    return path


def test_help_lists_the_commands(run) -> None:
    shown = run("rules", "--help")
    assert shown.status == 0
    assert all(command in shown.out for command in COMMANDS)
    for command in COMMANDS:
        done = run("rules", command, "--help")
        assert done.status == 0
        assert ("--format" if command == "draw" else "--json") in done.out


# -- profiles


@pytest.mark.parametrize("profile", ["owl2rl", "rdfs"])
def test_the_rules_of_a_profile(run, profile: str) -> None:
    lines = run("rules", "--profile", profile).out.splitlines()
    records = json.loads(run("rules", "--profile", profile, "--json").out)
    on = {rule.name for rule in fixed_rules(profile)}
    if profile == "owl2rl":  # where some are only put in force with what they read
        on |= {"scm-cls", "scm-op", "scm-dp", "cls-thing", "cls-nothing1", "prp-ap", "dt-type1"}
    for construct in list_constructs(profile):
        on |= {rule.name for rule in list_rules(profile, construct, 1)}
    off = {rule.name for rule in axiomatic_rules(profile)}
    assert {record["name"] for record in records if record["on"]} == on
    assert {record["name"] for record in records if not record["on"]} == off
    for line, record in zip(lines[1:], records, strict=False):
        name, *meaning, state = line.split()
        told = " ".join(meaning), state == "on"
        assert (name, *told) == (record["name"], record["meaning"], record["on"])
        assert ":-" in record["text"]


def test_one_line_of_it(run) -> None:
    lines = run("rules", "--profile", "owl2rl").out.splitlines()
    meaning = "a literal is none of the datatype it names"
    assert [line.split() for line in lines if meaning in line] == [
        ["dt-not-type", *meaning.split(), "on"]
    ]


def test_profiles_and_commands_do_not_mix(run, rules: Path) -> None:
    assert run("rules", "--profile", "owl3").status == 2
    assert run("rules", "--json").status == 2
    failed = run("rules", "--profile", "rdfs", "list", rules)
    assert (failed.status, failed.out) == (2, "")
    assert "stand alone" in failed.err


# -- list


def test_list(run, rules: Path) -> None:
    lines = run("rules", "list", rules).out.splitlines()
    assert lines[0] == "1  [?y, :fears, ?x] :- [?x, :eats, ?y] ."
    assert lines[1].strip() == f"plain; {rules}, line 4"
    assert lines[2].strip() == "stratum 0, hyper-node {:fears}; reads :eats"
    assert lines[9] == "4  [?z, :below, ?x] :- [?z, :below, ?y], [?y, :below, ?x] ."
    assert lines[10].strip() == f"food: plain; {rules}, line 8"
    assert lines[14].strip() == "stratum 1, hyper-node {:Top}; reads :eats; not :eats"


def test_list_for_programs(run, rules: Path) -> None:
    records = json.loads(run("rules", "list", rules, "--json").out)
    assert [record["number"] for record in records] == [1, 2, 3, 4, 5, 6, 7]
    assert [record["kinds"] for record in records[4:]] == [
        ["negation"], ["aggregate"], ["contradiction"]
    ]  # fmt: skip
    assert [record["stratum"] for record in records] == [0, 0, 0, 0, 1, 1, 0]
    assert (records[1]["name"], records[1]["meaning"]) == ("food", "chains of eating")
    eats = "<http://example.org/zoo#eats>"
    assert records[4]["positive"] == records[4]["negative"] == [eats]
    assert records[5]["aggregate"] == [eats]
    assert records[6]["head"] == "false"
    program = parse_rules(RULES)
    assert [parse_rules(record["rule"]).rules for record in records] == [
        (rule.unnamed(),) for rule in program
    ]


def test_list_takes_several_files(run, rules: Path) -> None:
    other = rules.with_name("other.dlog")
    other.write_text("@prefix : <http://example.org/zoo#> .\n[?b, :fears, ?a] :- [?a, :eats, ?b] .")
    records = json.loads(run("rules", "list", rules.with_name("*.dlog"), "--json").out)
    assert len(records) == 7  # the second file says what the first says
    assert {record["file"] for record in records} == {str(rules), str(other)}


def test_list_refuses_other_files_and_faults(run, rules: Path, zoo: Path) -> None:
    failed = run("rules", "list", zoo)
    assert (failed.status, failed.out) == (2, "")
    assert f"{zoo}; rules stand in .dlog files" in failed.err
    rules.write_text(RULES.replace(":eats, ?y] .  ", ":eats ?y] .  "))
    failed = run("rules", "list", rules)
    assert (failed.status, failed.out) == (2, "")
    assert f"rdfinc: {rules}, line 4, column 32: `?y` cannot stand here" in failed.err
    failed = run("rules", "list", "no.dlog")
    assert (failed.status, failed.out) == (2, "")
    assert "there is no file 'no.dlog'" in failed.err


# -- check


def test_check_finds_nothing(run, rules: Path, zoo: Path) -> None:
    done = run("rules", "check", rules, zoo)
    assert (done.status, done.out) == (0, "1 rule file, 7 rules, 0 errors, 0 warnings\n")


FAULTY = """\
@prefix : <http://example.org/zoo#> .
:A[?x :- :B[?x] .
:A[?x] :- :B[?y] .
:A[?x] :- :B[?x], NOT :C[?x] .
:C[?x] :- :A[?x] .
:D[?x] :- :B[?x], NOT :D[?x] .
"""


def test_check_finds_every_error(run, rules: Path) -> None:
    rules.write_text(FAULTY)
    done = run("rules", "check", rules)
    assert done.status == 1
    assert [line for line in done.out.splitlines() if line.startswith("error")] == [
        f"error: {rules}, line 2, column 7: `:-` cannot stand here; expected a comma or a closing "
        "bracket `]`",
        f"error: {rules}, line 3, column 4: unsafe rule: ?x is used but no positive body atom, "
        "AGGREGATE or BIND binds it; add an atom with ?x to its body",
        f"error: {rules}, line 4, column 1: the rules cannot be put in order: what is negated or "
        "aggregated depends on itself, through :A → :C → :A",
        f"error: {rules}, line 6, column 1: the rules cannot be put in order: this one negates :D, "
        "which depends on :D",
    ]
    assert "    :A[?x :- :B[?x] .\n          ^\n" in done.out
    assert done.out.endswith("1 rule file, 3 rules, 4 errors, 0 warnings\n")
    record = json.loads(run("rules", "check", rules, "--json").out)
    assert [(e["line"], e["column"]) for e in record["errors"]] == [(2, 7), (3, 4), (4, 1), (6, 1)]
    assert record["errors"][0]["file"] == str(rules)


def test_check_finds_values_computed_from_themselves(run, rules: Path) -> None:
    rules.write_text(RULES + "[?x, :n, ?m] :- [?x, :n, ?n], BIND(?n + 1 AS ?m) .\n")
    done = run("rules", "check", rules)
    assert done.status == 1
    assert f"{rules}, line 14, column 1: the rules cannot be put in order: what a BIND" in done.out


def test_check_finds_nodes_made_without_end(run, rules: Path, zoo: Path) -> None:
    rules.write_text(
        RULES + '[?x, :eats, ?y] :- [?z, :eats, ?x], BIND(SKOLEM("prey", ?x) AS ?y) .\n'
    )
    rules.write_text(rules.read_text().replace(":Top[?x] :-", ":Top[?x] :- :Animal[?x], "))
    done = run("rules", "check", rules, zoo)
    assert done.status == 1
    assert done.out.startswith(f"error: {rules}: update rolled back: ")
    assert done.out.endswith("1 rule file, 8 rules, 1 error, 0 warnings\n")


def test_check_asks_the_data_which_relations_a_variable_stands_for(
    run, rules: Path, zoo: Path
) -> None:
    """By itself the first rule may derive everything; with the data only what `:part` says."""
    rules.write_text(
        "@prefix : <http://example.org/zoo#> .\n"
        "[?x, ?q, ?y] :- [?p, :implies, ?q], [?x, ?p, ?y] .\n"
        ":Vegan[?x] :- [?x, a, :Cat], NOT EXISTS ?y IN ([?x, :eats, ?y]) .\n"
    )
    zoo.write_text(zoo.read_text() + ":devours :implies :eats .\n")
    assert run("rules", "check", rules, zoo).status == 0


def test_check_warns_of_rules_that_can_never_fire(run, rules: Path, zoo: Path) -> None:
    rules.write_text(
        RULES
        + ":Odd[?x] :- [?x, :eatz, ?y] .\n:Odder[?x] :- :Odd[?x] .\n"
        + ":Fed[?x] :- [?x, :eats, ?y], NOT :Hungry[?x] .\n:Top[?x] :- :Animal[?x], :Cat[?x] .\n"
    )
    done = run("rules", "check", rules, zoo)
    assert done.status == 0
    assert [line for line in done.out.splitlines() if line.startswith("warning")] == [
        f"warning: {rules}, line 14, column 1: this rule can never fire: "
        "nothing states or derives :eatz",
        f"warning: {rules}, line 15, column 1: this rule can never fire: "
        "no rule fires that derives :Odd",
        f"warning: {rules}, line 16, column 1: what this rule negates is always empty: "
        "nothing states or derives :Hungry",
    ]
    assert run("rules", "check", rules).out == "1 rule file, 11 rules, 0 errors, 0 warnings\n"


def test_check_warns_of_rules_said_twice(run, rules: Path) -> None:
    rules.write_text(RULES + "[?b, :fears, ?a] :- [?a, :eats, ?b] .\n")
    record = json.loads(run("rules", "check", rules, "--json").out)
    assert [(w["line"], w["message"]) for w in record["warnings"]] == [
        (14, "the same rule stands in line 4")
    ]


# -- add


def test_add_keeps_the_text_and_the_way_the_new_rule_is_written(run, rules: Path) -> None:
    new = ":Prey[?x]  :-  [?y, :eats, ?x] ."
    done = run("rules", "add", rules, new)
    assert done.status == 0
    assert done.out == f"added: {rules}\n  [?x, a, :Prey] :- [?y, :eats, ?x] .\n"
    assert rules.read_text() == f"{RULES}{new}\n"


def test_add_leaves_out_what_is_there(run, rules: Path) -> None:
    done = run("rules", "add", rules, "[?b, :fears, ?a], :Afraid[?b] :- [?a, :eats, ?b] .")
    assert "1 there already, up to variable names and body order" in done.out
    assert rules.read_text() == f"{RULES}[?b, a, :Afraid] :- [?a, :eats, ?b] .\n"
    before = rules.stat().st_mtime_ns
    done = run("rules", "add", rules, "[?b, :fears, ?a] :- [?a, :eats, ?b] .")
    assert done.out == "1 there already, up to variable names and body order\n"
    assert rules.stat().st_mtime_ns == before


def test_add_takes_files_with_prefixes_and_names_of_their_own(run, rules: Path) -> None:
    rules.write_text("@prefix : <http://example.org/zoo#> .\n@rule old .\n:A[?x] :- :B[?x] .")
    other = rules.with_name("other.dlog")
    other.write_text(
        "@prefix z: <http://example.org/zoo#> . @prefix n: <urn:n:> .\n"
        '@rule "new one" "says \\"so\\"" .\nz:C[?x] :- n:B[?x] .\n@rule . n:D[?x] :- z:C[?x] .\n'
    )
    assert run("rules", "add", rules, other, ":E[?x] :- :A[?x] .").status == 0
    assert rules.read_text().splitlines()[2:] == [
        ":A[?x] :- :B[?x] .",
        '@rule "new one" "says \\"so\\"" .',
        "[?x, a, :C] :- [?x, a, <urn:n:B>] .",
        "@rule .",
        "[?x, a, <urn:n:D>] :- [?x, a, :C] .",
        ":E[?x] :- :A[?x] .",
    ]
    assert [rule.name for rule in parse_rules(rules.read_text())] == ["old", "new one", "", ""]


def test_add_keeps_line_ends_and_permissions(run, rules: Path) -> None:
    rules.write_bytes(RULES.replace("\n", "\r\n").encode())
    rules.chmod(0o640)
    assert run("rules", "add", rules, ":Prey[?x] :- [?y, :eats, ?x] .").status == 0
    text = rules.read_bytes().decode()
    assert text.count("\n") == text.count("\r\n") == RULES.count("\n") + 1
    assert rules.stat().st_mode & 0o777 == 0o640
    assert {path.name for path in rules.parent.iterdir()} == {"zoo.dlog", "zoo.ttl"}


@pytest.mark.parametrize(
    ("new", "part"),
    [
        (":A[?x] :- :B[?y] .", "line 1, column 4: unsafe rule: ?x"),
        (":A[?x :- :B[?x] .", "line 1, column 7: `:-` cannot stand here"),
        (":A[?x] :- unknown:B[?x] .", "the prefix `unknown:` is not known"),
        (":Food[?x] :- :Top[?x], NOT :Food[?x] .", "depends on itself, through <http"),
        ("[?x, :preys, ?m] :- [?x, :preys, ?n], BIND(?n + 1 AS ?m) .", "what a BIND computes"),
        ("[?x, :eats, ?n] :- [?x, :preys, ?n] .", "what is negated or aggregated depends on"),
        ("missing.dlog", "there is no file 'missing.dlog'"),
    ],
)
def test_add_refuses_what_would_be_wrong(run, rules: Path, new: str, part: str) -> None:
    failed = run("rules", "add", rules, new)
    assert (failed.status, failed.out) == (2, "")
    assert part in failed.err
    assert rules.read_text() == RULES


def test_a_faulty_file_is_not_edited(run, rules: Path) -> None:
    rules.write_text(FAULTY)
    for failed in (
        run("rules", "add", rules, ":E[?x] :- :B[?x] ."),
        run("rules", "remove", rules, "1"),
    ):
        assert failed.status == 2
        assert f"{rules}, line 2, column 7" in failed.err
    assert rules.read_text() == FAULTY


def test_add_shows_what_changes_over_data(run, rules: Path, zoo: Path) -> None:
    new = ":Prey[?x] :- [?y, :eats, ?x] ."
    lines = run("rules", "add", rules, new, "--data", zoo).out.splitlines()
    assert lines[3].split()[:4] == ["rules", "added", "1", "0"]
    assert lines[4] == "the facts of both ways, compared one by one: the same"
    assert lines[5:] == ["+ :jerry rdf:type :Prey"]
    record = json.loads(run("rules", "remove", rules, new, "--data", zoo, "--json").out)
    assert record["removed"] == [
        "[?x, a, <http://example.org/zoo#Prey>] :- [?y, <http://example.org/zoo#eats>, ?x] ."
    ]
    assert (record["facts"]["came"], record["facts"]["went"]) == (0, 1)
    assert record["facts"]["same"] is True
    assert record["facts"]["seconds"] > 0 < record["facts"]["again_seconds"]


# -- remove


def test_remove_by_number_keeps_comments(run, rules: Path) -> None:
    done = run("rules", "remove", rules, "1", "6")
    assert done.status == 0
    assert done.out.splitlines() == [
        f"removed: {rules}",
        "  [?y, :fears, ?x] :- [?x, :eats, ?y] .",
        "  [?x, :preys, ?n] :- AGGREGATE([?x, :eats, ?y] ON ?x BIND COUNT(?y) AS ?n) .",
    ]
    lines = RULES.splitlines(keepends=True)
    lines[3] = "   # of course\n"
    assert rules.read_text() == "".join(lines[:11] + lines[12:])


def test_remove_by_text_up_to_names_and_order(run, rules: Path) -> None:
    assert (
        run("rules", "remove", rules, "[?c, :below, ?a] :- :below[?b, ?a], :below[?c, ?b] .").status
        == 0
    )
    assert rules.read_text() == RULES.replace(
        "[?z, :below, ?x] :- [?z, :below, ?y],\n    [?y, :below, ?x] .\n", ""
    )


def test_remove_one_head_of_several(run, rules: Path) -> None:
    assert run("rules", "remove", rules, ":Food[?y] :- [?x, :eats, ?y] .").status == 0
    assert rules.read_text() == RULES.replace(
        ":below[?y, ?x], :Food[?y] :- [?x, :eats, ?y] .", "[?y, :below, ?x] :- [?x, :eats, ?y] ."
    )


def test_remove_by_name_removes_the_name_as_well(run, rules: Path) -> None:
    done = run("rules", "remove", rules, "food")
    assert len(done.out.splitlines()) == 4
    lines = RULES.splitlines(keepends=True)
    assert rules.read_text() == "".join(lines[:5] + lines[9:])


def test_remove_takes_out_every_place_where_the_rule_stands(run, rules: Path) -> None:
    rules.write_text(RULES + "[?b, :fears, ?a] :- [?a, :eats, ?b] .\n")
    assert run("rules", "remove", rules, "1").status == 0
    assert ":fears" not in rules.read_text()


def test_a_rule_added_and_removed_leaves_the_file_as_it_was(run, rules: Path) -> None:
    for new in (":Prey[?x] :- [?y, :eats, ?x] .", "@rule odd . :Odd[?x] :- [?x, :eats, ?x] ."):
        assert run("rules", "add", rules, new).status == 0
        assert rules.read_text() != RULES
        assert run("rules", "remove", rules, "8").status == 0
        assert rules.read_text() == RULES


@pytest.mark.parametrize(
    ("which", "part"),
    [
        ("8", "has no number 8: the rules have numbers from 1 to 7"),
        ("0", "has no number 0"),
        ("feeding", "has no rule named 'feeding'"),
        (":A[?x] :- :B[?x] .", "has no rule\n    [?x, a, :A] :- [?x, a, :B] ."),
        (":A[?x] :- :B[?x .", "line 1, column 17: `.` cannot stand here"),
    ],
)
def test_remove_says_what_is_not_there(run, rules: Path, which: str, part: str) -> None:
    failed = run("rules", "remove", rules, "1", which)
    assert (failed.status, failed.out) == (2, "")
    assert part in failed.err
    assert rules.read_text() == RULES


# -- draw


def test_draw_text(run, rules: Path) -> None:
    assert run("rules", "draw", rules).out.splitlines() == [
        "stratum 1",
        "  :preys ← aggregated :eats",
        "  :Top ← :eats, not :eats",
        "stratum 0",
        "  false ← :below",
        "  :Food ← :eats",
        "  :below ← :eats, :below",
        "  :fears ← :eats",
        "  stated: :eats",
    ]


def test_draw_joins_what_depends_on_each_other(run, rules: Path) -> None:
    rules.write_text(
        "@prefix : <urn:c:> .\n:A[?x] :- :B[?x] . :B[?x] :- :C[?x] . :C[?x] :- :A[?x], :D[?x] .\n"
    )
    assert run("rules", "draw", rules).out.splitlines()[1:] == [
        "  ┌ :A ← :B",
        "  │ :B ← :C",
        "  └ :C ← :A, :D",
        "  stated: :D",
    ]
    svg = ET.fromstring(run("rules", "draw", rules, "--format", "svg").out)
    boxes = [box for box in svg.iter(f"{SVG}rect") if box.get("class") == "several"]
    assert len(boxes) == 1


def test_draw_dot(run, rules: Path) -> None:
    output = rules.with_name("rules.dot")
    assert run("rules", "draw", rules, "-o", output).status == 0
    text = output.read_text()
    assert text.startswith("digraph rules {")
    assert text.count("subgraph cluster_stratum") == 2
    assert text.count("style=dashed") == text.count("style=dotted") == 1
    assert text.count("->") == 8
    assert text.count("{") == text.count("}")


SVG = "{http://www.w3.org/2000/svg}"


def test_draw_svg(run, rules: Path) -> None:
    output = rules.with_name("rules.svg")
    assert run("rules", "draw", rules, "-o", output).status == 0
    svg = ET.parse(output).getroot()
    words = [text.text for text in svg.iter(f"{SVG}text")]
    assert {"stratum 0", "stratum 1", ":below ↻", ":eats", "false"} <= set(words)
    edges = [
        path.get("class") for path in svg.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None
    ]
    assert sorted(edges) == ["edge aggregate", "edge negative", *["edge positive"] * 5]
    titles = [title.text for title in svg.iter(f"{SVG}title")]
    assert "[?y, :fears, ?x] :- [?x, :eats, ?y] ." in titles


def test_boxes_of_a_drawing_do_not_overlap(run, rules: Path) -> None:
    names = [f":relation{i}" for i in range(60)]
    text = "@prefix : <urn:c:> .\n"
    for i in range(10, 60):
        body = ", ".join(f"[?x, {names[j % i]}, ?y]" for j in (i * 7, i * 11 + 3))
        negated = f", NOT [?x, {names[i - 9]}, ?y]" if i % 9 == 0 else ""
        text += f"[?x, {names[i]}, ?y] :- {body}{negated} .\n"
    rules.write_text(text)
    svg = ET.fromstring(run("rules", "draw", rules, "--format", "svg").out)
    width, height = float(svg.get("width")), float(svg.get("height"))
    drawn = [g.find(f"{SVG}rect") for g in svg.iter(f"{SVG}g")]
    places = [tuple(float(box.get(key)) for key in ("x", "y", "width", "height")) for box in drawn]
    assert len(places) == sum(f"{name}," in text for name in names) > 50
    for i, (x, y, w, h) in enumerate(places):
        assert 0 <= x < x + w <= width
        assert 0 <= y < y + h <= height
        for x2, y2, w2, h2 in places[:i]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


def test_draw_marks_what_has_no_order(run, rules: Path) -> None:
    rules.write_text("@prefix : <urn:c:> .\n:A[?x] :- :B[?x], NOT :A[?x] .\n")
    svg = ET.fromstring(run("rules", "draw", rules, "--format", "svg").out)
    assert [box for box in svg.iter(f"{SVG}rect") if "refused" in box.get("class", "")]


def test_draw_an_empty_file(run, rules: Path) -> None:
    rules.write_text("# nothing yet\n")
    for format_ in ("text", "dot", "svg"):
        assert run("rules", "draw", rules, "--format", format_).status == 0
    assert run("rules", "list", rules).out == "\n"


def test_rules_are_checked_by_the_prefixes_of_the_data(run, zoo: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.dlog"
    bare.write_text("[?x, :is, ?y] :- [?x, a, ?y] .")
    assert run("rules", "check", bare).status == 1
    done = run("rules", "check", bare, zoo)
    assert (done.status, "1 rule, 0 errors" in done.out) == (0, True)
