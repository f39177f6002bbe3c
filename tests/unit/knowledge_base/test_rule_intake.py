"""What `add_rules` takes, and what it says to anything else."""

from __future__ import annotations

from pathlib import Path

import pytest
from rdflib import Graph

import rdfinc
from rdfinc.datalog.model import RDF_TYPE
from rdfinc.datalog.syntax.rule_text import parse_rules
from rdfinc.owl.swrl_text import is_swrl, parse_swrl

RULE = "@prefix : <http://e.org/> .\n:A[?x] :- :B[?x] .\n"


@pytest.fixture
def kb():
    return rdfinc.KnowledgeBase()


def test_everything_that_holds_rules(kb, tmp_path):
    file = tmp_path / "rules.dlog"
    file.write_text(RULE)
    program = parse_rules(RULE)
    for rules in (RULE, file, program, program.rules[0], list(program), iter(program)):
        kb.add_rules(rules)
        assert kb.program == program
        kb.remove_rules(rules if rules is not None and not hasattr(rules, "__next__") else program)
        assert len(kb.program) == 0


FACTS = """@prefix : <http://e.org/> .
:B[:b] . :A[?x] :- :B[?x] .
:p[:a, 5], [:b, a, :C] .
"""


@pytest.mark.parametrize("way", ["text", "file", "load", "Rule"])
def test_facts_among_rules_are_stated(kb, tmp_path, way):
    file = tmp_path / "rules.dlog"
    file.write_text(FACTS)
    given = {"text": FACTS, "file": file, "Rule": list(parse_rules(FACTS))}.get(way, file)
    if way == "load":
        assert kb.load(file).triples == 3
    else:
        assert len(kb.add_rules(given).added) == 4
    assert kb.program == parse_rules(RULE)
    stated = {tuple(term.n3() for term in fact) for fact in kb.explicit}
    five = '"5"^^<http://www.w3.org/2001/XMLSchema#integer>'
    a, b, c = (f"<http://e.org/{name}>" for name in "abC")
    kinds = {(b, RDF_TYPE, "<http://e.org/B>"), (b, RDF_TYPE, c)}
    assert stated == {(a, "<http://e.org/p>", five), *kinds}
    assert len(kb.remove_rules(given).removed) == 4 and not len(kb)


def test_facts_of_a_file_stand_in_the_graph_that_is_named(kb, tmp_path):
    file, data, written = (tmp_path / name for name in ("rules.dlog", "data.nt", "all.nq"))
    file.write_text(FACTS)
    data.write_text("<http://e.org/d> <http://e.org/p> <http://e.org/e> .\n")
    kb.load(file, data, graph="<http://e.org/g>")
    kb.dump(written, what="explicit")
    assert written.read_text().count(" <http://e.org/g> .\n") == 4


def test_a_fact_has_no_variables(kb):
    with pytest.raises(rdfinc.RuleError, match=r"line 1, column 7: unsafe rule: \?x is used"):
        kb.add_rules("<a:p>[?x, <a:b>] .")
    assert not len(kb)


SWRL = """@prefix : <http://e.org/> . # not :- but
@rule named "has :- in it" .
Person(?x) ^ hasParent(?x, ?y) -> hasChild(?y, ?x)
"""


def test_swrl_as_text(kb):
    kb.update(insert=[("<http://e.org/a>", "<http://e.org/hasParent>", "<http://e.org/b>")])
    kb.add_rules(SWRL)
    assert kb.program == parse_swrl(SWRL)
    (delta,) = [kb.update(insert=[("<http://e.org/a>", RDF_TYPE, "<http://e.org/Person>")])]
    assert ("<http://e.org/b>", "<http://e.org/hasChild>", "<http://e.org/a>") in [
        tuple(term.n3() for term in fact) for fact in delta.added
    ]
    kb.remove_rules(SWRL)
    assert len(kb.program) == 0


