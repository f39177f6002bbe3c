"""The pages about the code name what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = ROOT / "rdfinc" / "DESIGN.md", ROOT / "rdfinc" / "ALGORITHMS.md", ROOT / "CONTRIBUTING.md"
FOLDERS = ROOT, ROOT / "rdfinc"


def named(page: Path, pattern: str) -> set[str]:
    return set(re.findall(pattern, page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_pages_name_are_there(page: Path) -> None:
    for name in named(page, r"`([\w/]+\.(?:py|dlog|lark|md))`"):
        there = [path for folder in FOLDERS for path in folder.rglob(f"**/{name}")]
        assert there, f"{page.name} names {name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_tests_that_pages_name_are_there(page: Path) -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/test_*.py"))
    for name in named(page, r"`(test_\w+)`"):
        assert f"def {name}(" in tests, f"{page.name} names {name}"
