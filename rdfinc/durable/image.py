"""The image: all that a knowledge base keeps beside its dictionary, closure included.

It is a pickle whose arrays stand beside it, to be mapped, and which may name only the classes of
the engine and a few functions. It is right for the program that wrote it and for no other: the
`fingerprint` of that program goes with it, and whoever has another derives the closure again.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import numpy.typing as npt

from rdfinc.durable.damage import Damage
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.knowledge_base.kept import set_attributes
from rdfinc.knowledge_base.versions.version import Version
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
    ("rdfinc.knowledge_base.kept", "set_attributes"),
    ("rdfinc.tables.closure.schemes", "closed"),
    ("rdfinc.tables.sorted_pairs", "_restored"),
}
_OF_FUNCTIONS = (
    "rdfinc.knowledge_base.rules.aggregate_evaluation",
    "rdfinc.owl.profiles.profile_rules",
)
"""Modules whose functions an image may name; of all others of the engine it may name classes."""

_OWN_WAYS = "__reduce__", "__reduce_ex__", "__setstate__"
"""How a class says what its objects are made of, other than by attributes."""

_ROOMS = ("datalog", "knowledge_base", "owl", "reasoning", "tables", "terms")


def fingerprint() -> str:
    """What tells this program from others: a digest of its modules and rules, and of NumPy's
    version."""
    return digest_of(_ROOMS, np.__version__)


@cache
def digest_of(rooms: tuple[str, ...], more: str = "") -> str:
    """A digest of the modules and rules in some rooms, and of a text."""
    root, digest = Path(__file__).parents[1], hashlib.blake2b(digest_size=16)
    digest.update(more.encode())
    places = (place for room in rooms for place in os.walk(root / room))
    names = (os.path.join(place, name) for place, _, names in places for name in names)
    for name in sorted(name for name in names if name.endswith((".py", ".dlog", ".lark"))):
        with open(name, "rb") as file:
            digest.update(os.path.basename(name).encode() + file.read())
    return digest.hexdigest()


def image_of(state: Any, dictionary: Dictionary, version: Version) -> list[memoryview]:
    """The pickle of a state, and the larger arrays in it, in one list. Those of its version stand
    for themselves, as a version that is pinned never changes; all others are copies. It is empty
    for a state with something that is not known to be harmless to name: whoever opens that derives
    again."""
    stream, arrays, fixed = io.BytesIO(), list[memoryview](), set(map(_place, version.arrays()))

    def beside(buffer: pickle.PickleBuffer) -> bool:
        content = buffer.raw()
        if content.nbytes < DURABLE.least_array_bytes:
            return True
        is_fixed = _place(np.frombuffer(content, np.uint8)) in fixed
        arrays.append(content if is_fixed else memoryview(bytes(content)))
        return False

    try:
        _Pickler(stream, dictionary, beside).dump(state)
    except (_UnnameableError, pickle.PicklingError, RecursionError):
        return []
    return [stream.getbuffer(), *arrays]


def _place(array: npt.NDArray[Any]) -> int:
    """Where an array is in memory."""
    return array.ctypes.data


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
        """The dictionary stands elsewhere. Raises _UnnameableError for a function or class that is
        not known to be harmless."""
        if value is self._dictionary:
            return _the_dictionary, ()
        if isinstance(value, FunctionType | type) and not _is_harmless(
            value.__module__, value.__qualname__, value
        ):
            raise _UnnameableError(f"{value.__module__}.{value.__qualname__}")
        kind: Any = type(value)
        if not _is_plain(kind):
            return NotImplemented
        make, given, state, *_ = value.__reduce_ex__(5)
        return make, given, state, None, None, set_attributes if type(state) is dict else None


@cache
def _is_plain(kind: Any) -> bool:
    """Whether objects of a class of the engine are their attributes, and nothing beside."""
    is_container = issubclass(kind, dict | list | set | frozenset | tuple)
    has_own_way = any(name in vars(base) for base in kind.__mro__[:-1] for name in _OWN_WAYS)
    return _is_of_engine(kind.__module__, kind.__qualname__) and not (is_container or has_own_way)


class _UnnameableError(Exception):
    """A function or class that no image may name."""


class _Unpickler(pickle.Unpickler):
    def __init__(
        self, content: memoryview, dictionary: Dictionary, arrays: Sequence[memoryview]
    ) -> None:
        super().__init__(io.BytesIO(content), buffers=arrays)
        self._dictionary = dictionary

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == _THE_DICTIONARY:
            return lambda: self._dictionary
        if _is_of_engine(module, name) or (module, name) in _NAMES:
            found = super().find_class(module, name)
            if _is_harmless(module, name, found):
                return found
        raise Damage(f"the image names {module}.{name}")


def _is_harmless(module: str, name: str, value: Any) -> bool:
    """Whether an image may name this: a class that a module of the engine defines, or a function
    that is known."""
    if (module, name) in _NAMES or (module, name) == _THE_DICTIONARY:
        return True
    is_known = isinstance(value, type) or module in _OF_FUNCTIONS
    is_own = getattr(value, "__module__", None) == module
    return is_known and is_own and _is_of_engine(module, name)


def _is_of_engine(module: str, name: str) -> bool:
    top, _, rest = module.partition(".")
    return top == "rdfinc" and rest.partition(".")[0] in _ROOMS and "." not in name


def _the_dictionary() -> Dictionary:
    """Stands for the dictionary in an image."""
    raise AssertionError("found by _Unpickler alone")


_THE_DICTIONARY = (_the_dictionary.__module__, _the_dictionary.__name__)
