"""Chains that lead back into their own property, P ∘ part_of → P, where P is also transitive or
symmetric or both: the case of BFO-based ontologies.

    python examples/benchmarks/self_chains.py 200 --repetitions 3

The individuals form a tree of parts at random; so many random pairs are stated of P. Timed are the
whole, beside it that without the chain; and deleting and inserting one of the pairs.
"""

from __future__ import annotations

import argparse
import random

from measure import REPETITIONS, Candidate, show, side_by_side

from rdfinc import KnowledgeBase

EX = "http://example.org/"
OWL = "http://www.w3.org/2002/07/owl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
KINDS = {
    "neither": (),
    "symmetric": ("Symmetric",),
    "transitive": ("Transitive",),
    "both": ("Symmetric", "Transitive"),
}
SEED = 1

Triple = tuple[str, str, str]
P, PART_OF, TYPE = f"<{EX}p>", f"<{EX}part_of>", f"<{RDF}type>"


def axioms(kinds: tuple[str, ...], *, chain: bool) -> list[Triple]:
    found = [(PART_OF, TYPE, f"<{OWL}TransitiveProperty>")]
    found += [(P, TYPE, f"<{OWL}{kind}Property>") for kind in kinds]
    if chain:
        found.append((P, f"<{OWL}propertyChainAxiom>", "_:one"))
        for cell, item, rest in (("_:one", P, "_:two"), ("_:two", PART_OF, f"<{RDF}nil>")):
            found += [(cell, f"<{RDF}first>", item), (cell, f"<{RDF}rest>", rest)]
    return found


def facts(size: int) -> list[Triple]:
    draw = random.Random(SEED)

    def node(number: int) -> str:
        return f"<{EX}i{number}>"

    parts = [(node(i), PART_OF, node(draw.randrange(i))) for i in range(1, size)]
    return parts + [(node(draw.randrange(size)), P, node(draw.randrange(size))) for _ in parts]


def closed(triples: list[Triple]) -> KnowledgeBase:
    kb = KnowledgeBase()
    kb.update(insert=triples)
    return kb


def again(what: tuple[KnowledgeBase, Triple]) -> None:
    kb, fact = what
    kb.update(delete=[fact])
    kb.update(insert=[fact])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("individuals", type=int, nargs="?", default=200)
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    arguments = parser.parse_args()
    stated = facts(arguments.individuals)
    for name, kinds in KINDS.items():
        whole = axioms(kinds, chain=True) + stated
        bare = axioms(kinds, chain=False) + stated
        kb = closed(whole)
        print(f"\nP is {name}: {len(kb):,} facts of {len(stated):,}, {len(closed(bare)):,} without")
        candidates = [
            Candidate("with the chain", closed, lambda whole=whole: whole),
            Candidate("without the chain", closed, lambda bare=bare: bare),
            Candidate("one pair less, then again", again, lambda kb=kb: (kb, stated[-1])),
        ]
        show(side_by_side(candidates, arguments.repetitions))


if __name__ == "__main__":
    main()
