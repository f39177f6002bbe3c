"""What pyoxigraph (up to 0.5) misreads in RDF/XML, found in a block of text by NumPy.

A block begins at a tag, and two bytes of the tag behind it belong to it. What is found may be none,
within a text or a comment.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.intp]
Codes = npt.NDArray[np.uint8]

_SPACE, _COLON, _QUOTE = 1, 2, 4
_KIND = np.zeros(256, np.uint8)
_KIND[list(b" \t\r\n")], _KIND[ord(":")], _KIND[list(b"\"'")] = _SPACE, _COLON, _QUOTE
_LANGUAGE = re.compile(rb"xml:lang=(?:\"\"|'')")
_SPACED = re.compile(rb"=\s*[\"']")
_PARSED = re.compile(rb"=[\"'](?:Resource|Collection)[\"']\s*/?>")
_WHOLE = 8
_TYPED = b"datatype"
_ODD = {b"about": _SPACE, b"ID": _SPACE, b"resource": _SPACE, b"type": _SPACE | _COLON}
_ODD[b"bagID"] = _SPACE | _COLON
"""Local names of attributes, and what stands before those that are misread."""


def has_rare_feature(text: bytes, codes: Codes, opened: Places, before: bytes) -> bool:
    """Whether there may be a DTD, a CDATA section, a comment or processing instruction in a text,
    `xml:lang=""`, an attribute that is misread, or an element in a typed literal.

    `codes` are the bytes of the block as numbers, `opened` the places of `<`, and `before` is the
    last tag ahead of the block, and what follows it but for spaces. About 3 ns a byte.
    """
    firsts = codes[opened + 1]
    marks = opened[(firsts == ord("!")) | (firsts == ord("?"))].tolist()
    if any(_is_odd_mark(text, place, before) for place in marks if place < len(text) - 2):
        return True
    if _LANGUAGE.search(text) is not None:
        return True
    equals = np.flatnonzero(codes[:-1] == ord("="))
    if _are_spaced(text, codes, equals) or _has_broken_value(codes):
        return True
    return _has_odd_attribute(text, codes, opened, equals[_KIND[codes[equals + 1]] == _QUOTE])


def _is_odd_mark(text: bytes, place: int, before: bytes) -> bool:
    """Whether `<!` or `<?` there begins anything but a comment or an instruction between tags."""
    if text[place + 1] == ord("?"):
        end = text.find(b"?>", place) + 2
    elif text.startswith(b"<!--", place):
        end = text.find(b"-->", place + 4) + 3
    else:
        return True
    last, following = text.rfind(b">", 0, place), text.find(b"<", end)
    tag = before if last < 0 else text[text.rfind(b"<", 0, last) : last + 1]
    if end < 4 or text[last + 1 : place].strip() or tag[-1:] not in b">":
        return True
    if following < 0:
        return bool(text[end:].strip())
    if text[end:following].strip():
        return True
    return text[following + 1] == ord("/") and not tag.startswith(b"</") and tag[-2:] != b"/>"


def _are_spaced(text: bytes, codes: Codes, equals: Places) -> bool:
    """Whether there may be spaces between an attribute and its value."""
    spaced = equals[((_KIND[codes[equals - 1]] | _KIND[codes[equals + 1]]) & _SPACE) != 0]
    return any(_SPACED.match(text, place) for place in spaced.tolist())


def _has_odd_attribute(text: bytes, codes: Codes, opened: Places, equals: Places) -> bool:
    eights: npt.NDArray[np.uint64] = np.ndarray(
        (len(text) + 1,), "<u8", bytes(_WHOLE) + text, strides=(1,)
    )
    tails = eights[equals]

    def named(name: bytes) -> Places:
        unseen = np.uint64(8 * (_WHOLE - len(name)))
        are_named: npt.NDArray[np.bool_] = tails >> unseen == int.from_bytes(name, "little")
        return equals[are_named]

    for name, kinds in _ODD.items():
        if (_KIND[codes[named(name) - len(name) - 1]] & kinds).any():
            return True
    behind = np.searchsorted(opened, named(_TYPED))
    following = opened[behind[behind < opened.size]]
    if (codes[following + 1] != ord("/")).any():
        return True
    return not all(_is_plain(text, place) for place in named(b"arseType").tolist())


def _is_plain(text: bytes, place: int) -> bool:
    """Whether parseType, with its `=` there, is Resource or Collection and the only attribute."""
    start = text.rfind(b"<", 0, place)
    before = text[start:place].split()
    return (
        len(before) == 2
        and before[1].endswith(b":parseType")
        and _PARSED.match(text, place) is not None
    )


def _has_broken_value(codes: Codes) -> bool:
    """Whether an attribute's value may have a tab or a line break in it."""
    breaks = np.append(np.flatnonzero(codes < ord(" ")), codes.size)
    for quote in b"\"'":
        quotes = np.append(np.flatnonzero(codes == quote), codes.size)
        first = np.flatnonzero(codes[quotes[:-1] - 1] == ord("="))
        following = breaks[np.searchsorted(breaks, quotes[first])]
        if (following < quotes[first + 1]).any():
            return True
    return False
