"""INSERT DATA and DELETE DATA that are read as documents, beside the grammar's reading."""

from __future__ import annotations

import random

import pytest
from rdflib import Dataset, Graph
from rdflib.compare import isomorphic
from rdflib.plugins.sparql.parser import parseUpdate

from rdfinc.plugins import RdfincStore
from rdfinc.plugins.sparql import store_requests
from rdfinc.plugins.sparql.algebra import data_blocks
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from thresholds import put

PROLOGUE = "PREFIX : <x:> PREFIX ex: <http://e/> BASE <http://b/> "
STATED = b"""<x:a> <x:p> <x:b> .
<x:a> <x:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .
<x:a> <x:q> "c" .
<x:a> <x:p> <x:b> <x:g> .
<x:g> <x:p> <x:g> <x:g> .
"""
DATA = [
    ":a :p :b", ":a :p :b .", ":a a :b ; :q 1, 2.5, 1e0, -3, +4, true ; .",
    ":a :p \"}\" . :b :p '{'",
    ':a :p """a "quoted" } text""" .', ":a :p '''it's } {''' .", "# } a comment {\n:a :p :b # }\n",
    ':a :p "x"@en-GB, "01"^^ex:t, "\\"}" .', "GRAPH :g { :a :p :b }", "GRAPH <g> { :a :p :c . }",
    ":a :p :b . GRAPH :g { :a :p :b . :b :p :c } :c :p :d .", "GRAPH :g {} GRAPH ex:h { :x :y :z }",
    ":a :p :b GRAPH :g { :a :p :b } :c :p :d", "<r> <s> <../t> .", "ex:a.b ex:c-d ex:e\\#f .", "",
    ":a :p TRUE", ":a :p ?x", "@prefix z: <z:> . z:a :p :b", ":g { :a :p :b }", "{ :a :p :b }",
    "GRAPH :g { GRAPH :h { :a :p :b } }", "GRAPH [] { :a :p :b }", ":a :p", ":a :p :b :c",
    "un:a :p :b",
    ":a :p << :a :p :b >>", "\\u003Ax:u> :p :b", "graph:x :p :b . :h { :a :p :b }", ":a :p (1 2)",
    "GRAPH ?g { :a :p :b }", ":a :p 'x\n' .", "ex:GRAPH :p :b", ":a :p :b }",
    "PREFIX z: <z:> z:a :p z:b", ":a :p ()", ":a :p \"what? $5\" .", "<x:a?b=$c> :p :b",
    "<x:\\u0061> :p '\\u0041\\U0001F600'", ":a :p '\\u0022'", ":a :p \"\\u0022\"",
    ":a :p '\\\\u0041'", ":a :p '\\u0041beef'", "<x:\\u0020> :p :b", ":a :p '\\UFFFFFFFF'",
    ":a :p '\\n\\t\\\\'", ":a :p \\u0022a\\u0022",
    ":a :p :b # end.", ":a :p <x:#f>", ":a :p :b . # c", ":a :p 5 # x\n# y.\n", ':a :p "x#y."',
    "# .", ":a :p 5.", ":a :p .5", "<x:a><x:p><x:b>", "<x:a>a<x:b>", ":a a:b :c", ":a:p :b",
    ":a :p :b.:c :d :e", ':a :p "", """""", "x"', ":a :p 'a''b'",
    "ex:a%20b :p :-", "a:b :p :c", "_x :p :c", ":a :p truer",
]  # fmt: skip
BLANK = [
    "(1 2) :p :b",
    "(1 :a) .",
    ":a :p ((1) (2 ())) .",
    "_:a :p _:b . GRAPH :g { _:a :p _:a }",
    "[ :p :b ] :q [] .",
    "GRAPH _:g { :a :p :b }",
]


def carried_out(text: str, monkeypatch: pytest.MonkeyPatch, least: int) -> Dataset | str:
    """The dataset after a request, or the kind of error that it is."""
    put(monkeypatch, QUERIES, least_block_text=least)
    ds = Dataset(RdfincStore(profile="none"))
    ds.store.kb.load(STATED, format="nq")
    try:
        ds.update(PROLOGUE + text)
    except Exception as error:
        return type(error).__name__
    return ds


def same(one: Dataset | str, other: Dataset | str) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    names = {graph.identifier for ds in (one, other) for graph in ds.graphs()}
    return all(isomorphic(one.graph(name), other.graph(name)) for name in names)


@pytest.mark.parametrize(
    "data",
    [
        ":a a :b ; :q 1, 2.5, -3e0, true .",
        "ex:a.b :p 'c'@en, \"5\"^^ex:t",
        "GRAPH ex:g { :a :p :b }",
    ],
)
def test_the_grammar_reads_a_request_without_its_blocks(data: str) -> None:
    for request in ("INSERT DATA {{{}}}", "DELETE DATA {{{}}}", "INSERT {{{}}} WHERE {{}}"):
        rest, [block] = data_blocks.taken_out(PROLOGUE + request.format(data))
        assert rest == PROLOGUE + request.format("")
        assert block is not None and block.text == data


@pytest.mark.parametrize("word", ["INSERT", "DELETE"])
@pytest.mark.parametrize("data", [*DATA, *BLANK])
def test_a_block_is_read_as_the_grammar_reads_it(monkeypatch, data, word):
    text = f"{word} DATA {{ {data} }}"
    read, parsed = (carried_out(text, monkeypatch, least) for least in (0, 1 << 30))
    skip_mistakes_of_the_grammar(parsed, text)
    assert same(read, parsed)


def skip_mistakes_of_the_grammar(told: object, text: str) -> None:
    """Some releases of rdflib raise a TypeError for what SPARQL allows."""
    if told == "TypeError":
        with pytest.raises(TypeError):
            parseUpdate(PROLOGUE + text)
        pytest.skip("a mistake in the grammar of this release of rdflib")


