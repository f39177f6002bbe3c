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


def insert(update: Update, stratum: Stratum, fresh: Batch, below: Batch) -> int:
    """Adds `fresh` and all that follows in the stratum; `below` was added underneath.

    Returns the number of rule instances considered.
    """
    known = update.after()
    fresh = update.added.add(known.missing(fresh))
    batch = joined(below, fresh)
    instances = 0
    while batch:
        before = Hiding(known, batch, update.make)
        heads, considered = consequences(stratum, batch, (before, known))
        instances += considered
        new = known.missing(heads)
        if stratum.strata.below(new, stratum.level):
            raise CoarserStrata
        batch = update.added.add(stratum.select(new))
    return instances
