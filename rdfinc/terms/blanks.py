"""Fresh blank nodes for every file that is read (DESIGN §6.3)."""

from __future__ import annotations

import re

from rdfinc.terms.dictionary import Dictionary

_GENERATED = re.compile(rb"_:[a-f][0-9a-f]{15,31}")


class BlankScope:
    """One file's blank nodes: label in the file -> a node that no one else has.

    The n-th scope of a dictionary calls `_:x` `_:fn_x`, and a node without a label `_:fn-0`,
    `_:fn-1`, … in order of appearance: names depend on the file and on n only, not on chance. A
    name that was taken before the scope began gets an `x` appended until it is free.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._first_own = len(dictionary) + 1
        number = dictionary.fresh_scope()
        self._labelled = b"_:f%d_" % number
        self._unlabelled = b"_:f%d-" % number
        self._numbers: dict[bytes, int] = {}

    def labelled(self, node: bytes) -> bytes:
        """The key of `_:label`, whose label the file's author chose."""
        return self._free(self._labelled + node[2:])

    def parsed(self, node: bytes) -> bytes:
        """The key of `_:label` as pyoxigraph's parser gives it: random for `[]` and the like."""
        if _GENERATED.fullmatch(node) is None:
            return self.labelled(node)
        number = self._numbers.setdefault(node, len(self._numbers))
        return self._free(self._unlabelled + b"%d" % number)

    def _free(self, key: bytes) -> bytes:
        while (id := self._dictionary.find(key)) is not None and id < self._first_own:
            key += b"x"
        return key
