"""rdfinc: a reasoning store for rdflib whose inferred graph stays exact while you edit it."""

from pathlib import Path

from rdfinc.datalog.model import Program, Rule
from rdfinc.errors import (
    BudgetExceededError,
    DataSyntaxError,
    FileAccessError,
    RdfincError,
    RdfincWarning,
    RemoteAccessError,
    ReservedGraphError,
    RuleError,
    RuleSyntaxError,
    TermError,
    UnknownRuleError,
    UnsafeRuleError,
    UnstratifiableError,
    UnsupportedError,
    ViolationError,
)
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.explanations.proofs import Proof, Removal, Violation
from rdfinc.knowledge_base.explanations.why_not import WhyNot
from rdfinc.knowledge_base.load_report import LoadReport
from rdfinc.knowledge_base.streams.delta import Delta

__version__ = "0.1.0"

_ROOM = Path(__file__).parent
if not (_ROOM / "plugins").is_dir():  # a source tree, where `plugins` and `ontologies` stand beside
    __path__.append(str(_ROOM.parent))

__all__ = [
    "BudgetExceededError",
    "DataSyntaxError",
    "Delta",
    "FileAccessError",
    "KnowledgeBase",
    "LoadReport",
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
    "TermError",
    "UnknownRuleError",
    "UnsafeRuleError",
    "UnstratifiableError",
    "UnsupportedError",
    "Violation",
    "ViolationError",
    "WhyNot",
]
