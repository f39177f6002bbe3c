"""What many terms cost in memory, and one of them to be found.

    python examples/benchmarks/terms.py
    python examples/benchmarks/terms.py --terms 10000000

IRIs of 60 characters or so, each new, are numbered as a load does it, and frozen. Processor time
of a look-up by text and by id, anywhere in all of them and among 200 that the processor has at
hand; beside the look-up in a dictionary of Python's with as many terms, and its memory.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from closure_runs import resident, trim_heap
from measure import REPETITIONS, at_least_one

from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.freezing import frozen

SEED = 1
LOOK_UPS = 200_000
NEAR = 200
BATCH = 1 << 14


def terms(count: int, start: int = 0) -> Iterator[bytes]:
    """IRIs of students, as the university data has them."""
    for number in range(start, start + count):
        yield b"<http://www.Department%d.University%d.edu/GraduateStudent%d>" % (
            number % 15, number // 15 % 1000, number,
        )  # fmt: skip


def dictionary_of(count: int) -> Dictionary:
    """All of them, numbered and frozen."""
    dictionary = Dictionary()
    for start in range(0, count, BATCH):
        dictionary.add_many(list(terms(min(BATCH, count - start), start)))
    dictionary.go_on_with(frozen(dictionary))
    return dictionary


def seconds(look_up: Callable[[Any], object], keys: Sequence[Any], times: int) -> float:
    """Processor time of a look-up, the median of some runs."""
    runs = []
    for _ in range(1 + times):
        begin = time.process_time()
        for key in keys:
            look_up(key)
        middle = time.process_time()
        for _key in keys:
            pass
        runs.append((2 * middle - begin - time.process_time()) / len(keys))
    return statistics.median(runs[1:])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--terms", type=at_least_one, default=2_000_000, help="(%(default)s)")
    parser.add_argument("--repetitions", type=at_least_one, default=REPETITIONS)
    options = parser.parse_args()
    count, draw = options.terms, random.Random(SEED)
    before = resident()
    dictionary = dictionary_of(count)
    trim_heap()
    held = resident() - before
    text = sum(map(len, terms(count))) / count
    print(f"{count:,} terms: {held / count:.0f} bytes a term, {text:.0f} of them its text")
    ids = [draw.randrange(1, count + 1) for _ in range(LOOK_UPS)]
    known = dictionary.decode_many(ids)
    other = [term.replace(b"Graduate", b"Doctoral") for term in known]
    kinds = {
        "by text": (dictionary.find, known),
        "in vain": (dictionary.find, other),
        "by id": (dictionary.decode, ids),
    }
    for name, (look_up, keys) in kinds.items():
        anywhere = seconds(look_up, keys, options.repetitions)
        at_hand = seconds(look_up, keys[:NEAR] * (LOOK_UPS // NEAR), options.repetitions)
        print(f"  {name:8} {anywhere * 1e6:5.2f} µs, of {NEAR} terms {at_hand * 1e6:5.2f} µs")
    before = resident()
    plain = {term: number for number, term in enumerate(terms(count))}
    held = resident() - before
    anywhere = seconds(plain.get, known, options.repetitions)
    print(f"a dict of Python's: {held / count:.0f} bytes a term, {anywhere * 1e6:5.2f} µs")


if __name__ == "__main__":
    main()
