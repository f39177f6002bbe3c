"""What the grammar of SPARQL lets pass and SPARQL forbids (SPARQL 1.1, 11.4 and 18.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from rdflib.term import Variable

from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.syntax.sparql_error import ForbiddenError
from rdfinc.plugins.sparql.syntax.tokens import places

_WITHOUT_PARTS = {"BGP", "values"}


class MisplacedError(Exception):
    """What is forbidden at a token of a text that is yet to be named; or, where a `variable` is
    told, at the first such token from that one on."""

    def __init__(self, token: int, reason: str, variable: Variable | None = None) -> None:
        super().__init__(token, reason, variable)
        self.token, self.reason, self.variable = token, reason, variable

    def within(self, text: str) -> ForbiddenError:
        """The error of a text, whose escapes are characters already. O(text)."""
        found = places(text)[self.token :]
        names = ("?" + self.variable, "$" + self.variable) if self.variable is not None else ()
        named = (start for start, end in found if text[start:end] in names)
        return ForbiddenError(text, next(named, found[0][0]), self.reason)


@contextmanager
def placed_in(text: str) -> Iterator[None]:
    """Tells of the place in a text what is forbidden in it."""
    try:
        yield
    except MisplacedError as error:
        raise error.within(text) from None


def refuse_unkeyed(part: Any, bound: Collection[Variable]) -> None:
    """Raises MisplacedError for a variable shown beside groups (11.4), unless it is a key of
    GROUP BY or bound before the request."""
    for variable, token in unkeyed(part):
        if variable not in bound:
            name = variable.n3()
            reason = (
                f"{name} is no key of GROUP BY, and has many values in a group: "
                f"add it to GROUP BY, or show an aggregate, SAMPLE({name})"
            )
            raise MisplacedError(token, reason, variable)


def unkeyed(part: Any) -> Iterator[tuple[Variable, int]]:
    """The variables shown beside groups that are no keys of these, each with the token at which
    what is shown begins."""
    waiting = [part]
    while waiting:
        for groups in parts_called("AggregateJoin", waiting.pop()):
            yield from groups.unkeyed or ()  # those that rdflib has made do not tell
            waiting.append(groups.p)


def parts_called(name: str, part: Any) -> Iterator[Node]:
    """The parts of that name in a part and its expressions, or in a list, those within one of them
    left out."""
    waiting = [part]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Node):
            if each.name == name:
                yield each
            elif each.name not in _WITHOUT_PARTS:
                waiting += reversed(each.values())
        elif isinstance(each, list):
            waiting += reversed(each)
