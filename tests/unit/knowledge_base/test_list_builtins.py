"""SWRL's built-ins over lists, by the text of section 8.7 of the submission: true, false, with an
unbound result, and of something that is no list; and what rules may do with them."""

from __future__ import annotations

import pytest

from rdfinc import KnowledgeBase
from rdfinc.errors import RuleError, UnsafeRuleError, UnstratifiableError
from rdfinc.owl.swrl_text import parse_swrl

NAMES = {"": "http://e.org/"}
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
DATA = """@prefix : <http://e.org/> .
:a :items (1 2 3 2); :more (3 4); :mid (2 3); :none (); :one 1; :two 2; :nine 9; :four 4 .
:a :joined (1 2 3 2 3 4); :both (3); :without (1 2 2); :rest (2 3 2); :gap (1 3) .
:a :open :c1; :ring :c2; :bare :c3; :text "(1 2)" .
:c1 rdf:first 1; rdf:rest :c0 .
:c2 rdf:first 1; rdf:rest :c2 .
:c3 rdf:rest () .
"""


def built(rule: str, **options) -> KnowledgeBase:
    kb = KnowledgeBase(**options)
    kb.load(("@prefix rdf: <" + RDF + "> .\n" + DATA).encode(), format="turtle")
    kb.add_rules(parse_swrl(rule, NAMES))
    return kb


def value(kb: KnowledgeBase, term) -> object:
    """The items of a list, or the term itself as text."""
    cells = {str(s): (str(r), str(f)) for (s, _, r) in kb.triples((None, f"<{RDF}rest>", None))
             for (_, _, f) in kb.triples((s, f"<{RDF}first>", None))}  # fmt: skip
    node, items = str(term), []
    if node not in cells and node != f"{RDF}nil":
        return node
    while node != f"{RDF}nil":
        node, item = cells[node]
        items.append(item)
    return items


ITEMS = "items(?x, ?l) ^ "
UNBOUND = [
    ("swrlb:member(?r, ?l)", ["1", "2", "3"]),
    ("swrlb:length(?r, ?l)", ["4"]),
    ("none(?x, ?e) ^ swrlb:length(?r, ?e)", ["0"]),
    ("swrlb:first(?r, ?l)", ["1"]),
    ("swrlb:rest(?r, ?l)", [["2", "3", "2"]]),
    ("swrlb:listConcat(?r, ?l, ?l)", [[*"12321232"]]),
    ("more(?x, ?m) ^ swrlb:listConcat(?r, ?l, ?m)", [[*"123234"]]),
    ("more(?x, ?m) ^ swrlb:listConcat(?r, ?m, ?m, ?l, ?m)", [[*"3434123234"]]),
    ("none(?x, ?e) ^ swrlb:listConcat(?r, ?e, ?l)", [[*"1232"]]),
    ("none(?x, ?e) ^ swrlb:listConcat(?r, ?l, ?e)", [[*"1232"]]),
    ("none(?x, ?e) ^ swrlb:listConcat(?r, ?e, ?e)", [[]]),
    ("more(?x, ?m) ^ swrlb:listIntersection(?r, ?l, ?m)", [["3"]]),
    ("mid(?x, ?m) ^ swrlb:listIntersection(?r, ?l, ?m)", [[*"232"]]),
    ("none(?x, ?e) ^ swrlb:listIntersection(?r, ?l, ?e)", [[]]),
    ("none(?x, ?e) ^ swrlb:listIntersection(?r, ?e, ?l)", [[]]),
    ("mid(?x, ?m) ^ swrlb:listSubtraction(?r, ?l, ?m)", [["1"]]),
    ("swrlb:listSubtraction(?r, ?l, ?l)", [[]]),
    ("none(?x, ?e) ^ swrlb:listSubtraction(?r, ?l, ?e)", [[*"1232"]]),
    # one of the other
    ("more(?x, ?m) ^ swrlb:listConcat(?c, ?l, ?m) ^ swrlb:length(?r, ?c)", ["6"]),
    ("more(?x, ?m) ^ swrlb:listConcat(?c, ?l, ?m) ^ swrlb:first(?r, ?c)", ["1"]),
    ("mid(?x, ?m) ^ swrlb:listSubtraction(?c, ?l, ?m) ^ swrlb:listConcat(?r, ?m, ?c)", [[*"231"]]),
    ("more(?x, ?m) ^ swrlb:listIntersection(?c, ?l, ?m) ^ swrlb:member(?r, ?c)", ["3"]),
    ("swrlb:rest(?t, ?l) ^ swrlb:listConcat(?r, ?t, ?t)", [[*"232232"]]),
]


