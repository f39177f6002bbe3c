"""README.md is short, and has the commands that `.ci/run` reads; its code is run by
`tests/documentation`."""

from __future__ import annotations

import re
from pathlib import Path

README = (Path(__file__).parents[3] / "README.md").read_text("utf-8")


def test_the_two_commands_are_there() -> None:
    """`.ci/run` reads them from the same places."""
    for name in ("demo", "test"):
        assert re.search(rf"^<!-- command: {name} -->\n```sh\n.+\n```$", README, re.MULTILINE)


def test_it_is_short() -> None:
    assert README.count("\n") <= 150
