"""Plans of queries: what was done, how long it took, and what could find nothing."""

from __future__ import annotations

import re

import pytest
from rdflib import Dataset, Graph, Literal, URIRef
from rdflib.plugins.sparql import CUSTOM_EVALS
from rdflib_store.names import EX, G1, KNOWS

from rdfinc import BudgetExceededError, DataSyntaxError, KnowledgeBase, UnsupportedError

TIME = re.compile(r", [\d,]+\.\d\d ms$")
PREFIX = "PREFIX : <http://example.org/> "
FACTS = b"""
@prefix : <http://example.org/> .
:tom :knows :ann ; a :Cat . :ann :knows :ann ; :age 7 .
:Cat <http://www.w3.org/2000/01/rdf-schema#subClassOf> :Animal .
"""


@pytest.fixture
def kb() -> KnowledgeBase:
    found = KnowledgeBase()
    found.load(FACTS, format="ttl")
    return found


def lines(plan: str) -> list[str]:
    """Those of parts, which have times, and of patterns."""
    found = [line for line in plan.splitlines() if not line.startswith("warning: ")]
    assert all(TIME.search(line) or line.endswith(": not asked for") for line in found)
    return [TIME.sub("", line.strip()) for line in found]


def warnings(plan: str) -> list[str]:
    start = "warning: "
    return [line[len(start) :] for line in plan.splitlines() if line.startswith(start)]


def test_the_plan_shows_what_was_done(cats: Graph) -> None:
    result = cats.query("SELECT ?x { ?x :knows ?y FILTER(?x != ?y) } ORDER BY ?x")
    found = lines(result.plan())
    assert found[0] == "Project ?x: 1 rows"
    assert found[-2:] == ["BGP: 1 rows", f"?x <{KNOWS}> ?y: 2 rows, 2 expected"]
    assert "(rdflib)" not in result.plan()
    result = cats.query("SELECT * { ?x ?p ?y . ?x :knows* :ann . ?y :age 8 . ?x :age 7 }")
    found = lines(result.plan())
    assert found[1] == "BGP: 0 rows"
    assert found[2] == f"?y <{EX.age}> {Literal(8).n3()}: 0 rows, 0 expected"
    assert [line.endswith(": not asked for") for line in found[3:]] == [True] * 3


@pytest.mark.parametrize(
    "text",
    [
        "?x :age 7 OPTIONAL { ?x a ?c } ?x :knows? ?y",
        "{ ?x :age 7 } UNION { ?x :age 8 } ?x :knows? ?y",
        "?x :age 7 MINUS { ?x a :Cat } ?x :knows? ?y",
        "{ ?x :age 7 BIND(STR(?x) AS ?s) } ?x :knows? ?y",
        "VALUES ?x { :ann } { SELECT ?x { ?x :knows ?z } } ?x :knows? ?y",
    ],
)
def test_a_join_begins_where_solutions_are_few(kb: KnowledgeBase, text: str) -> None:
    """A path that may have no step leads from every node there is."""
    found = lines(kb.query(f"{PREFIX} SELECT * {{ {text} }}", explain=True))
    assert f"?x <{KNOWS}>? ?y: 1 rows, 1 expected" in found


def test_a_join_begins_with_a_way_that_nothing_goes(kb: KnowledgeBase) -> None:
    text = "?x :knows ?y OPTIONAL { ?x a ?c } ?x :knows/:likes ?z"
    found = lines(kb.query(f"{PREFIX} SELECT * {{ {text} }}", explain=True))
    assert found[2:] == [
        "BGP: 0 rows",
        f"?x <{KNOWS}>/<{EX.likes}> ?z: 0 rows, 0 expected",
    ]


def test_a_join_goes_on_with_what_shares_a_variable(kb: KnowledgeBase) -> None:
    text = "{ ?x :age 7 } UNION { ?x :age 8 } OPTIONAL { ?x a ?c } { ?y a ?d } UNION { ?y :age 9 }"
    text += " { ?x :knows ?y } UNION { ?y :knows ?x }"
    found = lines(kb.query(f"{PREFIX} SELECT * {{ {text} }}", explain=True))
    assert f"?x <{KNOWS}> ?y: 1 rows, 1 expected" in found


