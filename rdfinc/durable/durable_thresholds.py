"""Thresholds of durable knowledge bases: when a checkpoint is due, and sizes of blocks.

They decide about time and space, never about what is kept. A test puts others in force by
`thresholds.put`.
"""

from __future__ import annotations

from msgspec import Struct


class DurableThresholds(Struct, frozen=True, eq=False):
    """The thresholds, module by module."""

    # -- image

    least_array_bytes: int = 4096
    """Bytes from which on an array is a block of its own, which is mapped and may be shared with
    earlier checkpoints; smaller ones stand in the pickle."""

    # -- directory_files

    small_write_bytes: int = 1 << 13
    """Bytes up to which a piece is written with the interpreter locked."""

    # -- segments

    alignment_bytes: int = 64
    """Bytes at whose multiples blocks begin."""

    live_share: float = 0.5
    """Share of a segment that must be in use for its blocks to be referred to again; the blocks of
    others are written anew, so that no more than twice what is in use is kept."""

    # -- term_blocks

    terms_read_whole: int = 1 << 14
    """Terms up to which a dictionary is read whole when it is opened, in 0.5 µs each; it then finds
    terms as one in memory does, which spares an update of new ones 5 µs."""

    # -- statement_blocks

    few_statements: int = 1024
    """Statements up to which those of a graph and predicate stand in a block with others."""

    # -- group_sync

    sync_interval_seconds: float = 0.02
    """Seconds after the first record of a group at which the group is put on disk, with
    durability="interval": whoever writes meanwhile waits."""

    # -- durability

    least_replay_seconds: float = 1.0
    """Seconds of maintenance since the last checkpoint up to which no other is due, however little
    that one took to write."""


DURABLE = DurableThresholds()
"""The thresholds in force."""
