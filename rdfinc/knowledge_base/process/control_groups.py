"""The control groups that this process is in: they share out the processors and the memory of a
machine. There are two versions of them, and a container may see its own group as the root."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_ROOT, _MINE = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def groups_of(controller: str) -> Iterator[Path]:
    """The folders of this process's groups under a controller, such as `memory`, each before the
    one around it. There are none where nothing tells them."""
    try:
        lines = _MINE.read_text("ascii").splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        yield from _groups(line, controller, _ROOT)


def _groups(line: str, controller: str, root: Path) -> Iterator[Path]:
    _, controllers, group = line.split(":", 2)
    if controllers:
        if controller not in controllers.split(","):
            return
        root /= controllers
    place = root / group.lstrip("/")
    yield from (each for each in (place, *place.parents) if each.is_relative_to(root))
