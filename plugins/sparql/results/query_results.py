"""Results of queries: rdflib's, made of columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import lru_cache, partial
from itertools import chain, islice, repeat
from typing import Any

import numpy as np
from rdflib.graph import Graph
from rdflib.query import Result, ResultRow
from rdflib.term import Variable

from rdfinc.knowledge_base.explanations.notebook import PARTS, html_table, row_lines
from rdfinc.knowledge_base.process.collector import without_collector
from rdfinc.plugins.sparql.columns.solutions import (
    NONE,
    Ids,
    Solutions,
    concatenated,
    first_of_each,
    numbers_of,
)
from rdfinc.plugins.sparql.evaluation.scope import Scope
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.results.data_frames import table, to_pandas, to_polars
from rdfinc.plugins.sparql.results.plan_text import plan
from rdfinc.plugins.sparql.results.serialising import FORMATS, put, serialised


class Shown(Result):
    """A result whose text is its first rows, or what ASK found; all of it has `serialize`."""

    _names: Callable[[], Iterable[tuple[str, Any]]] = tuple
    """Gives the prefixes of its texts."""

    def __getattr__(self, name: str) -> Any:
        if name in ("to_arrow", "to_pandas", "to_polars"):
            kind = vars(self).get("type")
            raise AttributeError(f"the answer of {kind} is no table: only rows of a SELECT are")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        if self.type == "ASK":
            return f"<ASK: {self}>"
        return f"<{self.type}: {' '.join(self._header())}; print() shows the first rows>"

    def __str__(self) -> str:
        if self.type == "ASK":
            return str(self.askAnswer).lower()
        head = [" ".join(self._header())] if self.type == "SELECT" else []
        return "\n".join([*head, *row_lines(self, dict(self._names()), len(self))])

    def _repr_html_(self) -> str:
        if self.type == "ASK":
            return f"<div>{self}</div>"
        return html_table(self._header(), self, dict(self._names()), len(self))

    def serialize(  # type: ignore[override]
        self,
        destination: Any = None,
        encoding: str | None = "utf-8",
        format: str = "xml",
        **args: Any,
    ) -> bytes | None:
        """The result as rdflib serialises it, in TSV as well; SPARQL XML keeps all values.

        A destination is a path, which may have an extension of `kb.dump` that compresses, or a
        stream. Raises TermError for characters that XML has not, before anything is written.
        """
        if format not in FORMATS or self.type not in ("SELECT", "ASK"):
            return super().serialize(destination, encoding, format, **args)  # type: ignore[arg-type]
        content = serialised(self, format, encoding or "utf-8")
        if destination is None:
            return content
        put(content, destination, encoding or "utf-8")
        return None

    def _header(self) -> Sequence[str]:
        if self.type == "SELECT":
            return [f"?{v}" for v in self.vars or ()]
        return PARTS

    def _pickled(self, *names: str) -> tuple[Any, ...]:
        """What unpickling calls for a result with these parts."""
        parts = {name: getattr(self, name) for name in names}
        return _known, (self.type, parts, {p: str(iri) for p, iri in self._names()})


class Selected(Shown):
    """The rows of a SELECT, decoded as they are asked for and then kept.

    Every distinct term is decoded once. A row that binds nothing is a row, too. Pickled, it has
    all rows, as `Known`.
    """

    def __init__(
        self, scope: Scope, algebra: Any, variables: Sequence[Variable], blocks: Iterator[Solutions]
    ) -> None:
        super().__init__("SELECT")
        self.vars = list(variables)
        self._names = scope.ctx.graph.store.namespaces
        self._scope, self._algebra, self._blocks = scope, algebra, blocks
        self._make = partial(tuple.__new__, _row_class(tuple(map(str, variables))))
        self._found: list[Solutions] = []
        self._decoded = 0
        self._failed: Exception | None = None
        self._rows: list[ResultRow] = []
        self._dicts: list[Mapping[Variable, Any]] | None = None

    def _next(self) -> bool:
        """Finds some more solutions, if there are any. What it raises, it raises again."""
        if self._failed is not None:
            raise self._failed
        try:
            block = next(self._blocks, None)
            if block is not None:
                self._found.append(self._scope.budget.keep(block))
        except Exception as error:
            self._failed = error
            raise
        return block is not None

    def _solutions(self) -> Solutions:
        """All of them."""
        while self._next():
            pass
        return concatenated(self._found) if self._found else NONE

    def _decode(self) -> None:
        """Makes rows of the solutions found since."""
        assert self.vars is not None
        column = self._scope.terms.column
        for block in self._found[self._decoded :]:
            given = self._scope.budget.keep(block, decoded=True).columns
            with without_collector() if block.size >= QUERIES.first_solutions else nullcontext():
                columns = [column(given[v]) if v in given else repeat(None) for v in self.vars]
                rows = islice(zip(*columns), block.size) if columns else repeat((), block.size)  # noqa: B905
                self._rows += map(self._make, rows)
            self._decoded += 1

    def _all(self) -> list[ResultRow]:
        while self._next():
            self._decode()
        self._decode()
        return self._rows

    def __iter__(self) -> Iterator[ResultRow]:
        return chain.from_iterable(self._ready())

    def _ready(self) -> Iterator[list[ResultRow]]:
        """All rows, as many at a time as are decoded by then."""
        shown = 0
        while True:
            self._decode()
            ready = len(self._rows)
            yield self._rows[shown:ready]
            shown = ready
            if shown == len(self._rows) and self._decoded == len(self._found) and not self._next():
                return

    def __len__(self) -> int:
        while self._next():
            pass
        return sum(block.size for block in self._found)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    @property
    def bindings(self) -> list[Mapping[Variable, Any]]:  # type: ignore[override]
        """The rows as mappings of their bound variables."""
        assert self.vars is not None
        if self._dicts is None:
            self._dicts = [
                {v: t for v, t in zip(self.vars, row, strict=True) if t is not None}
                for row in self._all()
            ]
        return self._dicts

    @bindings.setter
    def bindings(self, rows: Iterable[Mapping[Variable, Any]]) -> None:
        assert self.vars is not None
        self._dicts, self._blocks = list(rows), iter(())
        numbers = self._scope.terms.numbers
        columns = {v: numbers(row.get(v) for row in self._dicts) for v in self.vars}
        self._found, self._decoded = [Solutions(len(self._dicts), columns)], 1
        self._rows = [self._make(map(row.get, self.vars)) for row in self._dicts]

    def written(self, write: Callable[[bytes], str], unbound: str) -> Iterator[tuple[str, ...]]:
        """The rows as texts, each different term written once, from its key. Rows and texts are
        not kept; to be asked for once, by who asks for nothing else."""
        texts, keys = {0: unbound}, self._scope.terms.keys
        for block in self._blocks:
            given = self._scope.budget.keep(block).columns
            columns: list[Iterable[str]] = []
            for variable in self.vars or ():
                ids = given[variable].tolist() if variable in given else [0] * block.size
                new = np.array([*(set(ids) - texts.keys())], np.uint32)
                found = self._scope.budget.compute(keys(new))
                texts |= zip(new.tolist(), map(write, found), strict=True)
                columns.append(map(texts.__getitem__, ids))
            yield from zip(*columns, strict=True) if columns else repeat((), block.size)

    def to_arrow(self) -> Any:
        """The rows as a `pyarrow.Table`, made of ids without a Python term for each cell.

        A column has the type of what it holds:

        * IRIs and blank nodes: strings, `http://…` and `_:…`;
        * plain strings and texts in a language (the tags are left out): strings;
        * integers: int64; other numbers, or numbers of several kinds: float64;
        * booleans: bool; `xsd:date`: date32; `xsd:dateTime`: timestamp in µs, in UTC if all have a
          time zone;
        * literals of another datatype, or values too large or ill-typed: their lexical forms;
        * anything else, as IRIs among literals: N-Triples texts.

        Strings are dictionary-encoded; unbound is null. The metadata of a field say which it is:
        `rdf` is `nodes`, `texts`, `N-Triples`, or the IRI of the datatype. Raises ImportError
        without pyarrow; `pip install 'rdfinc[dataframes]'` brings it.
        """
        return table(self._solutions(), self.vars or [], self._scope.terms)

    def to_pandas(self) -> Any:
        """The rows as a `pandas.DataFrame`: as `to_arrow`, strings as categories, integers and
        booleans of the types that know missing values. Raises ImportError without pandas."""
        return to_pandas(self.to_arrow())

    def to_polars(self) -> Any:
        """The rows as a `polars.DataFrame`: as `to_arrow`, strings as categories. Raises
        ImportError without polars."""
        return to_polars(self.to_arrow())

    def __reduce__(self) -> tuple[Any, ...]:
        return self._pickled("vars", "bindings")

    def plan(self) -> str:
        """The parts of the query as they were evaluated, to the end; see `plan_text`."""
        self._solutions()
        return plan(self._scope, self._algebra)


class Triples(Shown):
    """The triples of CONSTRUCT or DESCRIBE, given as columns of ids; each is told once.

    The graph is made of them when it is first asked for, and is the result from then on. Pickled,
    it has that graph, as `Known`.
    """

    def __init__(
        self,
        kind: str,
        scope: Scope,
        columns: Sequence[Ids],
        prefixes: Sequence[tuple[str, Any]] = (),
    ) -> None:
        self._graph: Graph | None = None
        super().__init__(kind)
        self._names = scope.ctx.graph.store.namespaces
        self._terms, self._prefixes = scope.terms, prefixes
        numbers, count = numbers_of([[column] for column in columns])
        if count < len(numbers):
            first = first_of_each(numbers, count)
            columns = [column[first] for column in columns]
        self._columns = columns

    @property
    def graph(self) -> Graph | None:  # type: ignore[override]
        if self._graph is None:
            self._graph = Graph()
            for prefix, namespace in self._prefixes:
                self._graph.bind(prefix, namespace)
            for triple in self._decoded():
                self._graph.add(triple)
        return self._graph

    @graph.setter
    def graph(self, graph: Graph | None) -> None:
        self._graph = graph

    def _decoded(self) -> Iterator[Any]:
        step = QUERIES.first_solutions
        for start in range(0, len(self._columns[0]), step):
            some = (column[start : start + step] for column in self._columns)
            yield from zip(*map(self._terms.column, some), strict=True)

    def term_keys(self) -> Iterator[tuple[bytes, bytes, bytes]]:
        """The triples by the keys of their terms."""
        s, p, o = map(self._terms.keys, self._columns)
        return zip(s, p, o, strict=True)

    def __iter__(self) -> Iterator[Any]:
        return self._decoded() if self._graph is None else iter(self._graph)

    def __len__(self) -> int:
        return len(self._columns[0]) if self._graph is None else len(self._graph)

    def __reduce__(self) -> tuple[Any, ...]:
        return self._pickled("graph")


class Known(Shown):
    """A result that holds all that it tells."""

    def __reduce__(self) -> tuple[Any, ...]:
        parts = {"SELECT": ("vars", "bindings"), "ASK": ("askAnswer",)}
        return self._pickled(*parts.get(self.type, ("graph",)))


def _known(kind: str, parts: Mapping[str, Any], prefixes: Mapping[str, str]) -> Known:
    result = Known(kind)
    result._names = prefixes.items
    for name, part in parts.items():
        setattr(result, name, part)
    return result


@lru_cache(maxsize=256)
def _row_class(names: tuple[str, ...]) -> type[ResultRow]:
    """rdflib's rows, all of which have the same labels."""
    labels = {name: place for place, name in enumerate(names)}
    return type("ResultRow", (ResultRow,), {"labels": labels, "__slots__": ()})
