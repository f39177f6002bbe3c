"""A hypergraph as SVG: strata are bands from bottom to top, hyper-nodes boxes, edges curves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from xml.sax.saxutils import escape

from rdfinc.cli.hypergraph_text import recursive
from rdfinc.cli.layers import Layout, layout
from rdfinc.datalog.hypergraph import Hypergraph, HyperNode, Kind
from rdfinc.datalog.model import Program
from rdfinc.datalog.printing import rule_text
from rdfinc.datalog.relations import Relation, relation_text

Prefixes = Mapping[str, str]
Point = tuple[float, float]

LETTER, LINE, PADDING = 7.3, 18, 9
BETWEEN = 58
"""From one layer to the next: here the edges turn."""

MARGIN, BAND = 24, 20
LEGEND = 680.0
"""The room that the legend takes."""

ROOM = 1400
"""A layer with wider boxes becomes two."""

_CLASSES = {Kind.positive: "positive", Kind.negative: "negative", Kind.aggregate: "aggregate"}
_STYLE = """
text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #222 }
.band { fill: #f7f7f4; stroke: #dcdcd4 } .label { fill: #77776c }
.box { fill: #fff; stroke: #55554d } .stated { fill: #eef3ee; stroke: #8aa08a }
.several { fill: #fbf3dc; stroke: #8a6d1a; stroke-width: 2 }
.refused { stroke: #b3261e; stroke-width: 3 }
.edge { fill: none; stroke-width: 1.3 } .positive { stroke: #55554d }
.negative { stroke: #b3261e; stroke-dasharray: 6 3 }
.aggregate { stroke: #1d5fa8; stroke-width: 2; stroke-dasharray: 2 3 }
"""
_COLOURS = {Kind.positive: "#55554d", Kind.negative: "#b3261e", Kind.aggregate: "#1d5fa8"}
_MEANINGS = {Kind.positive: "reads", Kind.negative: "not", Kind.aggregate: "aggregates"}


@dataclass(frozen=True)
class _Box:
    """A hyper-node's lines of text and what is told about it."""

    lines: tuple[str, ...]
    kind: str
    title: str

    @property
    def width(self) -> float:
        return max(map(len, self.lines)) * LETTER + 2 * PADDING

    @property
    def height(self) -> float:
        return len(self.lines) * LINE + PADDING


def graph_svg(graph: Hypergraph, program: Program, prefixes: Prefixes) -> str:
    """A whole SVG document; rules are told where the pointer rests on a box or an edge."""
    texts = [rule_text(rule, prefixes) for rule in program]
    loops = recursive(graph)
    refused = {edge.head for edge in graph.refused}
    boxes = [_box(node, loops, refused, texts, prefixes) for node in graph.nodes]
    rules = _edges(graph)
    edges = list(dict.fromkeys((low, high) for low, high, _ in rules))
    bands = [node.stratum for node in graph.nodes]
    placed = layout([box.width for box in boxes], bands, edges, ROOM)
    return _Drawing(boxes, bands, placed).document(rules, texts)


def _box(
    node: HyperNode,
    loops: Set[Relation],
    refused: Set[Relation],
    texts: Sequence[str],
    prefixes: Prefixes,
) -> _Box:
    lines = [
        relation_text(relation, prefixes) + (" ↻" if relation in loops else "")
        for relation in node.relations
    ]
    kind = "several" if len(lines) > 1 else "box" if node.rules else "stated"
    if not refused.isdisjoint(node.relations):
        kind += " refused"
    title = "\n".join(texts[i] for i in node.rules) or "stated: no rule derives it"
    return _Box(tuple(lines), kind, title)


def _edges(graph: Hypergraph) -> dict[tuple[int, int, Kind], list[int]]:
    """The edges between hyper-nodes (lower, higher, kind) with the rules that draw them."""
    node_of = graph.node_of()
    found: dict[tuple[int, int, Kind], list[int]] = {}
    for edge in graph.edges:
        low, high = node_of[edge.body], node_of[edge.head]
        if low != high:
            found.setdefault((low, high, edge.kind), []).extend(edge.rules)
    return found


class _Drawing:
    def __init__(self, boxes: Sequence[_Box], bands: Sequence[int], placed: Layout) -> None:
        self.boxes, self.bands, self.placed = boxes, bands, placed
        left = min((x - b.width / 2 for x, b in zip(placed.x, boxes, strict=True)), default=0)
        left = min([left, *(x for bend in placed.bends.values() for x in bend)])
        self.shift = MARGIN + 84 - left
        right = max((x + b.width / 2 for x, b in zip(placed.x, boxes, strict=True)), default=0)
        right = max([right, *(x for bend in placed.bends.values() for x in bend)])
        self.width = max(right + self.shift + MARGIN, LEGEND)
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
                y += BAND
            self.middle[layer] = y + heights[layer] / 2
            y += heights[layer]
            last = layer == 0 or band_of[layer - 1] != band
            self.spans[band] = (self.spans[band][0], y + BAND)
            y += BETWEEN + (BAND if last else 0)
        self.height = y - (BETWEEN if count else 0) + 2 * MARGIN

    def document(
        self, rules: Mapping[tuple[int, int, Kind], list[int]], texts: Sequence[str]
    ) -> str:
        size = f"{self.width:.0f} {self.height:.0f}"
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" '
                f'width="{self.width:.0f}" height="{self.height:.0f}">',
                f"<style>{_STYLE}</style>",
                *_arrow_heads(),
                *self._bands(),
                *self._curves(rules, texts),
                *self._boxes(),
                *self._legend(),
                "</svg>",
            ]
        )

    def _bands(self) -> Iterator[str]:
        for band, (top, bottom) in self.spans.items():
            yield (
                f'<rect class="band" x="{MARGIN / 2}" y="{top:.1f}" '
                f'width="{self.width - MARGIN:.1f}" height="{bottom - top:.1f}" rx="6"/>'
            )
            yield f'<text class="label" x="{MARGIN}" y="{top + 16:.1f}">stratum {band}</text>'

    def _boxes(self) -> Iterator[str]:
        for box, x, layer in zip(self.boxes, self.placed.x, self.placed.layer_of, strict=True):
            left = x + self.shift - box.width / 2
            top = self.middle[layer] - box.height / 2
            yield "<g>" + _title(box.title)
            yield (
                f'<rect class="{box.kind}" x="{left:.1f}" y="{top:.1f}" '
                f'width="{box.width:.1f}" height="{box.height:.1f}" rx="5"/>'
            )
            for i, line in enumerate(box.lines):
                y = top + PADDING / 2 + LINE * i + 13
                yield f'<text x="{left + PADDING:.1f}" y="{y:.1f}">{escape(line)}</text>'
            yield "</g>"

    def _curves(
        self, rules: Mapping[tuple[int, int, Kind], list[int]], texts: Sequence[str]
    ) -> Iterator[str]:
        for (low, high, kind), drawing in rules.items():
            aside = {Kind.positive: 0, Kind.negative: -7, Kind.aggregate: 7}[kind]
            title = "\n".join(texts[i] for i in dict.fromkeys(drawing))
            yield (
                f'<path class="edge {_CLASSES[kind]}" marker-end="url(#{_CLASSES[kind]})" '
                f'd="{_curve(self._points(low, high, aside))}">{_title(title)}</path>'
            )

    def _points(self, low: int, high: int, aside: float) -> list[Point]:
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

    def _legend(self) -> Iterator[str]:
        y = self.height - MARGIN
        for i, kind in enumerate(Kind):
            x = MARGIN + i * 130
            yield (
                f'<path class="edge {_CLASSES[kind]}" marker-end="url(#{_CLASSES[kind]})" '
                f'd="M {x} {y} L {x + 34} {y}"/>'
                f'<text x="{x + 42}" y="{y + 4}">{_MEANINGS[kind]}</text>'
            )
        x = MARGIN + 3 * 130
        yield f'<text x="{x}" y="{y + 4}">↻ recursive</text>'
        yield f'<rect class="stated" x="{x + 110}" y="{y - 7}" width="24" height="14" rx="3"/>'
        yield f'<text x="{x + 142}" y="{y + 4}">stated only</text>'


def _curve(points: Sequence[Point]) -> str:
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


def _arrow_heads() -> Iterable[str]:
    yield "<defs>"
    for kind, colour in _COLOURS.items():
        yield (
            f'<marker id="{_CLASSES[kind]}" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="9" '
            f'markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">'
            f'<path d="M 0 1 L 10 5 L 0 9 z" fill="{colour}"/></marker>'
        )
    yield "</defs>"


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>"
