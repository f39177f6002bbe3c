"""The outcomes of conditions, in their order."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Outcomes = npt.NDArray[np.uint8]
FALSE, ERROR, TRUE = 0, 1, 2
