"""What the grammar of SPARQL lets pass and its notes forbid (SPARQL 1.1, 11.4 and 19.8)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from typing import Any

from rdflib.term import BNode, Variable

from rdfinc import DataSyntaxError
from rdfinc.plugins.sparql.syntax.nodes import Node

_WITHOUT_PARTS = {"BGP", "values"}


def refuse_shared_blanks(part: Node) -> None:
    """Raises DataSyntaxError for a blank node that two basic graph patterns name."""
    named: set[BNode] = set()
    for basic in parts_called("BGP", part):
        own = {term for triple in basic.triples for term in triple if isinstance(term, BNode)}
        if twice := own & named:
            label = min(twice).n3()
            raise wrong(f"{label} stands in two basic graph patterns; name it by a variable")
        named |= own


def refuse_unkeyed(part: Any, bound: Collection[Variable]) -> None:
    """Raises DataSyntaxError for a variable shown beside groups (11.4), unless it is a key of
    GROUP BY or bound before the request."""
    for variable in unkeyed(part):
        if variable not in bound:
            raise wrong(
                f"{variable.n3()} is no key of GROUP BY, and has many values in a group: "
                f"add it to GROUP BY, or show an aggregate, SAMPLE({variable.n3()})"
            )


def unkeyed(part: Any) -> Iterator[Variable]:
    """The variables shown beside groups that are no keys of these."""
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


def refuse_variables(template: Node, where: str) -> None:
    """Raises DataSyntaxError for a variable in ground data (19.8, note 8)."""
    terms = chain(*template.triples, template.quads, *chain(*template.quads.values()))
    for term in terms:
        if isinstance(term, Variable):
            other = f"{where[:6]} {{…}} WHERE {{…}}"
            raise wrong(f"{term.n3()} in {where}, which takes no variables: use {other}")


def refuse_blanks(template: Node, where: str) -> None:
    """Raises DataSyntaxError for a blank node among what is to be deleted (19.8, note 7)."""
    for triple in chain(template.triples, *template.quads.values()):
        if any(isinstance(term, BNode) for term in triple):
            raise wrong(f"a blank node in {where} names nothing: use a variable of WHERE")


def wrong(reason: str) -> DataSyntaxError:
    return DataSyntaxError("query", None, "", reason)
