"""Nothing takes the last memory of the machine: a change or a query that would is refused."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rdfinc import BudgetExceededError, KnowledgeBase
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.process import control_groups, machine_memory, memory
from rdfinc.knowledge_base.process.machine_memory import MACHINE, MachineMemory, Room
from rdfinc.plugins.sparql.columns import budget
from thresholds import put

GIB = 1 << 30
PRODUCT = "[?x, <x:r>, ?y] :- [?x, <x:p>, ?v], [?y, <x:p>, ?w] ."


@pytest.fixture
def low(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with hardly any memory left, looked at as often as can be."""
    monkeypatch.setattr(MACHINE, "_tell", lambda: (GIB // 64, GIB))
    monkeypatch.setattr(MACHINE, "_taken", lambda: GIB // 2)
    monkeypatch.setattr(MACHINE, "_next", 0.0)  # others may have looked just now
    put(monkeypatch, KNOWLEDGE, memory_seconds=0.0, instances_a_check=1)
    monkeypatch.setattr(budget, "LOOK", 0)


def knowledge_base() -> KnowledgeBase:
    kb = KnowledgeBase("none")
    kb.update(insert=[(f"<x:{i}>", "<x:p>", f'"{i}"') for i in range(40)])
    return kb


def refused(told: str) -> pytest.RaisesExc[BudgetExceededError]:
    text = (
        f"{told}: the memory of this machine is nearly used up, 16,777,216 bytes are left; narrow"
    )
    return pytest.raises(BudgetExceededError, match=text)


def test_a_change_is_refused_and_leaves_nothing(request: pytest.FixtureRequest) -> None:
    kb = knowledge_base()
    request.getfixturevalue("low")
    with refused("update rolled back") as raised:
        kb.add_rules(PRODUCT)
    assert (raised.value.budget, raised.value.limit) == ("memory", 128 << 20)
    assert (len(kb), len(kb.program)) == (40, 0)
    with refused("update rolled back"):
        kb.load(b"<x:a> <x:p> <x:b> .", format="nt")
    kb.update(delete=[("<x:1>", "<x:p>", '"1"')])
    assert len(kb) == 39


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?a ?b ?c . ?d ?e ?f } ORDER BY ?c ?f",
        "SELECT DISTINCT ?a ?d { ?a ?b ?c . ?d ?e ?f }",
        "SELECT (GROUP_CONCAT(?f) AS ?all) { ?a ?b ?c . ?d ?e ?f }",
        "CONSTRUCT { ?a ?e ?f } { ?a ?b ?c . ?d ?e ?f }",
        "INSERT { ?a <x:q> ?d } WHERE { ?a ?b ?c . ?d ?e ?f }",
    ],
)
def test_a_query_is_stopped(request: pytest.FixtureRequest, query: str) -> None:
    kb = knowledge_base()
    request.getfixturevalue("low")
    with refused("(query stopped|update rolled back)"):
        if query.startswith("INSERT"):
            kb.graph().update(query)
        else:
            list(kb.query(query))
    assert len(kb) == 40


def test_free_memory_is_given_back_first(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, KNOWLEDGE, memory_seconds=0.0)
    told: Iterator[Room | None] = iter([(GIB, GIB), (1, GIB), (GIB, GIB), (1, GIB), (1, GIB), None])
    freed: list[int] = []
    given: list[int] = []
    watched = MachineMemory(
        lambda: next(told), lambda: GIB, lambda: freed.append(1), lambda: given.append(1)
    )
    watched.check("change stopped")
    assert not freed
    assert given
    watched.check("change stopped")
    assert len(freed) == 1
    with pytest.raises(BudgetExceededError, match=r"change stopped: .* 1 bytes are left"):
        watched.check("change stopped")
    watched.check("change stopped")


def test_what_others_have_taken_is_no_reason(low: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MACHINE, "_taken", lambda: GIB // 4)
    kb = knowledge_base()
    kb.add_rules(PRODUCT)
    assert len(kb) == 1640
    monkeypatch.undo()
    assert 1 << 20 < memory.resident() < 1 << 40 or sys.platform != "linux"


def test_it_is_looked_at_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, KNOWLEDGE, memory_seconds=1e9)
    looks: list[int] = []
    watched = MachineMemory(lambda: looks.append(1), lambda: GIB, lambda: None, lambda: None)
    for _ in range(3):
        watched.check("change stopped")
    assert len(looks) == 1


def test_the_narrowest_control_group_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = tmp_path / "meminfo"
    machine.write_text("MemTotal: 4096 kB\nMemAvailable: 3072 kB\nSwapFree: 512 kB\n")
    group, mine = tmp_path / "groups" / "a" / "b", tmp_path / "mine"
    group.mkdir(parents=True)
    mine.write_text("0::/a/b\n4:memory:/c\n")
    monkeypatch.setattr(machine_memory, "_ALL", machine)
    monkeypatch.setattr(control_groups, "_ROOT", tmp_path / "groups")
    monkeypatch.setattr(control_groups, "_MINE", mine)
    assert machine_memory.memory_left() == (3584 * 1024, 4096 * 1024)
    (group / "memory.max").write_text("max\n")
    (group.parent / "memory.max").write_text("2000000\n")
    (group.parent / "memory.current").write_text("1500000\n")
    (group.parent / "memory.stat").write_text("inactive_file 100000\nactive_file 1\nanon 5\n")
    assert machine_memory.memory_left() == (600001, 2000000)
    older = tmp_path / "groups" / "memory" / "c"
    older.mkdir(parents=True)
    (older / "memory.limit_in_bytes").write_text("9223372036854771712\n")
    assert machine_memory.memory_left() == (600001, 2000000)
    (older / "memory.limit_in_bytes").write_text("1000000\n")
    (older / "memory.usage_in_bytes").write_text("900000\n")
    (older / "memory.stat").write_text("total_inactive_file 10\ntotal_active_file 0\n")
    assert machine_memory.memory_left() == (100010, 1000000)
    machine.write_text("nothing\n")
    assert machine_memory.memory_left() is None


def test_this_machine_is_asked() -> None:
    told = machine_memory.memory_left()
    assert (told is None) == (sys.platform != "linux")
    assert told is None or 0 < told[0] <= told[1] + told[0]
