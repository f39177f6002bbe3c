"""rdfinc: a reasoning store for rdflib whose inferred graph stays exact while you edit it.

Its layers, lowest first: `terms` and `tables`, `datalog` (rules as data), `reasoning` and `owl`,
`knowledge_base`, `durable` (on disk), `cli`; adapters are in `plugins`. DESIGN.md says what each
knows and which words it uses, ALGORITHMS.md how the engine works.
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rdfinc.errors import (
    BudgetExceededError,
    CorruptedError,
    DataSyntaxError,
    FileAccessError,
    ForgottenError,
    LockedError,
    RdfincError,
    RdfincWarning,
    RemoteAccessError,
    ReservedGraphError,
    RuleError,
    RuleSyntaxError,
    StorageError,
    TermError,
    UnknownRuleError,
    UnsafeRuleError,
    UnstratifiableError,
    UnsupportedError,
    VersionError,
    ViolationError,
    WorkerError,
)

if TYPE_CHECKING:
    from rdfinc.datalog.model import Program, Rule
    from rdfinc.knowledge_base import KnowledgeBase
    from rdfinc.knowledge_base.answers import DurabilityMode
    from rdfinc.knowledge_base.explanations.proofs import Proof, Removal, Violation
    from rdfinc.knowledge_base.explanations.why_not import WhyNot
    from rdfinc.knowledge_base.load_report import LoadReport
    from rdfinc.knowledge_base.streams.delta import Delta
    from rdfinc.plugins.rdflib_store import Dataset, Graph  # type: ignore[import-not-found]

__version__ = "0.1.0"

_ROOM = Path(__file__).parent
if not (_ROOM / "plugins").is_dir():  # a source tree, where `plugins` and `ontologies` stand beside
    __path__.append(str(_ROOM.parent))


def open(
    path: str | os.PathLike[str],
    create: bool = True,
    read_only: bool = False,
    *,
    durability: DurabilityMode = "commit",
    **options: Any,
) -> KnowledgeBase:
    """The knowledge base that is kept in a directory: what it is given stays there.

    Whatever returns from a change is on disk; `close`, or the end of a `with` block, lets others
    write. `options` are those of `KnowledgeBase`; one that is left out is as it was. durability:
    "commit", or "interval": changes reach the disk together, some milliseconds after they were
    made, and a loss of power may take the last of them. create: whether a missing or empty
    directory becomes a new knowledge base. A folder that holds a closure made on Spark becomes one
    of that, which is not derived again. read_only: see what others write; `refresh` takes in
    what has come since.

    Raises LockedError (someone else writes there), CorruptedError, VersionError, DataSyntaxError
    for a damaged closure, and other OSError with what to do.
    """
    from rdfinc.durable.opening import open_to_write
    from rdfinc.durable.read_only import open_to_read

    if read_only:
        return open_to_read(path, options)
    return open_to_write(path, create, durability, options)


_FROM = {
    "Dataset": "plugins.rdflib_store",
    "Delta": "knowledge_base.streams.delta",
    "Graph": "plugins.rdflib_store",
    "KnowledgeBase": "knowledge_base",
    "LoadReport": "knowledge_base.load_report",
    "Program": "datalog.model",
    "Proof": "knowledge_base.explanations.proofs",
    "Removal": "knowledge_base.explanations.proofs",
    "Rule": "datalog.model",
    "Violation": "knowledge_base.explanations.proofs",
    "WhyNot": "knowledge_base.explanations.why_not",
}
"""The modules of the names that are imported when they are first used."""


def __getattr__(name: str) -> Any:
    if name not in _FROM:
        raise AttributeError(f"module 'rdfinc' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"rdfinc.{_FROM[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_FROM})


__all__ = [
    "BudgetExceededError",
    "CorruptedError",
    "DataSyntaxError",
    "Dataset",
    "Delta",
    "FileAccessError",
    "ForgottenError",
    "Graph",
    "KnowledgeBase",
    "LoadReport",
    "LockedError",
    "Program",
    "Proof",
    "RdfincError",
    "RdfincWarning",
    "RemoteAccessError",
    "Removal",
    "ReservedGraphError",
    "Rule",
    "RuleError",
    "RuleSyntaxError",
    "StorageError",
    "TermError",
    "UnknownRuleError",
    "UnsafeRuleError",
    "UnstratifiableError",
    "UnsupportedError",
    "VersionError",
    "Violation",
    "ViolationError",
    "WhyNot",
    "WorkerError",
    "open",
]
