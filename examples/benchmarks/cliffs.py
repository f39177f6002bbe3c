"""Requests of every day over more and more of what they are about, beside Oxigraph.

    python examples/benchmarks/cliffs.py
    python examples/benchmarks/cliffs.py --doublings 3

Each line is one request: how many graphs, predicates, links, terms or rows there are, the processor
time of both stores, their ratio, and how much longer ours took than for half as many. What doubles
with its input shows 2.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import pyoxigraph as ox
from measure import at_least_one, duration
from rdflib import Dataset, URIRef
from rdflib.plugins.sparql import prepareQuery

from rdfinc.plugins import RdfincStore

PREDICATES = 5
REPETITIONS = 3
ADDED = 50

Stores = tuple[Dataset, ox.Store]
Request = tuple[str, Callable[[Stores], Any], Callable[[Stores], Any]]


def stores(lines: list[str]) -> Stores:
    """The same N-Quads in both."""
    data = "\n".join(lines)
    ours, theirs = Dataset(RdfincStore(profile="none")), ox.Store()
    ours.parse(data=data, format="nquads")
    theirs.bulk_load(data.encode(), format=ox.RdfFormat.N_QUADS)
    return ours, theirs


def of_graphs(graphs: int) -> Stores:
    """Graphs of a hundred statements, half of whose subjects two graphs share."""
    return stores(
        [
            f"<x:s{g * 51 + i}> <x:p{i % PREDICATES}> <x:o{i}> <x:g{g}> ."
            for g in range(graphs)
            for i in range(100)
        ]
    )


def of_triples(triples: int) -> Stores:
    """Triples of IRIs, numbers and texts."""
    return stores([f"<x:s{i}> <x:p> {term(i)} ." for i in range(triples)])


def of_predicates(predicates: int) -> Stores:
    """Predicates of one statement each in five graphs, and a hundred of many more."""
    rare = [f"<x:s{i}> <x:p{i}> <x:o{i % 7}> <x:g{i % 5}> ." for i in range(predicates)]
    return stores(rare + [f"<x:s{i}> <x:p{i % 100}> <x:o{i}> ." for i in range(10 * predicates)])


def of_links(links: int) -> Stores:
    """A chain."""
    return stores([f"<x:n{i}> <x:p> <x:n{i + 1}> ." for i in range(links)])


def term(i: int) -> str:
    number = f'"{i}"^^<http://www.w3.org/2001/XMLSchema#integer>'
    return (f"<x:o{i}>", number, f'"t{i}"')[i % 3]


def asked(text: str) -> Request:
    def ours(both: Stores) -> Any:
        return len(list(both[0].query(text)))

    def theirs(both: Stores) -> Any:
        return len(list(both[1].query(text)))

    return text[:48], ours, theirs


def prepared(text: str) -> Request:
    query = prepareQuery(text)

    def ours(both: Stores) -> Any:
        return len(list(both[0].query(query)))

    return f"prepared: {text[:38]}", ours, asked(text)[2]


def updated(name: str, text: str) -> Request:
    return name, lambda both: both[0].update(text), lambda both: both[1].update(text)


def added(both: Stores) -> int:
    """Some statements, each counted with the graph it goes to."""
    graph = both[0].graph(URIRef("x:g7"))
    for i in range(ADDED):
        graph.add((URIRef(f"x:new{i}"), URIRef("x:p"), URIRef("x:o")))
        len(graph)
    return len(graph)


def added_there(both: Stores) -> int:
    graph, p, o = (ox.NamedNode(f"x:{name}") for name in ("g7", "p", "o"))
    for i in range(ADDED):
        both[1].add(ox.Quad(ox.NamedNode(f"x:new{i}"), p, o, graph))
        sum(1 for _ in both[1].quads_for_pattern(None, None, None, graph))
    return len(both[1])


def about_graphs() -> Iterator[Request]:
    yield asked("SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g")
    yield asked("SELECT * { GRAPH ?g { <x:s7> ?p ?o } }")
    yield asked("SELECT * { GRAPH ?g { ?s <x:p1> <x:o1> } GRAPH ?h { ?s <x:p2> ?o } }")
    yield asked("SELECT * { GRAPH <x:g7> { ?s ?p ?o } }")
    for part in (
        "VALUES ?s { <x:s7> <x:s59> } ?s ?p ?o",
        "?s <x:p1> <x:o1> FILTER NOT EXISTS { ?s <x:p2> ?o }",
        "?s <x:p1>/^<x:p1> <x:s7>",
        "?s <x:p1> <x:o1> GRAPH ?h { ?s <x:p2> ?o }",
        "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p",
        "?s <x:p1> <x:o1> OPTIONAL { ?s <x:p2> ?o }",
        "?s <x:p1>* <x:o1>",
        "?s <x:p3> ?x . ?x <x:p1>* ?o",
    ):
        yield asked(f"SELECT * {{ GRAPH ?g {{ {part} }} }}")
    yield "ADD AND COUNT", added, added_there
    yield updated("CLEAR GRAPH", "CLEAR GRAPH <x:g8>")


def about_predicates(size: int) -> Iterator[Request]:
    for part in (
        "<x:s7> ?p ?o",
        "<x:s7> ?p ?o . ?o ?q ?r",
        "<x:s7> !<x:p7> ?o",
        "GRAPH ?g { <x:s7> ?p ?o }",
        "GRAPH ?g { <x:s7> !<x:p7> ?o }",
        "GRAPH ?g { <x:s7> <x:p7>* ?o }",
        "<x:s7> (!<x:p7>)+ ?o",
        "?s ?p ?o",
        "?s ?p <x:o3>",
        "?s <x:p7> ?x ; ?p ?o",
        "?s ?p ?o . ?s ?q ?r FILTER(?p != ?q)",
        "?s !<x:p7> ?o",
        "?s ?p ?o FILTER NOT EXISTS { ?o ?q ?r }",
        "GRAPH ?g { ?s ?p ?o }",
        "GRAPH <x:g1> { ?s ?p ?o }",
        "GRAPH ?g { ?s !<x:p7> ?o }",
        "GRAPH ?g { ?s <x:p7> ?x ; ?p ?o }",
    ):
        yield asked(f"SELECT * {{ {part} }}")
    for kind in "ps":
        given = " ".join(f"<x:{kind}{i}>" for i in range(size))
        yield asked(f"SELECT * {{ VALUES ?{kind} {{ {given} }} ?s ?p ?o }}")
        yield asked(f"SELECT * {{ GRAPH ?g {{ VALUES ?{kind} {{ {given} }} ?s ?p ?o }} }}")
    yield asked("SELECT DISTINCT ?p { ?s ?p ?o }")
    yield asked("SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p")
    yield asked("SELECT DISTINCT ?g ?p { GRAPH ?g { ?s ?p ?o } }")
    yield asked("DESCRIBE <x:s7>")


def about_links(size: int) -> Iterator[Request]:
    for part in (
        "<x:n0> <x:p>+ ?o",
        f"?s <x:p>* <x:n{size}>",
        f"<x:n0> <x:p>+ <x:n{size}>",
        "<x:n0> (<x:p>|^<x:p>)* ?o",
        "<x:n0> (<x:p>/<x:p>)* ?o",
        "<x:n0> (!<x:q>)* ?o",
        "<x:n0> <x:p>* ?x . ?x <x:p> ?y",
        "?a <x:p> ?b . ?b <x:p> ?c . ?c <x:p> ?d",
        "?a <x:p>/<x:p>/<x:p> ?b",
        "?a ?q ?b . ?b ?r ?c",
        "<x:n0> <x:p> ?n0 . " + " ".join(f"?n{i} <x:p> ?n{i + 1} ." for i in range(size // 25)),
    ):
        yield asked(f"SELECT * {{ {part} }}")


def about_lists(size: int) -> Iterator[Request]:
    terms = [term(i) for i in range(size)]
    some = size // 50
    yield asked(f"SELECT ?s {{ ?s <x:p> ?o FILTER(?o IN ({', '.join(terms)})) }}")
    yield asked(f"SELECT ?s {{ ?s <x:p> ?o FILTER(?o NOT IN ({', '.join(terms)})) }}")
    yield asked(f"SELECT ?s {{ ?s <x:p> ?o FILTER({' || '.join(f'?o = {t}' for t in terms)}) }}")
    yield asked(f"SELECT ?s {{ ?s <x:p> ?o FILTER({' && '.join(f'?o != {t}' for t in terms)}) }}")
    given = f"{{ VALUES ?o {{ {' '.join(terms)} }} ?s <x:p> ?o }}"
    yield asked(f"SELECT ?s {given}")
    yield prepared(f"SELECT ?s {given}")
    yield updated("VALUES IN AN UPDATE", f"INSERT {{ ?s <x:r> ?o }} WHERE {given}")
    yield asked(f"SELECT ?s {{ {' UNION '.join(f'{{ ?s <x:p> {t} }}' for t in terms[:some])} }}")
    optional = " ".join(f"OPTIONAL {{ ?s <x:q{i}> ?o{i} }}" for i in range(some))
    yield asked(f"SELECT ?s {{ <x:s1> <x:p> ?o . ?s <x:p> ?o {optional} }}")
    yield asked(f"SELECT ?s {{ ?s ({'|'.join(f'<x:q{i}>' for i in range(some))}|<x:p>) ?o }}")
    keys = " ".join(f"(STRLEN(STR(?o)) * {i})" for i in range(some))
    yield asked(f"SELECT ?s {{ ?s <x:p> ?o FILTER(isNUMERIC(?o)) }} ORDER BY {keys} LIMIT 5")
    template = " ".join(f"?s <x:r{i}> ?o ." for i in range(some))
    yield asked(f"CONSTRUCT {{ {template} }} {{ VALUES ?s {{ <x:s1> <x:s2> }} ?s <x:p> ?o }}")
    pairs = " ".join(f"(<x:s{i}> {term(i)})" for i in range(size))
    yield asked(f"SELECT * {{ VALUES (?s ?o) {{ {pairs} }} ?s <x:p> ?o }}")
    subjects = ", ".join(f"<x:s{i}>" for i in range(size))
    yield asked(f"SELECT ?s {{ ?s <x:p> ?o FILTER(?s NOT IN ({subjects})) }}")
    apart = " ".join(f"?s{i} <x:p> {term(i)} ." for i in range(10 * some))
    yield asked(f"SELECT ?s0 {{ {apart} }}")
    alike = " ".join(f"<x:s1> <x:p> ?o{i} ." for i in range(10 * some))
    yield asked(f"SELECT ?o0 {{ {alike} }}")
    values = " ".join(f"BIND({i} AS ?v{i})" for i in range(some))
    yield asked(f"SELECT * {{ <x:s1> <x:p> ?o {values} }}")
    subtracted = " ".join(f"MINUS {{ ?s <x:q{i}> ?o }}" for i in range(some))
    yield asked(f"SELECT * {{ ?s <x:p> <x:o3> {subtracted} }}")
    data = " ".join(f"<x:n{i}> <x:p> {term(i)} ." for i in range(10 * size))
    yield updated("INSERT DATA", f"INSERT DATA {{ {data} }}")
    short = " ".join(f"x:n{i} a x:c{i % 9} ; x:p x:o{i} ." for i in range(5 * size))
    yield updated("INSERT DATA, short", f"PREFIX x: <x:> INSERT DATA {{ {short} }}")
    yield updated("DELETE DATA", f"DELETE DATA {{ {data} }}")
    yield updated("DELETE INSERT", f"DELETE {{ {data} }} INSERT {{ {data} }} WHERE {{ }}")


def seconds(work: Callable[[Stores], Any], both: Stores, times: int) -> float:
    """The least of some processor times."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work(both)
        found.append(time.process_time() - start)
    return min(found)


