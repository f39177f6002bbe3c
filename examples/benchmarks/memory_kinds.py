"""What a loaded closure holds in memory, by kind, and what its load took at its peak.

    python examples/benchmarks/memory_kinds.py
    python examples/benchmarks/memory_kinds.py --universities 100 --texts 1000000

University data with their ontology, and long texts: things with two literals of 40 words or so
each. Either is loaded in a process of its own, by one reader. Shown are the bytes of each kind,
what of the resident memory belongs to none ("beside": what is free or in use of the allocators,
plans, and all else), without the memory of the imports; and the peak, which also has what a load
needs for a while.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from measure import at_least_one, megabytes, process

from rdfinc import university

ONTOLOGY = Path(__file__).parents[2] / "ontologies" / "university.ttl"
WORDS = [
    "amber", "basalt", "cedar", "delta", "ember", "fjord", "garnet", "harbour", "iris", "jasper",
]  # fmt: skip

LOADED = """
import json, sys
import rdfinc

def status(name):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))

rdfinc.KnowledgeBase().load(b"<http://e/s> <http://e/p> 'o' .", format="ttl")
before = status("VmRSS")
kb = rdfinc.KnowledgeBase()
kb.load(*sys.argv[1:], workers=1)
found = {"facts": len(kb), "steady": status("VmRSS") - before, "peak": status("VmHWM") - before}
version, terms = kb.reader().version, kb.dictionary

def size(facts, seen):
    arrays = {id(a): a.nbytes for t in facts.tables.values() for a in t.arrays()}
    fresh = {key: bytes for key, bytes in arrays.items() if key not in seen}
    seen.update(arrays)
    return sum(fresh.values()) + sum(t.overlay_bytes() for t in facts.tables.values())

seen = set()
found["kinds"] = {
    "terms": terms.nbytes,
    "stated facts": size(version.explicit, seen),
    "the closure, beside these": size(version.held, seen),
}
print(json.dumps(found))
"""


def texts(count: int) -> Iterator[bytes]:
    """Things with a title and a text, in N-Triples."""
    rnd = random.Random(1)
    for number in range(count):
        for name in ("title", "text"):
            words = " ".join(rnd.choices(WORDS, k=rnd.randint(20, 60)))
            yield (
                f"<http://example.org/thing{number}> <http://example.org/{name}>"
                f' "{number} {words}" .\n'
            ).encode()


def show(name: str, write: Callable[[], Iterator[bytes]], *ontologies: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.nt"
        with data.open("wb") as out:
            out.writelines(write())
        found = json.loads(process(LOADED, *ontologies, data).output)
    steady, peak, kinds = found["steady"], found["peak"], found["kinds"]
    print(f"\n{name}: {found['facts']:,} facts")
    for kind, size in {**kinds, "beside": steady - sum(kinds.values())}.items():
        print(f"  {kind:28}{megabytes(size):>12}{size / found['facts']:>8.1f} bytes a fact")
    print(f"  {'all':28}{megabytes(steady):>12}{steady / found['facts']:>8.1f}")
    print(f"  {'at the peak':28}{megabytes(peak):>12}{peak / steady:>8.2f} times that")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=at_least_one, default=5, help="(%(default)s)")
    parser.add_argument("--texts", type=at_least_one, default=50_000, help="(%(default)s)")
    options = parser.parse_args()
    of_universities = partial(university.blocks, options.universities)
    show(f"{options.universities} universities", of_universities, ONTOLOGY)
    show(f"{options.texts:,} things with two texts", partial(texts, options.texts))
