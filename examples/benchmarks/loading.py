"""N-Triples and Turtle into memory, beside pyoxigraph and rdflib.

    python examples/benchmarks/loading.py
    python examples/benchmarks/loading.py --universities 10

The same university data in both formats. "rdfinc ids" reads and encodes only, as pyoxigraph's
"parse" does with its own terms; "rdfinc load" also builds the store, as "bulk_load" and rdflib's
`Graph.parse` do. rdflib reads the first department only, because it takes a minute for more.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import deque
from collections.abc import Callable
from pathlib import Path

import pyoxigraph
import rdflib
from measure import REPETITIONS, Candidate, show, side_by_side

import rdfinc
from rdfinc import university
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.reading import read

FORMATS = {"nt": pyoxigraph.RdfFormat.N_TRIPLES, "ttl": pyoxigraph.RdfFormat.TURTLE}


def write_data(
    folder: Path, universities: int, departments: int | None
) -> tuple[dict[str, Path], int]:
    """The file of each format, and how many triples are in one."""
    lines, turtle = folder / f"data{universities}.nt", folder / f"data{universities}.ttl"
    with lines.open("wb") as out:
        count = 0
        for block in university.blocks(universities, departments=departments):
            count += block.count(b"\n")
            out.write(block)
    pyoxigraph.serialize(pyoxigraph.parse(path=lines), turtle, prefixes={"u": university.NAMESPACE})
    return {"nt": lines, "ttl": turtle}, count


def ids(path: Path) -> object:
    dictionary = Dictionary()
    return read(str(path), dictionary), dictionary


def load(path: Path) -> object:
    kb = rdfinc.KnowledgeBase(profile="none")
    kb.load(path)
    return kb


def oxigraph_parse(path: Path) -> None:
    deque(pyoxigraph.parse(path=path), maxlen=0)


def oxigraph_bulk_load(path: Path) -> object:
    store = pyoxigraph.Store()
    store.bulk_load(path=path)
    return store


def rdflib_parse(path: Path) -> object:
    return rdflib.Graph().parse(path, format={".nt": "nt", ".ttl": "turtle"}[path.suffix])


def on(path: Path, name: str, run: Callable[[Path], object]) -> Candidate:
    return Candidate(name, run, lambda: path)


def compare(path: Path, triples: int, repetitions: int) -> None:
    candidates = [
        on(path, "rdfinc ids", ids),
        on(path, "rdfinc load", load),
        on(path, "pyoxigraph parse", oxigraph_parse),
        on(path, "pyoxigraph bulk_load", oxigraph_bulk_load),
    ]
    show(side_by_side(candidates, repetitions), triples, "triples")


def compare_with_rdflib(path: Path, triples: int, repetitions: int) -> None:
    candidates = [on(path, "rdfinc load", load), on(path, "rdflib parse", rdflib_parse)]
    show(side_by_side(candidates, repetitions), triples, "triples")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=int, default=1, help="(1)")
    parser.add_argument("--departments", type=int, help="at most so many a university")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="(%(default)s)")
    return parser.parse_args()


def write_both(
    folder: Path, options: argparse.Namespace
) -> tuple[dict[str, Path], int, dict[str, Path], int]:
    """The data asked for, and a department for what is slow: files by suffix, and triples."""
    (folder / "small").mkdir()
    large = write_data(folder, options.universities, options.departments)
    return *large, *write_data(folder / "small", 1, 1)


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        files, triples, small_files, small = write_both(Path(folder), options)
        for suffix, path in files.items():
            print(f"{FORMATS[suffix].name}: {triples:,} triples")
            compare(path, triples, options.repetitions)
            print(f"{FORMATS[suffix].name}: {small:,} triples, beside rdflib")
            compare_with_rdflib(small_files[suffix], small, options.repetitions)


if __name__ == "__main__":
    main()
