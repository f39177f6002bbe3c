"""A proof as SVG: what is stated at the bottom, the conclusion at the top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

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
from rdfinc.knowledge_base.explanations.proofs import Proof

LONGEST = 72
"""Letters of a rule that are shown; all of it where the pointer rests on the box."""


def proof_svg(proof: Proof) -> str:
    """A whole SVG document, with a box for each fact and an edge from each premise."""
    nodes = list(proof.nodes())
    number = {id(node): i for i, node in enumerate(nodes)}
    boxes = [_box(node) for node in nodes]
    edges = [(number[id(p)], i) for i, node in enumerate(nodes) for p in node.premises]
    edges = list(dict.fromkeys(edges))
    placed = layout([box.width for box in boxes], [0] * len(boxes), edges, ROOM)
    return _ProofPicture(boxes, [0] * len(boxes), placed).whole(edges)


def proof_html(proof: Proof) -> str:
    """A page with the proof as a picture and as text."""
    title = escape(proof.text)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8">'
        f'<meta name="color-scheme" content="light dark"><title>{title}</title>\n'
        f"<h1>{title}</h1>\n{proof_svg(proof)}\n<pre>{escape(str(proof))}</pre>\n</html>"
    )


def _box(proof: Proof) -> Box:
    if proof.explicit:
        return Box((proof.text,), "stated", "stated")
    rule = proof.rule if len(proof.rule) <= LONGEST else f"{proof.rule[:LONGEST]}…"
    absent = (f"not there: {fact}" for fact in proof.absent)
    return Box((proof.text, f"by {rule}", *absent), "box", f"by {proof.reason}")


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