def test_times_of_parts_include_those_within(kb: KnowledgeBase) -> None:
    text = "SELECT ?x { ?x :knows ?y BIND(STR(?x) AS ?t) FILTER(?t != '') } ORDER BY ?t LIMIT 5"
    plan = kb.query(PREFIX + text, explain=True).splitlines()
    times = [float(line.split()[-2]) for line in plan]
    assert [line.strip().split(":")[0] for line in plan[:-1]] == [
        "Slice", "Project ?x", "OrderBy", "Filter", "Extend ?t", "BGP"
    ]  # fmt: skip
    assert times == sorted(times, reverse=True)
    assert times[0] > 0


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("SELECT ?x { ?x a :Animal }", "Project ?x: 1 rows"),
        ("ASK { ?x a :Animal }", "Project ?x: 1 rows"),
        ("CONSTRUCT { ?x a :Pet } { ?x a :Animal }", "Project ?x: 1 rows"),
        ("DESCRIBE ?x { ?x a :Animal }", "Distinct: 1 rows"),
    ],
)
def test_queries_of_each_form_are_explained(kb: KnowledgeBase, text: str, first: str) -> None:
    plan = kb.query(PREFIX + text, explain=True)
    assert lines(plan)[0] == first
    assert warnings(plan) == []


def test_nothing_is_asked_for_the_description_of_a_name(kb: KnowledgeBase) -> None:
    assert kb.query(PREFIX + "DESCRIBE :tom", explain=True) == ""


def test_few_pairs_are_tried_rather_than_all_that_one_of_them_leads_to() -> None:
    kb = KnowledgeBase("none")
    offers = [(f"<x:o{n}>", f"<x:of{n // 8}>", f"<x:v{n % 4}>") for n in range(8000)]
    kb.update(insert=[(o, "<x:vendor>", vendor) for o, _, vendor in offers])
    kb.update(insert=[(o, "<x:of>", product) for o, product, _ in offers])
    kb.update(insert=[(f"<x:v{n}>", "<x:land>", f"<x:l{n // 2}>") for n in range(4)])
    text = "SELECT ?o { ?o <x:vendor> ?v ; <x:of> <x:of7> . ?v <x:land> <x:l1> }"
    plan = kb.query(text, explain=True)
    assert "?v <x:land> <x:l1>: 2 rows" in plan
    assert "?o <x:of> <x:of7>: 16 rows" in plan
    assert sorted(str(row.o) for row in kb.query(text)) == [f"x:o{n}" for n in (58, 59, 62, 63)]


@pytest.mark.parametrize(
    ("pattern", "unbound"),
    [
        ("?x :knows ?y FILTER(?z > 3)", ["?z"]),
        ("?x :knows ?y FILTER(?z > 3 || ?w != ?x)", ["?w", "?z"]),
        ("?x :knows ?y { FILTER(?y != :ann) }", ["?y"]),
        ("?x :knows ?y OPTIONAL { ?y :age ?n FILTER(?n > ?x && ?n > ?m) }", ["?m"]),
        ("?x :knows ?y FILTER NOT EXISTS { ?y :age ?n FILTER(?n > ?x && ?n > ?m) }", ["?m"]),
        ("?x :knows ?y FILTER(EXISTS { ?z :age ?n } || ?z = :tom)", ["?z"]),
        ("?x :knows ?y MINUS { ?y :age ?n FILTER(?n > ?x) }", ["?x"]),
        ("{ ?x :age ?n } UNION { ?x :knows ?y } FILTER(?n > 3 || ?y = ?x)", []),
        ("?x :knows ?y . BIND(STR(?x) AS ?t) FILTER(?t != '')", []),
        ("VALUES (?x ?n) { (:tom 1) } FILTER(?n > 0)", []),
        ("GRAPH ?g { ?x :knows ?y } FILTER(?g != :g)", []),
        ("{ SELECT ?x (COUNT(*) AS ?k) { ?x :knows ?y } GROUP BY ?x } FILTER(?k > ?y)", ["?y"]),
        ("{ SELECT ?x { ?x :knows ?y } GROUP BY ?x HAVING(COUNT(?y) > 0) }", []),
    ],
)
def test_conditions_on_what_is_bound_nowhere_are_named(
    kb: KnowledgeBase, pattern: str, unbound: list[str]
) -> None:
    plan = kb.query(f"{PREFIX}SELECT * {{ {pattern} }}", explain=True)
    assert warnings(plan) == [
        f"FILTER reads {name}, which nothing in its group binds" for name in unbound
    ]


