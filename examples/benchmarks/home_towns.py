"""Who comes from the same town, for the people of the university data: a symmetric-transitive
relation.

    python examples/benchmarks/home_towns.py 1 towns.nt

After :hasSameHomeTownWith of UOBM (Ma et al., "Towards a complete OWL ontology benchmark", 2006):
people are stated to come from the same town as one or two others, and it follows for all people
of the town. A sixth of all people come from the largest town, half as many from the next one, a
third of as many from the one after it, and so on; the towns of all who are left have two people.
The people are those of `rdfinc.university`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from graphs import SEED, Numbers, Triple, component_sizes, linked, ntriples

from rdfinc import university

RELATION = f"<{university.NAMESPACE}hasSameHomeTownWith>"
LARGEST = 1 / 6  # of all people come from the largest town
_EMAIL = f"<{university.NAMESPACE}email>".encode()


def people(universities: int = 1, departments: int | None = None) -> list[str]:
    """Everybody, as N-Triples terms: whoever has an address."""
    lines = university.lines(universities, departments=departments)
    words = (line.split(maxsplit=2) for line in lines)
    return [subject.decode() for subject, predicate, _ in words if predicate == _EMAIL]


def triples(
    universities: int = 1, departments: int | None = None, seed: int = SEED
) -> Iterator[Triple]:
    """The facts as tuples of N-Triples terms, as `KnowledgeBase.update` takes them."""
    everybody = people(universities, departments)
    for one, other in linked(towns(len(everybody)), seed).tolist():
        yield everybody[one], RELATION, everybody[other]


def towns(people: int) -> Numbers:
    """How many come from each of the towns; together all people, or all but one."""
    sizes = component_sizes(max(int(people * LARGEST), 2))
    sizes = sizes[sizes.cumsum() <= people]
    return np.append(sizes, np.full((people - sizes.sum()) // 2, 2))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("universities", type=int, nargs="?", default=1, help="(%(default)s)")
    parser.add_argument("file", nargs="?", help="standard output if left out")
    parser.add_argument("--departments", type=int, help="at most so many a university")
    parser.add_argument("--seed", type=int, default=SEED, help="(%(default)s)")
    options = parser.parse_args()
    text = ntriples(triples(options.universities, options.departments, options.seed))
    if options.file is None:
        sys.stdout.write(text)
    else:
        Path(options.file).write_text(text)


if __name__ == "__main__":
    main()
