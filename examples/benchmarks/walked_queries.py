"""Random queries that are walked from the facts of any files, over the closure, beside pyoxigraph.

    python examples/benchmarks/walked_queries.py ontologies/university.ttl
    python examples/benchmarks/walked_queries.py ontology.ttl building.ttl --count 300 --seed 7

A query has one to four patterns that a walk through the facts has met, and some of OPTIONAL, MINUS,
NOT EXISTS, UNION, FILTER, BIND, VALUES, paths, aggregates, DISTINCT, ORDER BY and LIMIT. Those
whose patterns alone have too many solutions are left out and counted. Each query is asked three
times, of which the first and the last are told: rdfinc keeps what it has made of a text that comes
again. Ends with an error if the rows of one query are not as many in both.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean

import pyoxigraph
from measure import at_least_one, duration, merge_freed
from query_kinds import read_whole

from rdfinc import BudgetExceededError, KnowledgeBase

VARIABLES = ("?a", "?b", "?c", "?d", "?e")
SLOWEST = 5
"""The queries that are shown, those with the largest ratio."""
MOST_ROWS = 50_000
"""The solutions of the patterns of a query, at most."""
NEIGHBOURS = 15
"""The facts with one object through which a walk goes on."""
CONDITIONS = (
    "isIRI({0})", "!isLiteral({0})", "CONTAINS(LCASE(STR({0})), 'er')", "REGEX(STR({0}), '[0-9]+')",
    "STRLEN(STR({0})) > 30", "{0} > 10", "LANG({0}) = 'en'", "{0} != <x:y>", "BOUND({0})",
)  # fmt: skip

Terms = tuple[str, str, str]


class Walks:
    """The facts of a closure, and random parts of queries that have solutions in them."""

    def __init__(self, facts: list[Terms], seed: int) -> None:
        self.chance, self.facts = random.Random(seed), facts
        self.after, self.before = (
            defaultdict[str, list[Terms]](list),
            defaultdict[str, list[Terms]](list),
        )
        for fact in facts:
            self.after[fact[0]].append(fact)
            self.before[fact[2]].append(fact)
        self.predicates = Counter(p for _, p, _ in facts)

    def predicate(self) -> str:
        """One of all, or of those with most facts."""
        often = [p for p, _ in self.predicates.most_common(12)]
        return self.chance.choice(list(self.predicates) if self.chance.random() < 0.6 else often)

    def patterns(self, most: int) -> list[str]:
        """One triple pattern or more, each with a term of the ones before."""
        names: dict[str, str] = {}
        fact, found = self.chance.choice(self.facts), []
        for place in range(self.chance.randint(1, most)):
            s, p, o = fact
            slots = self._slot(s, names, 0.8), self._slot(o, names, 0.75)
            predicate = p if self.chance.random() < 0.95 else f"?p{place}"
            found.append(f"{slots[0]} {predicate} {slots[1]}")
            shared = self.before[o] if len(self.before[o]) < NEIGHBOURS else []
            fact = self.chance.choice([*self.after[s], *self.after[o], *shared])
        return found

    def _slot(self, term: str, names: dict[str, str], share: float) -> str:
        """A variable for a term, always for a blank node, or the term."""
        if term.startswith("_:") or self.chance.random() < share:
            return names.setdefault(term, VARIABLES[min(len(names), len(VARIABLES) - 1)])
        return term

    def query(self) -> tuple[str, str]:
        """A query and its first patterns."""
        patterns = " . ".join(self.patterns(4))
        variables = sorted({word for word in patterns.split() if word in VARIABLES})
        if not variables:
            return f"ASK {{ {patterns} }}", patterns
        body, one = patterns, self.chance.choice
        for share, more in self._parts():
            if self.chance.random() < share:
                body = more(body, one(variables))
        return self._form(body, variables), patterns

    def _parts(self) -> list[tuple[float, Callable[[str, str], str]]]:
        """Parts of queries, with how often they come: a body and a variable -> a body."""
        chance, p = self.chance, self.predicate

        def values(body: str, v: str) -> str:
            some = [s for s, _, _ in chance.sample(self.facts, min(9, len(self.facts)))]
            return f"{body} VALUES {v} {{ {' '.join(s for s in some if s[0] == '<')} }}"

        return [
            (0.3, lambda body, _: f"{body} OPTIONAL {{ {' . '.join(self.patterns(2))} }}"),
            (0.15, lambda body, _: f"{body} MINUS {{ {' . '.join(self.patterns(2))} }}"),
            (0.15, lambda body, v: f"{body} FILTER NOT EXISTS {{ {v} {p()} ?none }}"),
            (0.15, lambda body, v: f"{{ {body} }} UNION {{ {v} {p()} ?other }}"),
            (0.3, lambda body, v: f"{body} FILTER({chance.choice(CONDITIONS).format(v)})"),
            (0.12, lambda body, v: f"{body} . {v} {p()}{chance.choice('+*?')} ?w"),
            (0.08, lambda body, v: f"{body} . {v} {p()}/{p()} ?w2"),
            (0.08, lambda body, v: f"{body} . {v} ^{p()}|{p()} ?w3"),
            (0.1, values),
            (0.1, lambda body, v: f"{body} BIND(CONCAT(STR({v}), 'x') AS ?text)"),
        ]

    def _form(self, body: str, variables: list[str]) -> str:
        """A query of some form for a body."""
        chance, v = self.chance, self.chance.choice(variables)
        return chance.choices(
            (
                f"SELECT (COUNT(*) AS ?n) {{ {body} }}",
                f"SELECT {v} (COUNT(*) AS ?n) {{ {body} }} GROUP BY {v} HAVING(COUNT(*) > 1)",
                f"ASK {{ {body} }}",
                f"SELECT {chance.choice(('', 'DISTINCT '))}* {{ {body} }}",
                f"SELECT {chance.choice(('', 'DISTINCT '))}{v} {{ {body} }}",
                f"SELECT {v} {{ {body} }} ORDER BY {v} LIMIT 20",
                f"SELECT * {{ {body} }} LIMIT {chance.choice((1, 10, 100, 5000))}",
            ),
            (4, 2, 1, 4, 4, 2, 3),
        )[0]


def is_short(kb: KnowledgeBase, patterns: str) -> bool:
    """Whether patterns have few solutions."""
    try:
        ((count,),) = kb.query(f"SELECT (COUNT(*) AS ?n) {{ {patterns} }}", timeout=5)
    except BudgetExceededError:
        return False
    return int(count) <= MOST_ROWS


def timed(store: KnowledgeBase | pyoxigraph.Store, query: str) -> tuple[int, list[float]]:
    """The number of rows of a query, and the seconds of each time that it is asked."""
    rows, seconds = 0, []
    for _ in range(3):
        merge_freed()
        start = time.process_time()
        rows = read_whole(store, query)
        seconds.append(time.process_time() - start)
    return rows, seconds


def compare(kb: KnowledgeBase, store: pyoxigraph.Store, count: int, seed: int) -> int:
    """Shows how the times compare; how many queries differ."""
    walks = Walks([(str(q.subject), str(q.predicate), str(q.object)) for q in store], seed)
    found: list[tuple[str, list[float], list[float]]] = []
    long = differ = 0

    for _ in range(count):
        query, patterns = walks.query()
        if not is_short(kb, patterns):
            long += 1
            continue
        theirs, there = timed(store, query)
        ours, here = timed(kb, query)
        found.append((query, here, there))
        if ours != theirs:
            differ += 1
            print(f"{ours:,} rows, {theirs:,} in pyoxigraph: {query}")
    print(f"{len(found)} queries, {long} left out as too long, {differ} with other rows")
    for name, place in (("first time", 0), ("third time", 2)) if found else ():
        show(name, [(query, here[place], there[place]) for query, here, there in found])
    return differ


def show(name: str, found: list[tuple[str, float, float]]) -> None:
    """The ratios of times, and the queries with the largest."""
    ratios = [(mine / others, mine, others, query) for query, mine, others in found]
    mean = geometric_mean(each[0] for each in ratios)
    mine, others = (sum(each[place] for each in ratios) for place in (1, 2))
    print(f"{name}: geometric mean {mean:.2f}x, all {duration(mine)}, {duration(others)}")
    for each, mine, others, query in sorted(ratios, reverse=True)[:SLOWEST]:
        print(f"{each:8.1f}x {duration(mine)}, {duration(others)}  {query}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path, help="files of ontologies and data")
    parser.add_argument("--count", type=at_least_one, default=200, help="how many queries")
    parser.add_argument("--seed", type=int, default=1, help="which queries")
    options = parser.parse_args()
    kb, store = KnowledgeBase(), pyoxigraph.Store()
    kb.load(*options.files)
    with tempfile.TemporaryDirectory() as place:
        closure = Path(place, "closure.nt")
        kb.dump(closure)
        store.bulk_load(path=closure)
    store.optimize()
    print(f"{len(kb):,} facts")
    return int(compare(kb, store, options.count, options.seed) > 0)


if __name__ == "__main__":
    sys.exit(main())
