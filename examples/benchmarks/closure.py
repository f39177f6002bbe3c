"""How fast a closure is computed, how much memory it takes, and what others need.

    python examples/benchmarks/closure.py
    python examples/benchmarks/closure.py --universities 1 5 10 50 --owlrl-departments 15

1. From loaded facts: the data are in the knowledge base, the ontology is added; timed is reading
   the ontology, translating it and deriving everything.
2. The whole process, from N-Triples on disk to the closure: wall time and peak memory.
3. Beside owlrl, on a few departments only, because owlrl takes a minute for one university.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import owlrl
import rdflib
from measure import (
    REPETITIONS,
    Candidate,
    megabytes,
    processes,
    show,
    side_by_side,
)

import rdfinc
from rdfinc import university

WHOLE_PROCESS = """
import sys
import rdfinc
kb = rdfinc.KnowledgeBase()
kb.load(*sys.argv[1:])
print(len(kb), len(kb.explicit))
"""


class Inputs:
    """The ontology and the data of `universities`, as files in `folder`."""

    def __init__(self, folder: Path, universities: int, departments: int | None = None) -> None:
        self.ontology = folder / "university.ttl"
        self.ontology.write_text(university.ontology())
        self.data = folder / f"university-{universities}-{departments or 'all'}.nt"
        with self.data.open("wb") as out:
            out.writelines(university.blocks(universities, departments=departments))

    def loaded(self) -> rdfinc.KnowledgeBase:
        kb = rdfinc.KnowledgeBase()
        kb.load(self.data)
        return kb

    def closed(self) -> rdfinc.KnowledgeBase:
        kb = rdfinc.KnowledgeBase()
        kb.load(self.ontology, self.data)
        return kb

    def rdflib_graph(self) -> rdflib.Graph:
        return rdflib.Graph().parse(self.ontology).parse(self.data, format="nt")

    def from_loaded(self, name: str) -> Candidate:
        """Adding the ontology to the loaded data: everything is derived, from nothing."""
        return Candidate(name, lambda kb: kb.load(self.ontology), self.loaded)


def from_loaded_facts(inputs: Inputs, repetitions: int) -> None:
    kb = inputs.closed()
    derived = len(kb.derived)
    print(f"from loaded facts: {len(kb.explicit):,} stated, {derived:,} derived")
    del kb
    show(side_by_side([inputs.from_loaded("rdfinc")], repetitions), derived, "new facts")


def whole_process(inputs: Inputs, repetitions: int) -> None:
    program = ("rdfinc", WHOLE_PROCESS, (inputs.ontology, inputs.data))
    [(timing, runs)] = processes([program], repetitions)
    facts = int(runs[0].output.split()[0])
    peak = max(run.peak_bytes for run in runs)
    print(f"whole process: {facts:,} facts, at most {megabytes(peak)} of memory in all runs")
    show([timing], facts, "facts")


def memory(inputs: Inputs) -> None:
    stats = inputs.closed().stats()
    facts, terms = stats["bytes_facts"] / stats["facts"], stats["bytes_terms"] / stats["terms"]
    print(f"memory: {facts:.1f} bytes a fact (both orders), {terms:.1f} bytes a term (dictionary)")


def expand(graph: rdflib.Graph) -> None:
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)


def beside_owlrl(inputs: Inputs, repetitions: int) -> None:
    print(f"beside owlrl: {len(inputs.loaded()):,} stated facts")
    candidates = [inputs.from_loaded("rdfinc"), Candidate("owlrl", expand, inputs.rdflib_graph)]
    show(side_by_side(candidates, repetitions))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--universities", type=int, nargs="+", default=[1, 5], help="(1 5)")
    parser.add_argument("--departments", type=int, help="at most so many a university")
    parser.add_argument("--owlrl-departments", type=int, default=1, help="(1), 0 for none")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="(%(default)s)")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        for universities in options.universities:
            print(f"university-{universities}")
            inputs = Inputs(Path(folder), universities, options.departments)
            from_loaded_facts(inputs, options.repetitions)
            whole_process(inputs, options.repetitions)
            memory(inputs)
        if options.owlrl_departments:
            beside_owlrl(Inputs(Path(folder), 1, options.owlrl_departments), options.repetitions)


if __name__ == "__main__":
    main()
