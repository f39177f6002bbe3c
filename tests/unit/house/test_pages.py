"""The pages about the code name what there is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = ROOT / "CONTRIBUTING.md", *sorted((ROOT / "rdfinc").glob("*.md"))
FOLDERS = "docs", "examples", "plugins", "rdfinc", "tests"
FILES = [*ROOT.glob("*.*"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*"))]


def named(page: Path, pattern: str) -> set[str]:
    return set(re.findall(pattern, page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_pages_name_are_there(page: Path) -> None:
    for name in named(page, r"`([\w/]+\.(?:py|dlog|lark|md))`"):
        there = any(path.as_posix().endswith(f"/{name}") for path in FILES)
        assert there, f"{page.name} names {name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_tests_that_pages_name_are_there(page: Path) -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/test_*.py"))
    for name in named(page, r"`(test_\w+)`"):
        assert f"def {name}(" in tests, f"{page.name} names {name}"


ROOMS = sorted(
    file.parent for top in ("rdfinc", "plugins") for file in (ROOT / top).rglob("__init__.py")
)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_a_room_tells_of_all_that_is_in_it(room: Path) -> None:
    told = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
    names = {name.partition(".")[0] for name in re.findall(r"`([\w.]+)", told)}
    there = {path.stem for path in room.glob("*.py")} | {
        path.parent.name for path in room.glob("*/__init__.py")
    }
    assert room.name == "rdfinc" or there - {"__init__"} <= names
