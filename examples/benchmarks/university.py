"""Write a university data set as N-Triples.

    python examples/benchmarks/university.py 10 universities.nt.gz
    python examples/benchmarks/university.py 1 --departments 2 | head

The generator itself is `rdfinc.university`; ontology and queries are under `ontologies/`.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import time
from pathlib import Path
from typing import BinaryIO

from rdfinc import university


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("universities", type=int, nargs="?", default=1, help="how many (1)")
    parser.add_argument("file", nargs="?", help=".nt or .nt.gz; standard output if left out")
    parser.add_argument("--seed", type=int, default=university.SEED, help="%(default)s by default")
    parser.add_argument(
        "--departments", type=int, help="at most so many a university, instead of 15 to 25"
    )
    return parser.parse_args()


def opened(file: str | None) -> BinaryIO | gzip.GzipFile:
    if file is None:
        return sys.stdout.buffer
    return gzip.open(file, "wb", 6) if file.endswith(".gz") else Path(file).open("wb")


def main() -> None:
    options = arguments()
    start = time.perf_counter()
    count = 0
    with opened(options.file) as out:
        for block in university.blocks(options.universities, options.seed, options.departments):
            out.write(block)
            count += block.count(b"\n")
    seconds = time.perf_counter() - start
    print(f"{count:,} triples in {seconds:.2f} s, {count / seconds / 1e6:.2f} M/s", file=sys.stderr)


if __name__ == "__main__":
    main()
