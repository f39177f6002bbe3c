"""Closures kept as all their pairs, beside closures kept in little space.

    python examples/benchmarks/closures.py
    python examples/benchmarks/closures.py --only dag categories --scale 1
    python examples/benchmarks/closures.py --only farm --turbines 100 200 400

In the shape of the tables of paper "Modular Materialisation of Datalog Programs" (Hu, Motik and
Horrocks, 2019: materialisation, small and large deletions, small insertions) and of paper
"Optimised Storage for Datalog Reasoning" (Zhang, Hu, Nenov and Horrocks, 2024: memory, queries),
for each way of `storage` that this rdfinc has. Per input:

* materialise: the rules are added to loaded facts;
* grows by: the resident memory that this adds to the process; peak: the most it ever has, the
  loading included; tables: what the knowledge base says its facts take;
* delete and insert: one fact (median and 95th percentile), a hundredth of the stated facts but at
  most 1 000 (median), a quarter of them (once); what is deleted is put back;
* questions to the closed relation (`closure_questions.py`), the storages in turn in one process,
  after each has answered once: medians.

All else is measured in a fresh process. The ratio is to the first storage. Pairs need memory
and joins of them time, so storage "plain" is skipped where an estimate says that it is too much.
The wind farm (`rule_changes.py`): a turbine more and less, at the end and in the middle.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import graphs
import home_towns
import numpy as np
import reach
import relations
import rule_changes
from closure_runs import Run
from graphs import Triple
from measure import duration, megabytes, process

import rdfinc
from rdfinc import university

STORAGES = ("plain", "compact")
EDGE, PATH, HOP = graphs.term("edge"), graphs.term("path"), graphs.term("hop")
BROADER, ABOVE = (f"<http://www.w3.org/2004/02/skos/core#{name}>"
                  for name in ("broader", "broaderTransitive"))  # fmt: skip
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
PART_OF = relations.term("part_of")

TRANSITIVE = "[?x, {0}, ?z] :- [?x, {0}, ?y], [?y, {0}, ?z] .\n"
SYMMETRIC = "[?y, {0}, ?x] :- [?x, {0}, ?y] .\n"
CYCLIC = TRANSITIVE + "[?x, {0}, ?y] :- [?x, {1}, ?v], [?v, {0}, ?w], [?w, {1}, ?y] .\n"
LINEAR = "[?x, {1}, ?y] :- [?x, {0}, ?y] .\n[?x, {1}, ?z] :- [?x, {0}, ?y], [?y, {1}, ?z] .\n"

CHILD = """
import sys
sys.path.insert(0, {folder!r})
import json, {module}
from closure_runs import Run
from pathlib import Path
storage, profile, facts, rules, relation, *rest = sys.argv[1:]
run = Run(storage, profile, Path(facts), Path(rules), relation)
print(json.dumps({module}.{what}(run, *map(json.loads, rest))))
"""


@dataclass(frozen=True)
class Input:
    """Facts, made from a scale, and what makes a closure of them.

    `shape` says what the rules are, to estimate their work; None if it need not be.
    """

    facts: Callable[[float], Sequence[Triple]]
    rules: str
    relation: str
    shape: str | None = None  # "transitive", "linear" or "symmetric"
    suffix: str = ".dlog"
    profile: str = "none"


def graph(name: str, relation: str = EDGE) -> Callable[[float], Sequence[Triple]]:
    make = graphs.GRAPHS[name]
    return lambda scale: list(graphs.triples(make(scale, graphs.SEED), relation))


def towns(scale: float) -> Sequence[Triple]:
    return list(home_towns.triples(1, max(round(15 * scale), 1)))


def organs(scale: float) -> Sequence[Triple]:
    return list(relations.triples(graphs.scaled(10_000, scale)))


def university_data(scale: float) -> Sequence[Triple]:
    """Five universities at scale 1."""
    universities = max(round(5 * scale), 1)
    departments = None if scale >= 0.2 else max(round(100 * scale), 1)
    text = b"".join(university.blocks(universities, departments=departments))
    words = (line[:-2].split(" ", 2) for line in text.decode().splitlines())
    return [(s, p, o) for s, p, o in words]


def hops(scale: float) -> Sequence[Triple]:
    """The edges of a dag, every fiftieth of another relation."""
    edges = graph("dag")(scale)
    return [(s, p if i % 50 else HOP, o) for i, (s, p, o) in enumerate(edges)]


def closing(relation: str) -> str:
    return TRANSITIVE.format(relation)


def grouping(relation: str) -> str:
    return SYMMETRIC.format(relation) + TRANSITIVE.format(relation)


SKOS = files("rdfinc.ontologies").joinpath("skos.ttl").read_text("utf-8")
TOWN = home_towns.RELATION
INPUTS = {
    "dag": Input(graph("dag"), closing(EDGE), EDGE, "transitive"),
    "dag-linear": Input(graph("dag"), LINEAR.format(EDGE, PATH), PATH, "linear"),
    "ontology": Input(graph("ontology"), closing(EDGE), EDGE, "transitive"),
    "cyclic": Input(hops, CYCLIC.format(EDGE, HOP), EDGE, "transitive"),
    "categories": Input(graph("categories"), closing(EDGE), EDGE, "transitive"),
    "skos": Input(graph("categories", BROADER), SKOS, ABOVE, "transitive", ".ttl", "owl2rl"),
    "places": Input(graph("places"), grouping(EDGE), EDGE, "symmetric"),
    "cliques": Input(graph("cliques"), grouping(EDGE), EDGE, "symmetric"),
    "towns": Input(towns, grouping(TOWN), TOWN, "symmetric"),
    "relations": Input(organs, relations.rules(), PART_OF),
    "university": Input(
        university_data, university.ontology(), TYPE, suffix=".ttl", profile="owl2rl"
    ),
}


def estimated(facts: Sequence[Triple], shape: str) -> reach.Estimate:
    """The pairs of the closure, and the rule instances by which plain evaluation finds them."""
    ends = np.array([(s, o) for s, _, o in facts])
    _, numbers = np.unique(ends, return_inverse=True)
    edges = numbers.reshape(-1, 2)
    found = reach.estimate(reach.both_ways(edges) if shape == "symmetric" else edges)
    if shape != "linear":
        return found
    return replace(found, instances=found.pairs * len(edges) // int(edges.max() + 1))


def too_much(found: reach.Estimate, most: reach.Estimate) -> str:
    """Why storage "plain" is skipped; empty if it is not."""
    if found.pairs > most.pairs:
        return f"about {found.pairs:,} pairs"
    if found.instances > most.instances:
        return f"about {found.instances:,} instances of the rules"
    return ""


# -- one input


def compare(
    name: str, storages: Sequence[str], most: reach.Estimate, options: argparse.Namespace
) -> None:
    what = INPUTS[name]
    facts = what.facts(options.scale)
    print(f"{name}: {len(facts):,} facts to begin with")
    if what.shape is not None:
        reason = too_much(estimated(facts, what.shape), most)
        if reason and "plain" in storages:
            print(f"  plain: skipped, {reason}")
            storages = [storage for storage in storages if storage != "plain"]
    with tempfile.TemporaryDirectory() as folder:
        data, rules = Path(folder, "facts.nt"), Path(folder, f"rules{what.suffix}")
        data.write_text(graphs.ntriples(facts))
        rules.write_text(what.rules)
        del facts
        runs = [Run(storage, what.profile, data, rules, what.relation) for storage in storages]
        columns = [measured(run, options) for run in runs]
        for column, times in zip(columns, questions(runs, options), strict=True):
            column.update((name, (seconds, duration)) for name, seconds in times.items())
    show(storages, columns)


Row = tuple[float, Callable[[float], str]]  # a figure, and how it is written


def measured(run: Run, options: argparse.Namespace) -> dict[str, Row]:
    """All figures of one way of storing, by name."""
    runs = [child("closure_runs.materialised", run) for _ in range(options.repetitions)]
    last, peaks = runs[-1][0], [peak for _, peak in runs]
    seconds = [one["seconds"][0] for one, _ in runs]
    rows: dict[str, Row] = {
        "facts": (last["facts"], "{:,.0f}".format),
        "materialise": (statistics.median(seconds), duration),
        "grows by": (statistics.median(one["static"] for one, _ in runs), megabytes),
        "peak": (max(peaks), megabytes),
        "tables": (last["own"], megabytes),
    }
    updates, peak = child("closure_runs.maintained", run, options.singles, options.repetitions)
    for name, times in updates.items():
        rows[name] = (statistics.median(times), duration)
        if name.endswith(" one") and len(times) > 1:
            rows[f"{name}, 95th"] = (statistics.quantiles(times, n=20)[-1], duration)
    rows["peak of updates"] = (peak, megabytes)
    return rows


def questions(runs: Sequence[Run], options: argparse.Namespace) -> list[dict[str, float]]:
    """The seconds of all questions, for each way of storing."""
    storages, most = [run.storage for run in runs], int(options.pairs)
    numbers = options.questions, max(options.repetitions, 5), most
    found: list[dict[str, float]] = []
    if runs:
        found, _ = child("closure_questions.asked", runs[0], storages, *numbers)
    return found


def child(what: str, run: Run, *arguments: object) -> tuple[Any, int]:
    """What a function in a module beside this one gives, and the peak memory of its process."""
    module, function = what.split(".")
    program = CHILD.format(folder=str(Path(__file__).parent), module=module, what=function)
    done = process(program, *asdict(run).values(), *map(json.dumps, arguments))
    return json.loads(done.output), done.peak_bytes


def show(storages: Sequence[str], columns: Sequence[dict[str, Row]]) -> None:
    """A row a figure, a column a storage; what is stored must be the same."""
    if not columns:
        return
    if len({column["facts"][0] for column in columns}) > 1:
        raise SystemExit(f"different facts: {[column['facts'][0] for column in columns]}")
    print(f"  {'':22}" + "".join(f"{storage:>14}" for storage in storages))
    for name, (first, _) in columns[0].items():
        cells = "".join(f"{write(figure):>14}" for figure, write in (c[name] for c in columns))
        ratios = (column[name][0] / first if first else 1 for column in columns[1:])
        print(f"  {name:22}{cells}" + "".join(f"{ratio:>10.3g}x" for ratio in ratios), flush=True)


# -- the wind farm


def farm(turbines: int, storages: Sequence[str], repetitions: int) -> None:
    """Rule set 1 of the wind farm: its neighbours are a symmetric-transitive closure."""
    for storage in storages:
        whole = replace(rule_changes.farm(turbines), storage=storage)
        print(f"farm: {turbines} turbines, storage {storage!r}")
        changes = rule_changes.turbine_changes(whole, turbines)
        pairs = [rule_changes.there_and_back(*change, repetitions) for change in changes]
        rule_changes.show(("added", "removed"), pairs)


# -- all


def accepted(storage: str) -> bool:
    try:
        rdfinc.KnowledgeBase(storage=storage)
    except ValueError as refused:
        print(f"{storage}: skipped, this rdfinc refuses it: {refused}")
        return False
    return True


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=(*INPUTS, "farm"), default=(*INPUTS, "farm"))
    parser.add_argument("--scale", type=float, default=0.005, help="of the inputs (%(default)s)")
    parser.add_argument("--storages", nargs="+", default=STORAGES, help="(plain compact)")
    parser.add_argument("--turbines", type=int, nargs="+", default=[100], help="(100)")
    parser.add_argument("--singles", type=int, default=20, help="single updates (%(default)s)")
    parser.add_argument("--questions", type=int, default=100, help="a kind (%(default)s)")
    parser.add_argument(
        "--pairs", type=float, default=3e7, help="the most that plain is asked for (%(default)g)"
    )
    parser.add_argument(
        "--instances", type=float, default=3e8, help="of rules, likewise (%(default)g)"
    )
    parser.add_argument("--repetitions", type=int, default=2, help="(%(default)s)")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    storages = [storage for storage in options.storages if accepted(storage)]
    most = reach.Estimate(int(options.pairs), int(options.instances))
    for name in options.only:
        if name != "farm":
            compare(name, storages, most, options)
    if "farm" in options.only:
        for turbines in options.turbines:
            farm(turbines, storages, max(options.repetitions, 2))


if __name__ == "__main__":
    main()
