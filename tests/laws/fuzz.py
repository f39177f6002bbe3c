"""Looks for input that does harm: `python -m laws.fuzz FIRST_SEED SECONDS`.

Prints what is wrong with each case that it finds, once for each kind and cause, and writes the
texts into files `harmful-SEED-NUMBER.KIND` of the directory that it runs in.
"""

from __future__ import annotations

import sys
import time
from itertools import islice
from pathlib import Path

from laws.fuzzing import Case, cases, few_facts, judged, perform

_EACH = 100


def main(first: int, seconds: int) -> int:
    perform(Case("query", "SELECT * { ?s ?p ?o }"), few_facts())  # to import once what is late
    perform(Case("update", "INSERT DATA { <urn:x:a> <urn:x:p> 1 }"), few_facts())
    kb = few_facts()
    end, seed, done = time.monotonic() + seconds, first, 0
    known: set[tuple[str, str]] = set()
    while time.monotonic() < end:
        for number, case in enumerate(islice(cases(seed), _EACH)):
            wrong = judged(case, kb)
            done += 1
            if wrong and (case.kind, wrong[:60]) not in known:
                known.add((case.kind, wrong[:60]))
                file = Path(f"harmful-{seed}-{number}.{case.kind}")
                file.write_text(case.text, errors="surrogatepass")
                print(f"{file}: {wrong}", flush=True)
            if time.monotonic() > end:
                break
        seed += 1
    print(f"{done} cases, {len(known)} findings, seeds {first} to {seed - 1}")
    return 1 if known else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
