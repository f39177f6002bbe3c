"""Findings as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from rdfinc.plugins.bench.agreement import ClosureDifference
from rdfinc.plugins.bench.bench_findings import Answers, Changing, Closing, Findings

NONE = "–"


def markdown(found: Findings, picture: str | None = None) -> str:
    """The tables, each with the sentences that it needs; a picture too, if its path is given."""
    return "\n".join(_lines(found, picture)) + "\n"


def _lines(found: Findings, picture: str | None) -> Iterator[str]:
    yield f"# {_cell(found.what)}"
    yield f"\n{found.triples:,} triples, profile {found.profile}. {found.place}."
    yield "Each library in a process of its own, all of them from one file of N-Triples;"
    yield f"imports are not timed; at most {found.timeout:g} s a process.\n"
    if picture is not None:
        yield f"![times, memory and queries](<{picture}>)\n"
    yield "## From the file to the closure\n"
    yield from _table(_CLOSINGS, map(_closing, found.closings))
    yield "\nMedians of the runs; processor time counts all threads; memory is the most that the"
    yield "process had, its libraries included."
    if found.differences:
        yield "\n## The same facts?\n"
        yield from map(_difference, found.differences)
        yield "\nCompared are facts without blank nodes, whose subject is no literal."
    if found.changes:
        yield "\n## One triple goes, and comes back\n"
        yield from _table(_CHANGES, _changes(found))
        yield "\nTriples are drawn at random. Who derives anew does so after each change."
    if found.answers:
        yield "\n## Queries over the closure\n"
        yield from _table(_queries_head(found.answers), _answers(found))
        yield "\nThe first time, and the median of later times."
        yield from (f"\n{each.library}: {each.why}." for each in found.answers if each.why)
        yield "\n```sparql"
        yield from (f"# {name}\n{text.strip()}" for name, text in found.queries.items())
        yield "```"


_CLOSINGS = (
    ("library", "version", "seconds", "deriving", "processor", "memory", "facts", "runs", "")
)  # fmt: skip


def _closing(row: Closing) -> Sequence[str]:
    return (
        row.library,
        row.version or NONE,
        *map(_seconds, (row.seconds, row.deriving, row.processor)),
        NONE if row.peak_bytes is None else f"{row.peak_bytes / 1e6:,.0f} MB",
        NONE if row.facts is None else f"{row.facts:,}",
        str(row.runs),
        row.why,
    )


def _difference(one: ClosureDifference) -> str:
    told = [f"{one.common:,} facts are in both"]
    if one.unshown:
        told.append(
            f"{one.unshown:,} of {one.other} are what rdfinc shows with `axiomatic=True` only"
        )
    if one.only_other:
        told.append(f"{one.only_other:,} are only in {one.other}")
    if one.only_rdfinc:
        told.append(f"{one.only_rdfinc:,} are only in rdfinc")
    examples = "".join(f"\n    * {_code(example)}" for example in one.examples)
    agree = " agree" if one.is_none else ""
    return f"* **rdfinc and {one.other}{agree}**: {'; '.join(told)}.{examples}"


_CHANGES = ("library", "goes", "slowest", "comes", "slowest", "")


def _changes(found: Findings) -> Iterator[Sequence[str]]:
    for each in found.changes:
        yield (each.library, *_ends(each.gone), *_ends(each.back), _exactness(each))
    for row in found.closings:
        if row.deriving is not None and (found.profile != "none" or row.library != "rdfinc"):
            anew = _seconds(row.deriving)
            yield (row.library, anew, NONE, anew, NONE, "derives anew")


def _ends(seconds: Sequence[float]) -> tuple[str, str]:
    if not seconds:
        return NONE, NONE
    return _seconds(median(seconds)), _seconds(max(seconds))


def _exactness(one: Changing) -> str:
    if one.why:
        return one.why
    told = {None: "", True: "the same facts as anew", False: "NOT the same facts as anew"}
    return f"{len(one.gone)} triples; {told[one.exact]}".rstrip("; ")


def _queries_head(answers: Sequence[Answers]) -> Sequence[str]:
    return ("query", "rows", *(each.library for each in answers))


def _answers(found: Findings) -> Iterator[Sequence[str]]:
    ours = found.answers[0].answers
    for query in found.queries:
        rows = ours[query].rows if query in ours else None
        cells = [_answer(each, query, rows) for each in found.answers]
        yield (query, NONE if rows is None else f"{rows:,}", *cells)


def _answer(one: Answers, query: str, rows: int | None) -> str:
    found = one.answers.get(query)
    if found is None:
        return NONE
    if found.failure:
        return found.failure
    other = f" ({found.rows:,} rows)" if found.rows != rows else ""
    return f"{_seconds(found.first)}, {_seconds(found.seconds)}{other}"


# -- Markdown


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _row(head)
    yield _row(["---"] * len(head))
    yield from map(_row, rows)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _code(text: str) -> str:
    return f"``{' '.join(text.split())}``"


def _seconds(seconds: float | None) -> str:
    return NONE if seconds is None else duration(seconds)


def duration(seconds: float) -> str:
    """A time with the unit that suits it, in three digits."""
    for factor, unit in ((1e6, "µs"), (1e3, "ms")):
        if seconds * factor < 1000:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"
