"""Where Turtle and TriG can be cut: between two statements, found without parsing the text.

A statement ends with a dot that stands between tokens; it can be cut where a line ends behind the
dot. Strings in
single or double quotes, IRIs and comments end on the line on which they begin, so every line begins
between tokens unless a long string (in triple quotes) covers its beginning. So few lines are taken
apart into tokens: those with triple quotes, with a possible directive or with a wanted cut, and in
TriG those with braces. All others are searched as bytes, about five times as fast as they could be
parsed.

There are no cuts behind an invalid token (an open quote, say): a parser will find the error. Nor
are there any behind a line of more than 64 MB.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO

import pyoxigraph as ox
from msgspec import Struct

from rdfinc.terms.io.statement_lines import escaped_iri
from rdfinc.terms.late_patterns import late
from rdfinc.terms.term_thresholds import TERMS

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LONGEST_DIRECTIVE = 1 << 16
_LONGEST_LINE = 1 << 26

_IRI = rb"<[^<>\n\r]*>"
_SPACE = rb"(?:[ \t\r\n]|#[^\n\r]*[\n\r])"
_PREFIX = rb"prefix" + _SPACE + rb"+[^\s:#<]*:|"
_NAME_BYTE = rb"[A-Za-z0-9_:%\x80-\xff-]"
_TOKEN = late(
    rb'(?P<long>"""|\'\'\')'
    rb'|(?P<string>"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"'
    rb"|'[^'\\\n\r]*(?:\\[^\n\r][^'\\\n\r]*)*')"
    rb"|(?P<comment>#[^\n\r]*)"
    rb"|(?P<iri>" + _IRI + rb")"
    rb"|(?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?[eE][+-]?[0-9]+|[0-9]*\.[0-9]+|[0-9]+))"
    rb"|(?P<name>(?:" + _NAME_BYTE + rb"+|\\.)(?:\.*(?:" + _NAME_BYTE + rb"+|\\.))*)"
    rb"|(?P<keyword>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)"
    rb"|(?P<odd>[\"'<\\]|\{\|)"
    rb"|(?P<mark>[.{}\]])"
)
_DIRECTIVE = late(
    rb"@(?:" + _PREFIX + rb"base)" + _SPACE + rb"*" + _IRI + _SPACE + rb"*\."
    rb"|(?i:" + _PREFIX + rb"base)" + _SPACE + rb"*" + _IRI
)
_TAGGED = late(_SPACE + rb"*[.,;)}\]]")
"""What may stand behind a text in a language that is called prefix or base."""

_LANDMARKS = tuple(map(late, (rb'"""', rb"'''", rb"prefix[\s#]", rb"base[\s#<]", rb"\{", rb"\}")))
_NAME = late(_NAME_BYTE)
_BARE, _AT = (b"prefix", b"base"), (b"@prefix", b"@base")
_END = late(rb"\.[ \t]*\r?\n")


class Cut(Struct, frozen=True):
    """A place between two statements.

    A parser that begins with `opening` and goes on at `offset` is in the state of one that has read
    the whole text: `opening` is one line with the prefixes and the base in force, and the graph.
    `closing` ends the text before the cut.
    """

    offset: int
    opening: bytes
    closing: bytes


class _CannotTellError(Exception):
    """The text is malformed, or holds what only RDF 1.2 has, or too long a line."""


def cuts(
    stream: BinaryIO, size: int, *, trig: bool, base: str | None, lenient: bool = False
) -> Iterator[Cut]:
    """Places to cut a text, at least `size` bytes apart and as little more as possible.

    `base` is the text's own. Memory: some blocks, whatever the length of the text.
    """
    scan = _Scan(size, _Context(base, lenient), trig)
    text, at = b"", 0
    while True:
        block = stream.read(TERMS.cut_block_bytes)
        text += block
        try:
            done = scan.take(text, at, final=not block)
        except _CannotTellError:
            yield from scan.found
            return
        yield from scan.found
        scan.found.clear()
        if not block:
            return
        text, at = text[done:], at + done


class _Context:
    """The directives so far, as one line of absolute IRIs."""

    def __init__(self, base: str | None, lenient: bool) -> None:
        self._base, self._lenient = base, lenient
        self._line, self._new = b"", b""

    def add(self, directive: bytes) -> None:
        self._new += directive + b"\n"
        if len(self._new) > _LONGEST_DIRECTIVE:
            self.line()

    def line(self) -> bytes:
        """Raises _CannotTellError for directives that no parser accepts."""
        if self._new:
            parser = ox.parse(
                self._line + b"\n" + self._new,
                format=ox.RdfFormat.TURTLE, base_iri=self._base, lenient=self._lenient,
            )  # fmt: skip
            try:
                deque(parser, maxlen=0)
            except SyntaxError:
                raise _CannotTellError from None
            base = parser.base_iri or self._base
            told = [b"@prefix %b: %b ." % (p.encode(), _iri(i)) for p, i in parser.prefixes.items()]
            told += [b"@base %b ." % _iri(base)] if base else []  # last: a prefix may be relative
            self._line, self._new = b" ".join(told), b""
        return self._line


def _iri(text: str) -> bytes:
    return escaped_iri(b"<%b>" % text.encode())


