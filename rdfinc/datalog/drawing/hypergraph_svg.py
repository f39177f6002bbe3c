"""A hypergraph as SVG: strata are bands from bottom to top, hyper-nodes boxes, edges curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from xml.sax.saxutils import quoteattr

from rdfinc.datalog.analysis.rule_hypergraph import EdgeKind, Hypergraph, HyperNode
from rdfinc.datalog.drawing.hypergraph_text import recursive
from rdfinc.datalog.drawing.layers import layout
from rdfinc.datalog.drawing.svg import (
    DARK,
    LIGHT,
    MARGIN,
    ROOM,
    Box,
    Picture,
    arrow_heads,
    box_sample,
    edge_sample,
)
from rdfinc.datalog.model import Program
from rdfinc.datalog.printing import rule_text
from rdfinc.datalog.relations import Relation, relation_text

Prefixes = Mapping[str, str]

_CLASSES = {
    EdgeKind.positive: "positive",
    EdgeKind.negative: "negative",
    EdgeKind.aggregate: "aggregate",
}
_LIGHT = """
.band { fill: #f7f7f4; stroke: #dcdcd4 } .label { fill: #77776c }
.several { fill: #fbf3dc; stroke: #8a6d1a; stroke-width: 2 }
.refused { stroke: #b3261e; stroke-width: 3 }
.edge.negative { stroke: #b3261e; stroke-dasharray: 6 3 } .head.negative { fill: #b3261e }
.edge.aggregate { stroke: #1d5fa8; stroke-width: 2; stroke-dasharray: 2 3 }
.head.aggregate { fill: #1d5fa8 }
"""
_DARK = """
.band { fill: #212326; stroke: #3d4044 } .label { fill: #9a9a90 }
.several { fill: #3a321c; stroke: #d0b050 } .refused { stroke: #ff8a80 }
.edge.negative { stroke: #ff8a80 } .head.negative { fill: #ff8a80 }
.edge.aggregate { stroke: #7db4f0 } .head.aggregate { fill: #7db4f0 }
"""
_MEANINGS = {EdgeKind.positive: "reads", EdgeKind.negative: "not", EdgeKind.aggregate: "aggregates"}


def graph_svg(graph: Hypergraph, program: Program, prefixes: Prefixes) -> str:
    """A whole SVG document; rules are told where the pointer rests on a box or an edge."""
    picture, parts = _drawn(graph, program, prefixes)
    return picture.document(LIGHT + _LIGHT, DARK + _DARK, parts)


def graph_element(graph: Hypergraph, program: Program, prefixes: Prefixes, label: str) -> str:
    """The same as a part of a page whose style has the classes, with what it shows in words."""
    picture, parts = _drawn(graph, program, prefixes)
    return picture.element(f' class="picture" role="img" aria-label={quoteattr(label)}', parts)


def _drawn(
    graph: Hypergraph, program: Program, prefixes: Prefixes
) -> tuple[Picture, Iterator[str]]:
    texts = [rule_text(rule, prefixes) for rule in program]
    loops = recursive(graph)
    refused = {edge.head for edge in graph.refused}
    boxes = [_box(node, loops, refused, texts, prefixes) for node in graph.nodes]
    rules = _edges(graph)
    edges = list(dict.fromkeys((low, high) for low, high, _ in rules))
    bands = [node.stratum for node in graph.nodes]
    placed = layout([box.width for box in boxes], bands, edges, ROOM)
    drawing = _Drawing(boxes, bands, placed)
    return drawing, drawing.parts(rules, texts)


def _box(
    node: HyperNode,
    loops: Set[Relation],
    refused: Set[Relation],
    texts: Sequence[str],
    prefixes: Prefixes,
) -> Box:
    lines = [
        relation_text(relation, prefixes) + (" ↻" if relation in loops else "")
        for relation in node.relations
    ]
    kind = "several" if len(lines) > 1 else "box" if node.rules else "stated"
    if not refused.isdisjoint(node.relations):
        kind += " refused"
    title = "\n".join(texts[i] for i in node.rules) or "stated: no rule derives it"
    return Box(tuple(lines), kind, title)


def _edges(graph: Hypergraph) -> dict[tuple[int, int, EdgeKind], list[int]]:
    """The edges between hyper-nodes (lower, higher, kind) with the rules that draw them."""
    node_of = graph.node_of()
    found: dict[tuple[int, int, EdgeKind], list[int]] = {}
    for edge in graph.edges:
        low, high = node_of[edge.body], node_of[edge.head]
        if low != high:
            found.setdefault((low, high, edge.kind), []).extend(edge.rules)
    return found


class _Drawing(Picture):
    label_room, band_room, legend_room = 84.0, 20.0, 680.0

    def parts(
        self, rules: Mapping[tuple[int, int, EdgeKind], list[int]], texts: Sequence[str]
    ) -> Iterator[str]:
        yield from arrow_heads(_CLASSES.values())
        yield from self._bands()
        yield from self._curves(rules, texts)
        yield from self.drawn_boxes()
        yield from self._legend()

    def _bands(self) -> Iterator[str]:
        for band, (top, bottom) in self.spans.items():
            yield (
                f'<rect class="band" x="{MARGIN / 2}" y="{top:.1f}" '
                f'width="{self.width - MARGIN:.1f}" height="{bottom - top:.1f}" rx="6"/>'
            )
            yield f'<text class="label" x="{MARGIN}" y="{top + 16:.1f}">stratum {band}</text>'

    def _curves(
        self, rules: Mapping[tuple[int, int, EdgeKind], list[int]], texts: Sequence[str]
    ) -> Iterator[str]:
        for (low, high, kind), drawing in rules.items():
            aside = {EdgeKind.positive: 0, EdgeKind.negative: -7, EdgeKind.aggregate: 7}[kind]
            title = "\n".join(texts[i] for i in dict.fromkeys(drawing))
            yield self.edge(_CLASSES[kind], low, high, aside, title)

    def _legend(self) -> Iterator[str]:
        y = self.height - MARGIN
        for i, kind in enumerate(EdgeKind):
            yield edge_sample(_CLASSES[kind], _MEANINGS[kind], MARGIN + i * 130, y)
        x = MARGIN + 3 * 130
        yield f'<text x="{x}" y="{y + 4}">↻ recursive</text>'
        yield box_sample("stated", "stated only", x + 110, y)
