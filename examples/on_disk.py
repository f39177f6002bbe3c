"""A knowledge base on disk: a writer is killed, and nothing that it was told is lost.

python examples/on_disk.py
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import rdfinc
from rdfinc.durable import verify

EX = "http://example.org/"

WRITER = """
import itertools, sys
import rdfinc

kb = rdfinc.open(sys.argv[1])
if not len(kb):
    kb.bind("", "http://example.org/")
    kb.load(b'''@prefix : <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        :follows a owl:TransitiveProperty .''', format="turtle")
for number in itertools.count(len(list(kb.explicit)) - 1):
    kb.update(insert=[(f"<http://example.org/event{number + 1}>",
                       "<http://example.org/follows>",
                       f"<http://example.org/event{number}>")])
    print(number + 1, flush=True)
"""


def told_before_it_was_killed(place: Path) -> int:
    """The last event that a writer acknowledged."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(place)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        told = writer.stdout.readline()
        time.sleep(0.3)
        writer.send_signal(signal.SIGKILL)
        return int((told + writer.stdout.read()).split()[-1])


with tempfile.TemporaryDirectory() as folder:
    place = Path(folder) / "events"
    for attempt in (1, 2):
        last = told_before_it_was_killed(place)
        print(f"{attempt}. killed after event {last} was told; {verify(place) or 'all is well'}")
    start = time.perf_counter()
    with rdfinc.open(place) as kb:
        print(f"opened in {(time.perf_counter() - start) * 1e3:.0f} ms: {kb!r}")
        first, latest = f"<{EX}event0>", f"<{EX}event{last}>"
        assert (latest, f"<{EX}follows>", first) in kb, "the closure is there as well"
        with kb.transaction():
            kb.update(delete=[(f"<{EX}event1>", f"<{EX}follows>", first)])
            kb.add_rules("[?y, :precedes, ?x] :- [?x, :follows, ?y] .")
        print(f"one transaction later: {kb!r}")
        kb.backup(Path(folder) / "backup")
    with rdfinc.open(Path(folder) / "backup", read_only=True) as copy:
        print(f"the backup: {copy!r}")
