"""Results as text for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from rdfinc.cli.files import Loading
from rdfinc.datalog.printing import term_text
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.knowledge_base.explanations.proofs import Proof


def as_json(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False, indent=2)


def loaded_text(found: Loading) -> str:
    kb = found.kb
    return (
        f"{len(kb.explicit):,} stated, {len(kb.derived):,} derived: {len(kb):,} facts"
        f" in {found.report.seconds:.2f} s"
    )


def sizes_text(stats: Mapping[str, Any], namespaces: Mapping[str, str]) -> str:
    """`KnowledgeBase.stats` as two tables: totals, then relations, the largest first."""
    known = {**PREFIXES, **namespaces}
    totals = [
        [name.replace("_", " "), f"{value:,}"]
        for name, value in stats.items()
        if isinstance(value, int)
    ]
    largest = sorted(stats["relations"].items(), key=lambda item: (-item[1]["facts"], item[0]))
    counts = ["facts", "explicit", "bytes"]
    relations = [
        [term_text(name, known), *(f"{size[count]:,}" for count in counts), size["table"]]
        for name, size in largest
    ]
    return "\n".join([*table(totals), "", *table([["relation", *counts, "table"], *relations])])


def table(rows: Iterable[Iterable[str]]) -> list[str]:
    """Lines with aligned columns; amounts are aligned at the right."""
    cells = [list(row) for row in rows]
    columns = list(zip(*cells, strict=True))
    widths = [max(map(len, column)) for column in columns]
    numeric = [all(_is_amount(cell) for cell in column[1:] or column) for column in columns]
    return [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in cells
    ]


def _is_amount(cell: str) -> bool:
    return not cell or cell[0].isdigit()


def proof_record(proof: Proof) -> list[dict[str, Any]]:
    """A proof as JSON: its distinct steps, the conclusion first.

    Each has its fact in N-Triples terms, its rule ("" if it is stated) and its premises, as
    numbers of later entries.
    """
    number = {id(proof): 0}
    steps = [proof]
    for step in steps:  # grows while it is read
        for premise in step.premises:
            if id(premise) not in number:
                number[id(premise)] = len(steps)
                steps.append(premise)
    return [
        {
            "fact": [term.n3() for term in step.fact],
            "rule": step.rule,
            "meaning": step.meaning,
            "premises": [number[id(premise)] for premise in step.premises],
        }
        for step in steps
    ]


def duration(seconds: float) -> str:
    """A time with the unit that suits it."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
