"""The engine's ids for numbers of the data, column by column."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rdfinc.plugins.spark.closure.driver_engine import DriverEngine
from rdfinc.terms.dictionary import Ids

Numbers = npt.NDArray[np.int64]


class EngineIds:
    """Both ways between numbers and ids. Terms that the driver has not been told have a stand-in
    each, which no rule may look into: it is not the term for anything else."""

    def __init__(self, held: DriverEngine) -> None:
        self._held, own = held, held.of_data
        self._numbers: Numbers = np.array(sorted(own), np.int64)
        self._ids: Ids = np.array([own[number] for number in self._numbers.tolist()], np.uint32)

    def of(self, numbers: Numbers) -> Ids:
        """The ids of some numbers, which get one if they have none. O(n log n)."""
        new = np.setdiff1d(numbers, self._numbers)
        if new.size:
            names = [b"<urn:rdfinc:node:%d>" % number for number in new.tolist()]
            ids = self._held.terms.encode_many(names)
            self._held.number.update(zip(ids.tolist(), new.tolist(), strict=True))
            places = np.searchsorted(self._numbers, new)
            self._numbers = np.insert(self._numbers, places, new)
            self._ids = np.insert(self._ids, places, ids)
        return self._ids[np.searchsorted(self._numbers, numbers)]

    def numbers(self, ids: Ids) -> Numbers:
        """The numbers of some ids, all of which have one. O(n log n)."""
        order = np.argsort(self._ids)
        return self._numbers[order[np.searchsorted(self._ids, ids, sorter=order)]]
