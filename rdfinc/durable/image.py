"""The image: all that a knowledge base keeps beside its dictionary, closure included.

It is a pickle whose arrays stand beside it, to be mapped, and which may name only the classes of
the engine and a few functions. It is right for the program that wrote it and for no other: the
`fingerprint` of that program goes with it, and whoever has another derives the closure again.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from rdfinc.durable.damage import Damage
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.terms.dictionary import Dictionary

_NAMES = {
    ("array", "_array_reconstructor"),
    ("array", "array"),
    ("builtins", "frozenset"),
    ("builtins", "set"),
    ("collections", "Counter"),
    ("collections", "OrderedDict"),
    ("collections", "defaultdict"),
    ("collections", "deque"),
    ("functools", "partial"),
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.numeric", "_frombuffer"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy.core.numeric", "_frombuffer"),
    ("rdfinc.tables.closure.schemes", "closed"),
    ("rdfinc.tables.sorted_pairs", "_restored"),
}
_OF_FUNCTIONS = (
    "rdfinc.knowledge_base.rules.aggregate_evaluation",
    "rdfinc.owl.profiles.profile_rules",
)
"""Modules whose functions an image may name; of all others of the engine it may name classes."""

_ROOMS = ("datalog", "knowledge_base", "owl", "reasoning", "tables", "terms")


@cache
def fingerprint() -> str:
    """What tells this program from others: a digest of its modules and rules, and of NumPy's
    version."""
    root, digest = Path(__file__).parents[1], hashlib.blake2b(digest_size=16)
    digest.update(np.__version__.encode())
    for room in _ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.suffix in (".py", ".dlog", ".lark"):
                digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def image_of(state: Any, dictionary: Dictionary) -> list[memoryview]:
    """The pickle of a state, and the larger arrays in it, in one list. It is empty for a state
    with a function that is not known to be harmless to name: whoever opens that derives again."""
    stream, arrays = io.BytesIO(), list[memoryview]()

    def beside(buffer: pickle.PickleBuffer) -> bool:
        content = buffer.raw()
        if content.nbytes < DURABLE.least_array_bytes:
            return True
        arrays.append(content)
        return False

    try:
        _Pickler(stream, dictionary, beside).dump(state)
    except _UnnameableError:
        return []
    return [stream.getbuffer(), *arrays]


def state_of(image: Sequence[memoryview], dictionary: Dictionary) -> Any:
    """The state that `image_of` was given, over the arrays of the image. Raises Damage."""
    try:
        return _Unpickler(image[0], dictionary, image[1:]).load()
    except Damage:
        raise
    except Exception as error:  # of a damaged pickle almost anything is raised
        raise Damage(f"the image of the closure cannot be read: {error}") from error


class _Pickler(pickle.Pickler):
    def __init__(self, stream: io.BytesIO, dictionary: Dictionary, beside: Callable[..., bool]):
        super().__init__(stream, 5, buffer_callback=beside)
        self._dictionary = dictionary

    def reducer_override(self, value: Any) -> Any:
        """The dictionary stands elsewhere. Raises _Unnameable for a function that is not known to
        be harmless."""
        if value is self._dictionary:
            return _the_dictionary, ()
        if isinstance(value, FunctionType) and not _may_name(value.__module__, value.__name__):
            raise _UnnameableError(f"{value.__module__}.{value.__name__}")
        return NotImplemented


class _UnnameableError(Exception):
    """A function that no image may name."""


class _Unpickler(pickle.Unpickler):
    def __init__(
        self, content: memoryview, dictionary: Dictionary, arrays: Sequence[memoryview]
    ) -> None:
        super().__init__(io.BytesIO(content), buffers=arrays)
        self._dictionary = dictionary

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == _THE_DICTIONARY:
            return lambda: self._dictionary
        top, _, rest = module.partition(".")
        if not _may_name(module, name) and not (
            top == "rdfinc" and rest.partition(".")[0] in _ROOMS and "." not in name
        ):
            raise Damage(f"the image names {module}.{name}")
        found = super().find_class(module, name)
        if not _may_name(module, name) and not isinstance(found, type):
            raise Damage(f"the image names {module}.{name}")
        return found


def _may_name(module: str, name: str) -> bool:
    """Whether an image may name this, whatever it is."""
    return (
        (module, name) in _NAMES
        or (module in _OF_FUNCTIONS and "." not in name)
        or (module, name) == _THE_DICTIONARY
    )


def _the_dictionary() -> Dictionary:
    """Stands for the dictionary in an image."""
    raise AssertionError("found by _Unpickler alone")


_THE_DICTIONARY = (_the_dictionary.__module__, _the_dictionary.__name__)
