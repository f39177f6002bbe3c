"""Directories that are named by symbolic links, and copies of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import rdfinc
from rdfinc import LockedError
from rdfinc.durable import destroy, restore, verify


@pytest.fixture
def place(tmp_path: Path) -> Path:
    rdfinc.open(tmp_path / "kb").close()
    (tmp_path / "link").symlink_to("kb")
    return tmp_path / "kb"


def test_a_link_is_destroyed_with_what_it_leads_to(place: Path) -> None:
    destroy(place.with_name("link"))
    assert list(place.parent.iterdir()) == []


def test_a_link_stays_where_others_have_files(place: Path) -> None:
    (place / "diary").write_text("mine")
    destroy(place.with_name("link"))
    assert place.with_name("link").is_symlink()
    assert [path.name for path in place.iterdir()] == ["diary"]


def test_nothing_is_removed_of_what_is_open(place: Path) -> None:
    with rdfinc.open(place), pytest.raises(LockedError):
        destroy(place.with_name("link"))
    assert place.with_name("link").is_symlink() and verify(place) == []


@pytest.mark.parametrize("inside", ["kb/in", "link/in", "link/in/it"])
def test_a_copy_is_not_restored_into_what_it_is_of(place: Path, inside: str) -> None:
    for source in (place, place.with_name("link")):
        with pytest.raises(OSError, match=r"is inside of .*; name a directory elsewhere"):
            restore(source, place.parent / inside)
    with rdfinc.open(place) as kb, pytest.raises(OSError, match="is inside of"):
        kb.backup(place.parent / inside)
    assert not (place / "in").exists()
    restore(place.with_name("link"), place.with_name("kb2"))
    assert verify(place.with_name("kb2")) == []
