"""What is wrong with an ontology and its data."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from rdfinc.cli.output import proof_record
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.explanations.violation_groups import Violations, told
from rdfinc.owl.coverage.findings import IGNORED, PARTLY, USED, Axiom


@dataclass(frozen=True)
class Checked:
    """The axioms, and the contradictions, of which at most so many of a rule are proved."""

    axioms: list[Axiom]
    violations: Violations
    most: int

    @property
    def gaps(self) -> list[Axiom]:
        """The axioms that are not or not fully used."""
        return [axiom for axiom in self.axioms if axiom.status != USED]

    def counts(self) -> dict[str, int]:
        """The axioms by what is made of them."""
        found = Counter(axiom.status for axiom in self.axioms)
        return {status: found[status] for status in (USED, PARTLY, IGNORED)}

    def __str__(self) -> str:
        counts = ", ".join(f"{count:,} {status}" for status, count in self.counts().items())
        count = len(self.violations)
        return "\n".join(
            [
                f"axioms: {counts}",
                *(f"  {axiom}" for axiom in self.gaps),
                f"contradictions: {count:,}" if count else "no contradiction",
                *(f"  {line}" for line in told(self.violations.groups(self.most)).splitlines()),
            ]
        )

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
        }


def checked(kb: KnowledgeBase, most: int) -> Checked:
    """A knowledge base looked over; of each rule at most so many contradictions are proved."""
    return Checked(kb.report(), kb.violations(), most)
