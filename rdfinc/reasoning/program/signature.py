"""What some of the ids in a program stand for."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from rdfinc.tables.kernels import IdArray, Mask


class Signature(Struct, frozen=True):
    """The signature of a program: the id of `rdf:type`, which relations are auxiliary, that of a
    module's external facts, named by the module's first member, and which terms are literals."""

    type: int
    is_auxiliary: Callable[[int], bool]
    external: Callable[[int], int]
    are_literals: Callable[[IdArray], Mask]