@pytest.mark.parametrize("data", BLANK)
@pytest.mark.parametrize("least", [0, 1 << 30])
@pytest.mark.parametrize(
    "text", ["DELETE DATA {{ {} }}", "DELETE WHERE {{ {} }}", "DELETE {{ {} }} WHERE {{ }}"]
)
def test_what_is_deleted_has_no_blank_nodes(monkeypatch, data, least, text):
    if "GRAPH _:g" not in data:
        told = carried_out(text.format(data), monkeypatch, least)
        skip_mistakes_of_the_grammar(told, text.format(data))
        assert told == "DataSyntaxError"


MODIFICATIONS = [
    "DELETE {{ {} }} WHERE {{ }}", "INSERT {{ {} }} WHERE {{ }}",
    "INSERT {{ {} }} WHERE {{ :a :p :b }}", "INSERT {{ {} }} WHERE {{ :no :p ?o }}",
    "DELETE {{ :a :p :b }} INSERT {{ {} }} WHERE {{ ?s :q ?o }}",
    "DELETE {{ {} }} INSERT {{ ?s :r ?o }} WHERE {{ ?s :p ?o }}",
    "WITH :g DELETE {{ {} }} INSERT {{ GRAPH :h {{ :a :p :c }} }} WHERE {{ ?s ?p ?o }}",
    "WITH :h insert{{ {} }}\nusing :g where {{ ?s ?p ?o }}",
    "DELETE {{ ?s :p ?o }} INSERT {{ {} }} WHERE {{ ?s :p ?o FILTER(?o < 3 && 1 > 0) }}",
    "INSERT DATA {{ :x :y 1 }} ; DELETE {{ :x :y 1 }} INSERT {{ {} }} WHERE {{ :x :y 1 }}",
    "INSERT # of some\n {{ {} }} WHERE {{ }} ; INSERT {{ :x :y 1 }} WHERE {{ }}",
]  # fmt: skip


@pytest.mark.parametrize("data", [*DATA, *BLANK])
@pytest.mark.parametrize("text", MODIFICATIONS)
def test_a_ground_template_is_read_as_the_grammar_reads_it(monkeypatch, data, text):
    request = text.format(data)
    read, parsed = (carried_out(request, monkeypatch, least) for least in (0, 1 << 30))
    assert same(read, parsed)


@pytest.mark.parametrize("seed", range(30))
def test_requests_of_many_operations_do_the_same(monkeypatch, seed):
    chance = random.Random(seed)

    def operation() -> str:
        if chance.random() < 0.3:
            return "DELETE { ?s :q ?o } INSERT { ?s :r ?o } WHERE { ?s :p ?o FILTER(?o != 3) }"
        words = chance.choice(["INSERT DATA", "insert  data", "DELETE DATA", "DELETE\nDATA"])
        return f"{words}{{ {chance.choice(DATA[:19])} }}"

    text = " ;\nPREFIX z: <z:> ".join(operation() for _ in range(chance.randint(1, 5)))
    read, parsed = (carried_out(text, monkeypatch, least) for least in (0, 1 << 30))
    assert same(read, parsed)


def test_a_union_withdraws_from_every_graph(monkeypatch):
    put(monkeypatch, QUERIES, least_block_text=0)
    ds = Dataset(RdfincStore(profile="none"), default_union=True)
    ds.store.kb.load(STATED, format="nq")
    ds.update(f"{PROLOGUE} DELETE DATA {{ :a :p :b }}")
    assert not list(ds.quads((None, None, None, None))) or len(ds) == 3


def test_a_long_block_is_read_without_the_grammar(monkeypatch):
    def refused(*_: object) -> None:
        raise AssertionError("the grammar reads a block")

    texts: list[str] = []
    original = store_requests.update_of
    monkeypatch.setattr(
        store_requests,
        "update_of",
        lambda text, *a, **k: texts.append(text) or original(text, *a, **k),
    )
    graph = Graph(store="rdfinc")
    triples = " ".join(f"<x:s{i}> <x:p> {i} ." for i in range(1000))
    graph.update(f"INSERT DATA {{ {triples} }}")
    assert len(graph) == 1000
    graph.update(f"DELETE DATA {{ {triples} }}")
    assert not len(graph)
    graph.update(f"DELETE {{ {triples} }} INSERT {{ {triples} }} WHERE {{ }}")
    graph.update(f"INSERT DATA {{ <x:\\u0061> <x:p> 1 . {triples} }}")
    assert len(graph) == 1001
    assert max(map(len, texts)) < 100


def test_a_request_that_fails_later_changes_nothing(monkeypatch):
    put(monkeypatch, QUERIES, least_block_text=0)
    ds = Dataset(RdfincStore(profile="none"))
    with pytest.raises(ValueError, match="no graph"):
        ds.update("INSERT DATA { <x:a> <x:p> <x:b> } ; COPY <x:none> TO <x:g>")
    assert not len(ds)


@pytest.mark.parametrize("least", [0, 1 << 30])
def test_prefixes_and_base_are_those_that_stand_before_a_block(monkeypatch, least):
    put(monkeypatch, QUERIES, least_block_text=least)
    ds = Dataset(RdfincStore(profile="none"))
    ds.update(
        "PREFIX a: <x:> BASE <http://one/> INSERT DATA { a:s a:p <o> } ;"
        "PREFIX a: <y:> BASE <http://two/> INSERT DATA { a:s a:p <o> }"
    )
    found = {" ".join(quad[:3]) for quad in ds}
    assert found == {"x:s x:p http://one/o", "y:s y:p http://two/o"}
