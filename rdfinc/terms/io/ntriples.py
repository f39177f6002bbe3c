"""N-Triples and N-Quads text -> ids, whole blocks of lines at a time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress, filterfalse
from operator import eq

import numpy as np
import numpy.typing as npt

from rdfinc.errors import TermError, UnsupportedError
from rdfinc.terms.canonical_terms import canonical
from rdfinc.terms.dictionary import IRI, LITERAL, Dictionary, Ids, Kinds
from rdfinc.terms.grammar import SAFE, SAFE_LINES
from rdfinc.terms.io.quads import Columns
from rdfinc.terms.term_thresholds import TERMS

_SPACE, _QUOTE, _BACKSLASH, _TAB = b"\x00", b"\x01", b"\x02", b"\x03"
_MASKS = ((_QUOTE, rb"\""), (_BACKSLASH, rb"\\"), (_SPACE, b" "), (_TAB, b"\t"))
_ODD = (*(mask for mask, _ in _MASKS), b"\r", b"\x0b", b"\x0c")
_NONCHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")


class _TokenIds(dict[bytes, int]):
    """Token (a term as it stands in the text) -> id of its term.

    Tokens met for the first time are validated, made canonical and encoded together.
    """

    __slots__ = ("_dictionary", "_is_safe", "_rename")

    def __init__(self, dictionary: Dictionary, rename: Callable[[bytes], bytes]) -> None:
        self._dictionary, self._rename = dictionary, rename
        self._is_safe = SAFE.fullmatch

    def meet(self, tokens: list[bytes]) -> Ids:
        """The ids of tokens. Raises TermError or UnsupportedError for what is no term."""
        new = list(filterfalse(self.__contains__, tokens))
        keys = [token if self._is_safe(token) else self._key(token) for token in new]
        self.update(zip(new, self._dictionary.encode_many(keys).tolist(), strict=True))
        return np.fromiter(map(self.__getitem__, tokens), np.uint32, len(tokens))

    def _key(self, token: bytes) -> bytes:
        key = canonical(token.decode())
        return self._rename(key) if key.startswith(b"_") else key


class StatementEncoder:
    """Text whose every line is one statement, ended by ` .` -> ids; anything else -> None.

    The text is split at white space in one step, the blanks inside literals being masked meanwhile;
    every token is looked up in the dictionary as it stands, so only *distinct* tokens are
    validated and made canonical: an id is `_trusted` once its key was a valid token of this text.
    A block with anything unusual (a comment, an empty line, no space before the dot, a malformed
    term, a literal as subject) is handed back for the parser to judge, so this class never has to
    explain an error.

    Why the columns cannot shift: each of the n lines ends with the token `.`; the tokens at the
    statements' ends are n times `.`; all other tokens are terms, so none of them is `.`.
    Cost: 0.6 µs a statement, 0.7 µs a new term. At most `few_tokens` odd tokens are remembered.
    """

    def __init__(
        self, dictionary: Dictionary, rename: Callable[[bytes], bytes], *, quads: bool
    ) -> None:
        self._dictionary = dictionary
        self._odd = _TokenIds(dictionary, rename)
        self._trusted: npt.NDArray[np.bool_] = np.zeros(1, np.bool_)
        self._widths = (4, 5) if quads else (4,)

    def encode(self, text: bytes) -> Columns | None:
        """The ids of all statements of `text`, or None if a parser has to look at it."""
        if not text.endswith(b"\n"):
            text += b"\n"
        lines = _lines_ended_by_dot(text)
        if lines == 0 or not _is_plain(text):
            return None
        if len(self._odd) > TERMS.few_tokens:
            self._odd.clear()
        try:
            return self._plain(text, lines)
        except (TermError, UnsupportedError):
            return None

    def _plain(self, text: bytes, lines: int) -> Columns | None:
        if (width := self._width(text, lines)) is None:
            text = _mask_literals(text)
            width = self._width(text, lines)
        if width is None:
            return self._mixed(text)
        return self._columns(_split(text), lines, width)

    def _width(self, text: bytes, lines: int) -> int | None:
        """The number of tokens in every line, as far as the number of blanks tells."""
        blanks = np.count_nonzero(np.frombuffer(text, np.uint8) == ord(" "))
        return next((width for width in self._widths if blanks == (width - 1) * lines), None)

    def _mixed(self, text: bytes) -> Columns | None:
        """Triples and quads between each other."""
        characters = np.frombuffer(text, np.uint8)
        blanks = np.cumsum(characters == ord(" "))[characters == ord("\n")]
        terms = np.diff(blanks, prepend=0)
        if not np.isin(terms + 1, self._widths).all():
            return None
        present = np.arange(self._widths[-1]) <= terms[:, np.newaxis]
        is_dot = np.arange(self._widths[-1]) == terms[:, np.newaxis]
        tokens, dotted = _split(text), is_dot[present]
        if len(tokens) != dotted.size or any(token != b"." for token in compress(tokens, dotted)):
            return None
        table = np.zeros((terms.size, 4), np.uint32)
        table[(present & ~is_dot)[:, :4]] = self._ids(list(compress(tokens, ~dotted)))
        return table.T if self._are_statements(self._dictionary.kinds[table]) else None

    def _columns(self, tokens: list[bytes], lines: int, width: int) -> Columns | None:
        dots = tokens[width - 1 :: width]
        if len(tokens) != width * lines or dots.count(b".") != lines:
            return None
        del tokens[width - 1 :: width]
        ids = self._ids(tokens).reshape(lines, width - 1)
        if not self._are_statements(self._dictionary.kinds[ids]):
            return None
        columns = np.zeros((4, lines), np.uint32)
        columns[: width - 1] = ids.T
        return columns

    def _ids(self, tokens: list[bytes]) -> Ids:
        ids = self._dictionary.look_up_many(tokens)
        others = np.flatnonzero(~self._trust()[ids])
        if others.size:
            asked = [tokens[i] for i in others.tolist()]
            ids[others] = self._validated(asked, ids[others])
        return ids

    def _validated(self, tokens: list[bytes], ids: Ids) -> Ids:
        """The ids of tokens, given those that there are, 0 for others. Tokens that are keys are
        trusted from now on."""
        distinct = list(dict.fromkeys(tokens))
        if len(SAFE_LINES.findall(b"\n".join(distinct) + b"\n")) < len(distinct):
            return self._odd_ids(tokens, distinct)
        is_new = ids == 0
        new = list(compress(tokens, is_new.tolist()))
        self._dictionary.add_many(list(dict.fromkeys(new)))
        ids[is_new] = self._dictionary.find_many(new)
        self._trust()[ids] = True
        return ids

    def _odd_ids(self, tokens: list[bytes], distinct: list[bytes]) -> Ids:
        ids = self._odd.meet(distinct)
        keys = self._dictionary.decode_many(ids)
        self._trust()[ids[list(map(eq, keys, distinct))]] = True
        return np.fromiter(map(self._odd.__getitem__, tokens), np.uint32, len(tokens))

    def _trust(self) -> npt.NDArray[np.bool_]:
        """For each id whether it is trusted."""
        if self._dictionary.bound > self._trusted.size:
            more = np.zeros(self._dictionary.bound, np.bool_)
            self._trusted = np.concatenate((self._trusted, more))
        return self._trusted

    def _are_statements(self, kinds: Kinds) -> bool:
        """No literal as subject or graph, an IRI as predicate; a statement is a row."""
        return bool(
            (kinds[:, 0] != LITERAL).all()
            and (kinds[:, 1] == IRI).all()
            and (kinds[:, 3:] != LITERAL).all()
        )


def _lines_ended_by_dot(text: bytes) -> int:
    """The number of lines if each ends with ` .`, otherwise 0. `text` ends with a line end."""
    characters = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(characters == ord("\n"))
    if ends[0] < 2:
        return 0
    dotted = (characters[ends - 1] == ord(".")) & (characters[ends - 2] == ord(" "))
    return len(ends) if dotted.all() else 0


def _is_plain(text: bytes) -> bool:
    """Whether a text is valid UTF-8, without characters that masking needs or splitting gets
    wrong."""
    if any(byte in text for byte in _ODD):
        return False
    if text.isascii():
        return True
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return not any(character in text for character in _NONCHARACTERS)


def _mask_literals(text: bytes) -> bytes:
    """`text` with the white space between quotes replaced, so that splitting keeps literals."""
    if b"\\" in text:
        text = text.replace(rb"\\", _BACKSLASH).replace(rb"\"", _QUOTE)
    pieces = text.split(b'"')
    pieces[1::2] = [piece.replace(b" ", _SPACE).replace(b"\t", _TAB) for piece in pieces[1::2]]
    return b'"'.join(pieces)


def _split(text: bytes) -> list[bytes]:
    """The tokens of a text, as they stood there before literals were masked."""
    tokens = text.split()
    masked = [mask for mask in _MASKS if mask[0] in text]
    if not masked:
        return tokens
    text = b"\n".join(tokens)
    for mask, characters in masked:
        text = text.replace(mask, characters)
    return text.split(b"\n")
