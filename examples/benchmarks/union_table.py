"""How fast the members of a class hierarchy are read and changed in a union table, beside all
pairs in a plain one, and in what memory.

    python examples/benchmarks/union_table.py
    python examples/benchmarks/union_table.py --universities 5 --members 1000000

1. The types of a university data set, derived by OWL 2 RL.
2. A synthetic tree of classes, each below an earlier one at random, each individual in one of
   them, every fourth in two, so in all classes above these.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from closure import Inputs
from measure import REPETITIONS, Candidate, show, side_by_side

from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray, KeyArray
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table import MutableTable
from rdfinc.tables.union.union_table import UnionTable

SEED = 1
SINGLES = 1000
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def university_types(universities: int, departments: int | None) -> KeyArray:
    with tempfile.TemporaryDirectory() as folder:
        kb = Inputs(Path(folder), universities, departments).closed()
    type_ = kb.dictionary.find(f"<{RDF}type>".encode())
    assert type_ is not None
    return kb.reader().version.closure.get(type_).scan()


def tree_types(classes: int, members: int) -> KeyArray:
    random = np.random.default_rng(SEED)
    ids = np.arange(2, classes + 1)
    parent = np.concatenate(([0, 0], random.integers(1, ids)))
    individuals = np.arange(classes + 1, classes + members + 1)
    twice = individuals[random.random(members) < 0.25]
    subjects = np.concatenate((individuals, twice))
    own = random.integers(1, classes + 1, subjects.size)
    parts = []
    while own.size:
        parts.append(kernels.pack(subjects, own))
        below = parent[own] > 0
        subjects, own = subjects[below], parent[own[below]]
    return kernels.unique(np.concatenate(parts))


class Work:
    """What is asked of both tables."""

    def __init__(self, types: KeyArray) -> None:
        random = np.random.default_rng(SEED)
        self.known = random.choice(types, SINGLES).tolist()
        self.subjects: IdArray = np.unique(kernels.high(types))
        classes = kernels.low(types)
        self.unknown = [s << 32 | 1 for s in random.choice(self.subjects, SINGLES).tolist()]
        self.popular = np.unique(classes)[np.argsort(-np.unique(classes, return_counts=True)[1])]
        self.keys = np.sort(random.choice(types, types.size // 2, replace=False))
        self.one = random.choice(self.subjects, SINGLES).tolist()
        self.share: IdArray = np.sort(random.choice(self.subjects, self.subjects.size // 4))

    def reads(self) -> list[tuple[str, Callable[[MutableTable], object]]]:
        few, rarest = self.popular[:1], self.popular[-1:]
        middle = self.popular[self.popular.size // 3 :][:1]
        return [
            ("has, one by one", lambda table: [table.has(key) for key in self.known]),
            ("has not, one by one", lambda table: [table.has(key) for key in self.unknown]),
            ("objects, one by one", lambda table: [table.objects(s) for s in self.one]),
            ("subjects of the largest class", lambda table: table.subjects(int(few[0]))),
            ("by the largest class", lambda table: table.by_objects(few)),
            ("by a class in the middle", lambda table: table.by_objects(middle)),
            ("by the smallest class", lambda table: table.by_objects(rarest)),
            ("by ten classes", lambda table: table.by_objects(self.popular[:10])),
            ("by a quarter of the subjects", lambda table: table.by_subjects(self.share)),
            ("by all subjects", lambda table: table.by_subjects(self.subjects)),
            ("contains half of the pairs", lambda table: table.contains(self.keys)),
            ("count of a class", lambda table: table.count(None, int(few[0]))),
            ("scan", lambda table: table.scan()),
        ]

    def changes(self, table: MutableTable) -> list[tuple[str, Callable[[MutableTable], object]]]:
        rows = [[s << 32 | o for o in table.objects(s)] for s in self.one[:100]]
        at, classes = table.by_subjects(self.share)
        many = kernels.unique(kernels.pack(self.share[at], classes))

        def one_by_one(table: MutableTable) -> None:
            for row in rows:
                table.add(table.discard(row))

        def at_once(table: MutableTable) -> None:
            table.add(table.discard(many))

        return [
            ("100 individuals go and come", one_by_one),
            ("a quarter goes and comes", at_once),
        ]


def compare(title: str, pairs: KeyArray, repetitions: int) -> None:
    union, plain = UnionTable.of(pairs), Plain(SortedPairs(pairs))
    work = Work(pairs)
    print(f"{title}: {len(plain):,} pairs of {work.subjects.size:,} individuals")
    made = [
        Candidate("Plain, in both orders", lambda _: SortedPairs(pairs).swapped),
        Candidate("Union", lambda _: UnionTable.of(pairs)),
    ]
    show(side_by_side(made, repetitions), len(plain), "pairs")
    for name, run in [*work.reads(), *work.changes(plain)]:
        print(name)
        show(side_by_side(candidates(run, plain, union), repetitions))
    memory(plain, union)


def candidates(run: Callable[[MutableTable], object], *tables: MutableTable) -> list[Candidate]:
    """Both orders are there before."""
    for table in tables:
        run(table)
    return [Candidate(scheme(table), run, table.copy) for table in tables]


def scheme(table: MutableTable) -> str:
    return type(table).__name__.removesuffix("Table")


def memory(plain: MutableTable, union: MutableTable) -> None:
    for table in (plain, union):
        print(f"  {scheme(table)}: {table.nbytes() / len(plain):.2f} bytes a pair")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--departments", type=int, help="at most so many a university")
    parser.add_argument("--classes", type=int, default=10_000, help="of the tree (%(default)s)")
    parser.add_argument("--members", type=int, default=200_000, help="individuals (%(default)s)")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="(%(default)s)")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    types = university_types(options.universities, options.departments)
    compare("university", types, options.repetitions)
    compare("tree", tree_types(options.classes, options.members), options.repetitions)


if __name__ == "__main__":
    main()
