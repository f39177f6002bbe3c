"""Terms, facts and tables as HTML. Whatever comes from data is escaped here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import urlencode

from rdfinc.datalog.model import Var
from rdfinc.datalog.printing import cut, term_text
from rdfinc.terms.io.convert import key_of

LETTERS = 200
"""Letters of a term that are shown; all of them where the pointer rests on it."""

Prefixes = Mapping[str, str]
Keys = Sequence[bytes]


def term(key: bytes, prefixes: Prefixes) -> str:
    """A term as a link to the page about it. Text of the data does not set the direction of what
    stands beside it."""
    whole = key.decode()
    shown = cut(term_text(whole, prefixes), LETTERS)
    place = urlencode({"term": whole})
    start = f'<a href="/resource?{escape(place)}" title="{escape(whole)}">'
    return f"{start}<bdi>{escape(shown)}</bdi></a>"


def item(found: Any, prefixes: Prefixes) -> str:
    """A term of rdflib, or a variable."""
    if isinstance(found, Var):
        return f"<var>{escape(str(found))}</var>"
    return term(key_of(found), prefixes)


def why_link(keys: Keys, words: str = "why") -> str:
    """A link to the proof of a fact, or to what it lacks."""
    place = urlencode(dict(zip("spo", (key.decode() for key in keys), strict=True)))
    return f'<a class="why" href="/why?{escape(place)}">{escape(words)}</a>'


def fact(keys: Keys, prefixes: Prefixes) -> str:
    """A fact, each term of it a link."""
    return " ".join(term(key, prefixes) for key in keys)


def keys_of(triple: Iterable[Any]) -> list[bytes]:
    """The keys of a fact of rdflib's terms."""
    return [key_of(each) for each in triple]


def table(caption: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are HTML, the caption and the header are text."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in rows)
    return box(
        caption,
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>\n{body}</tbody></table>",
    )


def box(label: str, html: str) -> str:
    """What may be wider than the page, and is moved in a box of its own, by keys as well."""
    return f'<div class="wide" tabindex="0" role="group" aria-label="{escape(label)}">{html}</div>'


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def pre(text: str) -> str:
    """Text with its line ends."""
    return f'<pre tabindex="0"><bdi>{escape(text)}</bdi></pre>'
