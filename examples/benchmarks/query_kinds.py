"""Queries of every kind over one university's closure, beside Oxigraph.

    python examples/benchmarks/query_kinds.py
    python examples/benchmarks/query_kinds.py --universities 13 --only SUM REGEX

Publications have a year, a number of pages, a price and a date beside what the university data say.
A line is one query: its rows, the processor time of both stores with all rows read (the least of
some runs in turn), and their ratio.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import geometric_mean

import pyoxigraph as ox
from closure import Inputs
from measure import at_least_one, duration, merge_freed

from rdfinc import KnowledgeBase, university

PREFIX = f"""PREFIX : <{university.NAMESPACE}> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""
DEPARTMENT = "<http://university0.example.org/department0>"
PROFESSOR = "<http://university0.example.org/department0/fullProfessor0>"

KINDS = {
    "one resource": f"SELECT ?p ?o {{ {PROFESSOR} ?p ?o }}",
    "ASK of two": f"ASK {{ {PROFESSOR} :teaches ?c . ?s :takes ?c }}",
    "star of 4, LIMIT": "SELECT * { ?s :name ?n ; :email ?e ; :telephone ?t ; :memberOf ?d } "
    "LIMIT 50",
    "star of 4": "SELECT * { ?s a :Graduate ; :name ?n ; :email ?e ; :telephone ?t }",
    "OPTIONAL": "SELECT ?s ?a { ?s a :Undergraduate OPTIONAL { ?s :advisedBy ?a } }",
    "triangle": "SELECT ?s ?c ?p { ?s :takes ?c . ?p :teaches ?c . ?s :advisedBy ?p }",
    "path sequence": "SELECT ?s ?u { ?s :advisedBy/:worksFor/:partOf ?u }",
    "path +": f"SELECT ?x {{ ?x :partOf+ ?y . ?y :partOf {'<http://university0.example.org/>'} }}",
    "VALUES": f"SELECT ?s ?o {{ VALUES ?s {{ {DEPARTMENT} {PROFESSOR} }} ?s ?p ?o }}",
    "UNION counted": "SELECT (COUNT(*) AS ?k) { { ?s :teaches ?c } UNION { ?s :assists ?c } }",
    "NOT EXISTS": "SELECT ?s { ?s a :Graduate FILTER NOT EXISTS { ?s :assists ?c } }",
    "COUNT(*)": "SELECT (COUNT(*) AS ?k) { ?s a :Student ; :takes ?c }",
    "COUNT by predicate": "SELECT ?p (COUNT(*) AS ?k) { ?s a :Professor ; ?p ?o } GROUP BY ?p",
    "COUNT DISTINCT": "SELECT (COUNT(DISTINCT ?t) AS ?k) { ?s :telephone ?t }",
    "DISTINCT classes": "SELECT DISTINCT ?c { ?s a ?c }",
    "GROUP BY, HAVING": "SELECT ?c (COUNT(?s) AS ?k) { ?s :takes ?c } GROUP BY ?c "
    "HAVING (COUNT(?s) > 20)",
    "sub-SELECT, FILTER": "SELECT ?p ?k { { SELECT ?p (COUNT(?c) AS ?k) { ?p :teaches ?c } "
    "GROUP BY ?p } FILTER(?k > 3) }",
    "CONSTRUCT": "CONSTRUCT { ?p :isAuthorOf ?b } { ?b :writtenBy ?p }",
    "ORDER BY LIMIT": "SELECT ?s ?n { ?s :name ?n } ORDER BY ?n LIMIT 10",
    "ORDER BY computed": "SELECT ?s { ?s a :Professor ; :name ?n ; :email ?e } "
    "ORDER BY STRLEN(?e) DESC(LCASE(?n))",
    "BIND(CONCAT)": "SELECT ?t { ?s a :Professor ; :name ?n ; :email ?e "
    'BIND(CONCAT(?n, " <", ?e, ">") AS ?t) }',
    "REGEX": 'SELECT ?s { ?s :email ?e FILTER(REGEX(?e, "^grad.*1@dep")) }',
    "CONTAINS(LCASE)": 'SELECT ?s { ?s :email ?e FILTER(CONTAINS(LCASE(?e), "professor1")) }',
    "STRSTARTS(STR)": "SELECT ?s { ?s a :Course "
    f'FILTER(STRSTARTS(STR(?s), "{DEPARTMENT[1:-1]}")) }}',
    "text functions": "SELECT ?u { ?s a :Graduate ; :email ?e "
    'BIND(UCASE(SUBSTR(STRBEFORE(?e, "@"), 1, 4)) AS ?u) FILTER(STRLEN(?e) > 10) }',
    "number range": "SELECT ?b { ?b :pages ?n FILTER(?n > 100 && ?n <= 140) }",
    "arithmetic": "SELECT ?b ?v { ?b :pages ?n ; :price ?c BIND(?c / ?n AS ?v) FILTER(?v < 0.1) }",
    "IF, COALESCE, IN": "SELECT ?b ?v { ?b :pages ?n ; :year ?y FILTER(?y IN (2001, 2003, 2005)) "
    'BIND(IF(?n > 200, "long", COALESCE(?m, "short")) AS ?v) }',
    "date range": "SELECT ?b { ?b :published ?d FILTER(?d >= "
    '"2003-01-01"^^xsd:date && ?d < "2004-01-01"^^xsd:date) }',
    "YEAR, GROUP BY": "SELECT ?y (COUNT(?b) AS ?k) { ?b :changed ?d } GROUP BY (YEAR(?d) AS ?y)",
    "SUM, AVG": "SELECT (SUM(?n) AS ?sum) (AVG(?c) AS ?mean) { ?b :pages ?n ; :price ?c }",
    "SUM, AVG in groups": "SELECT ?p (SUM(?n) AS ?sum) (AVG(?c) AS ?mean) "
    "{ ?b :writtenBy ?p ; :pages ?n ; :price ?c } GROUP BY ?p",
    "MIN, MAX in groups": "SELECT ?p (MIN(?d) AS ?first) (MAX(?n) AS ?most) "
    "{ ?b :writtenBy ?p ; :pages ?n ; :published ?d } GROUP BY ?p",
    "GROUP_CONCAT": "SELECT ?p (GROUP_CONCAT(?n) AS ?all) { ?b :writtenBy ?p ; :name ?n } "
    "GROUP BY ?p",
}


