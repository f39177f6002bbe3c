"""The `rdfinc` command.

Entry: `main`, which imports `app` and with it the one command that is named (`group`). Questions
are in `asking`, changes in `changing`, files made of files in `converting`, contradictions in
`checking`, `demo` tells a story, `benchmarking`, `serving` and `directories` are for those parts,
and `rules` for rule files. All share `arguments`, with their `completion`.

What the commands ask and do: `requests`, `files` in and out, `watched_files`, `comparing` of two
closures, and `peer_comparison` with deriving everything again. `check` finds what is wrong with an
ontology, `rule_check` with rules; `rule_files`, `rule_list` and `rule_edit` show and change these.
What they tell goes to the `console`: `output` of most of them, `results` of queries, a
`proof_page`, `annotations` for CI, and `progress`.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextvars import copy_context

from rdfinc.errors import RdfincError

_NEW_OBJECTS = 250_000
"""Objects that are made before the collector looks for garbage among them. With Python's 700 it
takes a tenth of a short command's time, to visit again and again what imports have made."""


def main() -> None:
    """Runs the command line. Status 0: done; 1: the answer is no; 2: it cannot be done, for which
    there is one message; 130: interrupted."""
    gc.set_threshold(_NEW_OBJECTS)
    atexit.register(gc.freeze)  # garbage is not looked for on the way out
    _stand_in()
    try:
        from rdfinc.cli.app import run

        status = copy_context().run(run, sys.argv[1:])
    except KeyboardInterrupt:
        status = 130
    except Exception as error:
        message = _told(error)
        if message is None:
            raise
        _complain(message)
        status = 2
    sys.exit(status)


def _stand_in() -> None:
    """No file takes the place of standard input that is closed, and what goes to a closed standard
    error is lost."""
    if sys.stdin is None:
        os.open(os.devnull, os.O_RDONLY)
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _told(error: Exception) -> str | None:
    """What a user is told of an error, "" if all has been said; None for what nobody foresaw."""
    if isinstance(error, OSError) and error.errno is not None and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, RdfincError | OSError):
        return str(error)
    told = getattr(error, "format_message", None)  # how the command line is used
    if told is None:
        return None
    context = getattr(error, "ctx", None)
    advice = f"\n`{context.command_path} -h` tells how it is used" if context else ""
    return f"{message.removeprefix('Invalid value: ')}{advice}" if (message := told()) else ""


def _complain(message: str) -> None:
    from rdfinc.cli.console import complain

    if message:
        complain(f"rdfinc: {message}")
