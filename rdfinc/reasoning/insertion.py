"""Insertion, and with it materialisation: semi-naive evaluation.

Given facts that are new in this stratum and what the strata below gained, computes all that
follows from them. A rule instance is considered once: when the first of its new facts arrives,
literals left of the driver are matched in what was known before the batch, those right of it in
everything. Ends because every round adds facts and there are finitely many.
(Abiteboul, Hull, Vianu 1995, §13.1; paper 001, DR5.)
"""

from __future__ import annotations

from rdfinc.reasoning.states import Hiding
from rdfinc.reasoning.strata import Stratum
from rdfinc.reasoning.update import CoarserStrata, Update, consequences
from rdfinc.tables.facts import Batch, joined


def insert(
    update: Update, stratum: Stratum, fresh: Batch, below: Batch, lost: Batch | None = None
) -> int:
    """Adds `fresh` and all that follows in the stratum; `below` was added underneath, and `lost`
    removed there, for which negated literals may hold now.

    Returns the number of rule instances considered.
    """
    known = update.after()
    fresh = update.added.add(known.missing(fresh))
    batch = joined(below, fresh)
    absent = update.facts(lost) if lost else None
    instances = 0
    while batch or lost:
        before = Hiding(known, batch, update.make, absent)
        heads, considered = consequences(stratum, batch, (before, known), lost)
        instances += considered
        new = known.missing(heads)
        misplaced = stratum.strata.below(new, stratum.level)
        if misplaced:
            raise CoarserStrata(misplaced)
        batch = update.added.add(stratum.select(new))
        lost = absent = None
    return instances
