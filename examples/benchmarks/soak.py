"""A long stream in which every update brings fresh terms and drops old ones: is it exact to the
end, and does memory stay?

    python examples/benchmarks/soak.py
    python examples/benchmarks/soak.py --updates 10000 --maintenance bf

Sensors report readings, each a node of its own with a value of its own; the last few hundred are
known. At each tenth of the way the closure is compared with one made from nothing, and the
process's memory is shown beside that at the first tenth; there are as many facts each time.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Iterator
from itertools import pairwise

import rdfinc

RULES = """@prefix : <http://example.org/> .
:Reading[?r] :- [?s, :reported, ?r] .
[?r, :at, ?p] :- [?s, :reported, ?r], [?s, :in, ?p] .
[?p, :knows, ?v] :- [?r, :at, ?p], [?r, :value, ?v] .
[?q, :knows, ?v] :- [?p, :next, ?q], [?p, :knows, ?v] .
"""
SENSORS, PLACES, WINDOW = 50, 10, 300
CHECKS = 10

Fact = tuple[str, str, str]


def node(name: str) -> str:
    return f"<http://example.org/{name}>"


def standing() -> list[Fact]:
    """Sensors in places, which follow each other in two rows."""
    places = [node(f"p{i}") for i in range(PLACES)]
    half = PLACES // 2
    rows = [*pairwise(places[:half]), *pairwise(places[half:])]
    located = [(node(f"s{i}"), node("in"), places[i % PLACES]) for i in range(SENSORS)]
    return [*located, *((one, node("next"), other) for one, other in rows)]


def reading(number: int) -> list[Fact]:
    name = node(f"r{number}")
    value = f'"{number / 8}"^^<http://www.w3.org/2001/XMLSchema#decimal>'
    return [(node(f"s{number % SENSORS}"), node("reported"), name), (name, node("value"), value)]


def updates(number: int) -> Iterator[tuple[list[Fact], list[Fact]] | None]:
    yield None  # the next update may be asked for at any time
    for i in range(number):
        yield (reading(i - WINDOW) if i >= WINDOW else []), reading(i)


def resident() -> int:
    """The memory of this process, in bytes."""
    gc.collect()
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))


def knowledge_base(maintenance: str) -> rdfinc.KnowledgeBase:
    kb = rdfinc.KnowledgeBase("none", maintenance=maintenance)
    kb.add_rules(RULES)
    kb.update(insert=standing())
    return kb


def is_exact(kb: rdfinc.KnowledgeBase) -> bool:
    """Whether the closure is what follows from what is stated."""
    again = knowledge_base("rematerialise")
    again.update(insert=list(kb.explicit))
    return set(kb) == set(again)


def soak(number: int, maintenance: str) -> None:
    kb = knowledge_base(maintenance)
    step, first, start = number // CHECKS, 0, time.perf_counter()
    print(f"{'updates':>9}{'µs each':>10}{'facts':>8}{'terms':>9}{'memory':>10}{'ratio':>7}")
    for done, _ in enumerate(kb.stream(updates(number)), 1):
        if done % step == 0:
            each = (time.perf_counter() - start) / step
            assert is_exact(kb), f"after {done} updates"
            now = resident()
            first = first or now
            print(f"{done:>9,}{1e6 * each:>10.0f}{len(kb):>8,}{kb.stats()['numbered_terms']:>9,}"
                  f"{now / 1e6:>7.0f} MB{now / first:>7.2f}", flush=True)  # fmt: skip
            start = time.perf_counter()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--updates", type=int, default=100_000, help="(%(default)s)")
    parser.add_argument("--maintenance", default="auto", help="(%(default)s)")
    options = parser.parse_args()
    soak(options.updates, options.maintenance)


if __name__ == "__main__":
    main()
