"""Whether the literals that have a name in common have one value."""

from __future__ import annotations

from rdfinc.reasoning.maintenance.equality_update import AliasShift
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.program.strata import Strata
from rdfinc.tables.equality.aliases import Aliases
from rdfinc.tables.kernels import IdArray
from rdfinc.terms.builtins import representative
from rdfinc.terms.dictionary import LITERAL, Dictionary


def agree(aliases: Aliases, ids: IdArray, dictionary: Dictionary) -> bool:
    """Whether no two literals among some ids are equal to the same and differ in value.

    Cost: the ids, and a value for each literal among them.
    """
    literals = ids[dictionary.kinds[ids] == LITERAL]
    values: dict[int, bytes] = {}
    terms = map(representative, dictionary.decode_many(literals))
    same = aliases.representatives(literals).tolist()
    return all(
        values.setdefault(name, value) == value for name, value in zip(same, terms, strict=True)
    )


def agree_after(update: Update, strata: Strata, dictionary: Dictionary) -> bool:
    """Whether names of literals agree after an update; only changed classes are looked at if the
    strata were checked before."""
    equality = strata.equality
    shift = update.shifts.get(equality.aliases) if equality else None
    if not isinstance(shift, AliasShift):
        return True
    ids = shift.new.equated() if strata.unchecked else shift.differing
    return agree(shift.new, ids, dictionary)
