"""A change that is cut short while it is published: nobody goes on with half of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from durable.histories import EX, state

import rdfinc
from rdfinc import KnowledgeBase

A, B, C, P, Q = (f"<{EX}{name}>" for name in "abcpq")
RULE = f"[?x, {Q}, ?y] :- [?y, {P}, ?x] ."
PUBLISHING = (
    "knowledge_base.versions.version.Version.writable",
    "knowledge_base.versions.version.Version.show",
    "knowledge_base.versions.version.Version.share",
    "knowledge_base.versions.version.Restatement.commit",
    "knowledge_base.implied.implied_facts.Implied.committed",
    "knowledge_base.updates.stratifier.Stratifier.after_commit",
    "tables.facts.FactSet.adopt",
    "tables.facts.FactSet.extend",
)


def broken(patch: pytest.MonkeyPatch, name: str, error: type[BaseException], later: bool) -> None:
    """Has a function of a commit raise an error, before or after its work."""
    module, owner, method = f"rdfinc.{name}".rsplit(".", 2)
    real = getattr(getattr(__import__(module, fromlist=[owner]), owner), method)
    commit = rdfinc.knowledge_base.updates.engine.Engine._commit
    active: list[bool] = []

    def committing(self: Any, *arguments: Any) -> None:
        active.append(True)
        commit(self, *arguments)

    def cut(self: Any, *arguments: Any, **options: Any) -> Any:
        made = real(self, *arguments, **options) if later or not active else None
        if active:
            raise error
        return made

    patch.setattr(rdfinc.knowledge_base.updates.engine.Engine, "_commit", committing)
    patch.setattr(f"{module}.{owner}.{method}", cut)


@pytest.mark.parametrize("name", PUBLISHING)
@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
@pytest.mark.parametrize("later", [False, True])
def test_what_is_cut_short_is_made_at_the_next_opening(
    tmp_path: Path, name: str, error: type[BaseException], later: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    kb, whole = rdfinc.open(tmp_path), KnowledgeBase()
    for one in (kb, whole):
        one.add_rules(RULE)
        one.update(insert=[(A, P, B)])
    with monkeypatch.context() as patch:
        broken(patch, name, error, later)
        with pytest.raises(error):
            kb.update(insert=[(B, P, C)], delete=[(A, P, B)])
    for use in (len, lambda kb: kb.update(insert=[(C, P, A)]), KnowledgeBase.close):
        with pytest.raises(OSError, match=f"{tmp_path}.*cut short.*open it again"):
            use(kb)
    whole.update(insert=[(B, P, C)], delete=[(A, P, B)])
    with rdfinc.open(tmp_path) as again:
        assert state(again) == state(whole)
        again._check()


def test_a_transaction_with_a_change_that_is_cut_short_has_not_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = rdfinc.open(tmp_path)
    kb.update(insert=[(A, P, B)])
    before = state(kb)
    ended = pytest.raises(OSError, match="cut short")
    with monkeypatch.context() as patch, ended, kb.transaction():
        kb.update(insert=[(B, P, C)])
        broken(patch, PUBLISHING[1], MemoryError, later=False)
        kb.update(insert=[(C, P, A)])
    with pytest.raises(OSError, match="open it again"):
        len(kb)
    with rdfinc.open(tmp_path) as again:
        assert state(again) == before


def test_a_transaction_that_cannot_be_taken_back_ends_the_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kb, error in ((rdfinc.open(tmp_path), OSError), (KnowledgeBase(), ValueError)):
        kb.update(insert=[(A, P, B)])
        with monkeypatch.context() as patch:
            patch.setattr("rdfinc.knowledge_base.streams.compound_update.Step.back", _no_memory)
            with pytest.raises(MemoryError), kb.transaction():
                kb.update(insert=[(B, P, C)])
                raise KeyError
        with pytest.raises(error, match="cut short"):
            len(kb)
    with rdfinc.open(tmp_path) as again:
        assert len(again) == 1


def test_what_is_raised_before_the_journal_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = rdfinc.open(tmp_path)
    kb.update(insert=[(A, P, B)])
    before, number = state(kb), kb.refresh()
    with monkeypatch.context() as patch:
        patch.setattr("rdfinc.knowledge_base.versions.visible_delta.Viewing.of", _no_memory)
        with pytest.raises(MemoryError):
            kb.update(insert=[(B, P, C)])
    assert (state(kb), kb.refresh()) == (before, number)
    kb.update(insert=[(B, P, C)])
    kb.close()


def test_what_is_raised_after_publishing_leaves_memory_and_disk_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = rdfinc.open(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(KnowledgeBase, "_delta", _no_memory)
        with pytest.raises(MemoryError):
            kb.update(insert=[(A, P, B)])
    assert len(kb) == 1
    after = state(kb)
    kb._log.let_go()  # as if it had died
    with rdfinc.open(tmp_path) as again:
        assert state(again) == after


def _no_memory(*_: Any, **__: Any) -> None:
    raise MemoryError
