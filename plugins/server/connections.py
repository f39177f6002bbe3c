"""Connections of which no client can hold many, or one for long without saying anything."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from rdfinc.plugins.server.settings import Settings

LONGEST_HEAD = 64 << 10
"""Bytes of a request line and its headers."""

UNSEEN = 1 << 18
"""Bytes that wait in the kernel at most: what a slow client takes of them is not seen."""

_CLOSED = (
    "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n"
    "Connection: close\r\n\r\n{sentence}\n"
)


def bounded(settings: Settings) -> type[HttpToolsProtocol]:
    """Connections within the bounds of some settings. Where there is one too many, that which has
    said nothing for longest makes way; if all are being answered, the newest is refused."""
    idle: dict[HttpToolsProtocol, None] = {}

    class Connection(HttpToolsProtocol):
        """A connection that ends where a client keeps it waiting: a head that is not complete
        `patience` seconds after the last answer, or an answer of which nothing is taken for as
        long. A head that is too long is refused."""

        _head: asyncio.TimerHandle | None = None
        _stalled: asyncio.TimerHandle | None = None
        _unread = _untaken = 0

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._socket = transport.get_extra_info("socket")
            # asyncio does not, for a socket that was bound elsewhere; a body would wait for 40 ms
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSEEN)
            if len(self.connections) > settings.connections:
                self._make_way()
            self._await_head()

        def _make_way(self) -> None:
            if idle:
                silent = next(iter(idle))
                del idle[silent]
                silent.transport.abort()
            else:
                self._close(503, f"{settings.connections} connections are answered: try again")

        def connection_lost(self, exc: Exception | None) -> None:
            idle.pop(self, None)
            _cancel(self._head)
            _cancel(self._stalled)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            self._unread += len(data)
            super().data_received(data)
            if self._unread > LONGEST_HEAD and not self.transport.is_closing():
                self._close(431, f"the head of a request is longer than {LONGEST_HEAD:,} bytes")

        def on_headers_complete(self) -> None:
            self._unread = 0
            idle.pop(self, None)
            _cancel(self._head)
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            self._unread = 0
            super().on_body(body)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self.cycle.response_complete:
                self._await_head()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._watch_taking()

        def _watch_taking(self) -> None:
            _cancel(self._stalled)
            self._untaken = self.transport.get_write_buffer_size()
            self._stalled = self.loop.call_later(settings.patience, self._look_at_taking)

        def _look_at_taking(self) -> None:
            if self.transport.get_write_buffer_size() < self._untaken:
                self._watch_taking()
            else:
                self._abort()

        def resume_writing(self) -> None:
            _cancel(self._stalled)
            super().resume_writing()

        def _await_head(self) -> None:
            idle.pop(self, None)
            idle[self] = None
            _cancel(self._head)
            self._head = self.loop.call_later(settings.patience, self._end)

        def _end(self) -> None:
            """Closes it when the last answer is taken, as long as a client goes on taking it."""
            self.transport.close()
            self._watch_taking()

        def _abort(self) -> None:
            """Closes it without sending what waits in the kernel, which would go on waiting."""
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()

        def _close(self, status: int, sentence: str) -> None:
            told = {"status": f"{status} {_PHRASES[status]}", "length": len(sentence) + 1}
            self.transport.write(_CLOSED.format(sentence=sentence, **told).encode())
            self.transport.close()

    return Connection


_PHRASES = {431: "Request Header Fields Too Large", 503: "Service Unavailable"}


def _cancel(timer: Any) -> None:
    if timer is not None:
        timer.cancel()
