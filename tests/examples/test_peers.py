"""Programs of others over rdfinc: each example runs with the real package, where that is there."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

PEERS = Path(__file__).parents[2] / "examples" / "peers"
NEEDED = {  # script: the packages that it imports, by their names in the index
    "brick_building": ("brickschema",),
    "endpoint": ("rdflib-endpoint", "SPARQLWrapper", "uvicorn"),
    "frames_of_kglab": ("kglab",),
    "shapes": ("pyshacl",),
    "tables_and_paths": ("networkx", "pandas", "pyarrow"),
}
MODULES = {"rdflib-endpoint": "rdflib_endpoint"}
PRINTED = {
    "brick_building": ["points: ['t1']", "with another one: ['t1', 't2']",
                       "without the first: ['t2']"],
    "endpoint": ["http://example.org/pump", "http://example.org/radiator"],
    "frames_of_kglab": [":Animal :Cat"],
    "shapes": ["does not conform: ['Focus Node: :towelRail']", "conforms"],
    "tables_and_paths": ["power in all: 13.0", "path: :boiler :pump :radiator",
                         "labels of its first edge: 2"],
}  # fmt: skip


def test_every_script_is_run_here() -> None:
    assert {path.stem for path in PEERS.glob("*.py")} == NEEDED.keys() == PRINTED.keys()


@pytest.mark.parametrize("script", NEEDED)
def test_it_runs(script: str) -> None:
    for package in NEEDED[script]:
        pytest.importorskip(MODULES.get(package, package))
        print(package, version(package))
    done = subprocess.run(
        [sys.executable, PEERS / f"{script}.py"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line in PRINTED[script]] == PRINTED[script]
    assert not re.search("RdfincWarning", done.stderr)
