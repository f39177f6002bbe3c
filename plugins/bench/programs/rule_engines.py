"""Engines for Datalog: clingo, nemo, and DuckDB with a loop of SQL.

Terms are numbered while the file is read, so that each comes back as it was written. The rules are
`rdfinc.plugins.bench.stratified_rules`. `t0` are the facts of the file, and `t1`, `t2`, … hold what
the strata up to the first, the second, … derive; in SQL there is one table, since a loop has an
order.
"""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

Fact = tuple[int, int, int]
Number = Callable[[str], int]
Atoms = Sequence[Sequence[str]]
Rule = tuple[Sequence[str], Atoms, Atoms]
Strata = Sequence[Sequence[Rule]]


class Numbered:
    """Triples of numbers, and the terms of these."""

    def __init__(self, profile: str) -> None:
        self._ids: defaultdict[str, int] = defaultdict(lambda: len(self._ids))

    def load(self, data: str, rules: Strata) -> float:
        number = self._ids.__getitem__
        with open(data, encoding="utf-8", newline="\n") as lines:
            split = (line.removesuffix(" .\n").split(" ", 2) for line in lines)
            facts = [(number(s), number(p), number(o)) for s, p, o in split]
        with tempfile.TemporaryDirectory() as folder:
            return self._derive(facts, rules, Path(folder))

    def _derive(self, facts: Sequence[Fact], rules: Strata, folder: Path) -> float:
        """The seconds that it took; the folder is for files."""
        raise NotImplementedError

    def _found(self) -> Iterable[Sequence[int]]:
        """All that holds, once."""
        raise NotImplementedError

    def size(self) -> int:
        return sum(1 for _ in self._found())

    def write(self, file: str) -> None:
        """Without what is said of literals, or by them, which is no N-Triples."""
        terms = [*self._ids]
        with open(file, "w", encoding="utf-8", newline="\n") as out:
            for s, p, o in self._found():
                if terms[s][0] != '"' and terms[p][0] == "<":
                    out.write(f"{terms[s]} {terms[p]} {terms[o]} .\n")


class InClingo(Numbered):
    """The atoms that clingo's grounder finds."""

    def __init__(self, profile: str) -> None:
        super().__init__(profile)
        import clingo

        self._control = clingo.Control(["--warn=none"])

    def _derive(self, facts: Sequence[Fact], rules: Strata, folder: Path) -> float:
        file = folder / "program.lp"
        with file.open("w", encoding="ascii") as out:
            out.writelines(f"t0({s},{p},{o}).\n" for s, p, o in facts)
            out.write(clingo_program(rules, self._ids.__getitem__))
        self._control.load(str(file))
        start = time.perf_counter()
        self._control.ground([("base", [])])
        self._last = f"t{len(rules)}"
        return time.perf_counter() - start

    def _found(self) -> Iterable[Sequence[int]]:
        atoms = self._control.symbolic_atoms.by_signature(self._last, 3)
        return ([each.number for each in atom.symbol.arguments] for atom in atoms)


class InNemo(Numbered):
    """The facts that nemo's chase finds; it reads the triples while it derives."""

    def __init__(self, profile: str) -> None:
        super().__init__(profile)
        import nmo_python

        self._nemo = nmo_python

    def _derive(self, facts: Sequence[Fact], rules: Strata, folder: Path) -> float:
        text = nemo_program(rules, self._ids.__getitem__, _csv(facts, folder))
        self._engine = self._nemo.NemoEngine(self._nemo.load_string(text))
        self._last = f"t{len(rules)}"
        start = time.perf_counter()
        self._engine.reason()
        return time.perf_counter() - start

    def _found(self) -> Iterable[Sequence[int]]:
        return self._engine.result(self._last)  # type: ignore[no-any-return]


