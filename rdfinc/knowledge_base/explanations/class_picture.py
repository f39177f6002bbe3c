"""A tree of classes as SVG: superclasses at the top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rdfinc.datalog.drawing.svg import MARGIN, Box, LayeredPicture, box_sample, edge_sample

Edges = Sequence[tuple[int, int, bool]]
"""From lower boxes to higher ones, by number, and whether that is stated."""

_LIGHT = """
.several { fill: #fbf3dc; stroke: #8a6d1a } .clash { fill: #fbeceb; stroke: #b3261e }
.edge.inferred { stroke: #1d5fa8; stroke-dasharray: 6 3 } .head.inferred { fill: #1d5fa8 }
"""
_DARK = """
.several { fill: #3a321c; stroke: #d0b050 } .clash { fill: #3a2220; stroke: #ff8a80 }
.edge.inferred { stroke: #7db4f0 } .head.inferred { fill: #7db4f0 }
"""


def class_box(names: tuple[str, ...], *, is_empty: bool) -> Box:
    """The box of classes with the same members, or without any."""
    if is_empty:
        return Box(names, "clash", "nothing can belong to it")
    if len(names) > 1:
        return Box(names, "several", "of the same members")
    return Box(names, "box", "a class")


def class_svg(boxes: Sequence[Box], edges: Edges) -> str:
    """A whole SVG document."""
    kinds = ("inferred", "positive")
    return _ClassPicture.svg(boxes, [(low, high, kinds[stated]) for low, high, stated in edges])


class _ClassPicture(LayeredPicture):
    legend_room = 620.0
    kinds = ("positive", "inferred")
    light, dark = _LIGHT, _DARK

    def legend(self) -> Iterator[str]:
        y = self.height - MARGIN
        yield edge_sample("positive", "stated", MARGIN, y)
        yield edge_sample("inferred", "inferred", MARGIN + 110, y)
        yield box_sample("several", "equivalent", MARGIN + 240, y)
        yield box_sample("clash", "without members", MARGIN + 370, y)
