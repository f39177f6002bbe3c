"""The hypergraph over relations: hyper-nodes, strata, kinds of edges."""

from __future__ import annotations

import random

import pytest

from rdfinc.datalog.analysis.rule_hypergraph import EdgeKind, hypergraph, inputs
from rdfinc.datalog.model import Program
from rdfinc.datalog.relations import relation_text
from rdfinc.datalog.syntax.rule_text import PREFIXES as KNOWN
from rdfinc.datalog.syntax.rule_text import parse_rules

PREFIXES = {"": "http://e.org/"}


def graph(text):
    return hypergraph(parse_rules(text, PREFIXES))


def name(relation):
    return relation_text(relation, {**KNOWN, **PREFIXES})


def nodes(found):
    """{relations of a hyper-node: (stratum, rules)}"""
    return {
        " ".join(sorted(map(name, node.relations))): (node.stratum, node.rules)
        for node in found.nodes
    }


def edges(found):
    return {(name(e.body), name(e.head), e.kind.value): e.rules for e in found.edges}


def test_relations_that_depend_on_each_other_are_one_hyper_node():
    found = graph(
        ":C[?x] :- :D[?x] . [?x, :p, ?x] :- :C[?x] . :D[?x] :- [?x, :p, ?y], :E[?x] . "
        ":F[?x] :- :D[?x] ."
    )
    assert nodes(found) == {":C :D :p": (0, (0, 1, 2)), ":E": (0, ()), ":F": (0, (3,))}
    assert edges(found)[":p", ":D", "positive"] == (2,)


def test_built_ins_over_lists_read_what_lists_are_made_of():
    found = graph(
        "[?x, :m, ?v] :- [?x, :l, ?l], [?l, swrlb:member, ?v], NOT [?l, swrlb:first, ?v] . "
        "[?x, :n, ?n] :- [?x, :l, ?l], BIND(swrlb:length(?l) AS ?n) . "
        "[?x, :c, ?c] :- [?x, :l, ?l], BIND(swrlb:listConcat(?l, ?l) AS ?c) ."
    )
    kinds = {":m": {"positive", "negative"}, ":n": {"aggregate"}, ":c": {"positive"}}
    found = edges(found)
    for head, expected in kinds.items():
        for part in ("rdf:first", "rdf:rest"):
            assert {
                kind for kind in EdgeKind.__members__ if (part, head, kind) in found
            } == expected


def test_a_stratum_ends_at_negation_and_at_aggregation():
    found = graph("""
        :A[?x] :- :B[?x], NOT :C[?x] .
        :C[?x] :- :D[?x] .
        [?x, :n, ?n] :- AGGREGATE(:A[?x], [?x, :p, ?y] ON ?x BIND COUNT(?y) AS ?n) .
        [?x, :q, ?y] :- [?x, :n, ?y] .
        [?x, :q, ?y] :- [?x, :q, ?z], [?z, :q, ?y], NOT EXISTS ?u IN ([?x, :r, ?u]) .
        false :- :A[?x], :D[?x] .
    """)
    assert nodes(found) == {
        ":B": (0, ()), ":D": (0, ()), ":C": (0, (1,)), ":p": (0, ()), ":r": (0, ()),
        ":A": (1, (0,)), "false": (1, (5,)), ":n": (2, (2,)), ":q": (2, (3, 4)),
    }  # fmt: skip
    kinds = {edge[2]: 0 for edge in edges(found)}
    assert set(kinds) == {"positive", "negative", "aggregate"}
    assert edges(found)[":r", ":q", "negative"] == (4,)
    assert edges(found)[":p", ":n", "aggregate"] == (2,)
    assert found.refused == ()


def test_a_relation_may_be_read_in_two_ways():
    found = graph(":A[?x] :- :B[?x], NOT EXISTS ?y IN ([?x, :p, ?y], :B[?y]) .")
    assert edges(found).keys() >= {(":B", ":A", "positive"), (":B", ":A", "negative")}
    assert nodes(found)[":A"] == (1, (0,))


