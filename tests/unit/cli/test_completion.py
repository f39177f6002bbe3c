"""Completion of commands, options and their values in a shell."""

from __future__ import annotations

import pytest


@pytest.fixture
def completed(run, monkeypatch: pytest.MonkeyPatch):
    """`completed("rdfinc que")` are the words that bash is told for the last one."""

    def found(line: str) -> set[str]:
        words = line.split(" ")
        monkeypatch.setenv("_RDFINC_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        return {word.partition(",")[2] for word in run().out.split()}

    return found


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("rdfinc que", {"query"}),
        ("rdfinc rules ", {"list", "add", "remove", "check"}),
        ("rdfinc query --prof", {"--profile"}),
        ("rdfinc query --profile rd", {"rdfs"}),
        ("rdfinc serve --up", {"--update"}),
    ],
)
def test_words_that_may_follow(completed, line: str, words: set[str]) -> None:
    assert words <= completed(line)
