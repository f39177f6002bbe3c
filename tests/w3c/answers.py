"""What a request gave beside what it was to give: blank nodes by isomorphism, rows as bags."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rdflib import RDF, XSD, BNode, Graph, Literal, Namespace, URIRef, Variable
from rdflib.compare import isomorphic
from rdflib.query import Result

RS = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/result-set#")
FORMATS = {".srx": "xml", ".srj": "json", ".tsv": "tsv"}
NUMBERS = (XSD.integer, XSD.decimal, XSD.float, XSD.double)
Row = Mapping[str, Any]


def agrees(answer: Result, expected: Path, *, ordered: bool) -> bool:
    """Whether an answer is that in a file, which is a result or a graph in any format."""
    if expected.suffix == ".csv":
        return _as_texts(answer) == _texts_in(expected)
    if expected.suffix in FORMATS:
        with expected.open("rb") as file:
            return _agree(answer, Result.parse(file, format=FORMATS[expected.suffix]), ordered)
    graph = Graph().parse(expected)
    result = graph.value(None, RDF.type, RS.ResultSet)
    if result is None:
        return answer.graph is not None and isomorphic(answer.graph, graph)
    return _agree(answer, _result_in(graph, result), ordered)


def _agree(answer: Result, expected: Result, ordered: bool) -> bool:
    if expected.type != answer.type:
        return False
    if expected.type == "ASK":
        return bool(answer.askAnswer == expected.askAnswer)
    ours, theirs = _rows(answer), _rows(expected)
    if ordered and [*map(_without_labels, ours)] != [*map(_without_labels, theirs)]:
        return False
    same_columns = {*map(str, answer.vars or ())} == {*map(str, expected.vars or ())}
    (known, blank), (wanted, blank_wanted) = _parted(ours), _parted(theirs)
    alike = known == wanted and len(blank) == len(blank_wanted)
    return same_columns and alike and isomorphic(_as_graph(blank), _as_graph(blank_wanted))


def _parted(rows: Iterable[Row]) -> tuple[Counter[frozenset[tuple[str, str]]], list[Row]]:
    """The rows without blank nodes, as a bag, and those with some."""
    known: Counter[frozenset[tuple[str, str]]] = Counter()
    blank = []
    for row in rows:
        if any(isinstance(term, BNode) for term in row.values()):
            blank.append(row)
        else:
            known[frozenset((v, _plain(t).n3()) for v, t in row.items())] += 1
    return known, blank


def _rows(result: Result) -> list[Row]:
    return [{str(v): t for v, t in each.items() if t is not None} for each in result.bindings]


def _without_labels(row: Row) -> dict[str, str]:
    return {v: "_" if isinstance(t, BNode) else _plain(t).n3() for v, t in row.items()}


def _plain(term: Any) -> Any:
    """A term, with numbers in one form, simple literals for texts and tags in lower case."""
    if not isinstance(term, Literal):
        return term
    if term.datatype == XSD.string:
        return Literal(str(term))
    if term.datatype in NUMBERS and term.value is not None:
        return Literal(f"{float(term):.15g}", datatype=term.datatype)
    return Literal(str(term), lang=term.language.lower()) if term.language else term


def _as_graph(rows: Iterable[Row]) -> Graph:
    """A graph in which each row is a node, and its values are the objects."""
    graph = Graph()
    for row in rows:
        node = BNode()
        graph.add((node, RDF.type, RS.solution))
        for variable, term in row.items():
            graph.add((node, URIRef(f"urn:variable:{variable}"), _plain(term)))
    return graph


def _result_in(graph: Graph, node: Any) -> Result:
    """The result that a graph describes (DAWG's vocabulary of results)."""
    told = graph.value(node, RS.boolean)
    if told is not None:
        result = Result("ASK")
        result.askAnswer = bool(told)
        return result
    result = Result("SELECT")
    result.vars = [Variable(str(name)) for name in graph.objects(node, RS.resultVariable)]
    at = [
        (graph.value(s, RS["index"], default=Literal(0)), s)
        for s in graph.objects(node, RS.solution)
    ]
    result.bindings = [
        {
            Variable(str(graph.value(b, RS.variable))): graph.value(b, RS.value)
            for b in graph.objects(solution, RS.binding)
        }
        for _, solution in sorted(at, key=lambda each: int(each[0]))
    ]
    return result


def _as_texts(answer: Result) -> Counter[tuple[str, ...]]:
    names = [*map(str, answer.vars or ())]
    rows = [tuple(_text(row.get(name)) for name in names) for row in _rows(answer)]
    return Counter([tuple(names), *rows])


def _texts_in(file: Path) -> Counter[tuple[str, ...]]:
    with file.open(newline="", encoding="utf-8") as lines:
        return Counter(tuple(map(_labelless, row)) for row in csv.reader(lines))


def _text(term: Any) -> str:
    return "" if term is None else "_:" if isinstance(term, BNode) else str(term)


def _labelless(text: str) -> str:
    return "_:" if text.startswith("_:") else text
