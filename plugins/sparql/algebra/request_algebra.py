"""Requests in the algebra, with the declarations by which their terms were read."""

from __future__ import annotations

from typing import NamedTuple

from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.syntax.prologue import Declared


class QueryAlgebra(NamedTuple):
    """A query."""

    prologue: Declared
    algebra: Node


class UpdateAlgebra(NamedTuple):
    """An update: its operations in turn."""

    prologue: Declared
    algebra: list[Node]