def test_what_is_bound_before_is_bound(cats: Graph) -> None:
    text = "SELECT ?x { ?x :knows ?y FILTER(?z != ?x) }"
    assert len(warnings(cats.query(text).plan())) == 1
    assert warnings(cats.query(text, initBindings={"z": EX.nobody}).plan()) == []


@pytest.mark.parametrize(
    ("pattern", "unknown"),
    [
        ("?x :kows ?y", "<http://example.org/kows> as its predicate"),
        ("?x a :Dog", "<http://example.org/Dog> as its object"),
        (":Dog ?p ?o", "<http://example.org/Dog> as its subject"),
        ("?x :tom ?y", "<http://example.org/tom> as its predicate"),
        ("?x :age 8", f"{Literal(8).n3()} as its object"),
        ("?x :knows/(:kows|^:knows)* ?y", "<http://example.org/kows> as its predicate"),
        ("?x a ?c FILTER NOT EXISTS { ?x :kows ?y }", "<http://example.org/kows> as its predicate"),
        ("GRAPH ?g { ?x :kows ?y }", "<http://example.org/kows> as its predicate"),
        (
            "?x :Knows ?y",
            "<http://example.org/Knows> as its predicate; did you mean <http://example.org/knows>?",
        ),
        ("?x !:kows ?y", None),
        ("?x a :Animal ; :knows/:age 7", None),
    ],
)
def test_terms_that_no_fact_has_are_named(
    kb: KnowledgeBase, pattern: str, unknown: str | None
) -> None:
    plan = kb.query(f"{PREFIX}SELECT * {{ {pattern} }}", explain=True)
    assert warnings(plan) == ([f"no fact has {unknown}"] if unknown else [])


def test_graphs_are_looked_at_by_name(split: Dataset) -> None:
    text = "SELECT * {{ GRAPH <{}> {{ ?s ?p ?o }} }}"
    assert warnings(split.query(text.format(G1)).plan()) == []
    nowhere = URIRef("http://example.org/nowhere")
    found = split.query(text.format(nowhere)).plan()
    assert warnings(found) == [f"no graph is named {nowhere.n3()}"]


def test_a_graph_that_knows_no_others_is_not_asked_for_them(cats: Graph) -> None:
    result = cats.query("SELECT * { VALUES ?x { } GRAPH :elsewhere { ?x :knows ?y } }")
    assert "warning" not in result.plan()


def test_plans_keep_to_the_limits_and_refuse_what_queries_refuse(kb: KnowledgeBase) -> None:
    with pytest.raises(BudgetExceededError):
        kb.query("SELECT * { ?s ?p ?o . ?x ?y ?z }", explain=True, max_rows=10)
    with pytest.raises(DataSyntaxError):
        kb.query("SELECT {", explain=True)


def test_rdflib_has_no_plan(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    def declines(ctx, part):
        raise NotImplementedError

    monkeypatch.setitem(CUSTOM_EVALS, "other", declines)
    with pytest.raises(UnsupportedError, match="the plan of what rdflib evaluates"):
        kb.query("ASK {}", explain=True)


def test_nodes_that_paths_stay_at_are_those_of_the_version(kb: KnowledgeBase) -> None:
    """They are worked out once for all queries in between two changes."""
    text, ann, eve = f"{PREFIX} SELECT * {{ ?x :knows? ?y }}", (EX.ann, KNOWS, EX.eve), EX.eve
    nodes = {term for s, _, o in kb for term in (s, o)}
    first = [tuple(row) for row in kb.query(text)]
    assert {x for x, y in first if x == y} == nodes
    assert [tuple(row) for row in kb.query(text)] == first
    kb.update(insert=[ann])
    assert (eve, eve) in set(map(tuple, kb.query(text)))
    kb.update(delete=[ann])
    assert sorted(map(tuple, kb.query(text))) == sorted(first)
