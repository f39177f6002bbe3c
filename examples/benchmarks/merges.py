"""Terms that become equal because of others that do, n of them in the end.

    python examples/benchmarks/merges.py
    python examples/benchmarks/merges.py --terms 200 400 800 1600

A ring of a functional property, whose first term has two values; pairs of values of which each
shares one with the next; things with one value of an inverse functional property. Shown are the
facts in the end, the processor time of a load, and of one statement in the middle less and more;
behind each, how much longer than for the number before. Facts are four times as many for twice
the terms.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

from measure import at_least_one, duration

from rdfinc import KnowledgeBase

EX = "http://example.org/"
A = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
OWL = "http://www.w3.org/2002/07/owl#"
Triple = tuple[str, str, str]


def ring(terms: int) -> Iterator[Triple]:
    yield named("p"), A, f"<{OWL}FunctionalProperty>"
    yield fact("n0", f"n{min(2, terms - 1)}")
    for i in range(terms):
        yield fact(f"n{i}", f"n{(i + 1) % terms}")


def pairs(terms: int) -> Iterator[Triple]:
    yield named("p"), A, f"<{OWL}FunctionalProperty>"
    for i in range(terms):
        yield fact(f"s{i}", f"n{i}")
        yield fact(f"s{i}", f"n{i + 1}")


def hub(terms: int) -> Iterator[Triple]:
    yield named("p"), A, f"<{OWL}InverseFunctionalProperty>"
    for i in range(terms):
        yield fact(f"n{i}", "value")


def fact(s: str, o: str) -> Triple:
    return named(s), named("p"), named(o)


def named(name: str) -> str:
    return f"<{EX}{name}>"


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def measured(triples: list[Triple]) -> tuple[int, list[float]]:
    """The facts, and the time of a load, of a statement less and of the same once more."""
    text = "".join(f"{s} {p} {o} .\n" for s, p, o in triples).encode()
    kb = KnowledgeBase()
    one = [triples[len(triples) // 2]]
    load = seconds(lambda: kb.load(text, format="nt"))
    facts = len(kb)
    less = seconds(lambda: kb.update(delete=one))
    more = seconds(lambda: kb.update(insert=one))
    assert len(kb) == facts
    return facts, [load, less, more]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--terms", type=at_least_one, nargs="+", default=[100, 200, 400])
    for shape in (ring, pairs, hub):
        print(f"\n{shape.__name__:8}{'facts':>12}{'load':>18}{'less':>18}{'more':>18}")
        before: list[float] = []
        for terms in parser.parse_args().terms:
            facts, times = measured(list(shape(terms)))
            ratios = [f"{t / max(b, 1e-9):5.1f}" for t, b in zip(times, before, strict=False)]
            cells = [
                f"{duration(t):>12}{ratio:>6}"
                for t, ratio in zip(times, ratios or [""] * 3, strict=True)
            ]
            print(f"{terms:<8,}{facts:>12,}{''.join(cells)}", flush=True)
            before = times
