"""Chains of linked wind turbines: data for the rule sets `ontologies/chains_*.dlog`.

    python examples/benchmarks/chains.py 200 chains.nt

The second data set of paper "ZodiacEdge: a Datalog Engine With Incremental Rule Set Maintenance"
(Xu and Curé, 2023): four chains of equally many links, of :p1, :p2, :p3 and :p4 in this order,
each beginning where the one before ends. 200 links in each, over 801 turbines, is the largest
published size. Nothing is random.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

NAMESPACE = "http://example.org/chains#"
LINKS = 200
RELATIONS = ("p1", "p2", "p3", "p4")

Triple = tuple[str, str, str]


def rules(name: str) -> str:
    """The text of a rule set: "semipositive" or "stratified"."""
    return files("rdfinc.ontologies").joinpath(f"chains_{name}.dlog").read_text("utf-8")


def triples(links: int = LINKS) -> Iterator[Triple]:
    """The facts as tuples of N-Triples terms, as `KnowledgeBase.update` takes them."""
    for chain, relation in enumerate(RELATIONS):
        for i in range(chain * links, (chain + 1) * links):
            yield turbine(i), term(relation), turbine(i + 1)


def excluded(links: int = LINKS) -> Triple:
    """A fact of :p5, which the rules negate: it takes out the first link of :p2."""
    return turbine(links), term("p5"), turbine(links + 1)


def turbine(number: int) -> str:
    return term(f"turbine{number}")


def term(name: str) -> str:
    return f"<{NAMESPACE}{name}>"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("links", type=int, nargs="?", default=LINKS, help="in a chain (200)")
    parser.add_argument("file", nargs="?", help="standard output if left out")
    options = parser.parse_args()
    text = "".join(f"{s} {p} {o} .\n" for s, p, o in triples(options.links))
    if options.file is None:
        sys.stdout.write(text)
    else:
        Path(options.file).write_text(text)


if __name__ == "__main__":
    main()
