"""Options and reports shared by all rooms; see README.md."""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import settings

TURNS = {"configuration": 3, "way_to_delete": 2}
"""Parameters of cases that take their turn, and one in how many has it."""
_MET: Counter[str] = Counter()
_SHARES = {
    "kept": "keep facts in doubt by another proof",
    "recursive": "are recursive",
    "axioms": "change an axiom",
    "stated_and_derived": "withdraw what also follows",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long",
        type=lambda text: tuple(map(int, text.split(":"))),
        default=None,
        metavar="START:COUNT",
        help="run COUNT random sequences from seed START instead of the slice for CI, "
        "and the tests of depth and width at full size",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Hypothesis tries the same examples each time, but in long runs, and times nothing. Where
    Python writes no bytecode beside the sources, pytest's cache has it."""
    if sys.dont_write_bytecode:
        _keep_bytecode(config.rootpath / ".pytest_cache" / "bytecode")
    alike = config.getoption("--long") is None
    settings.register_profile("rdfinc", deadline=None, derandomize=alike)
    settings.load_profile("rdfinc")


def _keep_bytecode(folder: Path) -> None:
    """Hundreds of processes that tests start would each compile all of rdfinc."""
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(folder)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder)


@pytest.fixture(scope="session")
def met() -> Counter[str]:
    """What the random sequences met, printed at the end."""
    return _MET


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The tests of a file run in one process, as do those that name the same group. Of cases for
    many configurations some take their turn, and in long runs all."""
    if config.getoption("--long") is None:
        left_out = [item for item in items if not _has_turn(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = filter(_has_turn, items)
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.split("::")[0]))


def pytest_collection_finish() -> None:
    """Garbage is not looked for among the thousands of tests and what they have imported, which
    stay: full collections visit what tests make, and not for every few thousand objects."""
    gc.freeze()
    gc.set_threshold(5_000, 10, 10)


def _has_turn(item: pytest.Item) -> bool:
    """Whether one of several cases with the same name is tried: one in `TURNS` of a parameter, for
    each value of the others at another place in the row."""
    call = getattr(item, "callspec", None)
    if call is None:
        return True
    place = crc32(item.nodeid.split("[")[0].encode()) + sum(call.indices.values())
    return all(place % n == 0 for name, n in TURNS.items() if name in call.params)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Each process hands what its sequences met to the one that prints it."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["met"] = dict(_MET)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _MET.update(getattr(node, "workeroutput", {}).get("met", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if deletions := _MET["deletions"]:
        shares = ", ".join(f"{_MET[key] / deletions:.0%} {text}" for key, text in _SHARES.items())
        terminalreporter.write_line(
            f"{_MET['sequences']} random sequences, {_MET['steps']} steps, "
            f"{deletions} deletions: {shares}"
        )
