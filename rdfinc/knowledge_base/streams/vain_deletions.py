"""Deletions of facts that nobody states: they stay, since they follow."""

from __future__ import annotations

from rdfinc.knowledge_base.explanations.proofs import Proof
from rdfinc.knowledge_base.versions.change import Statements
from rdfinc.knowledge_base.versions.version import Version
from rdfinc.knowledge_base.versions.visibility import Visibility
from rdfinc.tables.facts import Batch, FactSet

LINES = 12
"""Of a proof, in a warning."""


def still_following(
    asked: Statements, deleted: Batch, version: Version, visibility: Visibility
) -> Batch:
    """The visible facts among the `asked` deletions of a change that no graph stated before it;
    `deleted` are those that stopped being stated. Cost: the facts asked for."""
    found, gone = FactSet(), FactSet.of(deleted)
    for batch in asked.values():
        derived = version.closure.present(version.explicit.missing(gone.missing(batch)))
        found.add(visibility.batch(derived, version.explicit.get))
    return found.batch()


def warning(proof: Proof) -> str:
    """What to say of the first such fact."""
    lines = str(proof).splitlines()
    more = ["  …"] if len(lines) > LINES else []
    return "\n".join(
        [
            "what is not stated cannot be deleted: it follows, and goes when what it follows from"
            " does (this is told once; a report counts such deletions as `follows`)",
            *(f"  {line}" for line in lines[:LINES]),
            *more,
        ]
    )