class _CutPlaces:
    """The next place of a text at which tokens have to be looked at."""

    def __init__(self, text: bytes, end: int, *, trig: bool) -> None:
        self._text, self._end = text.lower(), end
        self._next = dict.fromkeys(_LANDMARKS if trig else _LANDMARKS[:4], -1)

    def behind(self, position: int) -> int:
        """The first one from `position` on, or the end. Positions only grow."""
        for landmark, place in self._next.items():
            if place < position:
                self._next[landmark] = self._find(landmark, position)
        return min(self._next.values())

    def _find(self, landmark: re.Pattern[bytes], position: int) -> int:
        found = landmark.search(self._text, position, self._end)
        while found is not None and self._is_within_name(found):
            found = landmark.search(self._text, found.end(), self._end)
        return self._end if found is None else found.start()

    def _is_within_name(self, found: re.Match[bytes]) -> bool:
        place = found.start()
        return (
            found[0][0] in b"pb" and _NAME.match(self._text, max(0, place - 1), place) is not None
        )


def _line(text: bytes, position: int, place: int) -> int:
    """The beginning of the line around a place; `position` if the line began before."""
    line = max(text.rfind(b"\n", position, place), text.rfind(b"\r", position, place)) + 1
    return max(position, line)


def _is_idle(lines: bytes) -> bool:
    """Whether there is nothing but white space and perhaps comments before the last line's end."""
    return all(not line or line.startswith(b"#") for line in map(bytes.strip, lines.splitlines()))


class _Scan:
    """What is known at a place between two tokens, or within a long string.

    `found`: the cuts. Turtle has no graphs: depth 0 and an empty `_graph` throughout.
    """

    def __init__(self, size: int, context: _Context, trig: bool) -> None:
        self._size, self._context, self._trig = size, context, trig
        self._target = size
        self._quotes = b""  # of the long string we are in
        self._graph: bytes | None = b""  # what opens the block we are in; None: it cannot be told
        self._depth = 0
        self._recent: deque[bytes] = deque(maxlen=3)  # tokens before what may be a block
        self._waits = False
        self.found: list[Cut] = []

    def take(self, text: bytes, at: int, *, final: bool) -> int:
        """Reads on from offset `at`; returns how much of `text` need not be given again."""
        position = len(_BYTE_ORDER_MARK) if at == 0 and text.startswith(_BYTE_ORDER_MARK) else 0
        self._waits = False
        if self._quotes:
            position = self._behind_long_string(text, position)
        end = len(text) if final else 1 + max(text.rfind(b"\n"), text.rfind(b"\r"))
        if end == 0 and len(text) > _LONGEST_LINE:
            raise _CannotTellError
        places = _CutPlaces(text, end, trig=self._trig)
        while position < end and not self._waits and not self._quotes:
            start, until = self._lines(places, text, position, at)
            if start > position:
                self._recent.clear()
            position = self._lex(text, at, start, until, end, final)
            if self._quotes:
                position = self._behind_long_string(text, position)
        return position

    def _lines(self, places: _CutPlaces, text: bytes, position: int, at: int) -> tuple[int, int]:
        """The next place at which tokens have to be looked at, with the beginning of its line."""
        until = min(places.behind(position), max(position, self._target - at))
        start = _line(text, position, until)
        while self._trig and start > position and _is_idle(text[start:until]):
            start = _line(text, position, start - 1)  # for a graph's name that stands before
        return start, until

    def _behind_long_string(self, text: bytes, position: int) -> int:
        """The place behind the open long string, or behind as much of it as there is."""
        while (place := text.find(self._quotes, position)) >= 0:
            escapes = place - position - len(text[position:place].rstrip(b"\\"))
            if escapes % 2 == 0:
                self._quotes = b""
                return place + 3
            position = place + 1
        return max(position, len(text.rstrip(b"\\\"'")))

    def _lex(self, text: bytes, at: int, start: int, until: int, end: int, final: bool) -> int:
        """Goes from token to token up to `until`, and on to a cut if one is wanted; returns the
        place reached."""
        for token in _TOKEN.finditer(text, start, end):
            place, kind, word = token.start(), token.lastgroup, token[0]
            if place > until and at + place < self._target:
                return place
            if kind == "mark":
                self._mark(text, at, place, word)
            elif kind == "long":
                self._quotes = word
                return token.end()
            elif kind == "odd":
                raise _CannotTellError
            elif word.lower() in _BARE or word in _AT:
                directive = _DIRECTIVE.match(text, place)
                if directive is not None:
                    self._context.add(directive[0])
                    self._recent.clear()
                    return directive.end()
                if not final and len(text) - place < _LONGEST_DIRECTIVE:
                    self._waits = True
                    return place
                if word not in _AT or _TAGGED.match(text, token.end()) is None:
                    raise _CannotTellError
            elif kind in ("iri", "name"):
                self._recent.append(word)
        return end

    def _mark(self, text: bytes, at: int, place: int, mark: bytes) -> None:
        if mark == b".":
            self._dot(text, at, place)
            self._recent.clear()
        elif mark == b"]":
            self._recent.append(mark)
        elif mark == b"{":
            self._open()
        else:
            self._close()

    def _dot(self, text: bytes, at: int, place: int) -> None:
        behind = _END.match(text, place)
        if behind is None or self._graph is None or at + behind.end() < self._target:
            return
        opening, closing = self._context.line(), b""
        if self._depth:
            opening, closing = opening + b" %b {" % self._graph, b"}"
        cut = Cut(at + behind.end(), opening and opening + b"\n", closing)
        self.found.append(cut)
        self._target = cut.offset + self._size

    def _open(self) -> None:
        """The block of a graph begins; its name stands before it, unless it is the default
        graph."""
        *before, name = self._recent or (b"",)
        named = [word.lower() for word in before] in ([], [b"graph"])
        if self._depth or not self._trig or not named:
            raise _CannotTellError
        self._depth = 1
        self._graph = None if name == b"]" else name

    def _close(self) -> None:
        if self._depth == 0:
            raise _CannotTellError
        self._depth, self._graph = 0, b""
        self._recent.clear()
