"""A server: a socket that is listened to until a signal comes."""

from __future__ import annotations

import errno
import math
import resource
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn
from msgspec.structs import replace

from rdfinc import KnowledgeBase
from rdfinc.plugins.server.application import app
from rdfinc.plugins.server.connections import bounded
from rdfinc.plugins.server.settings import Settings

AT_ONCE = 64
"""Connections that are taken before any of them is looked at."""

FILES = 3 * AT_ONCE
"""Files that a process may have open beside its connections, those that end among them."""

ANYWHERE = ("0.0.0.0", "::", "")
"""Addresses that are all of a machine's, and no name."""


class Listening:
    """A bound address, where a knowledge base is to be served. Raises OSError for an address that
    is not to be had, ValueError for one that is open to more than this machine while anyone may
    change the data.

    `allow_host` are further names that the server is called by, `options` those of `Settings`.
    """

    def __init__(
        self, host: str, port: int, allow_host: tuple[str, ...] = (), **options: Any
    ) -> None:
        names = allow_host if host in ANYWHERE else (*allow_host, host)
        self._settings = Settings(hosts=names, **options)
        if self._settings.update and self._settings.token is None and not _is_local(host):
            raise ValueError(
                f"on {host or 'all addresses'} everyone who reaches this machine could change the"
                " data: give a --token, or leave out --update"
            )
        self._socket = _bound(host, port)
        self._server: _Server | None = None

    @property
    def address(self) -> str:
        """The address of the start page."""
        host, port = self._socket.getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/"

    def serve(self, kb: KnowledgeBase, started: Callable[[], object]) -> None:
        """Answers until SIGINT or SIGTERM comes; then what was begun is answered to the end, for as
        long as an answer may take. A second one ends that, too; what is being written is written.
        """
        made = app(kb, self._settings)
        config = uvicorn.Config(
            made,
            http=bounded(replace(self._settings, connections=_room(self._settings.connections))),
            ws="none",
            lifespan="on",
            log_config=None,
            backlog=AT_ONCE,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=math.ceil(self._settings.timeout) + 1,
        )
        self._server = _Server(config, started, made.state.changes.close)
        self._server.run([self._socket])

    def stop(self) -> None:
        """Ends it as a signal does; from any thread."""
        if self._server is not None:
            self._server.end()


class _Server(uvicorn.Server):
    """A server whose end by a signal is an end like any other."""

    def __init__(
        self,
        config: uvicorn.Config,
        started: Callable[[], object],
        end_streams: Callable[[], object],
    ) -> None:
        super().__init__(config)
        self._tell, self._end_streams = started, end_streams

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._tell()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.end()

    def end(self) -> None:
        """Stops; asked again, at once."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._end_streams()


def _room(connections: int) -> int:
    """How many connections the system lets the process have, up to a number. Raises OSError where
    that is none."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + FILES
    if soft < wanted and soft != resource.RLIM_INFINITY:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY:
        return connections
    if soft <= FILES:
        raise OSError(
            f"a process may have {soft} files open here, and a server needs {FILES} beside its"
            " connections: allow it more (ulimit -n)"
        )
    return min(connections, soft - FILES)


def _is_local(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        known = error.errno in (errno.EADDRINUSE, errno.EACCES)
        advice = "another --port may be free" if known else "--host is an address of this machine"
        raise OSError(f"{host}:{port}: {error.strerror}; {advice}") from None
