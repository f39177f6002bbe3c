"""INSERT DATA, DELETE DATA and ground templates of many triples, read as documents are.

A block of ground triples is TriG in other braces, but for a few things that only one of the two
languages has. Data with such things, and all that is no SPARQL, are left to the grammar; and so is
each template that is not ground.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rdfinc import DataSyntaxError, UnsupportedError
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.syntax.prologue import Declared
from rdfinc.terms.dictionary import BLANK, Dictionary
from rdfinc.terms.io.reading import Loaded, read
from rdfinc.terms.late_patterns import late

OPERATIONS = {"INSERT": "InsertData", "DELETE": "DeleteData"}
TEMPLATE = "Modify"

_SKIPPED = r'''(?P<skipped><[^<>"{}|^`\\\x00-\x20]*>
      |"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|\'\'\'[^'\\]*(?:(?:\\.|'(?!\'\'))[^'\\]*)*\'\'\'
      |"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*"|'[^'\\\n\r]*(?:\\.[^'\\\n\r]*)*'|(?<!\\)["'].*
      |(?<!\\)\#[^\n\r]*)'''
"""Tokens that may hold any character: names, texts and comments."""

_TOKEN = late(
    _SKIPPED
    + r"""
    |(?P<data>\b(?P<word>INSERT|DELETE)\s+DATA\s*\{)
    |(?P<template>(?<![\w:.-])(?:INSERT|DELETE)\s*\{)
    |(?P<brace>[{}])
    |(?P<graph>(?<![\w:.-])GRAPH(?![\w:.-]))
    |(?P<other>@(?:prefix|base|version)\b|\b(?:PREFIX|BASE|VERSION)\b|<<|\$|\?|\[\]\s*\{)
    |(?P<blank>_:|\[|\()
    |[^\W\d_][\w.-]*""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_PLAIN = late(
    r"""(?:<[^<>"{}|^`\\\x00-\x20]*>
      |"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*"(?!")
      |(?:[^\W\d_][\w.-]*)?:[\w.:%-]*
      |a(?=[\s<:])
      |[\s.,;^0-9+-]){0,1000}""",
    re.VERBOSE | re.DOTALL,
)
"""Tokens without braces or keywords, several at once: names, texts in quotes, numbers,
punctuation."""


class DataBlock(NamedTuple):
    """The content of a block: its operation, and its `last` character outside of space and
    comments, if there is one."""

    operation: str
    text: str
    last: str

    @property
    def end(self) -> str:
        """The end of the last statement, if the text lacks it; a comment may come last."""
        return "\n" if self.last in (".", "}", "") else "\n."


class NotTriGError(Exception):
    """A request that the grammar has to read."""


def taken_out(request: str) -> tuple[str, list[DataBlock | None]]:
    """A request with empty blocks, and their contents; None for a template that stays in the
    request. Raises NotTriGError."""
    rest: list[str] = []
    blocks: list[DataBlock | None] = []
    at = kept = 0
    while token := _TOKEN.search(request, at):
        at = token.end()
        if token["data"] or token["template"]:
            block = _ground_template(request, at) if token["template"] else _data(request, token)
            blocks.append(block)
            if block is not None:
                rest.append(request[kept:at])
                at = kept = at + len(block.text)
    if not any(blocks) or sum(block is not None and "_:" in block.text for block in blocks) > 1:
        raise NotTriGError  # the grammar sees whether they share a label
    return "".join([*rest, request[kept:]]), blocks


def _data(request: str, token: re.Match[str]) -> DataBlock:
    word = token["word"].upper()
    return _block(OPERATIONS[word], request, token.end(), with_blanks=word == "INSERT")


def _ground_template(request: str, start: int) -> DataBlock | None:
    try:
        return _block(TEMPLATE, request, start, with_blanks=False)
    except NotTriGError:
        return None


def _block(operation: str, request: str, start: int, *, with_blanks: bool) -> DataBlock:
    """The block that begins here. Raises NotTriGError."""
    depth = graphs = 0
    after, last = start, ""
    for token in _tokens(request, start):
        ends = token["brace"] == "}" and not depth
        if ends or token[0][0] == "#":
            last = request[after : token.start()].rstrip()[-1:] or last
            after = token.end()
        if ends:
            return DataBlock(operation, request[start : token.start()], last)
        if token["brace"] == "}":
            depth -= 1
        elif token["brace"]:
            depth, graphs = depth + 1, graphs - 1
        elif token["graph"]:
            graphs += 1
        elif token["other"] or (token["blank"] and not with_blanks):
            raise NotTriGError
        if depth > 1 or graphs not in (0, 1):
            raise NotTriGError
    raise NotTriGError


def _tokens(request: str, at: int) -> Iterator[re.Match[str]]:
    """The tokens that are not plain, in order."""
    while True:
        while (plain := _PLAIN.match(request, at)) and plain.end() > at:
            at = plain.end()
        token = _TOKEN.search(request, at)
        if token is None:
            return
        yield token
        at = token.end()


def places(operations: Iterable[Node]) -> Iterator[tuple[Node, Node]]:
    """The places of blocks in some operations, in order, each with its operation."""
    for operation in operations:
        if operation.name in OPERATIONS.values():
            yield operation, operation
        elif operation.name == TEMPLATE:
            for template in filter(None, (operation.delete, operation.insert)):
                yield operation, template


def loaded(block: DataBlock, operation: Node, dictionary: Dictionary) -> Loaded:
    """The statements of an operation's block. Raises NotTriGError."""
    if operation.name != block.operation:
        raise NotTriGError
    text = "".join([*_declared(operation.prologue), block.text, block.end])
    try:
        base = operation.prologue.base or None
        found = read(text.encode(), dictionary, format="trig", base=base)
    except (DataSyntaxError, UnsupportedError):
        raise NotTriGError from None
    kinds = dictionary.kinds
    if any((kinds[graphs] == BLANK).any() for _, _, _, graphs in found.blocks):
        raise NotTriGError
    return found


def _declared(prologue: Declared) -> Iterator[str]:
    """The declarations of all prefixes in Turtle: to look for them in a long text takes longer."""
    for prefix, namespace in prologue.namespaces():
        yield f"@prefix {prefix}: <{namespace}> .\n"
