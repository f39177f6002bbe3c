"""What `check` finds, for programs that show it beside the lines of files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

import rdfinc
from rdfinc.cli.check import Checked, Place

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Annotation(Struct, frozen=True):
    """A contradiction ("error") or an axiom that is not fully used ("warning"): the rule or the
    axiom's status, what it means, a text, and where the triples stand that it is about."""

    level: str
    rule: str
    meaning: str
    text: str
    places: tuple[Place, ...]


def annotated(found: Checked) -> Iterator[Annotation]:
    """An annotation for each group of contradictions, of its first example, and for each gap."""
    for group in found.groups:
        triples = [text for _, stated in group.examples for text in stated]
        placed = (found.places.get(text) for text in (*triples, *group.axioms))
        places = tuple(dict.fromkeys(place for place in placed if place is not None))
        yield Annotation("error", group.rule, group.meaning, str(group), places)
    for gap in found.gaps:
        yield Annotation("warning", gap.status, "an axiom that the rules do not use", str(gap), ())


def github(found: Checked) -> str:
    """Workflow commands, which GitHub shows beside the lines of a change."""
    return "\n".join(map(_command, annotated(found)))


def _command(each: Annotation) -> str:
    where = [f"file={_property(p.file)},line={p.line}" for p in each.places[:1]]
    options = ",".join([*where, f"title={_property(each.rule)}"])
    return f"::{each.level} {options}::{_data(each.text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def sarif(found: Checked) -> dict[str, Any]:
    """A log in SARIF 2.1.0."""
    results = list(annotated(found))
    rules = {each.rule: each.meaning for each in results}
    driver = {
        "name": "rdfinc",
        "version": rdfinc.__version__,
        "rules": [
            {"id": rule, "shortDescription": {"text": meaning or rule}}
            for rule, meaning in rules.items()
        ],
    }
    run = {"tool": {"driver": driver}, "results": list(map(_result, results))}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(each: Annotation) -> dict[str, Any]:
    first, others = each.places[:1], each.places[1:]
    return {
        "ruleId": each.rule,
        "level": each.level,
        "message": {"text": each.text},
        "locations": list(map(_location, first)),
        "relatedLocations": list(map(_location, others)),
    }


def _location(place: Place) -> dict[str, Any]:
    physical = {
        "artifactLocation": {"uri": place.file.replace("\\", "/")},
        "region": {"startLine": place.line},
    }
    return {"physicalLocation": physical}
