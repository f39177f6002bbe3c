"""SPARQL over the closure: every way of asking, datasets, updates, processors."""

from __future__ import annotations

from typing import Any

import pytest
from rdflib import Dataset, Graph, Literal, URIRef, Variable
from rdflib.plugin import PluginException
from rdflib.plugins.sparql import CUSTOM_EVALS, evaluate, prepareQuery
from rdflib.plugins.sparql.sparql import FrozenBindings
from rdflib_store.names import (
    ANIMAL,
    ANN,
    CAT,
    CLOSURE,
    DERIVED,
    EX,
    EXPLICIT,
    G1,
    G2,
    KNOWS,
    LIKES,
    SUB,
    TOM,
    TYPE,
)

from rdfinc import KnowledgeBase
from rdfinc.plugins.sparql.evaluation import modifiers

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

ALL = "SELECT ?s ?p ?o { ?s ?p ?o }"


def rows(result) -> list[tuple]:
    return sorted(map(tuple, result), key=str)


def test_the_closure_is_asked(cats: Graph) -> None:
    assert rows(cats.query("SELECT ?x { ?x a :Animal }")) == [(TOM,)]
    assert cats.query("ASK { :tom a :Animal }").askAnswer
    cats.remove((CAT, SUB, ANIMAL))
    assert not cats.query("ASK { :tom a :Animal }").askAnswer


def test_one_variable_in_two_places(cats: Graph) -> None:
    assert rows(cats.query("SELECT ?x { ?x :knows ?x }")) == [(ANN,)]
    assert rows(cats.query("SELECT ?x ?y { ?x :knows ?y . ?y :knows ?y }")) == [
        (ANN, ANN),
        (TOM, ANN),
    ]


def test_blank_nodes_in_patterns_are_variables(cats: Graph) -> None:
    assert rows(cats.query("SELECT ?x { ?x :knows [ :age 7 ] }")) == [(ANN,), (TOM,)]
    assert cats.query("ASK { _:a :knows _:a }").askAnswer
    assert not cats.query("ASK { _:a a _:a }").askAnswer


def test_unknown_terms_match_nothing(cats: Graph) -> None:
    assert rows(cats.query("SELECT ?x { ?x a :Dragon }")) == []
    assert rows(cats.query("SELECT ?x { ?x :knows :ann . OPTIONAL { ?x a :Dragon } }")) == [
        (ANN,),
        (TOM,),
    ]


@pytest.mark.parametrize("name", ["x", "?x", Variable("x")])
def test_init_bindings(cats: Graph, name: str) -> None:
    key = str(name).lstrip("?")
    assert rows(cats.query("SELECT ?x ?y { ?x :knows ?y }", initBindings={key: TOM})) == [
        (TOM, ANN)
    ]
    assert rows(cats.query("SELECT ?y { ?x :knows ?y }", initBindings={key: EX.nobody})) == []
    assert rows(cats.query("SELECT ?x { }", initBindings={key: TOM})) == [(TOM,)]


def test_prepared_queries(cats: Graph) -> None:
    query = prepareQuery("SELECT ?x { ?x a :Animal }", initNs={"": EX})
    assert rows(cats.query(query)) == [(TOM,)]
    cats.add((ANN, TYPE, CAT))
    assert rows(cats.query(query)) == [(ANN,), (TOM,)]
    assert rows(cats.query(query, initBindings={"x": ANN})) == [(ANN,)]
    assert rows(Graph().query(query)) == []


def test_paths_join_with_patterns(cats: Graph) -> None:
    found = cats.query("SELECT ?x ?c { ?x :knows/a ?c . ?x :knows ?y }")
    assert rows(found) == []
    found = cats.query("SELECT ?x ?y { ?x :knows+ ?y . ?x a :Cat }")
    assert rows(found) == [(TOM, ANN)]


