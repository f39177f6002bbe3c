"""Skolem terms: an IRI of its own for each function name and tuple of arguments."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from rdfinc.errors import BudgetExceededError
from rdfinc.terms.computed_depth import Nesting
from rdfinc.terms.dictionary import Dictionary, Ids

DEPTH = 64
"""How deeply Skolem terms may be nested."""


def skolem_iri(name: str, arguments: Sequence[bytes]) -> bytes:
    """The term for a name and the texts of its arguments."""
    hashed = hashlib.sha256(b"\n".join((name.encode(), *arguments))).hexdigest()[:32]
    return f"<urn:rdfinc:skolem:{quote(name, safe='')}:{hashed}>".encode()


class Skolems:
    """Skolem terms by id, with what they were made of and how deeply they are nested.

    The IRI is `urn:rdfinc:skolem:name:hash` with a hash of the name and the arguments' texts, so
    equal arguments give the same IRI in every knowledge base.
    """

    def __init__(self, dictionary: Dictionary, nesting: Nesting) -> None:
        self._dictionary, self._nesting = dictionary, nesting
        self._made: dict[int, tuple[str, tuple[int, ...], int]] = {}
        self._known: dict[tuple[str, tuple[int, ...]], int] = {}

    def make(self, name: str, arguments: tuple[int, ...]) -> int:
        """The id of the term. Raises BudgetExceededError where it would be nested too deeply."""
        found = self._known.get((name, arguments))
        if found is not None:
            self._dictionary.mention(np.array([found], np.uint32))
            return found
        depth = 1 + max((self._made[a][2] for a in arguments if a in self._made), default=0)
        if depth > DEPTH:
            budget = f'the nesting of SKOLEM("{name}", …)'
            message = f"update rolled back: {budget} went beyond {DEPTH}; do the rules end? Add an "
            raise BudgetExceededError(f"{message}atom that stops them", budget, DEPTH, DEPTH + 1)
        term = skolem_iri(name, self._dictionary.decode_many(arguments))
        id = self._dictionary.encode(term)
        self._nesting.note(id, arguments, term, f'SKOLEM("{name}", …)')
        self._made[id] = name, arguments, depth
        self._known[name, arguments] = id
        return id

    def arguments(self, name: str, id: int) -> tuple[int, ...] | None:
        """The arguments from which a term was made; None if it was not made under this name."""
        made = self._made.get(id)
        return made[1] if made is not None and made[0] == name else None

    def mention(self, mentioned: npt.NDArray[np.bool_]) -> None:
        """Adds, by id, what terms were made of, until they are forgotten themselves."""
        mentioned[[id for _, arguments, _ in self._made.values() for id in arguments]] = True

    def forget(self, freed: Ids) -> None:
        """Forgets ids that stand for no term any more."""
        for id in freed.tolist() if self._made else ():
            if (made := self._made.pop(id, None)) is not None:
                self._known.pop((made[0], made[1]), None)

    def copy(self, dictionary: Dictionary, nesting: Nesting) -> Skolems:
        """A copy over copies of the dictionary and of the depths."""
        twin = Skolems(dictionary, nesting)
        twin._made, twin._known = dict(self._made), dict(self._known)
        return twin
