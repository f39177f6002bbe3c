"""What the driver finds in the files of a closure and writes of them, beside sets; no Spark."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import thresholds
from rdfinc.plugins.spark.closure.changed_files import ChangedFiles, RowChange, rows_of
from rdfinc.plugins.spark.closure.fact_files import FactFiles
from rdfinc.plugins.spark.closure.term_files import TermFiles
from rdfinc.plugins.spark.load.layout import FACTS, HIDDEN, write_facts, write_terms
from rdfinc.plugins.spark.spark_thresholds import SPARK
from rdfinc.plugins.spark.storage.local_folder import LocalFolder

Row = tuple[int, ...]
ENDS = ["s", "p", "o"]
SEEDS = range(20)


def rows(chance: random.Random, columns: int, number: int = 40) -> set[Row]:
    """Facts of few terms; further columns are small."""
    return {
        (
            chance.randint(1, 6),
            chance.randint(10, 13),
            chance.randint(1, 6),
            *(chance.randint(0, 1) for _ in range(columns - 3)),
        )
        for _ in range(number)
    }


def table(some: set[Row], names: list[str]) -> pa.Table:
    columns = [*zip(*sorted(some), strict=True)] or [()] * len(names)
    return pa.table([pa.array(each, pa.int64()) for each in columns], names)


def read(found: pa.Table) -> set[Row]:
    listed = [*zip(*(column.to_pylist() for column in found), strict=True)]
    assert len(listed) == len(set(listed)), "each once"
    return set(listed)


def write(place: Path, marks: dict[Row, int]) -> None:
    """Statements, each with the mark of a derived one, in the files of a closure."""
    for predicate in {row[1] for row in marks}:
        facts = sorted(row for row in marks if row[1] == predicate)
        derived = np.array([marks[row] for row in facts], np.bool_)
        write_facts(LocalFolder(place), np.array(facts, np.uint32).T, derived=derived)


class Folder:
    """The files of a random closure, and what is in them."""

    def __init__(self, place: Path, seed: int, *, has_hidden: bool = True) -> None:
        chance, self.place = random.Random(seed), place
        self.seen = rows(chance, 5)
        self.hidden = rows(chance, 3, 12) if has_hidden else set()
        marks = {row[:4]: row[4] for row in self.seen}
        self.seen = {(*row, mark) for row, mark in marks.items()}
        write(place, marks)
        if has_hidden:
            (place / HIDDEN).mkdir()
            pq.write_table(table(self.hidden, ENDS), place / HIDDEN / "part.parquet")
        self.files = FactFiles(LocalFolder(place))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_asked_for_is_found(seed: int, tmp_path: Path) -> None:
    folder, chance = Folder(tmp_path, seed, has_hidden=seed % 3 > 0), random.Random(seed)
    facts = rows(chance, 3)
    stated = {row[:4] for row in folder.seen if not row[4]}
    assert read(folder.files.statements(table(facts, ENDS))) == {
        row for row in stated if row[:3] in facts
    }
    everything = {(*row[:3], not row[4]) for row in folder.seen}
    everything |= {(*row, False) for row in folder.hidden}
    for names in (ENDS, ["p", "s"], ["p", "o"]):
        places = ["spo".index(name) for name in names]
        asked = {tuple(row[place] for place in places) for row in facts}
        wanted = {row for row in everything if tuple(row[place] for place in places) in asked}
        assert {*map(tuple, folder.files.asked(table(asked, names)).to_pandas().values)} == wanted
    assert dict(folder.files.stated()) == Counter(p for _, p, _, _ in stated)
    counts = Counter(row[1] for row in [*folder.seen, *folder.hidden])
    assert dict(folder.files.counts()) == counts
    for p in counts:
        assert folder.files.objects(p) == {row[2] for row in everything if row[1] == p}
    assert folder.files.has_graphs == any(row[3] for row in folder.seen)


def test_what_is_not_stated_is_not_counted(tmp_path: Path) -> None:
    write(tmp_path, {(1, 10, 3, 0): 1, (1, 11, 3, 0): 0, (2, 11, 3, 0): 1})
    files = FactFiles(LocalFolder(tmp_path))
    assert dict(files.stated()) == {11: 1}
    assert dict(files.counts()) == {10: 1, 11: 2}
    assert not files.has_graphs


def test_the_driver_looks_through_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder(tmp_path, 1)
    of_one = sum(row[1] == 11 for row in folder.seen) + len(folder.hidden)
    thresholds.put(monkeypatch, SPARK, asked_here=of_one)
    assert folder.files.are_few(pa.array([11]))
    assert not folder.files.are_few()
    thresholds.put(monkeypatch, SPARK, asked_here=len(folder.seen) + len(folder.hidden))
    assert folder.files.are_few()


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_go_and_come(seed: int, tmp_path: Path) -> None:
    folder, chance = Folder(tmp_path / "old", seed), random.Random(-seed)
    predicates = {11, 12, 14}
    dropped = {row for row in folder.seen if row[1] in predicates and chance.random() < 0.5}
    if seed % 4 == 0:
        dropped |= {row for row in folder.seen if row[1] == 11}
    added = {(s, p + 1, o, g, d) for s, p, o, g, d in rows(chance, 5, 9) if p > 10} - folder.seen
    added = {row for row in added if row[1] in predicates}
    hidden = RowChange(table({*sorted(folder.hidden)[:3]}, ENDS), table({(9, 12, 9)}, ENDS))
    names = ["s", "p", "o", "g"]
    seen = RowChange(
        *(
            pa.concat_tables(
                rows_of(table({r[:4] for r in some if r[4] == d}, names), derived=bool(d))
                for d in (0, 1)
            )
            for some in (dropped, added)
        )
    )
    old, new = (LocalFolder(tmp_path / name) for name in ("old", "new"))
    ChangedFiles(old, seen, hidden).write(new)
    found: set[Row] = set()
    for place in (tmp_path / "new" / FACTS).glob("p=*"):
        p = int(place.name[2:])
        for file in place.glob("*.parquet"):
            part = pq.ParquetFile(file).read()
            listed = [*zip(*(part.column(name).to_pylist() for name in "sog"), strict=True)]
            assert listed == sorted(listed)
            derived = part.column("derived").to_pylist()
            found |= {(s, p, o, g, d) for (s, o, g), d in zip(listed, derived, strict=True)}
            if p not in {row[1] for row in dropped | added}:
                old = tmp_path / "old" / FACTS / place.name / file.name
                assert file.stat().st_ino == old.stat().st_ino
    assert found == folder.seen - dropped | added
    assert read(pq.read_table(tmp_path / "new" / HIDDEN).select(ENDS)) == (
        folder.hidden - read(hidden.dropped) | read(hidden.added)
    )


def test_terms_are_found(tmp_path: Path) -> None:
    terms = [b"<http://e/a>", b'"1"^^<http://e/d>', b'"x"', b'"x>"', b"_:b", b'"x"@en']
    write_terms(LocalFolder(tmp_path), terms, 1)
    files = TermFiles(LocalFolder(tmp_path))
    assert files.ids(['"x"', "<http://e/a>", "<http://e/none>"]) == {'"x"': 3, "<http://e/a>": 1}
    assert files.terms([5, 2, 99]) == {5: "_:b", 2: '"1"^^<http://e/d>'}
    typed = [row["id"] for batch in files.typed() for row in batch.to_pylist()]
    assert typed == [2]
