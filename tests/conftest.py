"""Options and reports shared by all rooms; see README.md."""

from __future__ import annotations

from collections import Counter

import pytest

_SEEN: Counter = Counter()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long",
        type=lambda text: tuple(map(int, text.split(":"))),
        default=None,
        metavar="START:COUNT",
        help="run COUNT random sequences from seed START instead of the slice for CI",
    )


@pytest.fixture(scope="session")
def seen() -> Counter:
    """What the random sequences met, printed at the end."""
    return _SEEN


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if deletions := _SEEN["deletions"]:
        shares = ", ".join(
            f"{count / deletions:.0%} {what}" for what, count in _SEEN.items() if what != "deletions"
        )
        terminalreporter.write_line(f"random deletions: {deletions}; {shares}")
