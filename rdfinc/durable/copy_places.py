"""Where a copy of a directory may be."""

from __future__ import annotations

import os
from pathlib import Path


def refuse_inside(source: Path, place: Path) -> None:
    """Raises OSError for a place inside of what is to be copied there, by whatever links: the copy
    would be taken for a part of it, and go with it."""
    if Path(os.path.realpath(source)) in Path(os.path.realpath(place)).parents:
        raise OSError(f"{place} is inside of {source}; name a directory elsewhere for the copy")
