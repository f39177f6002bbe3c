"""Many people, some of whom are equal because they share a mailbox, and single facts of them.

    python examples/benchmarks/mailboxes.py
    python examples/benchmarks/mailboxes.py --people 15000 150000 1500000 --updates 50

Each person has a type, a mailbox and an acquaintance; on average two share a mailbox, which only
one person can have. Each number of people is loaded in a process of its own; then facts drawn at
random are taken away and put back, one at a time. Shown are processor time and the most memory
that the process ever had, and for each relation medians and the longest of one fact less and more.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure import at_least_one, duration, megabytes, process

EX = "http://example.org/"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
INVERSE_FUNCTIONAL = "http://www.w3.org/2002/07/owl#InverseFunctionalProperty"

RUN = """
import json, random, statistics, sys, time
from rdfinc import KnowledgeBase

def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start

path, number = sys.argv[1], int(sys.argv[2])
kb = KnowledgeBase()
found = {"loading": seconds(lambda: kb.load(path)), "size": len(kb), "relations": {}}
facts = {}
for fact in kb.explicit.triples((None, None, None)):
    facts.setdefault(str(fact[1]), []).append(fact)
for relation, some in facts.items():
    chosen = random.Random(0).sample(some, min(number, len(some)))
    less, more = [], []
    for fact in chosen if len(some) > 1 else ():
        less.append(seconds(lambda: kb.update(delete=[fact])))
        more.append(seconds(lambda: kb.update(insert=[fact])))
    if less:
        shown = [f(times) for times in (less, more) for f in (statistics.median, max)]
        found["relations"][relation] = shown
assert len(kb) == found["size"]
print(json.dumps(found))
"""


def facts(people: int) -> Iterator[str]:
    """N-Triples."""
    rnd = random.Random(people)
    yield f"<{EX}mbox> <{TYPE}> <{INVERSE_FUNCTIONAL}> .\n"
    for n in range(people):
        mailbox, other = rnd.randrange((people + 1) // 2), rnd.randrange(people)
        yield f"<{EX}p{n}> <{TYPE}> <{EX}Person> .\n"
        yield f"<{EX}p{n}> <{EX}mbox> <mailto:m{mailbox}@example.org> .\n"
        yield f"<{EX}p{n}> <{EX}knows> <{EX}p{other}> .\n"


def measured(people: int, updates: int) -> tuple[int, dict[str, Any]]:
    """The peak memory of a process, and what it has found."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "facts.nt"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(facts(people))
        done = process(RUN, path, updates)
    return done.peak_bytes, json.loads(done.output)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=at_least_one, nargs="+", default=[15_000, 150_000])
    parser.add_argument("--updates", type=at_least_one, default=50)
    options = parser.parse_args()
    for people in options.people:
        peak, found = measured(people, options.updates)
        loaded = f"loaded in {duration(found['loading'])}, {megabytes(peak)} at most"
        print(f"{people:,} people, {found['size']:,} facts, {loaded}")
        for relation, times in found["relations"].items():
            less, longest_less, more, longest_more = map(duration, times)
            print(f"  {relation}")
            print(f"    one less: {less}, at most {longest_less}")
            print(f"    one more: {more}, at most {longest_more}")


if __name__ == "__main__":
    main()
