"""What a server allows, and its bounds."""

from __future__ import annotations

from msgspec import Struct

MIB = 1 << 20


class Settings(Struct, frozen=True):
    """What a server allows: by default, reading by programs and pages of this machine.

    `update` lets requests change the knowledge base, `remote` lets them ask other servers (SERVICE
    and LOAD). A server that `follows` its directory reads what another process writes there.
    `token` is asked of everyone. `hosts` are names of the server beside those of this machine,
    `origins` the pages elsewhere with access.

    The bounds: `timeout` seconds for an answer and for the arrival of a request, `max_memory` bytes
    of solutions and of an answer, `max_body` bytes of a request, `threads` reading at once,
    `waiting` requests beside those, `connections` at once, `listeners` to changes, and `patience`,
    the seconds of silence of a client in the middle of a request or an answer.
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
