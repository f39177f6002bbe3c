"""Looks for a sequence that breaks a law: `python -m laws.hunt FIRST_SEED COUNT SECONDS`.

The seconds are those of the processor: a busy machine tries as many sequences as an idle one.
"""

from __future__ import annotations

import sys
import time
from itertools import product

from laws.checking import check_closures, check_equality, check_seeds
from laws.streaming import check_streams

CHECKS = check_closures, check_equality, check_seeds, check_streams


def main(first: int, count: int, seconds: int) -> int:
    end = time.process_time() + seconds
    for seed, check in product(range(first, first + count), CHECKS):
        try:
            check(range(seed, seed + 1))
        except Exception as error:
            print(f"seed {seed}: {type(error).__name__}: {error}")
            return 1
        if time.process_time() > end:
            break
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
