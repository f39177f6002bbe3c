"""The small queries that applications send all day, beside Oxigraph.

    python examples/benchmarks/small_queries.py
    python examples/benchmarks/small_queries.py --subjects 200000

Every text is new. A line is one kind of query: the processor time of both stores for one of them,
their ratio, how long reading the text takes of ours, and with rdflib's grammar and algebra. Of
rounds of a hundred queries the least is shown.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import count

import pyoxigraph as ox
from measure import at_least_one, duration
from rdflib.plugins.sparql import prepareQuery

from rdfinc import KnowledgeBase
from rdfinc.plugins.sparql.algebra.translate import query_of

PREFIX = "PREFIX : <http://example.org/> "
PROPERTIES = 8
ROUND = 100

KINDS = {
    "one resource": "SELECT ?p ?o {{ :s{n} ?p ?o }}",
    "what points to it": "SELECT ?s ?p {{ ?s ?p :o{n} }}",
    "ASK of two": "ASK {{ :s{n} :p1 ?o . ?x :p2 ?o }}",
    "star, LIMIT": "SELECT ?s ?a ?b {{ ?s :p1 :o{n} ; :p2 ?a ; :p3 ?b }} LIMIT 50",
    "ten patterns": "SELECT * {{ :s{n} " + "; ".join(f":p{i % 8} ?v{i}" for i in range(10)) + " }}",
    "OPTIONAL": "SELECT * {{ :s{n} :p1 ?a OPTIONAL {{ :s{n} :q ?b }} OPTIONAL {{ ?a :q ?c }} }}",
    "UNION": "SELECT ?o {{ {{ :s{n} :p1 ?o }} UNION {{ :s{n} :p2 ?o }} UNION {{ ?o :p3 :o{n} }} }}",
    "path": "SELECT ?x {{ :s{n} :p1/^:p1 ?x }}",
    "NOT EXISTS": "SELECT ?s {{ ?s :p1 :o{n} FILTER NOT EXISTS {{ ?s :p2 :o7 }} }}",
    "FILTER, BIND": "SELECT ?t {{ :s{n} :p1 ?o BIND(CONCAT(STR(?o), '!') AS ?t) "
    "FILTER(?o != :x) }}",
    "VALUES": "SELECT * {{ VALUES ?s {{ :s{n} :s1 :s2 :s3 }} ?s :p1 ?o }}",
    "COUNT in groups": "SELECT ?o (COUNT(?s) AS ?k) {{ ?s :p1 :o{n} ; :p2 ?o }} GROUP BY ?o "
    "HAVING (COUNT(?s) > 1) ORDER BY DESC(?k)",
    "sub-SELECT": "SELECT * {{ {{ SELECT (COUNT(*) AS ?k) {{ ?s :p1 :o{n} }} }} FILTER(?k > 0) }}",
    "CONSTRUCT": "CONSTRUCT {{ ?s :q ?o }} {{ ?s :p1 :o{n} ; :p2 ?o }}",
}


def facts(subjects: int) -> str:
    """N-Triples: each subject has all properties, each of a thousand objects all of them too."""
    return "\n".join(
        f"<http://example.org/s{i}> <http://example.org/p{j}> "
        f"<http://example.org/o{(i * 7 + j) % 1000}> ."
        for i in range(subjects)
        for j in range(PROPERTIES)
    )


def texts(kind: str) -> Iterator[str]:
    return (PREFIX + kind.format(n=n % 1000) for n in count())


def microseconds(ask: Callable[[str], object], asked: Iterator[str], rounds: int) -> float:
    """The least mean of some rounds."""
    found = []
    for _ in range(rounds):
        some = [next(asked) for _ in range(ROUND)]
        start = time.process_time()
        for text in some:
            ask(text)
        found.append(time.process_time() - start)
    return min(found) / ROUND


def main(subjects: int, rounds: int) -> None:
    data = facts(subjects)
    kb, store = KnowledgeBase(), ox.Store()
    kb.load(data.encode(), format="nt")
    store.bulk_load(data.encode(), format=ox.RdfFormat.N_TRIPLES)

    def ours(text: str) -> object:
        return len(kb.query(text))

    def theirs(text: str) -> object:
        found = store.query(text)
        return bool(found) if isinstance(found, ox.QueryBoolean) else list(found)

    print(f"{len(kb):,} facts{'rdfinc':>20}{'Oxigraph':>12}   ratio{'reading':>12}{'rdflib':>12}")
    for name, kind in KINDS.items():
        own, others = (microseconds(ask, texts(kind), rounds) for ask in (ours, theirs))
        reading = microseconds(lambda text: query_of(text, {}), texts(kind), rounds)
        rdflib = microseconds(prepareQuery, texts(kind), rounds)
        shown = f"{duration(own):>12}{duration(others):>12}{own / others:>7.1f}x"
        print(f"{name:18}{shown}{duration(reading):>12}{duration(rdflib):>12}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--subjects", type=at_least_one, default=10_000)
    parser.add_argument("--rounds", type=at_least_one, default=5)
    chosen = parser.parse_args()
    main(chosen.subjects, chosen.rounds)
