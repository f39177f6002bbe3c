"""Findings as a picture: time, memory, changes and queries, each library in a colour of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from rdfinc.plugins.bench.bench_findings import Answers, Findings
from rdfinc.plugins.bench.markdown_report import duration
from rdfinc.plugins.bench.peers import PEERS

_COLOURS = (
    *("#0072b2", "#d55e00", "#e69f00"),
    *("#cc79a7", "#f0e442", "#000000"),
    *("#009e73", "#56b4e9", "#707070"),
)
"""Of Okabe and Ito, who chose them for all kinds of eyes."""

STYLES = {
    peer.name: {"color": colour, "marker": marker}
    for peer, colour, marker in zip(PEERS, _COLOURS, "oDvP<>^sX", strict=True)
}

ROW = 0.28
"""Inches for a line."""


class Plot:
    """The picture in a file, whose extension says of which kind it is. Raises ValueError for one
    that cannot be drawn."""

    def __init__(self, file: Path) -> None:
        kinds = sorted(FigureCanvasAgg(Figure()).get_supported_filetypes())
        if file.suffix[1:] not in kinds:
            raise ValueError(
                f"{file}: a picture is one of {' '.join(f'.{kind}' for kind in kinds)}"
            )
        self._file = file

    def draw(self, found: Findings) -> None:
        """Writes the file."""
        _figure(found).savefig(self._file, dpi=150)


def _figure(found: Findings) -> Figure:
    heights = [ROW * (len(PEERS) + 3), ROW * (len(found.queries) + 3)]
    figure = Figure(figsize=(11, sum(heights)), layout="constrained")
    figure.suptitle(f"{found.what}: {found.triples:,} triples, profile {found.profile}")
    above, below = figure.subfigures(2, 1, height_ratios=heights)
    seconds, memory, changes = above.subplots(1, 3)
    closed = [row for row in found.closings if row.seconds is not None]
    _times(seconds, "from the file to the closure", {r.library: r.seconds for r in closed})
    _sizes(memory, "memory", {row.library: row.peak_bytes or 0 for row in closed})
    _times(changes, "one triple less, or all anew", _changes(found))
    _queries(below.subplots(), found.answers, list(found.queries))
    return figure


def _changes(found: Findings) -> dict[str, float | None]:
    """The median of rdfinc and of other stores, and of the others a new derivation."""
    anew = {row.library: row.deriving for row in found.closings if row.deriving is not None}
    return {**anew, **{each.library: median(each.gone) for each in found.changes if each.gone}}


def _times(axes: Axes, title: str, seconds: Mapping[str, float | None]) -> None:
    """A dot for each library with its time beside it, on a logarithmic scale."""
    shown = {name: time for name, time in seconds.items() if time}
    for name, time in shown.items():
        axes.scatter(time, _row(name), **STYLES[name], zorder=2)
        axes.annotate(duration(time), (time, _row(name)), (7, -3), textcoords="offset points")
    if shown:
        axes.set_xscale("log")
        axes.set_xlim(min(shown.values()) / 2, max(shown.values()) * 8)
    _frame(axes, title)


def _sizes(axes: Axes, title: str, sizes: Mapping[str, int]) -> None:
    """A bar for each library."""
    for name, size in sizes.items():
        bar = axes.barh(_row(name), size, color=STYLES[name]["color"], height=0.6)
        axes.bar_label(bar, [f"{size / 1e6:,.0f} MB"], padding=5)
    axes.margins(x=0.3)
    _frame(axes, title)


def _row(name: str) -> int:
    return list(STYLES).index(name)


def _frame(axes: Axes, title: str) -> None:
    """The libraries at the left, the first at the top, and no scale, since values are written."""
    axes.set_yticks(range(len(STYLES)), list(STYLES))
    axes.set_ylim(len(STYLES) - 0.5, -0.5)
    axes.grid(axis="y", color="#e0e0e0")
    axes.set_axisbelow(True)
    axes.xaxis.set_visible(False)
    axes.set_title(title, fontsize=10)
    axes.spines[["top", "right", "bottom"]].set_visible(False)


def _queries(axes: Axes, answers: Sequence[Answers], queries: Sequence[str]) -> None:
    """A dot for each query and library, the first query at the top."""
    for each in answers:
        times = {query: found.seconds for query, found in each.answers.items() if found.seconds}
        rows = [queries.index(query) for query in times]
        axes.scatter([*times.values()], rows, **STYLES[each.library], label=each.library, zorder=2)
    axes.set_yticks(range(len(queries)), queries)
    axes.set_ylim(len(queries) - 0.5, -0.5)
    axes.grid(color="#e0e0e0")
    axes.set_axisbelow(True)
    axes.set_title("queries over the closure, median of later times", fontsize=10)
    if answers:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda seconds, _: duration(seconds)))
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    axes.spines[["top", "right", "left"]].set_visible(False)
