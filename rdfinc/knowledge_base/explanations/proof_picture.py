"""A proof as SVG: what is stated at the bottom, the conclusion at the top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    curve,
    edge_sample,
)

LONGEST = 72
"""Letters of a rule that are shown; all of it where the pointer rests on the box."""


def stated_box(fact: str) -> Box:
    return Box((fact,), "stated", "stated")


def derived_box(fact: str, rule: str, reason: str, absent: Sequence[str]) -> Box:
    """The box of a fact with its rule, which the pointer tells in words, and what is not there."""
    shown = rule if len(rule) <= LONGEST else f"{rule[:LONGEST]}…"
    return Box((fact, f"by {shown}", *map("not there: {}".format, absent)), "box", f"by {reason}")


def proof_svg(boxes: Sequence[Box], edges: Sequence[tuple[int, int]]) -> str:
    """A whole SVG document of facts, with edges from premises to conclusions, by number."""
    layers = [0] * len(boxes)
    placed = layout([box.width for box in boxes], layers, edges, ROOM)
    return _ProofPicture(boxes, layers, placed).whole(edges)


class _ProofPicture(Picture):
    legend_room = 400.0

    def whole(self, edges: Sequence[tuple[int, int]]) -> str:
        parts = (
            *arrow_heads(["positive"]),
            *self._curves(edges),
            *self.drawn_boxes(),
            *self._legend(),
        )
        return self.document(LIGHT, DARK, parts)

    def _curves(self, edges: Sequence[tuple[int, int]]) -> Iterator[str]:
        for low, high in edges:
            yield (
                '<path class="edge positive" marker-end="url(#positive)" '
                f'd="{curve(self.points(low, high, 0))}"/>'
            )

    def _legend(self) -> Iterator[str]:
        y = self.height - MARGIN
        yield box_sample("stated", "stated", MARGIN, y)
        yield box_sample("box", "follows by a rule", MARGIN + 110, y)
        yield edge_sample("positive", "from", MARGIN + 290, y)
