"""The clock by which strategies are compared."""

from __future__ import annotations

import time

now = time.thread_time
"""Seconds of this thread's processor time."""
