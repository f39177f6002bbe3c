"""SWRL rules handed in as a file or as triples, which are read and not stated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rdfinc.datalog.model import Program, Rule
from rdfinc.errors import RuleError
from rdfinc.owl.swrl.swrl_triples import swrl_program
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.convert import statement_keys
from rdfinc.terms.io.reading import read


def rules_of_file(path: Path, *, unique_names: bool = False) -> list[Rule]:
    """The SWRL rules of an RDF file in any format.

    Raises RuleError, also if it has none; DataSyntaxError.
    """
    terms = Dictionary()
    loaded = read(path, terms)
    columns = (column.tolist() for column in (loaded.s, loaded.p, loaded.o))
    triples = _Triples(zip(*columns, strict=True))
    return _found(swrl_program(triples, terms, unique_names=unique_names), str(path))


def rules_of_triples(triples: Iterable[Any], *, unique_names: bool = False) -> list[Rule]:
    """The SWRL rules among (s, p, o) or (s, p, o, graph). Raises RuleError, TermError."""
    terms = Dictionary()
    keys = (statement_keys(triple)[:3] for triple in triples)
    stated = _Triples(tuple(map(terms.encode, key)) for key in keys)
    return _found(swrl_program(stated, terms, unique_names=unique_names), "these triples")


def _found(rules: Program, source: str) -> list[Rule]:
    found = list(rules)
    if not found:
        raise RuleError(
            f"there are no SWRL rules (swrl:Imp) in {source}; OWL axioms are rules while they are "
            "among the facts: load or insert them"
        )
    return found


class _Triples:
    """Triples by ids, indexed both ways."""

    def __init__(self, triples: Iterable[tuple[int, ...]]) -> None:
        self._objects: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._subjects: dict[tuple[int, int], list[int]] = defaultdict(list)
        for s, p, o in dict.fromkeys(triples):
            self._objects[p, s].append(o)
            self._subjects[p, o].append(s)

    def objects(self, p: int, s: int) -> list[int]:
        return self._objects.get((p, s), [])

    def subjects(self, p: int, o: int) -> list[int]:
        return self._subjects.get((p, o), [])