def measured(about: Callable[[int], tuple[Stores, Iterator[Request]]], sizes: list[int]) -> None:
    """Prints a line for each request and size; the same requests come at each size."""
    before: dict[int, float] = {}
    for size in sizes:
        both, requests = about(size)
        for number, (name, ours, theirs) in enumerate(requests):
            times = 1 if name.isupper() else REPETITIONS
            own, others = seconds(ours, both, times), seconds(theirs, both, times)
            grown = f"{own / before[number]:5.1f}" if number in before else "     "
            before[number] = own
            times_theirs = f"{own / max(others, 1e-6):8.2f}x"
            shown = f"{duration(own):>9} {duration(others):>9} {times_theirs} {grown}"
            print(f"{size:>7,} {shown}  {name}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--doublings", type=at_least_one, default=2)
    parser.add_argument("--graphs", type=at_least_one, default=750)
    parser.add_argument("--predicates", type=at_least_one, default=1000)
    parser.add_argument("--links", type=at_least_one, default=2500)
    parser.add_argument("--terms", type=at_least_one, default=500)
    arguments = parser.parse_args()
    scales = [1 << i for i in range(arguments.doublings + 1)]
    print("   size      ours  Oxigraph     ratio grown  request")
    for about, least in (
        (lambda size: (of_graphs(size), about_graphs()), arguments.graphs),
        (lambda size: (of_predicates(size), about_predicates(size)), arguments.predicates),
        (lambda size: (of_links(size), about_links(size)), arguments.links),
        (lambda size: (of_triples(40 * size), about_lists(size)), arguments.terms),
    ):
        measured(about, [least * scale for scale in scales])


if __name__ == "__main__":
    main()
