"""A real server on a free port, in a thread of this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from rdfinc import KnowledgeBase

pytest.importorskip("uvicorn")


@contextmanager
def serving(kb: KnowledgeBase, **options: Any) -> Iterator[str]:
    """The address, without a slash at its end, at which `kb` is served."""
    from rdfinc.plugins.server.running import Listening

    listening, started = Listening("127.0.0.1", 0, **options), threading.Event()
    thread = threading.Thread(target=listening.serve, args=(kb, started.set))
    thread.start()
    assert started.wait(20)
    try:
        yield listening.address.rstrip("/")
    finally:
        listening.stop()
        thread.join(20)
        assert not thread.is_alive()
