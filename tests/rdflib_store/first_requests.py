"""A process whose first texts in SPARQL are parsed by several threads at once; prints failures."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from rdflib import Graph, Literal, URIRef

from rdfinc import KnowledgeBase
from rdfinc.plugins import RdfincStore

THREADS = 8


def query(number: int) -> None:
    kb = KnowledgeBase("none")
    kb.update(insert=[("<x:s>", "<x:p>", f'"{number}"')])
    text = f'SELECT ?s {{ ?s <x:p> ?o . FILTER(?o = "{number}") }} GROUP BY ?s ORDER BY ?s LIMIT 5'
    assert [row.s for row in kb.query(text)] == [URIRef("x:s")]


def update(number: int) -> None:
    graph = Graph(RdfincStore(profile="none"))
    for _ in range(2):
        graph.update(f'INSERT DATA {{ <x:s> <x:p> "{number}" }} ; DELETE WHERE {{ ?s <x:q> ?o }}')
    assert list(graph.objects()) == [Literal(str(number))]


def failures(request: Callable[[int], None]) -> list[BaseException]:
    """What requests raise that are made at the same time."""
    begin, failed = threading.Barrier(THREADS), []

    def run(number: int) -> None:
        begin.wait()
        try:
            request(number)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed


if __name__ == "__main__":
    sys.setswitchinterval(1e-6)
    for error in failures({"query": query, "update": update}[sys.argv[1]]):
        print(repr(error))