def test_prefixes_that_rules_declare_are_bound_where_they_are_free(tmp_path):
    (tmp_path / "more.dlog").write_text("PREFIX q: <urn:q#>\n@prefix r: <urn:r#> . :p[q:a, r:b] .")
    (tmp_path / "bad.dlog").write_text("@prefix z: <urn:z#> .\n:p[?x, z:b] :- .")
    with rdfinc.open(tmp_path / "kept", profile="none") as kb:
        kb.bind("r", "urn:mine#")
        kb.add_rules("# @prefix no: <urn:no#> .\n@prefix : <urn:e#> .\n:A[?x] :- :B[?x] .")
        kb.load(tmp_path / "more.dlog")
        with pytest.raises(rdfinc.RuleSyntaxError):
            kb.load(tmp_path / "bad.dlog")
        known = {"r": "urn:mine#", "": "urn:e#", "q": "urn:q#"}
        assert {p: iri for p, iri in kb.namespaces.items() if iri.startswith("urn:")} == known
        kb.add_rules("@prefix s: <urn:s#> .\n:A[?x] :- :B[?x] .")  # known already
    with rdfinc.open(tmp_path / "kept") as kb:
        assert kb.namespaces["s"] == "urn:s#" and kb.namespaces[""] == "urn:e#"


def test_prefixes_of_the_knowledge_base_are_those_of_swrl_texts(kb):
    kb.namespaces[""] = "http://e.org/"
    kb.add_rules("A(?x) -> B(?x)")
    assert kb.program == parse_rules(RULE.replace(":A[?x] :- :B[?x]", ":B[?x] :- :A[?x]"))


def test_mistakes_in_swrl_are_told_in_its_words(kb):
    with pytest.raises(rdfinc.RuleSyntaxError, match="has no prefix; declare the empty one"):
        kb.add_rules("Person(?x) -> Human(?x)")
    with pytest.raises(rdfinc.RuleError, match=r"\?z"):
        kb.add_rules("@prefix : <http://e.org/> .\nA(?x) -> p(?x, ?z)")
    with pytest.raises(rdfinc.RuleSyntaxError, match="an opening bracket"):
        kb.add_rules("@prefix : <http://e.org/> .\n:A[?x] :- :B[?x] .\n:A(?x) -> :C(?x)")


def test_unique_names_hold_of_swrl_texts():
    kb = rdfinc.KnowledgeBase(unique_names=True)
    text = "@prefix : <http://e.org/> .\np(?x, ?y) ^ differentFrom(?x, ?y) -> q(?x, ?y)"
    kb.add_rules(text)
    assert kb.program == parse_swrl(text, unique_names=True) != parse_swrl(text)


@pytest.mark.parametrize("text", ["rules.dlog", "../my/rules", "C:\\rules.dlog", "rules.dlog\n"])
def test_a_path_in_a_str_is_hinted_at(kb, text):
    with pytest.raises(rdfinc.RuleSyntaxError, match="a str is read as rule text") as raised:
        kb.add_rules(text)
    assert f"for a file give Path({text.strip()!r})" in str(raised.value)


def test_no_hint_where_the_text_is_no_path(kb):
    with pytest.raises(rdfinc.RuleSyntaxError) as raised:
        kb.add_rules(":A[?x] :- .")
    assert "Path" not in str(raised.value)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (5, "int 5"),
        (None, "NoneType None"),
        (b":A[?x] :- :B[?x] .", "bytes b"),
        ([":A[?x] :- :B[?x] ."], "str ':A[?x] :- :B[?x] .'"),
        ([*parse_rules(RULE), ("s", "p", "o")], "tuple ('s', 'p', 'o')"),
    ],
)
def test_other_objects_are_shown(kb, value, shown):
    for change in (kb.add_rules, kb.remove_rules):
        with pytest.raises(rdfinc.TermError) as raised:
            change(value)
        assert "rules are text, the Path of a file, Rule objects or triples, not" in str(
            raised.value
        )
        assert shown in str(raised.value)


def test_one_wrong_rule_among_good_ones_changes_nothing(kb):
    with pytest.raises(rdfinc.TermError):
        kb.add_rules([*parse_rules(RULE), None])
    assert len(kb.program) == 0


def test_a_graph_is_no_rules_yet(kb):
    assert not kb.add_rules(Graph())


