"""Directories that others remove, replace or move while they are open for writing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rdfinc
from rdfinc import KnowledgeBase
from rdfinc.durable.verifying import restore


def _fact(name: str) -> tuple[str, str, str]:
    return f"<http://e/{name}>", "<http://e/p>", "<http://e/o>"


def _names(place: Path) -> set[str]:
    with rdfinc.open(place, read_only=True) as kb:
        return {str(s).rpartition("/")[2] for s, _, _ in kb.graph()}


def _replaced(place: Path) -> KnowledgeBase:
    """One that is open where a backup of it was restored since."""
    kb = rdfinc.open(place)
    kb.update(insert=[_fact("kept")])
    kb.backup(place.with_name("saved"))
    kb.update(insert=[_fact("mistake")])
    shutil.rmtree(place)
    restore(place.with_name("saved"), place)
    return kb


def test_who_has_a_replaced_directory_open_writes_nothing_there(tmp_path: Path) -> None:
    old = _replaced(tmp_path / "data")
    with rdfinc.open(tmp_path / "data") as new:
        new.update(insert=[_fact("new")])
        for use in (old.checkpoint, old.close):
            with pytest.raises(OSError, match="was removed while it was open"):
                use()
        new.update(insert=[_fact("newer")])
    assert _names(tmp_path / "data") == {"kept", "new", "newer"}


def test_a_change_is_not_acknowledged_where_the_directory_is_gone(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path / "data")
    kb.update(insert=[_fact("kept")])
    shutil.rmtree(tmp_path / "data")
    with pytest.raises(OSError, match="was removed while it was open"):
        kb.update(insert=[_fact("lost")])
    with pytest.raises(OSError, match="was removed"), kb.transaction():
        kb.update(insert=[_fact("lost")])
    kb.dump(tmp_path / "saved.nt", "explicit")
    assert b"kept" in (saved := (tmp_path / "saved.nt").read_bytes()) and b"lost" not in saved


def test_a_moved_directory_goes_on_and_what_is_in_its_place_stays(tmp_path: Path) -> None:
    old = rdfinc.open(tmp_path / "data")
    old.update(insert=[_fact("old")])
    (tmp_path / "data").rename(tmp_path / "moved")
    with rdfinc.open(tmp_path / "data") as new:
        new.update(insert=[_fact("new")])
    old.update(insert=[_fact("older")])
    with pytest.raises(OSError, match="was moved while it was open"):
        old.checkpoint()
    with pytest.warns(UserWarning, match="was moved while it was open; its journal went with it"):
        old.close()
    assert _names(tmp_path / "data") == {"new"}
    assert _names(tmp_path / "moved") == {"old", "older"}


def test_what_was_collected_is_not_acknowledged_either(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path / "data")
    with pytest.raises(OSError, match="was removed while it was open"), kb.transaction():
        kb.update(insert=[_fact("lost")])
        shutil.rmtree(tmp_path / "data")


def test_a_file_where_the_directory_was(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path / "above" / "data")
    kb.update(insert=[_fact("kept")])
    (tmp_path / "above").rename(tmp_path / "moved")
    (tmp_path / "above").touch()
    with pytest.warns(UserWarning, match="was moved"):
        kb.close()
    assert _names(tmp_path / "moved" / "data") == {"kept"}


def test_the_empty_path_names_no_directory() -> None:
    with pytest.raises(ValueError, match="the empty path names no directory"):
        rdfinc.open("")
