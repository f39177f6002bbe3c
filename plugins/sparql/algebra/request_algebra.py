"""Requests in the algebra, with the declarations by which their terms were read, and their text as
it was written, if there is one."""

from __future__ import annotations

from typing import NamedTuple

from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.syntax.prologue import Declared


class QueryAlgebra(NamedTuple):
    """A query."""

    prologue: Declared
    algebra: Node
    text: str = ""


class UpdateAlgebra(NamedTuple):
    """An update: its operations in turn."""

    prologue: Declared
    algebra: list[Node]
    text: str = ""
