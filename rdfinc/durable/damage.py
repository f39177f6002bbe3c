"""Damage: files that are not what was written."""

from __future__ import annotations


class Damage(Exception):  # noqa: N818  a signal inside this package, never seen by users
    """What was read is not what was written; the message says where."""
