"""A pytest plugin for rdflib's own tests: replaces rdflib's default store and records outcomes.

`RDFINC_SUITE_STORE` names the store, `RDFINC_SUITE_RESULTS` the JSON file to write: the outcome of
every test ("passed" | "failed" | "skipped" | "xfailed" | "xpassed"), and why tests failed. In the
names of tests, what pytest numbers or draws at random is left out; of equal names, the passing
tests come first, and the others are called #2, #3, …
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from rdflib import plugin
from rdflib.store import Store

from rdfinc.plugins import RdfincStore

REPORTS: dict[str, tuple[str, str]] = {}
CHANCE = re.compile(r"(?<=rdf_test)\d+|(?<=rdf_test_uri)\d+|(?<=envelope)\d+|\bN[0-9a-f]{31,32}\b")
ORDER = ("passed", "xpassed", "xfailed", "skipped", "failed")


class WithoutRules(RdfincStore):
    """`Graph()` over this store only stores."""

    def __init__(self, configuration: Any = None, identifier: Any = None) -> None:
        super().__init__(profile="none", configuration=configuration, identifier=identifier)


class WithRules(RdfincStore):
    """`Graph()` over this store reasons, with the default profile."""

    def __init__(self, configuration: Any = None, identifier: Any = None) -> None:
        super().__init__(configuration=configuration, identifier=identifier)


STORES = {"none": "WithoutRules", "default": "WithRules"}


def pytest_configure(config: Any) -> None:
    chosen = os.environ["RDFINC_SUITE_STORE"]
    if chosen in STORES:
        plugin.register("default", Store, __name__, STORES[chosen])


def pytest_runtest_logreport(report: Any) -> None:
    if report.when == "call" or report.outcome != "passed":
        expected = getattr(report, "wasxfail", None) is not None
        outcome = {"passed": "xpassed", "skipped": "xfailed"}.get(report.outcome, report.outcome)
        crash = getattr(report.longrepr, "reprcrash", None)
        message = crash.message if crash else ""
        REPORTS[report.nodeid] = (outcome if expected else report.outcome, message)


def by_name() -> dict[str, tuple[str, str]]:
    """(outcome, message) by a name that is the same in every run."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for nodeid, result in REPORTS.items():
        groups[CHANCE.sub("", nodeid)].append(result)
    return {
        name if i == 0 else f"{name}#{i + 1}": result
        for name, results in groups.items()
        for i, result in enumerate(sorted(results, key=lambda r: ORDER.index(r[0])))
    }


def pytest_sessionfinish(session: Any) -> None:
    results = by_name()
    outcomes = {name: outcome for name, (outcome, _) in results.items()}
    failures = {name: why for name, (outcome, why) in results.items() if outcome == "failed"}
    path = Path(os.environ["RDFINC_SUITE_RESULTS"])
    path.write_text(json.dumps({"outcomes": outcomes, "failures": failures}, indent=1))