@pytest.mark.parametrize("name", ["no.dlog", "no.ttl"])
def test_a_missing_file(kb, name):
    for change in (kb.add_rules, kb.remove_rules):
        with pytest.raises(FileNotFoundError, match=f"there is no file '{name}'"):
            change(Path(name))


def test_a_file_of_unknown_kind(kb, tmp_path):
    file = tmp_path / "rules.txt"
    file.write_text(RULE)
    with pytest.raises(ValueError, match=r"\.txt"):
        kb.add_rules(file)


@pytest.mark.parametrize("way", ["add_rules", "load"])
def test_errors_name_the_file(kb, tmp_path, way):
    file = tmp_path / "bad.dlog"
    change = getattr(kb, way)
    file.write_text(RULE + ":A[?x] :- :B[?x) .")
    with pytest.raises(rdfinc.RuleSyntaxError) as raised:
        change(file)
    assert str(raised.value).startswith(f"{file}, line 3, column 16: ")
    file.write_text(RULE + ":A[?x] :- :B[?y] .")
    with pytest.raises(rdfinc.UnsafeRuleError) as raised:
        change(file)
    assert str(raised.value).startswith(f"{file}, line 3, column 4: ")
    file.write_bytes((RULE + ":A[?x] :- :é[?x] .").encode("latin-1"))
    with pytest.raises(rdfinc.RuleSyntaxError, match="this is no UTF-8") as raised:
        change(file)
    assert str(raised.value).startswith(f"{file}, line 3, column 12: ")
    assert len(kb.program) == 0


def test_of_equal_rules_the_first_gives_the_name(kb):
    kb.add_rules(RULE + "@rule second . :A[?y] :- :B[?y] .")
    assert [rule.name for rule in kb.program] == [""]


@pytest.mark.parametrize(
    ("text", "swrl"),
    [
        ("", False),
        (":A[?x] :- :B[?x], FILTER(?x != '->') .", False),
        ("# a -> b\n:A[?x] :- :B[?x] .", False),
        ("@prefix : <http://e/->#> . :A[?x] :- :B[?x] .", False),
        (":A(?x) -> :B(?x)", True),
        ("# a :- b\nA(?x) ^ p(?x, ':- \\' :-') -> B(?x)", True),
        ('p(?x, """:-\n""") -> B(?x)', True),
    ],
)
def test_the_first_arrow_tells_the_language(text, swrl):
    assert is_swrl(text) == swrl


# -- prefixes of the files beside


BARE = ":A[?x] :- :B[?x] .\n"


@pytest.fixture
def beside(tmp_path):
    """A file of data and rules that use its prefix without a declaration."""
    data, rules = tmp_path / "data.ttl", tmp_path / "bare.dlog"
    data.write_text("@prefix : <http://e.org/> . :b a :B .\n")
    rules.write_text(BARE)
    return data, rules


@pytest.mark.parametrize("turn", [1, -1])
def test_rules_know_the_prefixes_of_files_that_are_loaded_with_them(kb, beside, turn):
    kb.load(*beside[::turn])
    assert (":b", "a", ":A") in kb.derived


def test_what_is_bound_comes_before_the_files_that_are_loaded(kb, beside):
    kb.bind("", "http://other.org/")
    kb.load(*beside)
    assert not kb.derived
    assert "http://other.org/B" in str(kb.program)


def test_files_that_do_not_agree_on_a_prefix_of_rules(kb, beside, tmp_path):
    other = tmp_path / "other.ttl"
    other.write_text("@prefix : <http://f.org/> . :b a :B .\n")
    with pytest.raises(
        rdfinc.RuleSyntaxError,
        match=r"bare\.dlog, line 1.*`:` stands for <http://e\.org/> and <http://f\.org/>.*declare",
    ):
        kb.load(*beside, other)
    assert not len(kb)


def test_faults_of_rules_are_told_before_data_is_read(kb, tmp_path):
    (tmp_path / "bad.ttl").write_text("nonsense")
    (tmp_path / "bad.dlog").write_text(":A[?x] :- :B[?y] .")
    with pytest.raises(rdfinc.RuleError, match=r"bad\.dlog.*\?x"):
        kb.load(tmp_path / "bad.ttl", tmp_path / "bad.dlog")
