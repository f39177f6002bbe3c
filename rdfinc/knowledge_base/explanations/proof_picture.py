"""Proofs as SVG: what is stated at the bottom, the conclusion at the top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from rdfinc.datalog.drawing.svg import MARGIN, Box, LayeredPicture, box_sample, edge_sample

LONGEST = 72
"""Letters of a rule that are shown; all of it where the pointer rests on the box."""

FOLDED, ENDS = 7, 2
"""Stated edges of a path from which on those between its ends are one box, and how many an end has
then."""


class DrawnStep(Protocol):
    """What is drawn of a proof."""

    @property
    def fact(self) -> tuple[Any, Any, Any]: ...

    @property
    def rule(self) -> str: ...

    @property
    def premises(self) -> Sequence[DrawnStep]: ...

    @property
    def text(self) -> str: ...

    @property
    def absent(self) -> Sequence[str]: ...

    @property
    def explicit(self) -> bool: ...

    @property
    def reason(self) -> str: ...


_LIGHT = ".clash { fill: #fbeceb; stroke: #b3261e; stroke-width: 2 }\n"
_DARK = ".clash { fill: #3a2220; stroke: #ff8a80 }\n"


def proof_svg(proof: DrawnStep) -> str:
    """A whole SVG document, with an edge from each premise to what it supports."""
    return _drawn(_Shown([proof]))


def clash_svg(reason: str, message: str, proofs: Sequence[DrawnStep]) -> str:
    """The same of the proofs of what clashes in a contradiction, which is the box at the top."""
    top = Box(("a contradiction", f"by {_cut(reason)}"), "clash", message)
    return _drawn(_Shown(proofs, top))


def _drawn(shown: _Shown) -> str:
    return _ProofPicture.svg(shown.boxes, [(*edge, "positive") for edge in shown.edges])


class _Shown:
    """The boxes of proofs, of what they support before them, if that is given, and the edges from
    premises to conclusions, by number."""

    def __init__(self, proofs: Sequence[DrawnStep], top: Box | None = None) -> None:
        self.boxes: list[Box] = []
        self._numbers: dict[tuple[int, ...], int] = {}
        edges: dict[tuple[int, int], None] = {}
        waiting: list[tuple[int | None, Sequence[DrawnStep]]] = []
        if top is None:
            waiting += [(None, proofs)]
        else:
            self.boxes.append(top)
            waiting += [(0, proofs)]
        while waiting:
            above, premises = waiting.pop()
            for some in folded(premises):
                is_new, number = self._number(some)
                if above is not None:
                    edges[number, above] = None
                if is_new and some[0].premises:
                    waiting.append((number, some[0].premises))
        self.edges = list(edges)

    def _number(self, some: tuple[DrawnStep, ...]) -> tuple[bool, int]:
        """Whether a box is new, and its number."""
        key = tuple(map(id, some))
        if key in self._numbers:
            return False, self._numbers[key]
        self._numbers[key] = len(self.boxes)
        self.boxes.append(_box_of(some))
        return True, self._numbers[key]


def folded(premises: Sequence[DrawnStep]) -> Iterator[tuple[DrawnStep, ...]]:
    """Each premise by itself; but where many that are stated follow each other, each from where the
    one before leads, those between the ends together."""
    path: list[DrawnStep] = []
    for premise in premises:
        if path and not _goes_on(path[-1], premise):
            yield from _of_path(path)
            path = []
        path.append(premise)
    yield from _of_path(path)


def _goes_on(one: DrawnStep, next: DrawnStep) -> bool:
    return one.explicit and next.explicit and one.fact[1:] == (next.fact[1], next.fact[0])


def _of_path(path: list[DrawnStep]) -> Iterator[tuple[DrawnStep, ...]]:
    if len(path) < FOLDED:
        yield from ((proof,) for proof in path)
    else:
        yield from ((proof,) for proof in path[:ENDS])
        yield tuple(path[ENDS:-ENDS])
        yield from ((proof,) for proof in path[-ENDS:])


def _box_of(some: tuple[DrawnStep, ...]) -> Box:
    """A fact with its rule, which the pointer tells in words, and what is not there; or several
    stated facts, which the pointer tells."""
    proof = some[0]
    if len(some) > 1:
        text = "\n".join(each.text for each in some)
        return Box((f"… {len(some)} more steps …",), "stated", text)
    if proof.explicit:
        return Box((proof.text,), "stated", "stated")
    absent = map("not there: {}".format, proof.absent)
    return Box((proof.text, f"by {_cut(proof.rule)}", *absent), "box", f"by {proof.reason}")


def _cut(rule: str) -> str:
    return rule if len(rule) <= LONGEST else f"{rule[:LONGEST]}…"


class _ProofPicture(LayeredPicture):
    legend_room = 400.0
    light, dark = _LIGHT, _DARK

    def legend(self) -> Iterator[str]:
        y = self.height - MARGIN
        yield box_sample("stated", "stated", MARGIN, y)
        yield box_sample("box", "follows by a rule", MARGIN + 110, y)
        yield edge_sample("positive", "from", MARGIN + 290, y)
