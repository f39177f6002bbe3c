"""HTML as a browser sees it: elements that are closed, their attributes, and the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br"}


@dataclass
class Element:
    """An element with its attributes, and its elements and texts in their order."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    content: list[Element | str] = field(default_factory=list)

    def all(self, name: str) -> Iterator[Element]:
        """The elements of a name inside of it."""
        for each in self.content:
            if isinstance(each, Element):
                if each.name == name:
                    yield each
                yield from each.all(name)

    @property
    def text(self) -> str:
        return "".join(each if isinstance(each, str) else each.text for each in self.content)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), attrs
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].content.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().name == tag, f"</{tag}> where it closes nothing"

    def handle_data(self, data: str) -> None:
        self.open[-1].content.append(data)


def parsed(html: str) -> Element:
    """A page. Raises AssertionError for elements that are not closed in their order."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert len(reader.open) == 1, [element.name for element in reader.open]
    return reader.open[0]
