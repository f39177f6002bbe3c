"""The rules of the profiles' files as they are once parsed, in `prepared_rules.json`: a process
that needs no others loads no grammar, which would take longer than small data.

The file is a map from the digest of a text to its rules, so one that was edited since is parsed.
`tests/unit/owl/prepare_rules.py` writes it. A rule is an array: the number of its class, and its
fields in order; 0 is a tuple.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Raw, json

from rdfinc.datalog.model import (
    Aggregate,
    Atom,
    Bind,
    Expression,
    Filter,
    Literal,
    NotExists,
    Rule,
    Skolem,
    Value,
    Var,
)
from rdfinc.datalog.syntax.rule_text import parse_rules

FILE = "prepared_rules.json"

CLASSES = (
    tuple, Aggregate, Atom, Bind, Expression, Filter, Literal, NotExists, Rule, Skolem, Value, Var,
)  # fmt: skip


def rules_of(text: str) -> tuple[Rule, ...]:
    """As `parse_rules` gives them."""
    prepared = _prepared().get(digest(text))
    if prepared is None:
        return tuple(parse_rules(text))
    return tuple(map(_decoded, json.decode(prepared)))


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


@cache
def _prepared() -> dict[str, Raw]:
    """The rules of each text, undecoded: few of the texts are asked for."""
    return json.decode(Path(__file__).with_name(FILE).read_bytes(), type=dict[str, Raw])


def _decoded(part: Any) -> Any:
    if not isinstance(part, list):
        return part
    kind, *parts = part
    if kind == 0:
        return tuple(map(_decoded, parts))
    return CLASSES[kind](*map(_decoded, parts))
