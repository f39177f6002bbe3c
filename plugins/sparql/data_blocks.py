"""INSERT DATA and DELETE DATA of many triples, read as documents are.

A block of ground triples is TriG in other braces, but for a few things that only one of the two
languages has. Blocks with such things, and all that is no SPARQL, are left to the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import Prologue

from rdfinc import DataSyntaxError, UnsupportedError
from rdfinc.terms.dictionary import BLANK, Dictionary
from rdfinc.terms.reading import Loaded, read

LEAST = 1 << 12
"""Characters of a request from which on its blocks are looked for."""

OPERATIONS = {"INSERT": "InsertData", "DELETE": "DeleteData"}

_TOKEN = re.compile(
    r'''(?P<skipped><[^<>"{}|^`\\\x00-\x20]*>
      |"""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^'\\]|\\.|'(?!\'\'))*\'\'\'
      |"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*'
      |(?<!\\)\#[^\n\r]*)
    |(?P<data>\b(?P<word>INSERT|DELETE)\s+DATA\s*\{)
    |(?P<brace>[{}])
    |(?P<graph>(?<![\w:.-])GRAPH(?![\w:.-]))
    |(?P<other>@(?:prefix|base|version)\b|\b(?:PREFIX|BASE|VERSION)\b|<<|\\u|\$|\?|\[\]\s*\{)
    |(?P<blank>_:|[(\[])
    |(?P<prefix>[^\W\d_][\w.-]*(?=:)|(?<![\w:]):)''',
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


class Block(NamedTuple):
    """The content of a block: for which operation, and the prefixes that may occur in it."""

    operation: str
    text: str
    prefixes: frozenset[str]


class NotTriGError(Exception):
    """A request that the grammar has to read."""


def taken_out(request: str) -> tuple[str, list[Block]]:
    """A request with empty blocks, and what was in them. Raises NotTriGError."""
    rest: list[str] = []
    blocks: list[Block] = []
    tokens, kept = _TOKEN.finditer(request), 0
    for token in tokens:
        if token["data"]:
            stop, prefixes = _end_of_block(tokens, with_blanks=token["word"].upper() == "INSERT")
            rest.append(request[kept : token.end()])
            content = request[token.end() : stop]
            blocks.append(Block(OPERATIONS[token["word"].upper()], content, prefixes))
            kept = stop
    if not blocks:
        raise NotTriGError
    return "".join([*rest, request[kept:]]), blocks


def _end_of_block(
    tokens: Iterator[re.Match[str]], *, with_blanks: bool
) -> tuple[int, frozenset[str]]:
    """Where the block that begins here ends, and the prefixes in it."""
    depth, graphs = 0, 0
    prefixes: set[str] = set()
    for token in tokens:
        if token["brace"] == "}":
            if not depth:
                return token.start(), frozenset(prefixes)
            depth -= 1
        elif token["brace"]:
            depth, graphs = depth + 1, graphs - 1
        elif token["graph"]:
            graphs += 1
        elif token["prefix"]:
            prefixes.add(token["prefix"].rstrip(":"))
        elif token["other"] or token["data"] or (token["blank"] and not with_blanks):
            raise NotTriGError
        if depth > 1 or graphs not in (0, 1):
            raise NotTriGError
    raise NotTriGError


def loaded(block: Block, operation: CompValue, dictionary: Dictionary) -> Loaded:
    """What an operation states in its block. Raises NotTriGError."""
    if operation.name != block.operation:
        raise NotTriGError
    text = "".join([*_declared(operation.prologue, block.prefixes), block.text, _end(block.text)])
    try:
        base = operation.prologue.base or None
        found = read(text.encode(), dictionary, format="trig", base=base)
    except (DataSyntaxError, UnsupportedError):
        raise NotTriGError from None
    if (dictionary.kinds[found.g] == BLANK).any():
        raise NotTriGError
    return found


def _declared(prologue: Prologue, prefixes: frozenset[str]) -> Iterator[str]:
    for prefix, namespace in prologue.namespace_manager.namespaces():
        if prefix in prefixes:
            yield f"@prefix {prefix}: <{namespace}> .\n"


def _end(text: str) -> str:
    """What ends the last statement, if nothing does; a comment may come last."""
    bare = _TOKEN.sub(lambda token: "" if token[0][0] == "#" else token[0], text).rstrip()
    return "\n" if not bare or bare[-1] in ".}" else "\n."
