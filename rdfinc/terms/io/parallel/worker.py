"""A process that reads shares: `python -m rdfinc.terms.io.parallel.worker`.

It gets the thresholds in force and then shares by standard input, and answers by standard output,
all of it pickled. It ends when its input does, so it never outlives who started it for long.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys

from msgspec.structs import asdict, force_setattr

from rdfinc.terms.io.parallel.numbered_share import numbered
from rdfinc.terms.term_thresholds import TERMS

READY = b"ready\n"


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything else prints is no answer
    gc.disable()
    try:
        for name, value in asdict(pickle.load(sys.stdin.buffer)).items():
            force_setattr(TERMS, name, value)
        answers.write(READY)
        answers.flush()
        while True:
            share, lenient = pickle.load(sys.stdin.buffer)
            answers.write(pickle.dumps(numbered(share, lenient=lenient), pickle.HIGHEST_PROTOCOL))
            answers.flush()
    except (EOFError, BrokenPipeError):
        os._exit(0)  # nobody asks or listens any more


if __name__ == "__main__":
    main()