def test_the_rest_of_sparql(cats: Graph) -> None:
    assert rows(cats.query("SELECT (COUNT(*) AS ?n) { ?x :knows ?y }")) == [(Literal(2),)]
    assert rows(cats.query("SELECT DISTINCT ?y { ?x :knows ?y }")) == [(ANN,)]
    assert rows(cats.query("SELECT ?x { ?x :knows ?y FILTER(?x != ?y) }")) == [(TOM,)]
    assert rows(cats.query("SELECT ?x { { ?x a :Cat } UNION { ?x :age 7 } }")) == [(ANN,), (TOM,)]
    assert rows(cats.query("SELECT ?x { ?x :knows ?y MINUS { ?x a :Cat } }")) == [(ANN,)]
    assert rows(cats.query("SELECT ?y { VALUES ?x { :tom } ?x :knows ?y }")) == [(ANN,)]
    assert rows(cats.query("SELECT ?x { ?x :knows ?y FILTER EXISTS { ?x a :Cat } }")) == [(TOM,)]
    assert rows(cats.query("SELECT ?x ?n { ?x :knows ?y BIND(1 AS ?n) } ORDER BY ?x LIMIT 1")) == [
        (ANN, Literal(1))
    ]
    assert rows(cats.query("SELECT ?x { { SELECT ?x { ?x :knows ?y } LIMIT 5 } ?x a :Cat }")) == [
        (TOM,)
    ]
    assert set(cats.query("CONSTRUCT { ?x a :Thing } { ?x a :Animal }")) == {(TOM, TYPE, EX.Thing)}
    assert (TOM, TYPE, ANIMAL) in cats.query("DESCRIBE :tom").graph


def test_construct_and_describe(cats: Graph) -> None:
    found = cats.query("CONSTRUCT { ?x :likes _:b . _:b :of ?y . ?y ?u ?x } { ?x :knows ?y }").graph
    assert len(set(found.objects(None, LIKES))) == 2, "a blank node for each solution"
    assert len(found) == 4, "and nothing of what has an unbound variable"
    bound = cats.query("CONSTRUCT { ?x :likes ?z } { ?x a :Cat }", initBindings={"z": ANN})
    assert set(bound) == {(TOM, LIKES, ANN)}
    cats.update("INSERT DATA { :ann :knows [ :age 3 ; :knows [ :age 4 ] ] . [] :age 5 }")
    described = cats.query("DESCRIBE ?x { ?x :age 7 }").graph
    assert set(map(int, described.objects(None, EX.age))) == {7, 3, 4}


def test_a_solution_that_binds_nothing_is_a_row(cats: Graph) -> None:
    assert list(cats.query("SELECT ?x { OPTIONAL { ?x a :Dragon } }")) == [(None,)]
    assert len(list(cats.query("SELECT * { }"))) == 1
    assert not list(cats.query("SELECT * { FILTER(1 = 2) }"))


def test_rows_are_rdflibs(cats: Graph) -> None:
    result = cats.query("SELECT ?x ?z { ?x a :Cat . OPTIONAL { ?x :likes ?z } }")
    (row,) = result
    assert row.x == row["x"] == row[0] == TOM
    assert row.z is None
    assert row.asdict() == {"x": TOM}
    assert result.bindings == [{Variable("x"): TOM}]
    assert len(result) == 1 and result
    assert b"tom" in result.serialize(format="json")
    assert list(result) == [row], "it can be read again"


def test_groups(cats: Graph) -> None:
    lengths = cats.query("SELECT (COUNT(*) AS ?n) { ?x :knows ?y } GROUP BY (?x = ?y)")
    assert rows(lengths) == [(Literal(1),), (Literal(1),)]
    query = "SELECT ?k (COUNT(*) AS ?n) {{ ?x :knows ?y }} GROUP BY (?x = ?y) (STR(?x) AS ?k) {}"
    assert len(rows(cats.query(query.format("(STR(?y))")))) == 2
    found = cats.query("SELECT ?y (MIN(?x) AS ?m) (SUM(?z) AS ?s) { ?x :knows ?y } GROUP BY ?y")
    assert rows(found) == [(ANN, ANN, None)]
    assert rows(cats.query("SELECT ?x (COUNT(?y) AS ?n) { ?x :likes ?y } GROUP BY ?x")) == []
    assert rows(cats.query("SELECT (SUM(?y) AS ?n) { ?x :likes ?y }")) == [(Literal(0),)]


