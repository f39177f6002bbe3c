"""What a server allows, and its bounds."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True)
class Settings:
    """What a server allows: by default it is read by programs and pages of this machine.

    `update` lets requests change the knowledge base, `remote` lets them ask other servers (SERVICE
    and LOAD). It `follows` what another process writes to the directory that it reads. `token` is
    asked of everyone. `hosts` are the names that it is called by beside those of this machine,
    `origins` those of pages elsewhere that may use it.

    The bounds: `timeout` seconds for an answer and for the arrival of a request, `max_memory` bytes
    of solutions and of an answer, `max_body` bytes of a request, `threads` that read at once,
    `waiting` requests that wait for them, `connections` at once, `listeners` to changes, and
    `patience`, the seconds that a client may leave a request or an answer unfinished without
    sending or taking anything.
    """

    update: bool = False
    remote: bool = False
    follows: bool = False
    token: str | None = None
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    timeout: float = 30.0
    max_memory: int = 512 * MIB
    max_body: int = 64 * MIB
    threads: int = 8
    waiting: int = 256
    connections: int = 1000
    listeners: int = 64
    patience: float = 15.0