def values(departments: int | None) -> Iterator[str]:
    """N-Triples about each publication of professors of the first university."""
    xsd = "http://www.w3.org/2001/XMLSchema#"
    is_a = f"<{university.NAMESPACE}Publication>"
    written = (s for s, _, o in university.triples(1, departments=departments) if o == is_a)
    for n, publication in enumerate(written):
        day = f"{1990 + n * 7 % 30}-{1 + n % 12:02}-{1 + n % 28:02}"
        for name, datatype, text in (
            ("year", "integer", f"{1990 + n * 7 % 30}"),
            ("pages", "integer", f"{n * 31 % 397}"),
            ("price", "decimal", f"{n * 17 % 901}.{n % 100:02}"),
            ("published", "date", day),
            ("changed", "dateTime", f"{day}T{n % 24:02}:{n % 60:02}:00Z"),
        ):
            yield f'{publication} <{university.NAMESPACE}{name}> "{text}"^^<{xsd}{datatype}> .\n'


def read_whole(store: KnowledgeBase | ox.Store, text: str) -> int:
    """How many rows a query has, all of which are read."""
    found = store.query(text)
    if isinstance(found, ox.QueryBoolean) or getattr(found, "type", "") == "ASK":
        return int(bool(found))
    return sum(1 for _ in found)


def read(store: KnowledgeBase | ox.Store, text: str) -> int:
    """The same of a query that has these prefixes."""
    return read_whole(store, PREFIX + text)


def least(asks: list[Callable[[], int]], runs: int) -> list[float]:
    """The least time of each, in turn."""
    found = [math.inf] * len(asks)
    for _ in range(runs):
        for place, ask in enumerate(asks):
            merge_freed()
            start = time.process_time()
            ask()
            found[place] = min(found[place], time.process_time() - start)
    return found


def main(universities: int, departments: int | None, runs: int, only: list[str]) -> None:
    store = ox.Store()
    with tempfile.TemporaryDirectory() as folder:
        kb = Inputs(Path(folder), universities, departments).closed()
        kb.load("".join(values(departments)).encode(), format="nt")
        kb.dump(Path(folder) / "closure.nt")
        store.bulk_load(path=Path(folder) / "closure.nt")
    store.optimize()
    print(f"{len(kb):,} facts{'rows':>15}{'rdfinc':>12}{'Oxigraph':>12}   ratio")
    ratios = []
    for name, kind in KINDS.items():
        if only and name not in only:
            continue
        rows = read(kb, kind)
        assert rows == read(store, kind), name
        own, others = least([partial(read, kb, kind), partial(read, store, kind)], runs)
        ratios.append(own / others)
        shown = f"{duration(own):>12}{duration(others):>12}{own / others:>7.2f}x"
        print(f"{name:20}{rows:>9,}{shown}", flush=True)
    print(f"geometric mean {geometric_mean(ratios):.2f}x")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=at_least_one, default=1, help="(1)")
    parser.add_argument("--departments", type=at_least_one, help="at most so many a university")
    parser.add_argument("--runs", type=at_least_one, default=7, help="(%(default)s)")
    parser.add_argument("--only", nargs="+", default=[], choices=KINDS, help="kinds to ask")
    options = parser.parse_args()
    main(options.universities, options.departments, options.runs, options.only)
