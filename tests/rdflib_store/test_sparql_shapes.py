"""Texts that differ in constants only share their algebra; every other difference is one."""

from __future__ import annotations

import random

import pytest
from rdflib import Graph, Literal
from rdflib.namespace import Namespace
from rdflib.plugins.sparql.operators import register_custom_function, unregister_custom_function
from rdflib_store.names import EX

import rdfinc
from rdfinc import DataSyntaxError, KnowledgeBase
from rdfinc.plugins.sparql import shapes
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from thresholds import put

PREFIX = "PREFIX : <http://example.org/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
FACTS = """
@prefix : <http://example.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:a :p :a, :b, "x", "x"@en, 5, "5"^^xsd:int, 5.0 ; :q :b ; :n 1, 2 .
:b :p :c, "y", 6 ; :q :a, :c ; :n 3 .
:c :p :a ; :q :c ; :n 4, 5 .
"""


@pytest.fixture
def kb(monkeypatch: pytest.MonkeyPatch) -> KnowledgeBase:
    """A few facts; no shape is known."""
    monkeypatch.setattr("rdfinc.plugins.sparql.store_requests.SHAPES", shapes.Shapes())
    found = KnowledgeBase()
    found.load(FACTS.encode(), format="ttl")
    return found


def rows(result) -> list[list[str]]:
    """What a SELECT, ASK or CONSTRUCT answers."""
    if result.type == "ASK":
        return [[str(result.askAnswer)]]
    if result.type == "CONSTRUCT":
        return sorted([term.n3() for term in triple] for triple in result)
    return sorted(sorted(f"{v} {t.n3()}" for v, t in row.items()) for row in result.bindings)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were read, rather than known by their shapes."""
    texts: list[str] = []
    own = shapes.shape_of

    def noted(text: str, *rest):
        texts.append(text)
        return own(text, *rest)

    monkeypatch.setattr(shapes, "shape_of", noted)
    return texts


def test_the_third_text_of_a_shape_is_not_read(kb: KnowledgeBase, read: list[str]) -> None:
    texts = [PREFIX + f"SELECT ?o {{ :{name} :q ?o }}" for name in "abcabc"]
    found = [[str(o)[-1] for [o] in kb.query(text)] for text in texts]
    assert [sorted(each) for each in found] == [["b"], ["a", "c"], ["c"]] * 2
    assert read == texts[:2]


def test_a_text_that_is_asked_again_is_not_looked_at(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = kb.dataset()
    one, other = (PREFIX + f"SELECT ?o {{ :{name} :q ?o }}" for name in "ab")
    once = PREFIX + "SELECT ?once { :a :q ?once }"
    for text in (one, other, one, once):
        graph.query(text)
    monkeypatch.setattr(shapes, "tokens_of", None)
    assert rows(graph.query(one)) == [["o <http://example.org/b>"]]
    for text, names in ((once, {}), (one, {"x": EX}), (one + " ", {})):
        with pytest.raises(TypeError, match="not callable"):
            graph.query(text, initNs=names)


def test_escapes_are_those_of_each_text(kb: KnowledgeBase) -> None:
    kb.update(insert=[("<http://example.org/a>", "<http://example.org/q>", Literal(r"\u0041"))])
    for _ in range(3):
        for written, found in ((r"\\u0041", 1), (r"\u0041", 0), (r"\u005C\u005Cu0041", 1)):
            asked = kb.query(PREFIX + f'ASK {{ :a :q "{written}" }}')
            assert asked.askAnswer == bool(found), written


SHAPES = {
    "two equal constants": ["SELECT * {{ {0} :p {1} . {1} :q ?o }}"],
    "a constant in a FILTER too": ["SELECT * {{ {0} :p ?o FILTER(?o = {1}) }}"],
    "a constant that is a predicate too": ["SELECT * {{ {0} :p ?o . ?x {2} {0} }}"],
    "paths": ["SELECT * {{ {0} {2}+ ?o }}", "SELECT * {{ {0} ({2}|^{3})* {1} }}"],
    "literals": ["SELECT * {{ ?s :p {4} }}", "ASK {{ {0} ?p {4} }}"],
    "a slice": ["SELECT ?o {{ {0} :p ?o }} ORDER BY STR(?o) LIMIT {5}"],
    "VALUES": ["SELECT * {{ VALUES ?s {{ {0} {1} }} ?s :q ?o }}", "SELECT * {{ ?s :q {0} "
               "VALUES (?s ?x) {{ ({1} {4}) (UNDEF {0}) }} }}"],
    "IN": ["SELECT * {{ {0} :p ?o FILTER(?o IN ({1}, {4}, {0})) }}"],
    "a template": ["CONSTRUCT {{ {0} :r ?o, {4} }} {{ {1} :q ?o }}",
                   "CONSTRUCT WHERE {{ {0} :q ?o }}"],
    "EXISTS": ["SELECT * {{ ?s :n ?k FILTER NOT EXISTS {{ ?s :q {0} FILTER({1} = {0}) }} }}"],
    "MINUS": ["SELECT * {{ ?s :n ?k MINUS {{ ?s :p {4} }} OPTIONAL {{ ?s :q {0}, ?o }} }}"],
    "UNION": ["SELECT * {{ {{ {0} :p ?o }} UNION {{ {1} {2} ?o }} UNION {{ ?o {3} {0} }} }}"],
    "groups": ["SELECT ?s (GROUP_CONCAT(STR(?k); SEPARATOR='{5}') AS ?t) {{ ?s :n ?k ; :q {0} }} "
               "GROUP BY ?s HAVING(COUNT(*) > {5}) ORDER BY ?k"],
    "brackets and lists": ["SELECT * {{ [ :q {0} ] :p ?o }}", "SELECT * {{ ?s :p ({0} {1}) }}"],
    "functions": ["SELECT * {{ {0} :p ?o BIND(REGEX(STR(?o), '{6}', '{7}') AS ?m) }}"],
    "sub-selects": ["SELECT * {{ {0} :q ?s {{ SELECT ?s {{ ?s :n ?k }} ORDER BY ?k LIMIT {5} }} "
                    "}}"],
}  # fmt: skip
CHOICES = [
    *[[":a", ":b", ":c", "<http://example.org/a>", "<http://example.org/none>"]] * 2,
    *[[":p", ":q", "<http://example.org/q>"]] * 2,
    ['"x"', '"x"@en', "'''x'''", "5", "5.0", '"5"^^xsd:int', "+5", "true", r'"\u0079"', ":b"],
    ["0", "1", "2"],
    ["A", "^h", "b$"],
    ["", "i"],
]  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_texts_of_a_shape_have_answers_of_their_own(name: str, kb: KnowledgeBase) -> None:
    """Those of a text that is read, which `prepare` does."""
    chance = random.Random(name)
    kb.dataset().update(
        PREFIX + "INSERT DATA { GRAPH :g { :a :p :b ; :q :c } GRAPH :h { :b :q :a } }"
    )
    for template in SHAPES[name]:
        texts = [template.format(*map(chance.choice, CHOICES)) for _ in range(12)]
        texts += [chance.choice(texts) for _ in range(12)]
        if template.startswith("SELECT *"):
            texts += ["SELECT * { GRAPH ?g" + text.removeprefix("SELECT *") + "}" for text in texts]
        for text in texts:
            assert rows(kb.query(PREFIX + text)) == rows(kb.prepare(PREFIX + text)()), text


def answers(graph: Graph, text: str, **options) -> list[list[str]]:
    for _ in range(2):
        graph.query(text, **options)
    return rows(graph.query(text, **options))


def test_prefixes_and_base_belong_to_a_shape(kb: KnowledgeBase) -> None:
    graph = kb.dataset()
    text = "SELECT ?o { e:a e:q ?o }"
    found = answers(graph, text, initNs={"e": EX})
    assert found == answers(graph, text, initNs={"e": Namespace("http://example.org/")})
    assert found == [["o <http://example.org/b>"]]
    assert answers(graph, text, initNs={"e": "http://example.com/"}) == []
    assert answers(graph, "PREFIX e: <http://example.com/> " + text) == []
    assert answers(graph, "PREFIX e: <http://example.org/> " + text) == found
    for base, wanted in [("http://example.org/", found), ("http://example.com/", [])]:
        assert answers(graph, f"BASE <{base}> SELECT ?o {{ <a> <q> ?o }}") == wanted
        assert answers(graph, "SELECT ?o { <a> <q> ?o }", base=base) == wanted


def test_bindings_are_those_of_each_asking(kb: KnowledgeBase) -> None:
    graph = kb.dataset()
    for _ in range(3):
        for name in "abc":
            found = graph.query(PREFIX + f"SELECT ?s {{ ?s :q :{name} }}", initBindings={"s": EX.b})
            assert [s for [s] in found] == [EX.b] * (name != "b")
        assert len(graph.query(PREFIX + "SELECT ?s { ?s :q :c }")) == 2


def test_an_error_has_the_place_of_its_own_text(kb: KnowledgeBase) -> None:
    for _ in range(3):
        kb.query(PREFIX + "SELECT ?o { :a :q ?o }")
    with pytest.raises(DataSyntaxError, match=r"(?s)zz: .*\n +\^"):
        kb.query(PREFIX + "SELECT ?o { zz:a :q ?o }")
    with pytest.raises(DataSyntaxError, match="Expected"):
        kb.query(PREFIX + "SELECT ?o { :a :q }")


def test_a_function_of_users_may_come_later(kb: KnowledgeBase) -> None:
    name, text = EX.later, PREFIX + "SELECT ?t { :a :q ?o BIND(:later(?o) AS ?t) }"
    assert answers(kb.dataset(), text) == [[]]
    register_custom_function(name, lambda term: Literal("here"))
    try:
        assert answers(kb.dataset(), text) == [['t "here"']]
    finally:
        unregister_custom_function(name)


def test_facts_may_change_between_texts_of_a_shape(kb: KnowledgeBase) -> None:
    for n in range(4):
        kb.update(insert=[(EX[f"new{n}"], EX.q, EX[f"v{n}"])])
        found = kb.query(PREFIX + f"SELECT ?o {{ :new{n} :q ?o }}")
        assert [o for [o] in found] == [EX[f"v{n}"]]


def test_the_plan_shows_the_constants_of_its_own_text(kb: KnowledgeBase) -> None:
    for name in "abcd":
        plan = kb.query(PREFIX + f"SELECT ?o {{ :{name} :q ?o }}", explain=True)
        assert f"<http://example.org/{name}> <http://example.org/q> ?o: " in plan
    assert "warning: no fact has <http://example.org/d> as its subject" in plan


def test_the_order_of_joins_is_that_for_the_constants_at_hand(kb: KnowledgeBase) -> None:
    """What is common comes last, whichever of the texts came first."""
    many = [(EX[f"m{n}"], EX.p, EX.common) for n in range(90)]
    some = [(EX[f"m{n}"], EX.q, EX.common) for n in range(0, 90, 2)]
    kb.update(insert=[*many, *some, (EX.m0, EX.p, EX.rare), (EX.m0, EX.q, EX.rare)])
    text = PREFIX + "SELECT ?s {{ ?s :p :{} . ?s :q :{} }}"
    for first, second in [("rare", "common"), ("common", "rare"), ("rare", "common")] * 2:
        plan = kb.query(text.format(first, second), explain=True)
        lines = [line.strip() for line in plan.split("\n")]
        firsts = [line for line in lines if line.startswith("?s <")]
        assert f"{first if first == 'rare' else second}>: 1 rows" in firsts[0]


def test_lists_of_any_length_push_no_shape_out(
    kb: KnowledgeBase, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, QUERIES, kept_shapes=2, noted_shapes=8)
    text = PREFIX + "SELECT ?o {{ :{} :q ?o }}"
    for name in "abc":
        kb.query(text.format(name))
    read.clear()
    for n in range(1, 30):
        some = [f":v{i}" for i in range(n)]
        listed = f"VALUES ?s {{ {' '.join(some)} }} ?s :q ?o"
        among = f"?s :q ?o FILTER(?o IN ({', '.join(some)}))"
        for part in (listed, among):
            assert not list(kb.query(PREFIX + f"SELECT * {{ {part} }}"))
        assert len(kb.query(text.format("b"))) == 2
    assert not [each for each in read if each == text.format("b")]


def test_a_graph_of_rdflib_knows_shapes_as_well(read: list[str]) -> None:
    graph = rdfinc.Graph(profile="none").parse(data=FACTS, format="turtle")
    texts = [PREFIX + f"ASK {{ :{name} :a_property_of_its_own ?o }}" for name in "abcabc"]
    assert not any(graph.query(text).askAnswer for text in texts)
    assert len(read) == 2


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?s (COUNT(?k) AS ?c) { ?s :n ?k } GROUP BY ?k",
        "SELECT ?c { { SELECT ?s (COUNT(?k) AS ?c) { ?s :n ?k } GROUP BY ?k } }",
        "SELECT (SUM(?c) AS ?d) { { SELECT ?s (COUNT(?k) AS ?c) { ?s :n ?k } GROUP BY ?k } }",
        "SELECT ?t { ?t :q ?u FILTER EXISTS { SELECT ?s (MAX(?k) AS ?c) { ?s :n ?k } } }",
    ],
)
def test_what_is_no_key_is_refused_however_often(kb: KnowledgeBase, text: str) -> None:
    for _ in range(3):
        with pytest.raises(DataSyntaxError, match=r"\?s is no key of GROUP BY"):
            kb.query(PREFIX + text)


def test_groups_that_show_their_keys_are_not_looked_through(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("rdfinc.plugins.sparql.store_requests._refuse")
    text = PREFIX + "SELECT ?s (COUNT(?k) AS ?c) { ?s :n ?k } GROUP BY ?s"
    for _ in range(3):
        assert len(kb.query(text)) == 3
