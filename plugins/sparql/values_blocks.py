"""VALUES of many rows, read beside the grammar: terms by Turtle's parser, each different one once.

A block of terms and UNDEF means the same in both, but for a few ways to write a term. Blocks with
such terms are left to the grammar, and so are requests that have few rows.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pyoxigraph as ox
from rdflib.plugins.sparql.sparql import Prologue
from rdflib.term import URIRef, Variable

from rdfinc.plugins.sparql.algebra import parts_called
from rdfinc.plugins.sparql.data_blocks import SKIPPED, NotTriGError, declared
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.terms.rdflib_terms import to_rdflib

_UNDEF = "UNDEF"
_MARK = "urn:rdfinc:values:"
_OPEN = re.compile(
    rf"{SKIPPED}|(?<![\w:.?$-])VALUES\s*(?P<names>[?$]\w+|\((?:\s*[?$]\w+)*\s*\))\s*\{{",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_NAME = r"(?:[A-Za-z][\w.-]*)?(?<!\.):(?:[\w:-]+(?:\.+[\w:-]+)*)?"
_IRI = r'<[^<>"{}|^`\\\x00-\x20]*>'
_SPACE = re.compile(r"(?:\s+|\#[^\n\r]*(?:[\n\r]|$))*")
_ITEM = re.compile(
    rf"""
      (?P<term>{_IRI}
        |(?:"(?:[^"\\\n\r]|\\.)*"(?!")|'(?:[^'\\\n\r]|\\.)*'(?!'))
         (?:@[a-z]+(?:-[a-z0-9]+)*(?![A-Za-z0-9-])|\^\^(?:{_IRI}|(?P<datatype>{_NAME})))?
        |[+-]?(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+|[+-]?\d*\.\d+|[+-]?\d+
        |(?:true|false)(?![\w:.-])|(?P<name>{_NAME}))
      |(?P<undef>UNDEF(?![\w:.-]))|(?P<bracket>[()])|(?P<end>\}})""",
    re.VERBOSE,
)


class Block(NamedTuple):
    """The variables of a block, and its rows as they are written; and the prefixes in them."""

    names: list[str]
    rows: list[list[str]]
    prefixes: frozenset[str]


def taken_out(request: str) -> tuple[str, list[Block]]:
    """A request with a row in place of those of long blocks, which tells the number of its block.
    Raises NotTriGError if there is none."""
    if _MARK in request:
        raise NotTriGError
    rest: list[str] = []
    blocks: list[Block] = []
    at = kept = 0
    while token := _OPEN.search(request, at):
        at = token.end()
        if token["names"] is None:
            continue
        names = re.findall(r"[?$](\w+)", token["names"])
        found = _read(request, at, names, is_bracketed=token["names"][0] == "(")
        if found is not None and len(set(names)) == len(names):
            block, stop = found
            rest += [request[kept:at], _marked(len(blocks), token["names"], len(names))]
            blocks.append(block)
            at = kept = stop
    if not blocks:
        raise NotTriGError
    return "".join([*rest, request[kept:]]), blocks


def _marked(number: int, names: str, width: int) -> str:
    cells = " ".join([f"<{_MARK}{number}>", *[_UNDEF] * (width - 1)])
    return f"({cells})" if names[0] == "(" else cells


def _read(
    request: str, start: int, names: list[str], *, is_bracketed: bool
) -> tuple[Block, int] | None:
    """The block that begins here, and where it ends; None if the grammar has to read it."""
    cells: list[str] = []
    brackets: list[tuple[str, int]] = []
    prefixes: set[str] = set()
    while item := _ITEM.match(request, _after_space(request, start)):
        start = item.end()
        if item["end"]:
            width = len(names)
            if len(cells) < QUERIES.least_block_cells or brackets != _around(
                len(cells), width, is_bracketed
            ):
                return None
            rows = [cells[at : at + width] for at in range(0, len(cells), width)]
            return Block(names, rows, frozenset(prefixes)), item.start()
        if item["bracket"]:
            brackets.append((item["bracket"], len(cells)))
            continue
        cells.append(item["term"] or _UNDEF)
        if name := item["name"] or item["datatype"]:
            prefixes.add(name.partition(":")[0])
    return None


def _after_space(request: str, start: int) -> int:
    space = _SPACE.match(request, start)
    return space.end() if space else start


def _around(cells: int, width: int, is_bracketed: bool) -> list[tuple[str, int]] | None:
    """The brackets around rows, each with the number of cells before it; None if there are none
    that fit."""
    if not is_bracketed:
        return []
    if not width or cells % width:
        return None
    return [each for at in range(0, cells, width) for each in (("(", at), (")", at + width))]


def fill(part: Any, blocks: list[Block], prologue: Prologue) -> None:
    """Puts the rows of the blocks where they were taken from. Raises NotTriGError."""
    for values in parts_called("values", part):
        mark = next((cell for row in values.res[:1] for cell in row.values()), None)
        if isinstance(mark, URIRef) and mark.startswith(_MARK):
            values["res"] = _solutions(blocks[int(mark.removeprefix(_MARK))], prologue)


def _solutions(block: Block, prologue: Prologue) -> list[dict[Variable, Any]]:
    variables = [Variable(name) for name in block.names]
    terms = _terms(block, prologue)
    return [{v: terms[cell] for v, cell in zip(variables, row, strict=True)} for row in block.rows]


def _terms(block: Block, prologue: Prologue) -> dict[str, Any]:
    """The term for each way to write one."""
    written = dict.fromkeys(cell for row in block.rows for cell in row)
    written.pop(_UNDEF, None)
    text = "".join([*declared(prologue, block.prefixes), "<x:s> <x:p> ", ",\n".join(written), " ."])
    try:
        quads = list(ox.parse(text, format=ox.RdfFormat.TURTLE, base_iri=prologue.base or None))
    except (SyntaxError, ValueError):
        raise NotTriGError from None
    terms = [to_rdflib(str(quad.object).encode()) for quad in quads]
    return {**dict(zip(written, terms, strict=True)), _UNDEF: _UNDEF}
