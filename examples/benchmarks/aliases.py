"""Many names of one thing, with many facts among them, beside the same facts without links.

    python examples/benchmarks/aliases.py
    python examples/benchmarks/aliases.py --aliases 1000 --facts 1000000 --only values

Each of the aliases has as many facts as the others, about values of its own ("values") or about
aliases ("among"). Links say that all aliases are the same, so that every fact of one of them holds
of all. Each measurement is in a process of its own, which loads a file; then, with links, one of
them is taken away and put back, again and again. Shown are the most memory that the process ever
had and what the knowledge base says its facts take, with the ratio to those without links; what it
takes to load, to tell how many facts there are, to look up a fact that another alias states, and
medians of one link less and one more.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from measure import duration, megabytes, process

EX = "http://example.org/"
SAME_AS = "http://www.w3.org/2002/07/owl#sameAs"
KINDS = ("values", "among")
RELATIONS = 10

RUN = """
import json, statistics, sys, time
from rdflib import OWL, URIRef
from rdfinc import KnowledgeBase

def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start

path, value, aliases = sys.argv[1:]
kb = KnowledgeBase()
found = {"loading": seconds(lambda: kb.load(path)), "size": len(kb)}
found["bytes"] = kb.stats()["bytes_facts"]
one = URIRef("http://example.org/a" + str(int(aliases) // 2))
fact = one, URIRef("http://example.org/p0"), URIRef("http://example.org/" + value)
found["there"] = fact in kb
found["len"] = statistics.median(seconds(lambda: len(kb)) for _ in range(5))
found["look-up"] = statistics.median(seconds(lambda: fact in kb) for _ in range(5))
link = URIRef("http://example.org/a0"), OWL.sameAs, one
if link in kb:
    less, more = [], []
    for _ in range(3):
        less.append(seconds(lambda: kb.update(delete=[link])))
        found["less"] = len(kb)
        more.append(seconds(lambda: kb.update(insert=[link])))
    found |= {"delete": statistics.median(less), "insert": statistics.median(more)}
    assert len(kb) == found["size"]
print(json.dumps(found))
"""


def facts(kind: str, aliases: int, number: int) -> Iterator[str]:
    """N-Triples."""
    each = number // aliases
    for alias in range(aliases):
        for n in range(each):
            relation = n % RELATIONS if kind == "values" else n // aliases
            value = f"v{alias * each + n}" if kind == "values" else f"a{n % aliases}"
            yield f"<{EX}a{alias}> <{EX}p{relation}> <{EX}{value}> .\n"


def links(aliases: int) -> Iterator[str]:
    return (f"<{EX}a0> <{SAME_AS}> <{EX}a{alias}> .\n" for alias in range(1, aliases))


def measured(
    kind: str, linked: Sequence[str], aliases: int, number: int
) -> tuple[int, dict[str, Any]]:
    """The peak memory of a process, and what it has found."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "facts.nt"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(facts(kind, aliases, number))
            file.writelines(linked)
        done = process(RUN, path, "v0" if kind == "values" else "a0", aliases)
    return done.peak_bytes, json.loads(done.output)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--aliases", type=int, default=1_000)
    parser.add_argument("--facts", type=int, default=1_000_000)
    parser.add_argument("--only", nargs="+", choices=KINDS, default=KINDS)
    options = parser.parse_args()
    for kind in options.only:
        print(f"{options.facts:,} facts of {options.aliases:,} aliases, {kind}")
        first = None
        for how, linked in (("without links", []), ("linked", list(links(options.aliases)))):
            peak, found = measured(kind, linked, options.aliases, options.facts)
            first = first or (peak, found["bytes"])
            print(f"  {how}: {found['size']:,} facts, loaded in {duration(found['loading'])}")
            print(f"    peak {megabytes(peak)}, {peak / first[0]:.2f} times that without links")
            print(f"    facts {megabytes(found['bytes'])}, {found['bytes'] / first[1]:.2f} times")
            print(f"    len in {duration(found['len'])}")
            there = "there" if found["there"] else "not there"
            print(f"    a fact of another alias is {there}: {duration(found['look-up'])}")
            if linked:
                print(f"    one link less: {duration(found['delete'])}, {found['less']:,} facts")
                print(f"    one link more: {duration(found['insert'])}")


if __name__ == "__main__":
    main()