class InDuckDB(Numbered):
    """A table that statements of SQL fill until nothing is new."""

    def __init__(self, profile: str) -> None:
        super().__init__(profile)
        import duckdb

        self._base = duckdb.connect()

    def _derive(self, facts: Sequence[Fact], rules: Strata, folder: Path) -> float:
        run: Any = self._base.execute
        types = "{'s': 'INTEGER', 'p': 'INTEGER', 'o': 'INTEGER'}"
        run("CREATE TABLE t (s INTEGER, p INTEGER, o INTEGER)")
        if facts:
            file = str(_csv(facts, folder)).replace("'", "''")
            run(f"INSERT INTO t FROM read_csv('{file}', header=false, columns={types})")
        start = time.perf_counter()
        for stratum in rules:
            self._close(stratum)
        return time.perf_counter() - start

    def _found(self) -> Iterable[Sequence[int]]:
        return self._base.execute("SELECT s, p, o FROM t").fetchall()

    def _close(self, stratum: Sequence[Rule]) -> None:
        """Rounds, in each of which an atom of a body reads what the last round has found."""
        run = self._base.execute
        run("CREATE OR REPLACE TABLE delta AS FROM t")
        statements = sql_selections(stratum, self._ids.__getitem__, first=True)
        while statements:
            union = " UNION ".join(statements)
            run(f"CREATE OR REPLACE TABLE delta AS ({union}) EXCEPT FROM t")
            run("INSERT INTO t FROM delta")
            if not run("SELECT count(*) FROM delta").fetchall()[0][0]:
                return
            statements = sql_selections(stratum, self._ids.__getitem__, first=False)


def _csv(facts: Iterable[Fact], folder: Path) -> Path:
    file = folder / "facts.csv"
    with file.open("w", encoding="ascii") as out:
        out.writelines(f"{s},{p},{o}\n" for s, p, o in facts)
    return file


def clingo_program(rules: Strata, number: Number) -> str:
    """The rules as clingo reads them."""
    lines = _layered(rules, number, variable="V{}".format, negation="not ")
    return "".join(f"{line}\n" for line in lines)


def nemo_program(rules: Strata, number: Number, facts: Path) -> str:
    """The rules as nemo reads them, with the file of facts."""
    resource = str(facts).replace("\\", "\\\\").replace('"', '\\"')
    lines = [
        f'@import t0 :- csv{{resource="{resource}", format=(int, int, int)}} .',
        *_layered(rules, number, variable="?v{}".format, negation="~"),
        f"@output t{len(rules)} .",
    ]
    return "".join(f"{line}\n" for line in lines)


def _layered(
    rules: Strata, number: Number, variable: Callable[[str], str], negation: str
) -> Iterator[str]:
    def atom(terms: Sequence[str], layer: int) -> str:
        told = (variable(t[1:]) if t[0] == "?" else str(number(t)) for t in terms)
        return f"t{layer}({', '.join(told)})"

    for layer, stratum in enumerate(rules, 1):
        a, b, c = map(variable, "012")
        yield f"t{layer}({a}, {b}, {c}) :- t{layer - 1}({a}, {b}, {c}) ."
        for head, body, without in stratum:
            items = [atom(each, layer) for each in body]
            items += [negation + atom(each, layer - 1) for each in without]
            yield f"{atom(head, layer)} :- {', '.join(items)} ."


def sql_selections(stratum: Sequence[Rule], number: Number, first: bool) -> list[str]:
    """What the rules derive from table t where an atom of the body is in table delta: the `first`
    time, when delta is all of t, the first atom, and else each in turn."""
    return [
        _selection(rule, number, place)
        for rule in stratum
        for place in range(1 if first else len(rule[1]))
    ]


def _selection(rule: Rule, number: Number, place: int) -> str:
    head, body, without = rule
    columns: dict[str, str] = {}
    conditions = []
    for n, terms in enumerate(body):
        conditions += _equal(f"a{n}", terms, columns, number)
    for n, terms in enumerate(without):
        inner = " AND ".join(_equal(f"n{n}", terms, columns, number))
        conditions.append(f"NOT EXISTS (SELECT 1 FROM t n{n} WHERE {inner})")
    shown = (columns[t] if t[0] == "?" else str(number(t)) for t in head)
    told = ", ".join(f"{term} AS {name}" for term, name in zip(shown, "spo", strict=True))
    tables = ", ".join(f"{'delta' if n == place else 't'} a{n}" for n in range(len(body)))
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT {told} FROM {tables}{where}"


def _equal(
    table: str, terms: Sequence[str], columns: dict[str, str], number: Number
) -> Iterator[str]:
    """What makes a row of the table fit the terms; a variable is the first column that it has."""
    for name, term in zip("spo", terms, strict=True):
        column = f"{table}.{name}"
        if term[0] != "?":
            yield f"{column} = {number(term)}"
        elif columns.setdefault(term, column) != column:
            yield f"{column} = {columns[term]}"
