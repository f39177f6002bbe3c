"""The W3C's tests of SPARQL 1.0 and 1.1, where they are at hand: all but those in `exceptions.txt`.

The archive is `data/w3c/sparql-tests.tar.gz` in a `shared` directory beside the project; nothing
here needs it. Entailment, protocols and federation are not tested: they are no part of a store.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rdflib
from rdflib import Dataset, Graph, URIRef
from rdflib.compare import isomorphic
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID as DEFAULT
from w3c.answers import agrees
from w3c.manifests import (
    ARCHIVE,
    QT,
    UT,
    Case,
    cases,
    folders,
    path_of,
    stated_graphs,
    unpacked,
)

from rdfinc import FileAccessError, RemoteAccessError
from rdfinc.plugins import RdfincStore

EXCEPTIONS = Path(__file__).parent / "exceptions.txt"
ELSEWHERE = ("service", "syntax-fed", "protocol", "graph-store-protocol", "http-rdf-update",
             "service-description", "entailment", "template.haml")  # fmt: skip

pytestmark = pytest.mark.skipif(not ARCHIVE.is_file(), reason="the W3C's tests are not here")


def exceptions() -> dict[str, set[str]]:
    """The tests of each folder that are not passed; the file gives the reason for each."""
    found: dict[str, set[str]] = {}
    for line in EXCEPTIONS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            folder, _, name = line.split()[0].rpartition("/")
            found.setdefault(folder, set()).add(name)
    return found


@pytest.fixture(autouse=True)
def lexical_forms_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked(tmp_path_factory.mktemp("w3c"))


def new_dataset() -> Dataset:
    return Dataset(RdfincStore(profile="none"))


def state(dataset: Dataset, graph: URIRef, file: Path) -> None:
    dataset.graph(graph).parse(file, publicID=file.as_uri())


def request(case: Case, *properties: URIRef) -> str:
    file = case.file(*properties)
    return f"BASE <{file.as_uri()}>\n{file.read_bytes().decode('utf-8')}"


def evaluates(case: Case) -> bool:
    dataset, text = new_dataset(), request(case, QT.query)
    for file in case.manifest.objects(case.action, QT.data):
        state(dataset, DEFAULT, path_of(file))
    for name, file in stated_graphs(case.manifest, case.action, QT):
        state(dataset, name, file)
    for name in re.findall(r"^\s*FROM\s+(?:NAMED\s+)?<([^>]*)>", text, re.M | re.I):
        file = case.file(QT.query).parent / name
        state(dataset, URIRef(file.as_uri()), file)
    ordered = re.search(r"ORDER\s+BY", text, re.I) is not None
    return agrees(dataset.query(text), path_of(case.result), ordered=ordered)


def updates(case: Case) -> bool:
    dataset = new_dataset()
    after = Dataset(default_union=False)
    for target, node in ((dataset, case.action), (after, case.result)):
        for file in case.manifest.objects(node, UT.data):
            state(target, DEFAULT, path_of(file))
        for name, file in stated_graphs(case.manifest, node, UT):
            state(target, name, file)
    dataset.update(request(case, UT.request))
    named = {g.identifier: g for g in dataset.graphs() if len(g)}
    wanted = {g.identifier: g for g in after.graphs() if len(g)}
    return named.keys() == wanted.keys() and all(
        isomorphic(_copy(named[name]), _copy(wanted[name])) for name in named
    )


def _copy(graph: Graph) -> Graph:
    copy = Graph()
    copy += graph
    return copy


def is_query(case: Case) -> bool:
    return _is_accepted(lambda: new_dataset().query(request(case)))


def is_update(case: Case) -> bool:
    return _is_accepted(lambda: new_dataset().update(request(case)))


def _is_accepted(ask: Callable[[], Any]) -> bool:
    try:
        ask()
    except (FileAccessError, RemoteAccessError):  # it was read, and is not allowed
        return True
    except Exception:
        return False
    return True


KINDS: dict[str, Callable[[Case], bool]] = {
    "QueryEvaluationTest": evaluates,
    "CSVResultFormatTest": evaluates,
    "UpdateEvaluationTest": updates,
    "PositiveSyntaxTest": is_query,
    "PositiveSyntaxTest11": is_query,
    "PositiveUpdateSyntaxTest11": is_update,
    "NegativeSyntaxTest": lambda case: not is_query(case),
    "NegativeSyntaxTest11": lambda case: not is_query(case),
    "NegativeUpdateSyntaxTest11": lambda case: not is_update(case),
}


def passes(case: Case) -> bool:
    try:
        return KINDS[case.kind](case)
    except Exception:
        return False


@pytest.mark.parametrize("folder", [f for f in folders() if f.rpartition("/")[2] not in ELSEWHERE])
def test_sparql_answers_as_the_standard_says(folder: str, suite: Path) -> None:
    failed = {case.name for case in cases(suite / folder) if not passes(case)}
    assert failed == exceptions().get(folder.removeprefix("sparql/"), set())
