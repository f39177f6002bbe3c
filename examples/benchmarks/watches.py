"""How soon those who watch a query know what an update changed, in a closure of a million facts.

    python examples/benchmarks/watches.py
    python examples/benchmarks/watches.py --universities 1 8 --updates 300

Single statements are withdrawn and stated again, each in an update of its own. Timed is the whole
update, the call of the callback included: without anybody who watches, with a watch of each query,
and, beside that, with the query asked again.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from typing import Any

import rdflib
from closure import Inputs
from measure import duration

import rdfinc
from rdfinc import university

UNIVERSITY = rdflib.Namespace(university.NAMESPACE)
PREFIX = f"PREFIX : <{UNIVERSITY}>"

QUERIES = {
    "one pattern": "SELECT ?x { ?x a :Student }",
    "join of four": """SELECT ?x ?t ?c { ?x :takes ?c . ?t :teaches ?c . ?x :advisedBy ?t .
        ?x a :Student }""",
    "path and filter": "SELECT ?x ?u { ?x :takes/^:teaches/:worksFor ?u FILTER(?x != ?u) }",
    "distinct": "SELECT DISTINCT ?t { ?x :takes ?c . ?t :teaches ?c }",
    "optional": "SELECT ?x ?c ?t { ?x :takes ?c . ?x a :Student OPTIONAL { ?x :advisedBy ?t } }",
    "without": """SELECT ?x { ?x :memberOf ?d . ?x a :Student
        FILTER NOT EXISTS { ?x :takes ?c } }""",
    "groups": "SELECT ?c (COUNT(?x) AS ?n) { ?x :takes ?c . ?x a :Student } GROUP BY ?c",
}


def statements(kb: rdfinc.KnowledgeBase, number: int) -> list[Any]:
    """Some of who takes what, who advises whom, and who is a student."""
    patterns = [(None, UNIVERSITY[name], None) for name in ("takes", "advisedBy", "memberOf")]
    patterns.append((None, rdflib.RDF.type, UNIVERSITY.Undergraduate))
    found = [fact for pattern in patterns for fact in kb.explicit.triples(pattern)]
    return random.Random(1).sample(found, number)


def timed(kb: rdfinc.KnowledgeBase, facts: list[Any], after: Callable[[], object]) -> list[float]:
    """Seconds of every update: each statement is withdrawn, then each is stated again."""
    times = []
    for option in ("delete", "insert"):
        for fact in facts:
            start = time.perf_counter()
            kb.update(**{option: [fact]})
            after()
            times.append(time.perf_counter() - start)
    return times


def shown(times: list[float]) -> str:
    middle, most = quantiles(times, n=4)[1], quantiles(times, n=20)[-1]
    return f"median {duration(middle)}, 95 % ≤ {duration(most)}, worst {duration(max(times))}"


def compare(kb: rdfinc.KnowledgeBase, number: int) -> None:
    facts = statements(kb, number)
    print(f"{len(kb):,} facts, {2 * number} updates of one statement each")
    print(f"  {'nobody watches':18} {shown(timed(kb, facts, int))}")
    for name, text in QUERIES.items():
        told: list[int] = []
        watch = kb.watch(PREFIX + text, lambda *answers, told=told: told.extend(map(len, answers)))
        times = timed(kb, facts, int)
        watch.cancel()
        again = timed(kb, facts[:3], lambda text=text: len(kb.query(PREFIX + text)))
        asked = quantiles(again, n=4)[1]
        print(f"  {name:18} {shown(times)}; told {sum(told):,} rows; asked again {duration(asked)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=int, nargs="+", default=[8], help="(8)")
    parser.add_argument("--departments", type=int, help="at most so many a university")
    parser.add_argument("--updates", type=int, default=200, help="(%(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for universities in options.universities:
            inputs = Inputs(Path(folder), universities, options.departments)
            compare(inputs.closed(), options.updates)


if __name__ == "__main__":
    main()
