"""What is wrong with an ontology and its data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, field

from rdfinc.cli.output import proof_record
from rdfinc.datalog.syntax.rule_file import is_rule_file
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.explanations.violation_groups import (
    SHOWN_GROUPS,
    ViolationGroup,
    Violations,
    told,
)
from rdfinc.owl.coverage.findings import IGNORED, PARTLY, USED, Axiom
from rdfinc.terms.io.convert import key_of
from rdfinc.terms.io.places import Keys, lines_of


class Place(NamedTuple):
    """Where a triple is stated."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}"


class Checked(Struct, frozen=True, dict=True):
    """The axioms, and the contradictions, of which at most so many of a rule are proved; `files`
    are those in which the stated triples are looked for."""

    kb: KnowledgeBase
    axioms: list[Axiom]
    violations: Violations
    most: int
    files: list[Path] = field(default_factory=list)

    @property
    def gaps(self) -> list[Axiom]:
        """The axioms that are not or not fully used."""
        return [axiom for axiom in self.axioms if axiom.status != USED]

    def counts(self) -> dict[str, int]:
        """The axioms by what is made of them."""
        found = Counter(axiom.status for axiom in self.axioms)
        return {status: found[status] for status in (USED, PARTLY, IGNORED)}

    @cached_property
    def groups(self) -> list[ViolationGroup]:
        """The contradictions by axiom and kind."""
        return self.violations.groups(self.most)

    @cached_property
    def places(self) -> dict[str, Place]:
        """Where the stated triples of the groups' examples stand, by their text. Those about blank
        nodes are not found, and of several places the first is told."""
        wanted = dict(self._stated())
        found: dict[str, Place] = {}
        for file in self.files:
            left = {keys: text for text, keys in wanted.items() if text not in found}
            if left:
                lines = lines_of(file, left)
                found |= {left[keys]: Place(str(file), line) for keys, line in lines.items()}
        return found

    def _stated(self) -> Iterator[tuple[str, Keys]]:
        examples = (each for group in self.groups[:SHOWN_GROUPS] for each in group.examples)
        for violation, _ in examples:
            proofs = self.kb.explain_violation(violation) or ()
            for node in (node for proof in proofs for node in proof.nodes() if node.explicit):
                s, p, o = map(key_of, node.fact)
                if not (s.startswith(b"_") or o.startswith(b"_")):
                    yield node.text, (s, p, o)

    def __str__(self) -> str:
        counts = ", ".join(f"{count:,} {status}" for status, count in self.counts().items())
        count = len(self.violations)
        return "\n".join(
            [
                f"axioms: {counts}",
                *(f"  {axiom}" for axiom in self.gaps),
                f"contradictions: {count:,}" if count else "no contradiction",
                *(f"  {self._placed(line)}" for line in told(self.groups).splitlines()),
            ]
        )

    def _placed(self, line: str) -> str:
        place = self.places.get(line.strip())
        return line if place is None else f"{line}   {place}"

    def record(self) -> dict[str, Any]:
        """For JSON; a contradiction that is not proved has null instead of proofs."""
        return {
            "axioms": self.counts(),
            "gaps": [
                {"axiom": axiom.text, "status": axiom.status, "reason": axiom.reason}
                for axiom in self.gaps
            ],
            "violations": [
                {
                    "rule": violation.rule,
                    "message": violation.message,
                    "facts": [[term.n3() for term in fact] for fact in violation.facts],
                    "proofs": proofs and [proof_record(proof) for proof in proofs],
                }
                for violation, proofs in self.violations.proved(self.most)
            ],
            "places": {
                text: {"file": place.file, "line": place.line}
                for text, place in self.places.items()
            },
        }


def checked(kb: KnowledgeBase, most: int, files: list[Path]) -> Checked:
    """A knowledge base looked over; of each rule at most so many contradictions are proved."""
    there = [path for path in files if path.is_file() and not is_rule_file(path)]
    return Checked(kb, kb.report(), kb.violations(), most, there)
