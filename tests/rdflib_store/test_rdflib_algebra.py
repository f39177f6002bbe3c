"""What rdflib's SPARQL asks of ours, ours of it, and that neither is imported without need."""

from __future__ import annotations

import pickle
import subprocess
import sys
import types
from functools import wraps

import pytest
from rdflib import Graph
from rdflib.plugins.sparql import CUSTOM_EVALS
from rdflib.plugins.sparql.algebra import translateQuery, translateUpdate
from rdflib.plugins.sparql.parser import parseQuery, parseUpdate
from rdflib_store.names import EX

from rdfinc.plugins.sparql import rdflib_state
from rdfinc.plugins.sparql.algebra.translate import query_of
from rdfinc.plugins.sparql.by_rdflib.rdflib_algebra import ours, rdflibs
from rdfinc.plugins.sparql.syntax.sparql_error import SparqlSyntaxError

FACTS = "@prefix : <http://example.org/> . :a :p :b ; :n 1 . :b :p :c ; :n 2 . :c :n 3 ."
PREFIX = "PREFIX : <http://example.org/> "
TEXTS = [
    "SELECT ?s { ?s :p ?o FILTER EXISTS { ?o :p ?x } }",
    "SELECT ?s { ?s :p ?o FILTER NOT EXISTS { ?o :p ?x FILTER(?o != ?s) } }",
    "SELECT ?s (COUNT(?o) AS ?k) { ?s :p+ ?o } GROUP BY ?s HAVING(COUNT(?o) > 1)",
    "SELECT ?s ?m { ?s :n ?n BIND(?n + 1 AS ?m) VALUES ?n { 1 UNDEF } } ORDER BY DESC(?m) LIMIT 4",
    "SELECT ?s { ?s :n ?n OPTIONAL { ?s :p ?o FILTER(?n = 1) } FILTER(!BOUND(?o) || ?n IN (1)) }",
    "SELECT ?s { { ?s :p :b } UNION { ?s ^:p :b } MINUS { ?s :n 3 } }",
    "SELECT ?s { { SELECT DISTINCT ?s { ?s ?q ?o } } FILTER(isIRI(?s) && STRLEN(STR(?s)) > 3) }",
    "ASK { :a (:p|:n)/:p? ?x }",
    "CONSTRUCT { ?o :q ?s } { ?s :p ?o FILTER(sameTerm(?s, :a)) }",
]


@pytest.fixture
def graph() -> Graph:
    return Graph(store="rdfinc").parse(data=FACTS, format="turtle")


def told(result: object) -> list[str]:
    return sorted(map(str, result))  # type: ignore[call-overload]


@pytest.mark.parametrize("text", TEXTS)
def test_algebra_of_rdflib_is_answered_as_its_text(graph: Graph, text: str) -> None:
    wanted = told(graph.query(PREFIX + text))
    assert wanted == told(Graph().parse(data=FACTS, format="turtle").query(PREFIX + text))
    assert told(graph.query(PREFIX + text, use_store_provided=False)) == wanted
    for _ in range(2):
        assert told(graph.query(translateQuery(parseQuery(PREFIX + text)))) == wanted


@pytest.mark.parametrize("text", TEXTS)
def test_our_algebra_is_evaluated_by_rdflib(text: str) -> None:
    memory = Graph().parse(data=FACTS, format="turtle")
    prepared = translateQuery(parseQuery(PREFIX + text))
    wanted = told(memory.query(prepared))
    again = translateQuery(parseQuery(PREFIX + text))
    again.algebra = rdflibs(ours(again.algebra))
    assert told(memory.query(again)) == wanted


def test_an_update_of_rdflib_is_carried_out_as_its_text(graph: Graph) -> None:
    text = PREFIX + "DELETE { ?s :p ?o } WHERE { ?s :p ?o FILTER EXISTS { ?o :p ?x } }"
    other = Graph(store="rdfinc").parse(data=FACTS, format="turtle")
    graph.update(translateUpdate(parseUpdate(text)))
    other.update(text, use_store_provided=False)
    assert set(graph) == set(other) and (EX.a, EX.p, EX.b) not in graph and len(graph) == 4


def test_algebra_may_be_changed_after_its_first_use(graph: Graph) -> None:
    query = translateQuery(parseQuery(PREFIX + "SELECT ?s { ?s :n ?n } ORDER BY ?n LIMIT 1"))
    assert len(graph.query(query)) == 1
    query.algebra.p["length"] = 2
    assert len(graph.query(query)) == 2
    query.algebra.p.length = 3
    assert len(graph.query(query)) == 3


def test_an_evaluator_around_ours_sees_every_part(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, own = [], CUSTOM_EVALS["rdfinc"]

    @wraps(own)
    def around(ctx, part):
        seen.append(part.name)
        return own(ctx, part)

    monkeypatch.setitem(CUSTOM_EVALS, "rdfinc", around)
    assert len(graph.query(PREFIX + "SELECT * { ?s :p ?o }")) == 2
    assert seen == ["SelectQuery", "Project", "BGP"]


def test_rdflibs_sparql_may_be_half_imported(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    half = types.ModuleType("rdflib.plugins.sparql")
    half.__spec__ = types.SimpleNamespace(_initializing=True)  # type: ignore[assignment]
    monkeypatch.setitem(sys.modules, "rdflib.plugins.sparql", half)
    module = types.ModuleType("rdflib.plugins.sparql.sparql")
    monkeypatch.setitem(sys.modules, "rdflib.plugins.sparql.sparql", module)
    assert len(graph.query(PREFIX + "SELECT * { ?s :p ?o }")) == 2
    graph.update(PREFIX + "INSERT DATA { :d :p :e }")
    monkeypatch.setattr(rdflib_state, "_is_installed_alone", lambda: False)
    assert not rdflib_state.is_alone()


def test_what_is_no_sparql_is_pickled() -> None:
    with pytest.raises(SparqlSyntaxError) as refused:
        query_of("SELECT ?s WHERE {", {})
    again = pickle.loads(pickle.dumps(refused.value))
    assert (again.text, again.place, str(again)) == (refused.value.text, 17, str(refused.value))


def test_requests_import_nothing_of_rdflibs_sparql() -> None:
    script = (
        "import sys\n"
        "from rdflib import Graph\n"
        "graph = Graph(store='rdfinc')\n"
        "graph.update('INSERT DATA { <x:a> <x:p> 1 }')\n"
        "assert len(graph.query('SELECT * { ?s ?p ?o FILTER(?o > 0) } ORDER BY ?o')) == 1\n"
        "others = ('pyparsing', 'rdflib.plugins.sparql')\n"
        "assert not [name for name in sys.modules if name.startswith(others)]\n"
        "try: graph.query('SELECT')\n"
        "except Exception as error: print(type(error).__module__)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "pyparsing.exceptions\n"), done.stderr
