"""Knowledge bases that are kept in a directory (DESIGN, "On disk").

Entry: `opening.open_to_write` and `read_only.open_to_read`, behind `rdfinc.open`. A directory holds
a checkpoint and a journal of what was committed since. `directory_files` and `locks` are all that
touches the disk; `damage` is what is found there, `disk_errors` what is told of others.

A knowledge base calls `durability` as it changes, which has `journal` write each commit: a `record`
in one of the journal's `frames`. With durability="interval" `group_sync` puts them on disk some
milliseconds later. `history` tells the changes since a record.

A checkpoint is a `manifest` over blocks in `segments`: `term_blocks`, `statement_blocks` and the
`image` of the closure. `checkpoint` writes and reads it, `founding` the first, `generations`
numbers them, and `durable_thresholds` says when one is due.

`closure_folders` takes in a closure that was made elsewhere, where it is. `verifying` checks and
copies directories to `copy_places`, `destroying` removes them, `old_format` reads those of earlier
releases.
"""

from rdfinc.durable.destroying import destroy
from rdfinc.durable.verifying import restore, verify

__all__ = ["destroy", "restore", "verify"]
