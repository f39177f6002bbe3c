"""Fresh blank nodes for every file that is read (DESIGN, *Terms*)."""

from __future__ import annotations

import re
from collections.abc import Callable

from rdfinc.terms.dictionary import Dictionary

GENERATED = rb"_:[a-f][0-9a-f]{15,31}"
"""The labels that pyoxigraph's parser gives to nodes without one, as a regular expression."""

_GENERATED = re.compile(GENERATED)


class LabelScope:
    """One file's blank nodes: label in the file -> the key of a node.

    In the scope `f` the node `_:x` is named `_:ff_x`; nodes without a label are named `_:ff-0`,
    `_:ff-1`, … in order of appearance. Names depend on the file and on `f` only, not on chance.
    """

    def __init__(self, name: bytes, part: bytes = b"") -> None:
        self._name, self._part = b"_:f%b" % name, part
        self._numbers: dict[bytes, int] = {}

    def labelled(self, node: bytes) -> bytes:
        """The key of `_:label`, a label chosen by the author of the file."""
        return self._key(b"_" + node[2:])

    def parsed(self, node: bytes) -> bytes:
        """The key of `_:label` as pyoxigraph's parser gives it: random for `[]` and the like."""
        return self.labelled(node) if _GENERATED.fullmatch(node) is None else self.unlabelled(node)

    def unlabelled(self, node: bytes) -> bytes:
        """The key of a node without a label; `name` is what the parser calls it."""
        number = self._numbers.setdefault(node, len(self._numbers))
        return self._key(b"-%b%d" % (self._part, number))

    def _key(self, rest: bytes) -> bytes:
        return self._name + rest


class BlankScope(LabelScope):
    """A scope with nodes of its own among those of a dictionary; the n-th scope is named n.

    Where a name was taken before the scope began, the scope's number gets an `x` appended until it
    is free.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        super().__init__(b"%d" % dictionary.fresh_scope())
        self._dictionary = dictionary
        self._begin = dictionary.position

    def _key(self, rest: bytes) -> bytes:
        name = self._name
        while self._is_taken(name + rest):
            name += b"x"
        return name + rest

    def _is_taken(self, key: bytes) -> bool:
        id = self._dictionary.find(key)
        return id is not None and not self._dictionary.is_since(id, self._begin)


class LabelsAsWritten(LabelScope):
    """The scope of a text whose nodes get their names later: every node keeps its label, be it the
    author's or the parser's."""

    def __init__(self) -> None:
        super().__init__(b"")

    def labelled(self, node: bytes) -> bytes:
        return node

    parsed = labelled


class PieceScope(LabelScope):
    """The scope of one piece of a file: labels mean the same in all pieces, and nodes without a
    label are those of the piece, `_:ff-p-0` in the piece called `p`.

    `chosen` tells those labels in the piece that look like generated ones; asked once if at all.
    """

    def __init__(self, name: bytes, piece: bytes, chosen: Callable[[], set[bytes]]) -> None:
        super().__init__(name, piece + b"-")
        self._ask = chosen
        self._chosen: set[bytes] | None = None

    def parsed(self, node: bytes) -> bytes:
        if self._chosen is None and _GENERATED.fullmatch(node):
            self._chosen = self._ask()
        if self._chosen and node in self._chosen:
            return self.labelled(node)
        return super().parsed(node)