HOLDS = [
    "two(?x, ?y) ^ swrlb:member(?y, ?l)",
    "swrlb:member(3, ?l)",
    "four(?x, ?y) ^ swrlb:length(?y, ?l)",
    "swrlb:length(4.0, ?l)",
    "one(?x, ?y) ^ swrlb:first(?y, ?l)",
    "joined(?x, ?j) ^ more(?x, ?m) ^ swrlb:listConcat(?j, ?l, ?m)",
    "both(?x, ?b) ^ more(?x, ?m) ^ swrlb:listIntersection(?b, ?l, ?m)",
    "without(?x, ?w) ^ more(?x, ?m) ^ swrlb:listSubtraction(?w, ?l, ?m)",
    "mid(?x, ?m) ^ swrlb:sublist(?l, ?m)",
    "none(?x, ?e) ^ swrlb:sublist(?l, ?e)",
    "swrlb:sublist(?l, ?l)",
    "none(?x, ?e) ^ swrlb:sublist(?e, ?e)",
    "none(?x, ?e) ^ swrlb:empty(?e)",
]
FAILS = [
    "nine(?x, ?y) ^ swrlb:member(?y, ?l)",
    "two(?x, ?y) ^ none(?x, ?e) ^ swrlb:member(?y, ?e)",
    "two(?x, ?y) ^ swrlb:length(?y, ?l)",
    "two(?x, ?y) ^ swrlb:first(?y, ?l)",
    "none(?x, ?e) ^ swrlb:first(?f, ?e)",
    "none(?x, ?e) ^ swrlb:rest(?f, ?e)",
    "joined(?x, ?j) ^ more(?x, ?m) ^ swrlb:listConcat(?j, ?m, ?l)",
    "more(?x, ?m) ^ swrlb:listConcat(?l, ?l, ?m)",
    "mid(?x, ?b) ^ more(?x, ?m) ^ swrlb:listIntersection(?b, ?l, ?m)",
    "without(?x, ?w) ^ mid(?x, ?m) ^ swrlb:listSubtraction(?w, ?l, ?m)",
    "mid(?x, ?m) ^ swrlb:sublist(?m, ?l)",
    "gap(?x, ?m) ^ swrlb:sublist(?l, ?m)",
    "none(?x, ?e) ^ swrlb:sublist(?e, ?l)",
    "swrlb:empty(?l)",
]


WRONG = [
    f"{wrong}(?x, ?l) ^ mid(?x, ?m) ^ none(?x, ?e) ^ swrlb:{atom}"
    for wrong in ("open", "ring", "text")
    for atom in (
        "member(?r, ?l)", "length(?r, ?l)", "first(?r, ?l)", "rest(?r, ?l)", "empty(?l)",
        "sublist(?l, ?e)", "sublist(?m, ?l)", "listConcat(?r, ?l, ?m)", "listConcat(?r, ?m, ?l)",
        "listIntersection(?r, ?l, ?m)", "listIntersection(?r, ?m, ?l)",
        "listSubtraction(?r, ?l, ?m)", "listSubtraction(?r, ?m, ?l)", "listConcat(?l, ?m, ?e)",
    )
]  # fmt: skip


def test_a_result_that_is_unbound():
    rules = [f"{ITEMS}{atoms} -> r{i}(?x, ?r)" for i, (atoms, _) in enumerate(UNBOUND)]
    kb = built("\n".join(rules))
    for i, (atoms, values) in enumerate(UNBOUND):
        found = [value(kb, o) for _, _, o in kb.triples((None, f"<http://e.org/r{i}>", None))]
        assert sorted(found, key=str) == values, atoms
    kb._check()


def test_whether_it_is_satisfied():
    bodies = [*(ITEMS + atoms for atoms in (*HOLDS, *FAILS)), *WRONG]
    rules = [f"{body} -> r{i}(?x, ?x)" for i, body in enumerate(bodies)]
    kb = built("\n".join(rules), profile="none")
    names = {int(str(p).rpartition("r")[2]) for _, p, _ in kb.derived}
    assert [bodies[i] for i in sorted(names)] == bodies[: len(HOLDS)]
    assert len(kb.derived) == len(HOLDS), "a test makes no lists that are to be seen"
    kb._check()