@pytest.mark.parametrize(
    "text",
    [
        ":A[?x] :- :B[?x], NOT :A[?x] .",
        ":A[?x] :- :B[?x], NOT :C[?x] . :C[?x] :- :D[?x] . :D[?x] :- :A[?x] .",
        ":A[?n] :- AGGREGATE(:A[?x] BIND COUNT(?x) AS ?n) .",
        ":A[?x] :- :B[?x], NOT [?x, ?p, ?x] .",
        ":A[?x] :- :B[?x], NOT [?x, a, ?c], :T[?c] .",
        "[?x, ?q, ?x] :- [?x, :s, ?q], NOT :A[?x] .",
    ],
)
def test_relations_that_must_be_complete_and_are_not_are_named(text):
    assert graph(text).refused


def test_a_variable_stands_for_every_relation_and_a_variable_class_for_every_class():
    found = graph(":A[?x] :- [?x, ?p, ?y], :B[?p] . :C[?x] :- :A[?x], [?x, a, ?d], [?d, :s, ?e] .")
    assert nodes(found).keys() == {":A :C every class every relation", ":B", ":s"}
    found = graph("[?x, ?q, ?y] :- [?p, :sub, ?q], [?x, :r, ?y] . :A[?x] :- :B[?x] .")
    assert nodes(found)["every relation"] == (0, (0,))
    assert graph(":A[?x] :- [?x, a, ?d] . :P[?x] :- [?x, :p, ?y] .").node_of().keys() == {
        *graph(":A[?x] :- [?x, a, ?d], :P[?x], [?x, :p, ?y] .").node_of()
    }


def test_lower_nodes_come_first():
    rnd = random.Random(5)
    for _ in range(100):
        found = hypergraph(random_program(rnd))
        place = found.node_of()
        for edge in found.edges:
            low, high = found.nodes[place[edge.body]], found.nodes[place[edge.head]]
            assert place[edge.body] <= place[edge.head]
            assert (
                low.stratum + (edge.kind is not EdgeKind.positive) <= high.stratum
                or edge in found.refused
            )
        assert sorted(i for node in found.nodes for i in node.rules) == sorted(
            {i for edge in found.edges for i in edge.rules}
        )


def test_hyper_nodes_are_the_sets_of_relations_that_reach_each_other():
    rnd = random.Random(6)
    for _ in range(100):
        program = random_program(rnd)
        found = hypergraph(program)
        reach = {relation: {relation} for relation in found.node_of()}
        for _ in reach:
            for edge in found.edges:
                reach[edge.head] |= reach[edge.body]
        together = {
            frozenset(r for r in reach if r in reach[one] and one in reach[r]) for one in reach
        }
        assert {frozenset(node.relations) for node in found.nodes} == together


def random_program(rnd):
    relations = [f":p{i}" for i in range(8)]
    rules = []
    for _ in range(rnd.randint(1, 12)):
        head, *body = rnd.choices(relations, k=rnd.randint(2, 4))
        negated = f", NOT {rnd.choice(relations)}[?x]" if rnd.random() < 0.3 else ""
        rules.append(f"{head}[?x] :- {', '.join(f'{b}[?x]' for b in body)}{negated} .")
    return parse_rules("\n".join(rules), PREFIXES)


def test_inputs_are_told_once_for_every_kind():
    (rule,) = parse_rules(
        ":A[?x] :- :B[?x], :B[?y], NOT :C[?x], "
        "AGGREGATE(:D[?z], NOT :E[?z] BIND COUNT(?z) AS ?n) .",
        PREFIXES,
    )
    assert [(name(r), kind.value) for r, kind in inputs(rule)] == [
        (":B", "positive"), (":C", "negative"), (":D", "aggregate"), (":E", "aggregate")
    ]  # fmt: skip


def test_no_rules_no_graph():
    assert hypergraph(Program()).nodes == ()
