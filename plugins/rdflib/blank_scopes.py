"""Blank nodes whose names are unique not only in one knowledge base."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from rdfinc.terms.dictionary import Dictionary


class UniqueScope:
    """A dictionary, for the reader of one document whose blank nodes get globally unique names.

    The names of blank nodes hold the number of their scope. A dictionary counts; here the number
    is drawn at random, because rdflib takes equal names in different graphs for one node.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary

    def fresh_scope(self) -> int:
        return uuid4().int >> 64

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dictionary, name)
