"""Looks for a sequence that breaks a law: `python -m laws.hunt FIRST_SEED COUNT SECONDS`."""

from __future__ import annotations

import sys
import time

from laws.checking import check_closures, check_equality, check_seeds
from laws.streaming import check_streams


def main(first: int, count: int, seconds: int) -> int:
    end = time.monotonic() + seconds
    for seed in range(first, first + count):
        try:
            check_closures(range(seed, seed + 1))
            check_equality(range(seed, seed + 1))
            check_seeds(range(seed, seed + 1))
            check_streams(range(seed, seed + 1))
        except Exception as error:
            print(f"seed {seed}: {type(error).__name__}: {error}")
            return 1
        if time.monotonic() > end:
            break
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
