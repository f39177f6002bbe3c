"""Knowledge bases that are kept in a directory (DESIGN, "On disk").

Entry: `opening.open_to_write` and `read_only.open_to_read`, behind `rdfinc.open`. A directory holds
a checkpoint and a journal of what was committed since. `directory_files` and `locks` are all that
touches the disk; `damage` is what is found there, `disk_errors` what is told of others. A journal
is made of `frames`, each with a `record`; `journal` writes them, puts them on disk and reads them,
with durability="interval" `group_sync` has them put there some milliseconds later, and `history`
tells the changes since one of them. A checkpoint is a `manifest` over blocks in `segments`:
`term_blocks`, `statement_blocks` and the `image` of the closure; `checkpoint` writes and reads it,
`founding` the first, and `generations` numbers them. `durability` is what a knowledge base calls as
it changes: each commit is written there. `durable_thresholds` says when checkpoints are due.
`verifying` checks and copies directories, `destroying` removes them, `old_format` reads those of
earlier releases.
"""

from rdfinc.durable.destroying import destroy
from rdfinc.durable.verifying import restore, verify

__all__ = ["destroy", "restore", "verify"]
