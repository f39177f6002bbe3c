"""Processes that measure a library each, within a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from msgspec import Struct

from rdfinc.plugins.bench.peers import Peer

PROGRAMS = Path(__file__).with_name("programs")
CHILD = Path(__file__).with_name("child.py")


class Ran(Struct, frozen=True):
    """What a process found, and why it found no more, "" if it came to its end."""

    told: tuple[dict[str, Any], ...]
    failure: str = ""


def ran(peer: Peer, task: str, profile: str, timeout: float, **job: object) -> Ran:
    """A task of `child`, for one library. The process finds the packages that this one finds."""
    program = PROGRAMS / f"{peer.file}.py"
    command = [sys.executable, CHILD, program, peer.made, task, profile]
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "0"}
    try:
        done = subprocess.run(
            command,
            input=json.dumps(job).encode(),
            capture_output=True,
            check=False,
            timeout=timeout,
            env={**os.environ, **environment},
        )
    except subprocess.TimeoutExpired as late:
        return Ran(_told(late.stdout or b""), f"more than {timeout:g} s")
    return Ran(_told(done.stdout), _failure(done.returncode, done.stderr))


def _told(output: bytes) -> tuple[dict[str, Any], ...]:
    """All whole lines."""
    return tuple(json.loads(line) for line in output.splitlines(True) if line.endswith(b"\n"))


def _failure(status: int, errors: bytes) -> str:
    if status < 0:
        return f"ended by signal {-status}, as for want of memory"
    last = errors.decode(errors="replace").strip().rpartition("\n")[2]
    return f"failed: {last[:100]}" if status else ""
