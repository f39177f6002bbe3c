"""Facts handed in by users, as statements by graph: `{graph: batch}`, graph 0 being the default."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, compress, islice
from typing import Any

import numpy as np

from rdfinc.errors import ReservedGraphError, TermError
from rdfinc.knowledge_base.explanations.short_names import by_prefix
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.process.memory import trim
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, shaped
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.table import Keys
from rdfinc.terms.dictionary import Dictionary, Ids
from rdfinc.terms.io.convert import DEFAULT_GRAPH, Statement, statement_keys
from rdfinc.terms.io.quads import Columns

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


StatementColumns = tuple[Ids, Ids, Ids, Ids] | Columns
"""Subject, predicate, object and graph of each statement."""


def of_columns(s: Ids, p: Ids, o: Ids, g: Ids, dictionary: Dictionary) -> Statements:
    """Statements given as columns (repetitions allowed); rdflib's name of the default graph is no
    other graph."""
    return of_blocks([(s, p, o, g)], dictionary)


def of_blocks(blocks: list[StatementColumns], dictionary: Dictionary) -> Statements:
    """The same for columns in blocks. Where all are of one graph, each block is taken away as soon
    as it is read."""
    default = dictionary.find(DEFAULT_GRAPH)
    alone = _one_graph(blocks, default)
    if alone is not None:
        return {_unreserved(alone, dictionary): _by_predicate(blocks)}
    s, p, o = (np.concatenate([block[at] for block in blocks]) for at in range(3))
    graphs = np.concatenate([_places(g, default) for *_, g in blocks])
    order = np.argsort(graphs, kind="stable")
    found: Statements = {}
    for part in np.split(order, np.flatnonzero(np.diff(graphs[order])) + 1):
        graph = _unreserved(int(graphs[part[0]]), dictionary)
        found[graph] = _by_predicate([(s[part], p[part], o[part], graphs[part])])
    return found


def graphs_of(g: Ids, dictionary: Dictionary) -> Ids:
    """The graph of each statement, 0 for the default one. Raises ReservedGraphError."""
    found = _places(g, dictionary.find(DEFAULT_GRAPH))
    for graph in np.unique(found).tolist():
        _unreserved(graph, dictionary)
    return found


def _one_graph(blocks: list[StatementColumns], default: int | None) -> int | None:
    """The graph of all statements, if they are of one."""
    met: set[int] = set()
    for *_, g in blocks:
        places = _places(g, default)
        if places.size:
            met |= {int(places.min()), int(places.max())}
    return next(iter(met or {0})) if len(met) < 2 else None


def _places(g: Ids, default: int | None) -> Ids:
    """The graph of each statement, 0 for the default one."""
    if default is None or not g.any():
        return g
    return np.where(g == default, np.uint32(0), g)


def _unreserved(graph: int, dictionary: Dictionary) -> int:
    refuse_reserved(dictionary.decode(graph) if graph else None)
    return graph


def _by_predicate(blocks: list[StatementColumns]) -> Batch:
    """The statements by predicate; takes the blocks away, whose memory goes back now and then.
    Memory: eight bytes a statement beside what is left of the blocks."""
    counts = _counts(blocks)
    predicates = sorted(counts)
    code_of = np.zeros(max(predicates, default=0) + 1, np.uint32)
    code_of[predicates] = np.arange(len(predicates))
    keys = [np.empty(counts[predicate], np.uint64) for predicate in predicates]
    filled = [0] * len(predicates)
    for block in _taken(blocks):
        for code, group in _groups(block, code_of, len(predicates)):
            start = filled[code]
            filled[code] = start + group.size
            keys[code][start : filled[code]] = group
    keys.reverse()
    return {predicate: _as_set(keys.pop()) for predicate in predicates}


def _as_set(keys: KeyArray) -> Keys:
    """Keys that nobody else holds, sorted, each once."""
    kernels.sort_in_place(keys)
    return shaped(kernels.each_once(keys))


def _counts(blocks: list[StatementColumns]) -> Counter[int]:
    """How many statements each predicate has."""
    counts: Counter[int] = Counter()
    for _, p, _, _ in blocks:
        found, places = kernels.numbered(np.asarray(p))
        counts.update(dict(zip(found.tolist(), np.bincount(places).tolist(), strict=True)))
    return counts


def _taken(blocks: list[StatementColumns]) -> Iterator[StatementColumns]:
    """The blocks, which are taken away. The memory of many goes back now and then: the C library
    keeps what it can of blocks of this size."""
    blocks.reverse()
    taken = 0
    while blocks:
        size = sum(column.nbytes for column in blocks[-1])
        yield blocks.pop()
        taken += size
        if taken > KNOWLEDGE.input_given_back:
            trim()
            taken = 0


def _groups(columns: StatementColumns, code_of: Ids, codes: int) -> Iterator[tuple[int, KeyArray]]:
    """The keys of the predicates, each with a code below `codes`, taken apart in blocks that fit
    into the processor's cache."""
    s, p, o, _ = columns
    for start in range(0, p.size, KNOWLEDGE.input_block):
        block = slice(start, start + KNOWLEDGE.input_block)
        code = code_of[p[block]]
        if codes <= 1 << 16:
            code = code.astype(np.uint16)  # the stable sort of 16-bit numbers is a radix sort
        order = np.argsort(code, kind="stable")
        keys = kernels.pack(s[block], o[block])[order]
        code = code[order]
        starts = [0, *(np.flatnonzero(code[1:] != code[:-1]) + 1).tolist()]
        yield from zip(code[starts].tolist(), np.split(keys, starts[1:]), strict=True)