def test_a_list_is_read_as_it_stands():
    kb = built(f"{ITEMS}swrlb:length(?n, ?l) -> r(?x, ?n)")
    (last,) = kb.triples((None, f"<{RDF}rest>", "<http://e.org/c0>"))
    nil = f"<{RDF}nil>"
    assert kb.update(insert=[("<http://e.org/a>", "<http://e.org/items>", last[0])]).added
    for rest, lengths in ((nil, {"1", "4"}), ("<http://e.org/c3>", {"4"})):
        kb.update(delete=list(kb.triples((last[0], f"<{RDF}rest>", None))),
                  insert=[(last[0], f"<{RDF}rest>", rest)])  # fmt: skip
        assert {str(o) for _, _, o in kb.triples((None, "<http://e.org/r>", None))} == lengths


def test_a_cell_with_two_rests_stands_for_two_lists():
    kb = built("open(?x, ?l) ^ mid(?x, ?m) ^ swrlb:listConcat(?c, ?l, ?m) -> r(?x, ?c)")
    cell, rest = "<http://e.org/c1>", f"<{RDF}rest>"
    kb.update(insert=[(cell, rest, f"<{RDF}nil>"), (cell, f"<{RDF}first>", "<http://e.org/b>")])
    (new,) = kb.triples((None, "<http://e.org/r>", None))
    assert {str(o) for _, _, o in kb.triples((new[2], f"<{RDF}first>", None))} == {
        "1", "http://e.org/b"
    }  # fmt: skip


def test_the_cells_of_all_lists_that_a_cell_stands_for_are_counted_once():
    kb = built("open(?x, ?l) ^ swrlb:length(?n, ?l) -> r(?x, ?n)")
    (middle,) = kb.triples(("<http://e.org/a>", "<http://e.org/mid>", None))
    cell, rest = "<http://e.org/c1>", f"<{RDF}rest>"
    kb.update(insert=[(cell, rest, f"<{RDF}nil>"), (cell, rest, middle[2])])
    assert {str(o) for _, _, o in kb.triples((None, "<http://e.org/r>", None))} == {"3"}


def test_the_empty_list_has_no_items_whatever_is_said_of_it():
    kb = built("none(?x, ?l) ^ swrlb:member(?m, ?l) -> r(?x, ?m)")
    nil = f"<{RDF}nil>"
    kb.update(insert=[(nil, f"<{RDF}first>", "<http://e.org/b>"), (nil, f"<{RDF}rest>", nil)])
    assert not list(kb.triples((None, "<http://e.org/r>", None)))


def test_items_that_are_the_same_are_members():
    kb = built(f"{ITEMS}swrlb:member(?m, ?l) -> r(?x, ?m)")
    same = ("<http://e.org/b>", "<http://www.w3.org/2002/07/owl#sameAs>", "<http://e.org/c>")
    cell = "<http://e.org/c3>"
    kb.update(insert=[(cell, f"<{RDF}first>", "<http://e.org/b>"), same,
                      ("<http://e.org/a>", "<http://e.org/items>", cell)])  # fmt: skip
    members = {str(o)[-1] for _, _, o in kb.triples((None, "<http://e.org/r>", None))}
    assert members == set("123bc")


def test_the_rules_that_lists_need_go_with_the_last_rule():
    kb = built(f"{ITEMS}swrlb:length(?n, ?l) -> r(?x, ?n)")
    kb.add_rules(parse_swrl(f"{ITEMS}swrlb:member(?m, ?l) -> s(?x, ?m)", NAMES))
    first, second = kb.program
    kb.remove_rules(first)
    assert len(kb.derived) == 3, sorted(kb.derived)
    kb.remove_rules(second)
    assert len(kb.derived) == 0 and not kb._engine.rules._uses
    kb._check()


