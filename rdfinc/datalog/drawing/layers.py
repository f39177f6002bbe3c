"""Where boxes go in a layered drawing (Sugiyama, Tagawa and Toda 1981), simply.

A box has a layer above those of its dependencies, an edge a bend in each layer between its ends.
The boxes and bends of a layer stand in the order of their neighbours' means, as near to these as
room allows. Pure functions over numbers; nothing is known about what is drawn.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

SWEEPS = 12
GAP = 24.0
"""Between two boxes of a layer."""

LINE = 10.0
"""The room of an edge that passes a layer."""


class Layout(Struct):
    """`layer_of` and `x` (the middle) for each box; for each edge the `x` at which it passes the
    layers between its ends, where those to one box pass together."""

    layer_of: list[int]
    x: list[float]
    bends: dict[tuple[int, int], list[float]] = field(default_factory=dict)


def layout(
    widths: Sequence[float], bands: Sequence[int], edges: Sequence[tuple[int, int]], room: float
) -> Layout:
    """Boxes from bottom to top.

    `edges` lead from lower to higher boxes and have no cycle; a box of a higher band is above all
    boxes of lower ones. A layer gets boxes until their widths exceed `room`.
    """
    layer_of = layers(widths, bands, edges, room)
    parts, chains = _with_passages(layer_of, widths, edges)
    _order(parts)
    _place(parts)
    x = [parts.x[i] for i in range(len(widths))]
    bends = {edge: [parts.x[i] for i in chain[1:-1]] for edge, chain in chains.items()}
    return Layout(layer_of, x, bends)


def layers(
    widths: Sequence[float], bands: Sequence[int], edges: Sequence[tuple[int, int]], room: float
) -> list[int]:
    """The layer of each box, 0 at the bottom: as close below what depends on it as there is room
    in its band."""
    above: dict[int, list[int]] = {}
    for low, high in edges:
        if bands[low] == bands[high]:
            above.setdefault(low, []).append(high)
    depth: dict[int, int] = {}
    used: dict[tuple[int, int], float] = {}
    for box in _from_top(len(widths), above):
        place = max((depth[high] + 1 for high in above.get(box, ())), default=0)
        while (
            used.get((bands[box], place), 0.0) + widths[box] > room and (bands[box], place) in used
        ):
            place += 1
        depth[box] = place
        used[bands[box], place] = used.get((bands[box], place), 0.0) + widths[box] + GAP
    tops: dict[int, int] = {}
    below = -1
    for band in sorted(set(bands)):
        below += 1 + max(depth[box] for box in depth if bands[box] == band)
        tops[band] = below
    return [tops[bands[box]] - depth[box] for box in range(len(widths))]


def _from_top(count: int, above: Mapping[int, Sequence[int]]) -> list[int]:
    """All boxes, each after those above it."""
    found: dict[int, None] = {}
    for start in range(count):
        stack = [start]
        while stack:
            waiting = [high for high in above.get(stack[-1], ()) if high not in found]
            if waiting:
                stack += waiting
            else:
                found[stack.pop()] = None
    return list(found)


class _Parts(Struct):
    """Boxes, and the passages of edges through layers between; `near` are the neighbours in the
    next layer, down and up."""

    widths: list[float]
    rows: list[list[int]]
    down: dict[int, list[int]] = field(default_factory=dict)
    up: dict[int, list[int]] = field(default_factory=dict)
    x: dict[int, float] = field(default_factory=dict)

    def join(self, low: int, high: int) -> None:
        self.up.setdefault(low, []).append(high)
        self.down.setdefault(high, []).append(low)


def _with_passages(
    layer_of: Sequence[int], widths: Sequence[float], edges: Sequence[tuple[int, int]]
) -> tuple[_Parts, dict[tuple[int, int], list[int]]]:
    parts = _Parts(list(widths), [[] for _ in range(max(layer_of, default=-1) + 1)])
    for box, layer in enumerate(layer_of):
        parts.rows[layer].append(box)
    chains: dict[tuple[int, int], list[int]] = {}
    passages: dict[tuple[int, int], int] = {}
    for low, high in edges:
        chain = [low]
        for layer in range(layer_of[low] + 1, layer_of[high]):
            if (high, layer) not in passages:
                passages[high, layer] = len(parts.widths)
                parts.rows[layer].append(len(parts.widths))
                parts.widths.append(LINE)
            chain.append(passages[high, layer])
        chain.append(high)
        chains[low, high] = chain
    steps = (itertools.pairwise(chain) for chain in chains.values())
    for one, other in dict.fromkeys(itertools.chain.from_iterable(steps)):
        parts.join(one, other)
    return parts, chains


def _order(parts: _Parts) -> None:
    """Orders each layer by the mean places of its neighbours below, then above, by turns."""
    for sweep in range(SWEEPS):
        upwards = sweep % 2 == 0
        near = parts.down if upwards else parts.up
        rows = parts.rows if upwards else parts.rows[::-1]
        for fixed, row in itertools.pairwise(rows):
            place = {part: i / max(1, len(fixed) - 1) for i, part in enumerate(fixed)}
            own = {part: i / max(1, len(row) - 1) for i, part in enumerate(row)}
            row.sort(key=lambda part: _mean([place[n] for n in near.get(part, ())], own[part]))


def _place(parts: _Parts) -> None:
    for row in parts.rows:
        _set_near(parts, row, [0.0] * len(row))
    for sweep in range(SWEEPS):
        near = parts.down if sweep % 2 == 0 else parts.up
        for row in parts.rows if sweep % 2 == 0 else parts.rows[::-1]:
            wished = [
                _mean([parts.x[n] for n in near.get(part, ())], parts.x[part]) for part in row
            ]
            _set_near(parts, row, wished)


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _set_near(parts: _Parts, row: Sequence[int], wished: Sequence[float]) -> None:
    """Places in the row's order with the least sum of squared distances from those wished
    (pooling of adjacent violators)."""
    offsets = [0.0]
    for left, right in itertools.pairwise(row):
        offsets.append(offsets[-1] + (parts.widths[left] + parts.widths[right]) / 2 + GAP)
    pools: list[tuple[float, int]] = []
    for wish, offset in zip(wished, offsets, strict=False):
        mean, size = wish - offset, 1
        while pools and pools[-1][0] > mean:
            other, more = pools.pop()
            mean, size = (mean * size + other * more) / (size + more), size + more
        pools.append((mean, size))
    means = [mean for mean, size in pools for _ in range(size)]
    for part, mean, offset in zip(row, means, offsets, strict=False):
        parts.x[part] = mean + offset
