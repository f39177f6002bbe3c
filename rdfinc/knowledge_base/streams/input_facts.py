"""Facts handed in by users, as statements by graph: `{graph: batch}`, graph 0 being the default."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, compress, islice
from typing import Any

import numpy as np

from rdfinc.errors import ReservedGraphError, TermError
from rdfinc.knowledge_base.explanations.short_names import by_prefix
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, gather, shaped
from rdfinc.tables.table import Keys
from rdfinc.terms.dictionary import Dictionary, Ids
from rdfinc.terms.io.convert import DEFAULT_GRAPH, Statement, statement_keys

EXPLICIT_GRAPH = b"<urn:rdfinc:explicit>"
DERIVED_GRAPH = b"<urn:rdfinc:derived>"

Statements = dict[int, Batch]

NOTHING: tuple[()] = ()
"""The input of a change without statements."""


def statements(
    facts: Iterable[Any], dictionary: Dictionary, namespaces: Mapping[str, str]
) -> tuple[Statements, int]:
    """The facts, (s, p, o) or (s, p, o, graph), by graph; and how many had a term without id.

    A triple belongs to the default graph. A text that is no term may be short for one. Raises
    TypeError, TermError, ReservedGraphError.
    """
    if facts is NOTHING:
        return {}, 0
    keys = _keys(facts, namespaces)
    if dictionary.is_frozen and not _are_few(facts):
        return _together(keys, dictionary.find_many)
    return _grouped(keys, dictionary.find)


def new_statements(
    facts: Iterable[Any], dictionary: Dictionary, namespaces: Mapping[str, str]
) -> Statements:
    """The facts by graph, as `statements` tells them; terms that have no id get one."""
    if facts is NOTHING:
        return {}
    keys = _keys(facts, namespaces)
    if dictionary.is_frozen and not _are_few(facts):
        return _together(keys, dictionary.encode_many)[0]
    is_there = isinstance(facts, list | tuple)
    return _grouped(keys, dictionary.encode if is_there else _encoder(dictionary))[0]


def _are_few(facts: Iterable[Any]) -> bool:
    """Whether facts are too few for their terms to be looked up together."""
    return isinstance(facts, list | tuple) and len(facts) <= KNOWLEDGE.few_facts


def _encoder(dictionary: Dictionary) -> Callable[[bytes], int]:
    """What encodes terms even if whatever makes the facts changes others meanwhile, and so freezes
    terms."""

    def encode(term: bytes) -> int:
        return dictionary.encode(term)

    return encode


def _keys(facts: Iterable[Any], namespaces: Mapping[str, str]) -> Iterator[Statement]:
    """The terms of facts. Raises TypeError, TermError, ReservedGraphError."""
    if isinstance(facts, str) or not hasattr(facts, "__iter__"):
        advice = "; SPARQL Update is for kb.graph().update" * isinstance(facts, str)
        raise TypeError(
            f"facts come in an iterable of (s, p, o) or (s, p, o, graph), not as {facts!r}{advice}"
        )
    for fact in facts:
        try:
            keys = statement_keys(fact)
        except TermError:
            keys = statement_keys(by_prefix(fact, namespaces))
        if keys[3] is not None:
            refuse_reserved(keys[3])
        yield keys


def _together(
    keys: Iterator[Statement], look_up: Callable[[list[bytes]], Ids]
) -> tuple[Statements, int]:
    """Statements as `_grouped` tells them, whose terms are looked up many at a time."""
    ids: dict[bytes, int] = {}
    return _grouped(_looked_up(keys, look_up, ids), ids.get)


def _looked_up(
    keys: Iterator[Statement], look_up: Callable[[list[bytes]], Ids], ids: dict[bytes, int]
) -> Iterator[Statement]:
    """The same statements, each while `ids` has the ids that its terms have."""
    while block := list(islice(keys, KNOWLEDGE.fact_block)):
        terms = list(dict.fromkeys(filter(None, chain.from_iterable(block))))
        found = look_up(terms).tolist()
        ids.clear()
        ids.update(compress(zip(terms, found, strict=True), found))
        yield from block


_no_facts: Callable[[], dict[int, dict[int, None]]] = partial(defaultdict, dict)


def _grouped(
    keys: Iterator[Statement], number: Callable[[bytes], int | None]
) -> tuple[Statements, int]:
    """Statements by graph and predicate, and how many had a term without number."""
    groups: dict[int, dict[int, dict[int, None]]] = defaultdict(_no_facts)
    unknown = 0
    for subject, predicate, object_, graph in keys:
        s, p, o = number(subject), number(predicate), number(object_)
        g = 0 if graph is None else number(graph)
        if s is None or p is None or o is None or g is None:
            unknown += 1
        else:
            groups[g][p][s << 32 | o] = None
    found = {g: {p: shaped(list(keys)) for p, keys in of.items()} for g, of in groups.items()}
    return found, unknown


def fact_of(triple: Any) -> tuple[Any, ...]:
    """The fact of a triple, in whichever graph it stands. Raises TypeError."""
    if isinstance(triple, str) or not isinstance(triple, Iterable):
        raise TypeError(f"a fact is (s, p, o), not {triple!r}")
    return tuple(triple)[:3]


def refuse_reserved(graph: bytes | None) -> None:
    if graph in (EXPLICIT_GRAPH, DERIVED_GRAPH):
        name = graph.decode()
        raise ReservedGraphError(f"{name} is a read-only view; state facts in another graph")


def of_columns(s: Ids, p: Ids, o: Ids, g: Ids, dictionary: Dictionary) -> Statements:
    """Statements given as columns (repetitions allowed); rdflib's name of the default graph is no
    other graph."""
    if g.any() and (default := dictionary.find(DEFAULT_GRAPH)) is not None:
        g = np.where(g == default, 0, g)
    graphs = [0] if not g.any() else np.flatnonzero(np.bincount(g)).tolist()
    for graph in graphs:
        refuse_reserved(dictionary.decode(graph) if graph else None)
    if graphs == [0]:
        return {0: _by_predicate(s, p, o)}
    chosen = ((graph, g == graph) for graph in graphs)
    return {graph: _by_predicate(s[mask], p[mask], o[mask]) for graph, mask in chosen}


def _by_predicate(s: Ids, p: Ids, o: Ids) -> Batch:
    """The statements by predicate; taken apart in blocks that fit into the processor's cache."""
    predicates = np.flatnonzero(np.bincount(p))
    code_of = np.zeros(int(p.max(initial=0)) + 1, np.uint32)
    code_of[predicates] = np.arange(predicates.size)
    groups: list[list[Keys]] = [[] for _ in range(predicates.size)]
    for start in range(0, p.size, KNOWLEDGE.input_block):
        block = slice(start, start + KNOWLEDGE.input_block)
        codes = code_of[p[block]]
        if predicates.size <= 1 << 16:
            codes = codes.astype(np.uint16)  # the stable sort of 16-bit numbers is a radix sort
        order = np.argsort(codes, kind="stable")
        keys = kernels.pack(s[block], o[block])[order]
        codes = codes[order]
        starts = [0, *(np.flatnonzero(codes[1:] != codes[:-1]) + 1).tolist()]
        for code, group in zip(codes[starts].tolist(), np.split(keys, starts[1:]), strict=True):
            groups[code].append(group)
    return gather(dict(zip(predicates.tolist(), groups, strict=True)))
