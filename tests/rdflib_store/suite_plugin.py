"""A pytest plugin for rdflib's own tests: replaces rdflib's default store and records outcomes.

`RDFINC_SUITE_STORE` names the store, `RDFINC_SUITE_RESULTS` the JSON file to write:
{test id: "passed" | "failed" | "skipped" | "xfailed" | "xpassed"}.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from rdflib import plugin
from rdflib.store import Store

from rdfinc.plugins import RdfincStore

RESULTS: dict[str, str] = {}
MESSAGES: dict[str, str] = {}


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
        RESULTS[report.nodeid] = outcome if expected else report.outcome
        crash = getattr(report.longrepr, "reprcrash", None)
        MESSAGES[report.nodeid] = crash.message if crash else ""


def pytest_sessionfinish(session: Any) -> None:
    failed = {name: MESSAGES[name] for name, outcome in RESULTS.items() if outcome == "failed"}
    path = Path(os.environ["RDFINC_SUITE_RESULTS"])
    path.write_text(json.dumps({"outcomes": RESULTS, "failures": failed}, indent=1))