REFUSED = [
    ("[?x, :r, ?n] :- [?x, :items, ?l], BIND(1 + swrlb:length(?l) AS ?n) .", "stands alone"),
    ("[?x, :r, ?x] :- [?x, :items, ?l], FILTER(swrlb:length(?l) > 1) .", "stands alone"),
    ("[?x, :r, ?x] :- [?x, :items, ?l], FILTER(!swrlb:sublist(?l, ?l)) .", "stands alone"),
    ("[?x, :r, ?n] :- [?x, :items, ?l], BIND(swrlb:length(IRI(?l)) AS ?n) .", "takes variables"),
    ("[?l, swrlb:member, ?x] :- [?x, :items, ?l] .", "swrlb:member cannot stand in the head"),
    (
        "[?x, :r, ?x] :- [?x, :items, ?l], NOT EXISTS ?c IN ([?x, :mid, ?c], "
        "FILTER(swrlb:sublist(?l, ?c))) .",
        "only atoms stand within NOT EXISTS",
    ),
    (
        "[?l, :r, ?c] :- [?l, rdf:rest, ?m], BIND(swrlb:listConcat(?m, ?m) AS ?c) .",
        r"only atoms about lists say which list \?m is",
    ),
]


@pytest.mark.parametrize(("rule", "words"), REFUSED)
def test_where_built_ins_cannot_stand(rule, words):
    kb = built(f"{ITEMS}swrlb:length(?n, ?l) -> r(?x, ?n)")
    before = set(kb)
    with pytest.raises(RuleError, match=words):
        kb.add_rules("@prefix : <http://e.org/> . " + rule)
    assert set(kb) == before and len(kb.program) == 1


def test_a_list_that_nothing_binds_is_named():
    with pytest.raises(UnsafeRuleError) as raised:
        KnowledgeBase().add_rules("[?x, a, ?n] :- [?x, a, ?y], BIND(swrlb:length(?l) AS ?n) .")
    assert raised.value.variable == "l"


ENDLESS = [
    [f"{ITEMS}swrlb:listConcat(?c, ?l, ?l) -> items(?x, ?c)"],
    ["rdf:first(?l, ?f) -> List(?l)", "List(?l) ^ swrlb:listConcat(?c, ?l, ?l) -> r(?l, ?c)"],
    [f"{ITEMS}swrlb:length(?n, ?l) ^ mid(?x, ?m) ^ swrlb:listConcat(?c, ?m, ?l) -> r(?n, ?c)"],
]


@pytest.mark.parametrize("rules", ENDLESS)
def test_lists_that_would_be_made_of_themselves_are_refused(rules):
    kb = built(f"{ITEMS}mid(?x, ?m) ^ swrlb:listConcat(?c, ?l, ?m) -> r(?x, ?c)")
    before = set(kb)
    with pytest.raises(UnstratifiableError):
        kb.add_rules([rule for text in rules for rule in parse_swrl(text, NAMES)])
    assert set(kb) == before and len(kb.program) == 1


def test_why_a_built_in_does_not_hold():
    kb = built(f"{ITEMS}swrlb:sublist(?l, ?l) ^ open(?x, ?m) ^ swrlb:member(?r, ?m) -> r(?x, ?r)")
    told = str(kb.why_not(("<http://e.org/a>", "<http://e.org/r>", "<http://e.org/b>")))
    assert "a built-in over lists of the rule finds nothing" in told


def test_members_may_be_denied_and_counted():
    kb = built(f"{ITEMS}swrlb:length(?n, ?l) -> r(?x, ?n)")
    kb.add_rules(
        """@prefix : <http://e.org/> .
        [?x, :lacks, ?v] :- [?x, :mid, ?m], [?m, swrlb:member, ?v], [?x, :more, ?l],
            NOT [?l, swrlb:member, ?v] .
        [?x, :sum, ?n] :-
            AGGREGATE([?x, :items, ?l], [?l, swrlb:member, ?v] ON ?x BIND SUM(?v) AS ?n) ."""
    )
    values = {p: {str(o) for _, _, o in kb.triples((None, f"<http://e.org/{p}>", None))}
              for p in ("lacks", "sum")}  # fmt: skip
    assert values == {"lacks": {"2"}, "sum": {"6"}}
    (rule,) = (rule for rule in kb.program if "lacks" in str(rule))
    text = str(kb.explain(next(kb.triples((None, "<http://e.org/lacks>", None)))))
    assert text.count("rdf:first 2   stated") == 1, "what several auxiliary facts need is told once"
    assert rule in kb.program