def test_initial_bindings_are_known_everywhere(cats: Graph) -> None:
    bound = {"x": EX.nobody, "g": EXPLICIT}
    assert rows(cats.query("SELECT ?y { ?x :knows* ?y }", initBindings=bound)) == [(EX.nobody,)]
    query = "SELECT ?z { GRAPH ?g { ?z a :Cat } FILTER(?x = :nobody) }"
    assert rows(cats.query(query, initBindings=bound)) == [(TOM,)]
    query = "SELECT (COUNT(?z) AS ?n) { ?z a ?c } HAVING(?x = :nobody)"
    assert rows(cats.query(query, initBindings=bound)) == [(Literal(2),)]


def test_a_result_keeps_graphs_that_go(split: Dataset) -> None:
    result = split.query("SELECT ?g { GRAPH ?g { ?s ?p ?o } }")
    split.remove_graph(G1)
    assert rows(result) == [(G1,), (G2,)]


def test_what_is_not_covered_falls_back_to_rdflib(
    cats: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def service(ctx, part):
        yield FrozenBindings(ctx, {Variable("x"): TOM})
        yield FrozenBindings(ctx, {Variable("x"): EX.nobody})

    monkeypatch.setattr(evaluate, "evalServiceQuery", service)
    query = "SELECT ?x ?y { ?x :knows ?y . SERVICE <x:y> { ?x ?p ?o } }"
    result = cats.query(query, remote=True)
    assert rows(result) == [(TOM, ANN)]
    (line,) = [line for line in result.plan().splitlines() if "(rdflib)" in line]
    assert line.startswith("    ServiceGraphPattern <x:y>: 2 rows (rdflib), ")


def test_others_may_evaluate_parts(cats: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def custom(ctx, part):
        asked.append(part.name)
        raise NotImplementedError

    monkeypatch.setitem(CUSTOM_EVALS, "custom", custom)
    assert rows(cats.query("SELECT ?x { ?x a :Cat FILTER(true) }")) == [(TOM,)]
    assert {"SelectQuery", "Project", "Filter"} <= set(asked)


def test_others_may_evaluate_basic_graph_patterns(
    cats: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that were registered before it, and those that came later."""

    def of_friends(ctx, part):
        if part.name != "BGP" or all(p != EX.likes for _, p, _ in part.triples):
            raise NotImplementedError
        return evaluate.evalBGP(ctx, [(s, EX.knows, o) for s, _, o in part.triples])

    memory = Graph()
    memory += cats
    own = CUSTOM_EVALS["rdfinc"]
    for names in ("rdfinc", "custom"), ("custom", "rdfinc"):
        monkeypatch.undo()
        for name in list(CUSTOM_EVALS):
            monkeypatch.delitem(CUSTOM_EVALS, name)
        for name in names:
            monkeypatch.setitem(CUSTOM_EVALS, name, own if name == "rdfinc" else of_friends)
        query = "PREFIX : <http://example.org/> SELECT ?x ?y { ?x :likes ?y } ORDER BY ?x"
        assert rows(cats.query(query)) == rows(memory.query(query)) != []
        assert rows(cats.query("SELECT ?x { ?x a :Cat }")) == [(TOM,)]


def test_others_may_hand_basic_graph_patterns_on(
    cats: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = CUSTOM_EVALS["rdfinc"]

    def around(ctx, part):
        return own(ctx, part)

    def in_time(ctx, part):
        yield from own(ctx, part)

    def lazily(ctx, part):
        return in_time(ctx, part) if part.name == "BGP" else refuse(ctx, part)

    for other in (around, lazily, own):
        monkeypatch.setitem(CUSTOM_EVALS, "other", other)
        monkeypatch.setitem(CUSTOM_EVALS, "third", refuse)
        assert rows(cats.query("SELECT ?x { ?x a :Cat }")) == [(TOM,)]


def refuse(ctx, part):
    raise NotImplementedError


def test_the_algebra_of_a_prepared_query_stays_as_it_is(cats: Graph) -> None:
    query = prepareQuery(
        "SELECT ?x { ?x :knows ?y FILTER(?y IN (:ann) && NOT EXISTS { ?x a :Cat }) }",
        initNs={"": EX},
    )
    before = repr(query.algebra)
    assert rows(cats.query(query)) == rows(cats.query(query)) == [(ANN,)]
    assert repr(query.algebra) == before
    memory = Graph()
    memory += cats
    assert rows(memory.query(query)) == [(ANN,)]


def test_filters_see_their_own_group_only(cats: Graph) -> None:
    assert rows(cats.query("SELECT ?x { ?x a :Cat { FILTER(BOUND(?x)) } }")) == []
    query = "SELECT ?x { ?x a :Cat OPTIONAL { ?x :knows ?y FILTER(?x = :tom) } FILTER(BOUND(?y)) }"
    assert rows(cats.query(query)) == [(TOM,)]
    query = "SELECT ?x { ?x :knows ?y FILTER EXISTS { FILTER(?x = :tom) } }"
    assert rows(cats.query(query)) == [(TOM,)]


def test_a_result_stays_with_its_version(cats: Graph) -> None:
    result = iter(cats.query("SELECT ?x { ?x :knows ?y }"))
    found = [next(result)]
    cats.remove((None, None, None))
    found += result
    assert rows(found) == [(ANN,), (TOM,)]


def test_large_products_are_not_built_before_they_are_read(plain: Graph) -> None:
    plain.addN((EX[f"s{i}"], KNOWS, EX[f"o{i}"], plain) for i in range(3000))
    query = "SELECT * { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f } LIMIT 5"
    assert len(list(plain.query(query))) == 5


def test_statements_beyond_rdf_are_found(cats: Graph) -> None:
    cats.add((Literal("odd"), KNOWS, TOM))
    assert rows(cats.query("SELECT ?x { ?x :knows :tom }")) == [(Literal("odd"),)]
    assert rows(cats.query("SELECT ?x { ?x a :Animal }")) == [(TOM,)]


def test_other_stores_are_left_alone() -> None:
    memory = Graph().add((TOM, KNOWS, ANN))
    assert rows(memory.query(ALL)) == [(TOM, KNOWS, ANN)]


# -- datasets


def test_default_and_union(split: Dataset) -> None:
    assert rows(split.query(ALL)) == [(TOM, TYPE, ANIMAL)]
    union = Dataset(split.store, default_union=True)
    assert rows(union.query(ALL)) == sorted(CLOSURE, key=str)
    assert rows(split.graph(G1).query(ALL)) == [(CAT, SUB, ANIMAL)]


def test_graph_clauses(split: Dataset) -> None:
    assert rows(split.query("SELECT ?g ?s { GRAPH ?g { ?s ?p ?o } }")) == [(G1, CAT), (G2, TOM)]
    assert rows(split.query("SELECT ?s { GRAPH :g2 { ?s a ?c } }")) == [(TOM,)]
    found = split.query("SELECT ?x ?d { GRAPH ?g { ?x a ?c } GRAPH ?h { ?c ?sub ?d } }")
    assert rows(found) == [(TOM, ANIMAL)]
    assert rows(split.query("SELECT ?s { GRAPH :nowhere { ?s ?p ?o } }")) == []


def test_virtual_graphs_in_graph_clauses(split: Dataset, cats: Graph) -> None:
    for graph in (split, cats):
        query = "SELECT ?c { GRAPH <%s> { :tom a ?c } }"
        assert rows(graph.query(query % EXPLICIT)) == [(CAT,)]
        assert rows(graph.query(query % DERIVED)) == [(ANIMAL,)]


def test_virtual_graphs_are_bound_by_no_pattern(split: Dataset) -> None:
    assert {g for (g,) in split.query("SELECT ?g { GRAPH ?g { } }")} == {G1, G2}
    given = f"SELECT ?s {{ VALUES ?g {{ <{DERIVED}> }} GRAPH ?g {{ ?s ?p ?o }} }}"
    assert rows(split.query(given)) == []
    assert rows(split.graph(DERIVED).query("SELECT ?s { ?s ?p ?o }")) == [(TOM,)]
    both = f"SELECT ?o FROM :g2 FROM <{DERIVED}> {{ ?s a ?o }}"
    assert rows(split.query(both)) == [(ANIMAL,), (CAT,)]


def test_from(split: Dataset) -> None:
    query = "SELECT ?s ?o {} {{ ?s ?p ?o }}"
    assert rows(split.query(query.format("FROM :g1"))) == [(CAT, ANIMAL)]
    assert rows(split.query(query.format("FROM :g1 FROM :g2"))) == [(CAT, ANIMAL), (TOM, CAT)]
    assert rows(split.query(query.format(f"FROM <{DERIVED}>"))) == [(TOM, ANIMAL)]
    assert rows(split.query(query.format("FROM NAMED :g1"))) == []
    assert rows(split.query(query.format("FROM <http://192.0.2.1/x.ttl>"))) == []
    named = f"SELECT ?g FROM NAMED :g1 FROM NAMED <{EXPLICIT}> {{ GRAPH ?g {{ ?s ?p ?o }} }}"
    assert rows(split.query(named)) == [(G1,), (EXPLICIT,), (EXPLICIT,)]
    prepared = prepareQuery(query.format(f"FROM <{G2}>"))
    assert rows(split.query(prepared, initBindings={"s": TOM})) == [(TOM, CAT)]


def test_an_empty_virtual_graph_is_not_fetched(graph: Graph) -> None:
    graph.add((TOM, KNOWS, ANN))
    assert rows(graph.query(f"SELECT ?s FROM <{DERIVED}> {{ ?s ?p ?o }}")) == []


# -- processors


def test_an_unknown_processor_is_refused(cats: Graph) -> None:
    with pytest.raises(PluginException):
        cats.query(ALL, processor="no such processor")


def test_an_explicit_processor_is_used(cats: Graph) -> None:
    assert len(list(cats.query(ALL, processor="sparql"))) == len(cats)


def test_malformed_requests_raise_rdflibs_errors(cats: Graph) -> None:
    with pytest.raises(Exception, match="Expected"):
        cats.query("SELECT nonsense")
    with pytest.raises(Exception, match="Expected"):
        cats.update("INSERT nonsense")
    assert URIRef("x:y") not in cats.all_nodes()


def test_exists_in_a_graph_clause_looks_into_that_graph(dataset: Dataset) -> None:
    for i in range(4):
        dataset.graph(G1).add((EX[f"n{i}"], KNOWS, ANN))
    for name in ("?g", f"<{G1}>"):
        where = f"GRAPH {name} {{ ?s ?p ?o FILTER EXISTS {{ ?s ?q ?r }} }}"
        assert len(list(dataset.query(f"SELECT ?s {{ {where} }}"))) == 4


def computed(graph: Graph, expression: str) -> str | None:
    xsd = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>"
    [row] = graph.query(f"{xsd} SELECT ({expression} AS ?x) {{}}")
    return None if row.x is None else f"{row.x} {str(row.x.datatype).partition('#')[2]}"


@pytest.mark.parametrize("number", ['"INF"^^xsd:double', '"-INF"^^xsd:float', '"NaN"^^xsd:double'])
def test_what_is_no_number_of_finite_length_is_no_decimal(plain: Graph, number: str) -> None:
    assert computed(plain, f"xsd:decimal({number})") is None
    assert computed(plain, f"xsd:integer({number})") is None


def test_finite_numbers_are_decimals(plain: Graph) -> None:
    assert computed(plain, "xsd:decimal(1.5e3)") == "1500 decimal"
    assert computed(plain, "xsd:decimal(true)") == "1 decimal"


@pytest.mark.parametrize(
    ("zone", "offset"),
    [("Z", "PT0S"), ("+00:00", "PT0S"), ("-08:00", "-PT8H"), ("+05:30", "PT5H30M")],
)
def test_time_zones_are_durations(plain: Graph, zone: str, offset: str) -> None:
    """As in the examples of SPARQL 1.1, 17.4.5.8."""
    moment = f'"2011-01-10T14:45:13.815{zone}"^^xsd:dateTime'
    assert computed(plain, f"TIMEZONE({moment})") == f"{offset} dayTimeDuration"


@pytest.mark.parametrize(
    ("sum_", "expected"),
    [
        ('"2020-01-01"^^xsd:date - "PT1H"^^xsd:dayTimeDuration', "2019-12-31 date"),
        ('"2020-01-01"^^xsd:date - "-PT1H"^^xsd:dayTimeDuration', "2020-01-01 date"),
        ('"2020-01-01+05:00"^^xsd:date - "P1D"^^xsd:dayTimeDuration', "2019-12-31+05:00 date"),
        ('"2020-01-31Z"^^xsd:date + "P1M"^^xsd:yearMonthDuration', "2020-02-29Z date"),
        ('"2020-01-31"^^xsd:date + "P1M2D"^^xsd:duration', "2020-03-02 date"),
        ('"P1D"^^xsd:dayTimeDuration + "2020-01-01"^^xsd:date', "2020-01-02 date"),
        ('"2020-01-02Z"^^xsd:date - "2020-01-01+05:00"^^xsd:date', "P1DT5H dayTimeDuration"),
        ('"10:00:00Z"^^xsd:time + "PT15H"^^xsd:dayTimeDuration', "01:00:00Z time"),
        ('"P1D"^^xsd:dayTimeDuration - "PT2H"^^xsd:dayTimeDuration', "PT22H dayTimeDuration"),
        (
            '"2020-01-01T00:00:00.123456789Z"^^xsd:dateTime + "PT1S"^^xsd:dayTimeDuration',
            "2020-01-01T00:00:01.123456789Z dateTime",
        ),
        ('"10:00:00Z"^^xsd:time + "P1M"^^xsd:yearMonthDuration', None),
        ('"2020-01-01"^^xsd:date + "2020-01-01"^^xsd:date', None),
        ('1 + "P1D"^^xsd:dayTimeDuration', None),
        ('"2020"^^xsd:gYear + "P1Y"^^xsd:yearMonthDuration', None),
        ('"999999999-01-01"^^xsd:date + "P999999999Y"^^xsd:yearMonthDuration', None),
    ],
)
def test_sums_of_dates_are_those_of_xpath(plain: Graph, sum_: str, expected: str | None) -> None:
    """Functions and Operators 3.1, 8.4 and 9.7."""
    assert computed(plain, sum_) == expected


@pytest.mark.parametrize("text", ["rel", "", "#a", "a/b:c"])
def test_an_iri_is_absolute(plain: Graph, text: str) -> None:
    """SPARQL 1.1, 17.4.2.8."""
    [row] = plain.query(f'SELECT (IRI("{text}") AS ?x) {{}}')
    assert row.x is None
    [row] = plain.query(f'BASE <http://e/d/> SELECT (URI("{text}") AS ?x) {{}}')
    assert str(row.x).startswith("http://e/d/")


def test_without_a_time_zone_there_is_none(plain: Graph) -> None:
    for term in ('"2011-01-10T14:45:13.815"^^xsd:dateTime', '"2011-01-10Z"^^xsd:date', "1"):
        assert computed(plain, f"TIMEZONE({term})") is None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("digits", [350, 5000])
def test_long_integers_are_numbers(plain: Graph, digits: int) -> None:
    """Longer than a double reaches, and than Python reads of its own accord."""
    nines, power = "9" * digits, "1" + "0" * digits
    assert computed(plain, f"{nines} + 1") == f"{power} integer"
    assert computed(plain, f"{power} - 1 = {nines} && {nines} > 1e0") == "true boolean"
    assert computed(plain, f"ROUND({nines})") == f"{nines} integer"
    assert computed(plain, f"IF({nines}, 1, 2)") == "1 integer"
    query = f"SELECT ?x {{ VALUES ?x {{ {power} 1 {nines} }} }} ORDER BY ?x"
    assert [str(row.x) for row in plain.query(query)] == ["1", nines, power]


@pytest.mark.parametrize(("end", "looked_at"), [("", [60, 60]), (" LIMIT 1", [60, 20])])
def test_later_conditions_of_an_order_are_looked_at_where_rows_are_alike(
    monkeypatch: pytest.MonkeyPatch, end: str, looked_at: list[int]
) -> None:
    sizes: list[int] = []
    places = modifiers._places

    def counted(ids: Any, terms: Any) -> Any:
        sizes.append(ids.size)
        return places(ids, terms)

    monkeypatch.setattr(modifiers, "_places", counted)
    values = " ".join(f"({i} {i % 3})" for i in range(60))
    query = f"SELECT ?x ?y {{ VALUES (?x ?y) {{ {values} }} }} ORDER BY DESC(?y) ?x STR(?x)"
    found = [(row.x.toPython(), row.y.toPython()) for row in KnowledgeBase().query(query + end)]
    expected = sorted(((i, i % 3) for i in range(60)), key=lambda row: (-row[1], row[0]))
    assert found == expected[: len(found)] and len(found) == (1 if end else 60)
    assert sizes == looked_at


def test_what_is_hidden_of_one_subject_stays_hidden() -> None:
    """What follows about a literal, and that a term is the same as itself, is never shown."""
    kb = KnowledgeBase()
    kb.load(
        b"@prefix : <x:> . @prefix owl: <http://www.w3.org/2002/07/owl#> . "
        b":q owl:inverseOf :p . :p <http://www.w3.org/2000/01/rdf-schema#range> :C . "
        b":a :p 'text' ; owl:sameAs :b .",
        format="turtle",
    )
    prefixes = "PREFIX : <x:> PREFIX owl: <http://www.w3.org/2002/07/owl#> "

    def count(text: str) -> int:
        return len(kb.query(prefixes + text))

    assert count("SELECT * { :a :p ?l }") == 1
    assert count("SELECT * { :a :p ?l . ?l :q ?x }") == 0
    assert count("SELECT * { :a :p ?l . ?l a ?c }") == 0
    assert count("SELECT * { :a :p ?l . ?l ?q ?x }") == 0
    assert count("SELECT * { :a owl:sameAs ?x }") == count("SELECT * { ?x owl:sameAs :a }") == 1
    assert count("SELECT * { <x:unknown> ?p ?o }") == count("SELECT * { ?s ?p <x:unknown> }") == 0


def test_iris_and_texts_are_put_in_order_by_their_texts() -> None:
    """Not by how they are written, with a bracket or a quotation mark at the end (15.1)."""
    ends = ["", " ", "!", "#", "-1", "/", "0", "1081", "?", "a", "é", "\U0001f600"]
    iris = [f"http://e/a{end}" for end in ends if end not in " !"]
    texts = [f"a{end}" for end in ends]
    graph = Graph(store="rdfinc")
    for values in ([f"<{iri}>" for iri in iris[::-1]], [f'"{text}"' for text in texts[::-1]]):
        given = f"VALUES ?x {{ {' '.join(values)} }}"
        found = [str(x) for (x,) in graph.query(f"SELECT ?x {{ {given} }} ORDER BY ?x")]
        assert found == sorted(found)
        assert sorted(found) == sorted(iris if values[0][0] == "<" else texts)
        ((least, greatest),) = graph.query(f"SELECT (MIN(?x) AS ?a) (MAX(?x) AS ?b) {{ {given} }}")
        assert (str(least), str(greatest)) == (found[0], found[-1])
        named = [str(x) for (x,) in graph.query(f"SELECT ?x {{ {given} }} ORDER BY DESC(?x)")]
        assert named == found[::-1]
