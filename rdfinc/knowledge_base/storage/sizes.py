"""How much memory the closed relations take, and would take in sorted arrays."""

from __future__ import annotations

import numpy as np

from rdfinc.knowledge_base.versions.version import Version
from rdfinc.knowledge_base.versions.visibility import Visibility
from rdfinc.tables import kernels
from rdfinc.tables.equality.expanded import Expanded
from rdfinc.tables.table import KeptTable
from rdfinc.tables.transposed import Transposed
from rdfinc.tables.union.relation_union import RelationUnion
from rdfinc.tables.union.union_table import UnionTable
from rdfinc.terms.dictionary import Dictionary

PAIR = 16
"""Bytes of a pair in both orders."""

Sizes = dict[str, "str | int"]


def sizes(version: Version, visibility: Visibility, terms: Dictionary) -> dict[str, Sizes]:
    """By relation: the kind of its table, its facts, how many of them are explicit, the bytes of
    the table (for a closure with its external facts), and the bytes of all facts as sorted pairs in
    both orders."""
    return {
        terms.decode(predicate).decode(): {
            "table": _kind(table),
            "facts": len(table),
            "explicit": len(version.explicit.get(predicate)),
            "bytes": table.nbytes() + _external(version, predicate),
            "bytes_plain": PAIR * len(table),
        }
        for predicate, table in version.closure.tables.items()
        if not visibility.never_shows(predicate) and len(table)
    }


def stated_terms(version: Version, visibility: Visibility, terms: Dictionary) -> int:
    """How many terms stand in explicit facts."""
    shown = [p for p in version.explicit.tables if not visibility.never_shows(p)]
    met = np.zeros(terms.kinds.size, bool)
    for predicate in shown:
        keys = version.explicit.get(predicate).scan()
        met[predicate] |= keys.size > 0
        met[kernels.high(keys)] = met[kernels.low(keys)] = True
    return int(np.count_nonzero(met))


def _kind(table: KeptTable) -> str:
    """The name of a table's storage scheme; of a transposed table, that of the table it reads."""
    if isinstance(table, Expanded):
        return "representatives"
    kept = table.table if isinstance(table, Transposed) else table
    unions = RelationUnion, UnionTable
    return "union" if isinstance(kept, unions) else type(kept).__name__.lower()


def _external(version: Version, predicate: int) -> int:
    """The bytes of the external facts that a closure is kept with, counted for its first member."""
    module = version.modules.of.get(predicate)
    if module is None or module.members[0][0] != predicate:
        return 0
    facts = version.held.tables.get(module.external)
    return facts.nbytes() if facts is not None else 0
