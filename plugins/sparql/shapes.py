"""Shapes of queries: texts that differ in constants of their patterns share their algebra, and what
is compiled of it.

A shape is all of a text but these constants: subjects and objects of one token each, in the pattern
of a query. All others belong to it: predicates and paths, FILTER and BIND, VALUES, datatypes and
languages, LIMIT, templates, the graphs, and the prefixes and the base by which names are read.
Nothing in the algebra depends on which constants are equal. Joins are put in order whenever a query
is asked, by the sizes of what its own constants find.

Where constants stand is told by the kinds of tokens, once a text of these has been read. A shape is
kept when it is met again, so that texts that are asked once, as with lists of any length, push none
of them out. Its texts are kept likewise, with the prefixes in force: a text that is asked again is
not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from rdfinc.plugins.sparql.algebra.forbidden import unkeyed
from rdfinc.plugins.sparql.algebra.request_algebra import QueryAlgebra
from rdfinc.plugins.sparql.algebra.translate import query_of, read_as, shape_of
from rdfinc.plugins.sparql.evaluation.scope import Memory
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.syntax.escapes import unescaped
from rdfinc.plugins.sparql.syntax.term_reader import CONSTANTS
from rdfinc.plugins.sparql.syntax.tokens import Check, Tokens, tokens_of

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Shaped(NamedTuple):
    """A query whose patterns have parameters, the constants for these, and what is compiled of
    it; and whether it asks no server and shows keys only beside groups, so that nothing of it may
    be refused."""

    query: QueryAlgebra
    constants: Sequence[Any] = ()
    memory: Memory | None = None
    is_plain: bool = False


class _Recent(Generic[Key, Value]):
    """A mapping of the keys that were asked for last, some thousand at most. Threads may use it at
    once: what one of them loses is found out anew."""

    def __init__(self, most: Callable[[], int]) -> None:
        self._most, self._found = most, dict[Key, Value]()

    def get(self, key: Key) -> Value | None:
        found = self._found.pop(key, None)
        if found is not None:
            self._found[key] = found
        return found

    def keep(self, key: Key, value: Value) -> None:
        """Where there are too many, an eighth of them goes, so that one costs O(1)."""
        self._found[key] = value
        if len(self._found) > (most := self._most()):
            for oldest in [*self._found][: 1 + most // 8]:
                self._found.pop(oldest, None)


class Shapes:
    """The shapes that were met last."""

    def __init__(self) -> None:
        self._places: _Recent[tuple[str, ...], tuple[int, ...]]
        self._kept: _Recent[Hashable, Shaped]
        self._places = _Recent(lambda: QUERIES.noted_shapes)
        self._noted: _Recent[int, bool] = _Recent(lambda: QUERIES.noted_shapes)
        self._kept = _Recent(lambda: QUERIES.kept_shapes)
        self._texts: _Recent[Hashable, Shaped] = _Recent(lambda: QUERIES.noted_shapes)

    def query(
        self, text: str, prefixes: Mapping[str, Any], base: str | None, check: Check
    ) -> Shaped:
        """A query. Raises as `query_of`."""
        if len(text) > QUERIES.longest_shape:
            return Shaped(read_as(query_of, text, prefixes, base, check))
        around = (base, *((prefix, str(iri)) for prefix, iri in prefixes.items()))
        found = self._texts.get((text, around))
        if found is None:
            with unescaped(text) as plain:
                found, is_kept = self._of_shape(plain, prefixes, base, check, around)
            found = found._replace(query=found.query._replace(text=text))
            if is_kept:
                self._texts.keep((text, around), found)
        return found

    def _of_shape(
        self,
        text: str,
        prefixes: Mapping[str, Any],
        base: str | None,
        check: Check,
        around: Hashable,
    ) -> tuple[Shaped, bool]:
        """A query, `unescaped` already, and whether its shape is kept."""
        tokens = tokens_of(text, check)
        kinds = tuple(tokens.kinds)
        places = self._places.get(kinds)
        if places is not None:
            kept = self._kept.get(key := _key(kinds, tokens, places, around))
            constants = None if kept is None else _constants(kept.query, tokens, places)
            if kept is not None and constants is not None:
                return kept._replace(constants=constants), True
        if "SERVICE" in kinds:
            return Shaped(shape_of(text, tokens, prefixes, base, check, None)), False
        found: list[int] = []
        query = shape_of(text, tokens, prefixes, base, check, found)
        constants = _constants(query, tokens, found)
        assert constants is not None, "a name that was read has a prefix"
        is_plain = next(unkeyed(query.algebra), None) is None
        shaped = Shaped(query, constants, Memory(), is_plain)
        if places is None:
            places = tuple(found)
            self._places.keep(kinds, places)
            key = _key(kinds, tokens, places, around)
        is_kept = self._noted.get(hash(key)) is not None
        if is_kept:
            self._kept.keep(key, shaped)
        else:
            self._noted.keep(hash(key), True)
        return shaped, is_kept


def _key(
    kinds: tuple[str, ...], tokens: Tokens, places: Sequence[int], around: Hashable
) -> Hashable:
    """What texts of one shape have in common."""
    texts = tokens.texts.copy()
    for place in places:
        texts[place] = ""
    return kinds, tuple(texts), around


def _constants(query: QueryAlgebra, tokens: Tokens, places: Sequence[int]) -> list[Any] | None:
    """The constants of a text at the places of parameters; None where a prefix is not known."""
    kinds, texts, prologue = tokens.kinds, tokens.texts, query.prologue
    found = [CONSTANTS[kinds[place]](prologue, texts[place]) for place in places]
    return None if any(term is None for term in found) else found


SHAPES = Shapes()
"""Those of this process."""
