"""Boxes in layers and curves between them as SVG."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from unicodedata import combining, east_asian_width

from msgspec import Struct

from rdfinc.datalog.drawing.layers import Layout, layout
from rdfinc.datalog.printing import in_line, shortened, visible

Point = tuple[float, float]

LETTER, LINE, PADDING = 7.3, 18, 9
BETWEEN = 58
"""From one layer to the next: here the edges turn."""

MARGIN = 24

LETTERS = 100
"""Of a line of a box that are shown."""

ROOM = 1400
"""A layer with wider boxes becomes two."""

LIGHT = """
svg { color-scheme: light dark }
text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #222 }
.ground { fill: #fff } .box { fill: #fff; stroke: #55554d }
.stated { fill: #eef3ee; stroke: #8aa08a }
.edge { fill: none; stroke-width: 1.3 } .edge.positive { stroke: #55554d }
.head.positive { fill: #55554d }
"""

DARK = """
text { fill: #e4e4de } .ground { fill: #1b1c1e } .box { fill: #26282b; stroke: #a9a99f }
.stated { fill: #22302a; stroke: #6f8f78 }
.edge.positive { stroke: #a9a99f } .head.positive { fill: #a9a99f }
"""
"""What a dark screen has otherwise."""


class Box(Struct, frozen=True):
    """Lines of text, the `kind` of box, and what is told where the pointer rests on it."""

    lines: tuple[str, ...]
    kind: str
    title: str

    @property
    def shown(self) -> tuple[str, ...]:
        """The lines, without the middle of those that are long."""
        return tuple(shortened(in_line(line), LETTERS) for line in self.lines)

    @property
    def told(self) -> str:
        """The title, after the whole of long lines."""
        whole = (line for line in self.lines if len(line) > LETTERS)
        return visible("\n".join([*whole, self.title]))

    @property
    def width(self) -> float:
        return max(map(_letters, self.shown)) * LETTER + 2 * PADDING

    @property
    def height(self) -> float:
        return len(self.lines) * LINE + PADDING


def _letters(line: str) -> int:
    """The places that a line takes: two for letters of East Asia, none for marks above others."""
    if line.isascii():
        return len(line)
    return sum((east_asian_width(a) in "WF") + (not combining(a)) for a in line)


class Picture:
    """Boxes at their places; bands are drawn apart, from bottom to top. The last line is a
    legend's."""

    label_room = 0.0
    """What bands have at their left."""
    band_room = 0.0
    """What they have above and below their boxes."""
    legend_room = 0.0
    """The width that the legend takes."""

    def __init__(self, boxes: Sequence[Box], bands: Sequence[int], placed: Layout) -> None:
        self.boxes, self.bands, self.placed = boxes, bands, placed
        left = min((x - b.width / 2 for x, b in zip(placed.x, boxes, strict=True)), default=0)
        left = min([left, *(x for bend in placed.bends.values() for x in bend)])
        self.shift = MARGIN + self.label_room - left
        right = max((x + b.width / 2 for x, b in zip(placed.x, boxes, strict=True)), default=0)
        right = max([right, *(x for bend in placed.bends.values() for x in bend)])
        self.width = max(right + self.shift + MARGIN, self.legend_room)
        self._set_rows()

    def _set_rows(self) -> None:
        """The middle line of every layer, and every band's top and bottom, counted from above."""
        count = max(self.placed.layer_of, default=-1) + 1
        heights = [0.0] * count
        band_of = [0] * count
        for box, layer, band in zip(self.boxes, self.placed.layer_of, self.bands, strict=True):
            heights[layer] = max(heights[layer], box.height)
            band_of[layer] = band
        self.middle = [0.0] * count
        self.heights = heights
        self.spans: dict[int, Point] = {}
        y = float(MARGIN)
        for layer in reversed(range(count)):
            band = band_of[layer]
            if band not in self.spans:
                self.spans[band] = (y, y)
                y += self.band_room
            self.middle[layer] = y + heights[layer] / 2
            y += heights[layer]
            last = layer == 0 or band_of[layer - 1] != band
            self.spans[band] = (self.spans[band][0], y + self.band_room)
            y += BETWEEN + (self.band_room if last else 0)
        self.height = y - (BETWEEN if count else 0) + 2 * MARGIN

    def drawn_boxes(self) -> Iterator[str]:
        for box, x, layer in zip(self.boxes, self.placed.x, self.placed.layer_of, strict=True):
            left = x + self.shift - box.width / 2
            top = self.middle[layer] - box.height / 2
            yield "<g>" + title_of(box.told)
            yield (
                f'<rect class="{box.kind}" x="{left:.1f}" y="{top:.1f}" '
                f'width="{box.width:.1f}" height="{box.height:.1f}" rx="5"/>'
            )
            for i, line in enumerate(box.shown):
                y = top + PADDING / 2 + LINE * i + 13
                yield f'<text x="{left + PADDING:.1f}" y="{y:.1f}">{escape(line)}</text>'
            yield "</g>"

    def points(self, low: int, high: int, aside: float) -> list[Point]:
        """From the top of a box through the layers between to the bottom of another."""
        layer_of, x = self.placed.layer_of, self.placed.x
        start = x[low] + self.shift + aside, self.middle[layer_of[low]] - self.boxes[low].height / 2
        end = (
            x[high] + self.shift + aside,
            self.middle[layer_of[high]] + self.boxes[high].height / 2,
        )
        points = [start]
        for i, bend in enumerate(self.placed.bends.get((low, high), ()), layer_of[low] + 1):
            half = self.heights[i] / 2
            points += [
                (bend + self.shift + aside, self.middle[i] + half),
                (bend + self.shift + aside, self.middle[i] - half),
            ]
        return [*points, end]

    def edge(self, kind: str, low: int, high: int, aside: float = 0.0, title: str = "") -> str:
        """From one box up to another, beside the middle; the pointer is told the title there."""
        path = curve(self.points(low, high, aside))
        told = f">{title_of(title)}</path>" if title else "/>"
        return f'<path class="edge {kind}" marker-end="url(#{kind})" d="{path}"{told}'

    def document(self, light: str, dark: str, parts: Iterable[str]) -> str:
        """A whole SVG document of some parts, drawn in their order, in the colours of the screen's
        scheme; `dark` has what is otherwise there."""
        style = f"<style>{light}@media (prefers-color-scheme: dark) {{{dark}}}</style>"
        ground = '<rect class="ground" width="100%" height="100%"/>'
        return self.element("", (style, ground, *parts))

    def element(self, attributes: str, parts: Iterable[str]) -> str:
        """The parts without a style, for a page that has one."""
        size = f"{self.width:.0f} {self.height:.0f}"
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" '
                f'width="{self.width:.0f}" height="{self.height:.0f}"{attributes}>',
                *parts,
                "</svg>",
            ]
        )


class LayeredPicture(Picture, ABC):
    """Boxes in one band, and edges of some `kinds` between them, with colours of its own."""

    kinds: Sequence[str] = ("positive",)
    light = dark = ""

    @classmethod
    def svg(cls, boxes: Sequence[Box], edges: Sequence[tuple[int, int, str]]) -> str:
        """A whole SVG document, with edges from lower boxes to higher ones, by number, each of a
        kind."""
        bands, pairs = [0] * len(boxes), [(low, high) for low, high, _ in edges]
        drawing = cls(boxes, bands, layout([box.width for box in boxes], bands, pairs, ROOM))
        drawn = (drawing.edge(kind, low, high) for low, high, kind in edges)
        parts = (*arrow_heads(cls.kinds), *drawn, *drawing.drawn_boxes(), *drawing.legend())
        return drawing.document(LIGHT + cls.light, DARK + cls.dark, parts)

    @abstractmethod
    def legend(self) -> Iterator[str]:
        """What stands in the last line."""


def curve(points: Sequence[Point]) -> str:
    """Upright at every point; straight through a layer, bent between layers."""
    (x, y), *rest = points
    path = [f"M {x:.1f} {y:.1f}"]
    for i, (to_x, to_y) in enumerate(rest):
        if i % 2:
            path.append(f"L {to_x:.1f} {to_y:.1f}")
        else:
            half = (y + to_y) / 2
            path.append(f"C {x:.1f} {half:.1f} {to_x:.1f} {half:.1f} {to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
    return " ".join(path)


def arrow_heads(kinds: Iterable[str]) -> Iterator[str]:
    """The ends of edges by class."""
    yield "<defs>"
    for kind in kinds:
        yield (
            f'<marker id="{kind}" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="9" '
            f'markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">'
            f'<path class="head {kind}" d="M 0 1 L 10 5 L 0 9 z"/></marker>'
        )
    yield "</defs>"


def edge_sample(kind: str, meaning: str, x: float, y: float) -> str:
    """An edge of a legend."""
    return (
        f'<path class="edge {kind}" marker-end="url(#{kind})" d="M {x} {y} L {x + 34} {y}"/>'
        f'<text x="{x + 42}" y="{y + 4}">{meaning}</text>'
    )


def box_sample(kind: str, meaning: str, x: float, y: float) -> str:
    """A box of a legend."""
    return (
        f'<rect class="{kind}" x="{x}" y="{y - 7}" width="24" height="14" rx="3"/>'
        f'<text x="{x + 32}" y="{y + 4}">{meaning}</text>'
    )


def title_of(text: str) -> str:
    return f"<title>{escape(text)}</title>"
