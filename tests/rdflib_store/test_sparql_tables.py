"""Results of SELECT as tables of pyarrow, pandas and polars."""

from __future__ import annotations

import datetime as dt
import math

import pytest
from rdflib import Graph
from rdflib_store.names import ANN, EX, TOM

from rdfinc import KnowledgeBase

arrow = pytest.importorskip("pyarrow")

DATA = """
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
INSERT DATA {
  :tom :age 7 ; :name "Tom" ; :size 1.5 ; :tame true ; :born "2020-05-01"^^xsd:date ;
    :seen "2024-01-01T10:00:00Z"^^xsd:dateTime ; :of :ann ; :any 1 ; :code "x1"^^:code .
  :ann :age 9 ; :name "Ann"@en ; :size 2 ; :born "1990-02-03"^^xsd:date ;
    :seen "2024-01-01T12:00:00+02:00"^^xsd:dateTime ; :of [ :age 0 ] ; :any :tom ;
    :code "x2"^^:code .
}
"""


@pytest.fixture
def pets(plain: Graph) -> Graph:
    plain.bind("", EX)
    plain.update(DATA)
    return plain


def column(graph: Graph, predicate: str) -> tuple[str, list, str]:
    """Type, values and kind of what is said of :tom and :ann."""
    query = f"SELECT ?s ?o {{ ?s :name ?n OPTIONAL {{ ?s :{predicate} ?o }} }} ORDER BY DESC(?s)"
    found = graph.query(query).to_arrow()
    assert found["s"].to_pylist() == [str(TOM), str(ANN)]
    field = found.schema.field("o")
    return str(field.type), found["o"].to_pylist(), field.metadata[b"rdf"].decode()


XSD = "http://www.w3.org/2001/XMLSchema#"
STRINGS = "dictionary<values=string, indices=int32, ordered=0>"
NOON = dt.datetime(2024, 1, 1, 10, tzinfo=dt.timezone.utc)


def test_columns_have_the_type_of_what_they_hold(pets: Graph) -> None:
    assert column(pets, "age") == ("int64", [7, 9], f"{XSD}integer")
    assert column(pets, "name") == (STRINGS, ["Tom", "Ann"], "texts")
    assert column(pets, "size") == ("double", [1.5, 2.0], f"{XSD}double")
    assert column(pets, "tame") == ("bool", [True, None], f"{XSD}boolean")
    assert column(pets, "born")[:2] == ("date32[day]", [dt.date(2020, 5, 1), dt.date(1990, 2, 3)])
    assert column(pets, "seen")[:2] == ("timestamp[us, tz=UTC]", [NOON, NOON])
    assert column(pets, "code") == (STRINGS, ["x1", "x2"], f"{EX}code")
    assert column(pets, "nothing") == (STRINGS, [None, None], "nodes")
    type_, (one, other), kind = column(pets, "of")
    assert (type_, kind, one) == (STRINGS, "nodes", str(ANN)) and other.startswith("_:")
    any_ = [f'"1"^^<{XSD}integer>', TOM.n3()]
    assert column(pets, "any") == (STRINGS, any_, "N-Triples")


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        ("9223372036854775807 -9223372036854775808", "int64"),
        ("9223372036854775808", "double"),
        ('"INF"^^xsd:double 1', "double"),
        ('"x"^^xsd:integer', STRINGS),
        ('"x"^^xsd:integer 1', STRINGS),
        ('"2024-01-01T10:00:00"^^xsd:dateTime', "timestamp[us]"),
        ('"2024-01-01T10:00:00"^^xsd:dateTime "2024-01-01T10:00:00Z"^^xsd:dateTime', STRINGS),
        ('"today"^^xsd:date', STRINGS),
        ('"a" 1', STRINGS),
        ("true 1", STRINGS),
        ("1 2.5 UNDEF", "double"),
    ],
)
def test_what_does_not_fit_a_type_stays_text(plain: Graph, values: str, type_: str) -> None:
    found = plain.query(f"PREFIX xsd: <{XSD}> SELECT ?x {{ VALUES ?x {{ {values} }} }}").to_arrow()
    assert str(found.schema.field("x").type) == type_
    assert len(found) == len(values.split())


def test_rows_and_tables_of_one_result(pets: Graph) -> None:
    result = pets.query("SELECT ?x (?n + 0.5 AS ?m) ?z { ?x :age ?n } ORDER BY ?n")
    (first, *_) = result
    found = result.to_arrow()
    assert found.num_rows == len(result) == len(list(result)) == 3
    assert found["m"].to_pylist() == [0.5, 7.5, 9.5]
    assert found["z"].null_count == 3
    assert next(iter(result)) == first
    empty = pets.query("SELECT ?x { ?x :age 100 }").to_arrow()
    assert (empty.num_rows, empty.column_names) == (0, ["x"])
    assert pets.query("SELECT ?x {}").to_arrow().num_rows == 1


def test_pandas(pets: Graph) -> None:
    pytest.importorskip("pandas")
    query = "SELECT ?x ?n ?tame { ?x :age ?n OPTIONAL { ?x :tame ?tame } } ORDER BY ?n"
    frame = pets.query(query).to_pandas()
    assert frame["n"].tolist() == [0, 7, 9]
    assert frame["tame"].isna().tolist() == [True, False, True]
    assert [str(frame.dtypes[name]) for name in frame] == ["category", "Int64", "boolean"]
    assert frame.groupby("x", observed=True)["n"].sum()[str(ANN)] == 9


def test_polars(pets: Graph) -> None:
    polars = pytest.importorskip("polars")
    frame = pets.query("SELECT ?x ?n { ?x :age ?n }").to_polars()
    assert frame.filter(polars.col("n") > 1)["n"].sum() == 16
    assert math.isclose(frame["n"].mean(), 16 / 3)


def test_what_is_missing_is_named(pets: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("rdfinc.plugins.sparql.results.data_frames.import_module", absent)
    for method in ("to_arrow", "to_pandas", "to_polars"):
        with pytest.raises(ImportError, match=r"pip install 'rdfinc\[dataframes\]'"):
            getattr(pets.query("SELECT ?x { ?x ?p ?o }"), method)()


@pytest.mark.parametrize(
    "query", ["ASK {}", "CONSTRUCT WHERE { ?x ?p ?y }", "DESCRIBE <http://e/a>"]
)
def test_what_is_no_table_says_so(query: str) -> None:
    answer = KnowledgeBase().query(query)
    kind, *_ = query.split()
    with pytest.raises(AttributeError, match=f"the answer of {kind} is no table: only rows of a S"):
        answer.to_pandas()
    with pytest.raises(AttributeError, match="has no attribute 'to_csv'"):
        answer.to_csv()


@pytest.mark.parametrize(
    "terms",
    [
        '"0000-01-01"^^xsd:date "2020-01-01"^^xsd:date',
        '"0001-01-01T00:00:00+14:00"^^xsd:dateTime',
        '"9999-12-31T23:59:59-14:00"^^xsd:dateTime "2020-01-01T00:00:00Z"^^xsd:dateTime',
    ],
)
def test_dates_that_python_has_not_stay_texts(terms: str) -> None:
    query = f"SELECT ?d {{ VALUES ?d {{ {terms} }} }}"
    xsd = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>"
    answer = KnowledgeBase(profile="none").query(f"{xsd} {query}")
    texts = [term.partition('"^^')[0][1:] for term in terms.split()]
    assert sorted(answer.to_pandas()["d"]) == sorted(texts)
    assert sorted(answer.to_polars()["d"].to_list()) == sorted(texts)
