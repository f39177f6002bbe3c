"""Processes: writers that are killed, readers beside a writer.

`--long START:COUNT` kills COUNT writers; readers look until they have seen COUNT changes, each of
which has a number that says how many facts there must be.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest
from durable.histories import EX, state

import rdfinc
from rdfinc.durable import verify, verifying

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills processes")

COUNTER = f"<{EX}counter>"
WRITER = """
import sys
import rdfinc
from msgspec.structs import force_setattr
from rdfinc.durable.durable_thresholds import DURABLE
force_setattr(DURABLE, "least_replay_seconds", 0.01)
kb = rdfinc.open(sys.argv[1], durability=sys.argv[2], profile="none")
if not len(kb.program):
    kb.add_rules("[?x, <http://example.org/even>, ?y] :- [?x, <http://example.org/p>, ?y] .")
n = max((int(o) for _, _, o in kb.triples((None, "<http://example.org/is>", None))), default=0)
while True:
    n += 1
    with kb.transaction():
        kb.update(delete=[(COUNTER, "<http://example.org/is>", f'"{n - 1}"')])
        kb.update(insert=[
            (COUNTER, "<http://example.org/is>", f'"{n}"'),
            (f"<http://example.org/n{n}>", "<http://example.org/p>", f'"{n}"'),
        ])
    print(n, flush=True)
""".replace("COUNTER", repr(COUNTER))


def killed(place: Path, durability: str, after: float) -> int:
    """The last number that a writer told before it was killed."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(place), durability], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline()]
        time.sleep(after)
        writer.send_signal(signal.SIGKILL)
        told += writer.stdout.read().split("\n")
    return max(int(line) for line in told if line.strip())


@pytest.mark.parametrize("durability", ["commit", "interval"])
def test_a_killed_writer_loses_nothing_that_it_told(
    tmp_path: Path, durability: str, request: pytest.FixtureRequest
) -> None:
    start, count = request.config.getoption("--long") or (0, 5)
    chance = random.Random(start)
    for _ in range(count):
        told = killed(tmp_path, durability, chance.uniform(0, 0.15))
        assert verify(tmp_path, deep=True) == []
        with rdfinc.open(tmp_path, read_only=True) as kb:
            (number,) = (int(o) for _, _, o in kb.triples((COUNTER, f"<{EX}is>", None)))
            assert number in (told, told + 1)
            assert len(kb.explicit) == number + 1
            assert len(kb.derived) == number


READER = textwrap.dedent(
    """
    import sys
    import rdfinc
    kb = rdfinc.open(sys.argv[1], read_only=True)
    seen, times = 0, 0
    while times < int(sys.argv[2]):
        kb.refresh()
        numbers = [int(o) for _, _, o in kb.triples((None, "<http://example.org/is>", None))]
        assert len(numbers) <= 1, numbers
        if numbers:
            assert len(kb.explicit) == numbers[0] + 1, (len(kb.explicit), numbers)
            assert len(kb.derived) == numbers[0]
            assert numbers[0] >= seen
            times += numbers[0] > seen
            seen = numbers[0]
        if len(sys.argv) > 3:
            kb.why_not((f"<http://example.org/w{seen}>", "<http://example.org/p>", '"new"'))
    print(seen)
    """
)


def test_readers_beside_a_writer_see_whole_changes(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    _, count = request.config.getoption("--long") or (0, 8)
    with rdfinc.open(tmp_path, profile="none"):
        pass
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READER, str(tmp_path), str(count), *more], stdout=subprocess.PIPE
        )
        for more in ([], ["looks up new terms"])
    ]
    with subprocess.Popen(  # which goes on however much it tells
        [sys.executable, "-c", WRITER, str(tmp_path), "interval"], stdout=subprocess.DEVNULL
    ) as writer:
        seen = [int(reader.communicate(timeout=120 + 10 * count)[0]) for reader in readers]
        writer.kill()
    assert [reader.returncode for reader in readers] == [0, 0]
    assert all(seen)


@pytest.mark.parametrize("what", ["read_manifest", "read_journals", "SegmentReader"])
def test_a_checkpoint_while_it_is_verified_is_no_damage(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = rdfinc.open(tmp_path)
    kb.update(insert=[(COUNTER, f"<{EX}p>", '"1"')])
    looks, real = [], getattr(verifying, what)

    def late(*where: Any) -> Any:
        looks.append(where)
        if len(looks) == 1:
            kb.update(insert=[(COUNTER, f"<{EX}p>", '"2"')])
            kb.checkpoint()
        return real(*where)

    monkeypatch.setattr(verifying, what, late)
    assert verify(tmp_path) == []
    assert len(looks) == 2
    kb.close()


def test_a_reader_goes_on_over_checkpoints(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path) as kb, rdfinc.open(tmp_path, read_only=True) as reader:
        for number in range(12):
            kb.update(insert=[(f"<{EX}{number}>", f"<{EX}p>", f'"{number}"')])
            held = iter(reader.triples())
            if number % 3 == 1:
                kb.checkpoint()
            if number % 4 == 2:
                reader.why_not((f"<{EX}only here {number}>".replace(" ", ""), f"<{EX}p>", "_:b"))
            before = len(reader)
            reader.refresh()
            assert state(reader) == state(kb)
            reader._check()
            assert len(list(held)) == before
