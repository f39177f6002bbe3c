"""Everything rdfinc raises on purpose.

RdfincError
├─ TermError(ValueError)
├─ DataSyntaxError(ValueError)
├─ RuleError(ValueError)
│  ├─ RuleSyntaxError
│  ├─ UnsafeRuleError
│  ├─ UnstratifiableError
│  ├─ UnsupportedError
│  └─ UnknownRuleError
├─ ViolationError
├─ BudgetExceededError
└─ ReservedGraphError(ValueError)

Broken invariants are plain assertions, never one of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class RdfincError(Exception):
    """The root: `except RdfincError` catches all that rdfinc raises on purpose."""


class TermError(RdfincError, ValueError):
    """A value that is no RDF term; the message shows it and what would be accepted."""


class DataSyntaxError(RdfincError, ValueError):
    """A data file that cannot be read: `file`, `line` (1-based, None if unknown), `text`."""

    def __init__(self, file: str, line: int | None, text: str, reason: str) -> None:
        place = file if line is None else f"{file}, line {line}"
        shown = f"\n    {text}" if text else ""
        super().__init__(f"{place}: {reason}{shown}")
        self.file, self.line, self.text, self.reason = file, line, text, reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.file, self.line, self.text, self.reason)


class RuleError(RdfincError, ValueError):
    """A rule that cannot be used."""


class RuleSyntaxError(RuleError):
    """Rule text that does not parse: `line`, `column` (1-based) and a caret under the place."""

    def __init__(self, reason: str, text: str, line: int, column: int) -> None:
        lines = text.splitlines() or [""]
        shown = lines[min(line, len(lines)) - 1]
        super().__init__(
            f"line {line}, column {column}: {reason}\n    {shown}\n    {' ' * (column - 1)}^"
        )
        self.reason, self.text, self.line, self.column = reason, text, line, column

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.text, self.line, self.column)


class UnsafeRuleError(RuleError):
    """A rule whose `variable` no positive body atom binds."""

    def __init__(self, variable: str, rule: str) -> None:
        super().__init__(
            f"unsafe rule: ?{variable} is used but no positive body atom or BIND binds it; "
            f"add an atom with ?{variable} to the body of\n    {rule}"
        )
        self.variable, self.rule = variable, rule

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.variable, self.rule)


class UnstratifiableError(RuleError):
    """Rules that depend on their own negation or bound value: `cycle` names the relations."""

    def __init__(self, cycle: Sequence[str]) -> None:
        super().__init__("the rules depend on themselves through " + " → ".join(cycle))
        self.cycle = tuple(cycle)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.cycle,)


class UnsupportedError(RuleError):
    """A construct that rdfinc does not have (yet): `construct`, `node` where it stands."""

    def __init__(self, construct: str, node: str = "") -> None:
        super().__init__(f"not supported: {construct}" + (f" (at {node})" if node else ""))
        self.construct, self.node = construct, node

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.construct, self.node)


class UnknownRuleError(RuleError):
    """A rule to be removed that no one has added."""


class ViolationError(RdfincError):
    """An update was rolled back because it contradicts the ontology: `violations`."""

    def __init__(self, violations: Sequence[Any]) -> None:
        shown = "\n".join(f"    {v}" for v in violations[:5])
        more = f"\n    … and {len(violations) - 5} more" if len(violations) > 5 else ""
        super().__init__(f"update rejected, {len(violations)} violation(s):\n{shown}{more}")
        self.violations = tuple(violations)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.violations,)


class BudgetExceededError(RdfincError):
    """An update was rolled back because it went beyond a bound: `budget` says of what, `limit`."""

    def __init__(self, budget: str, limit: int) -> None:
        super().__init__(
            f"update rolled back: {budget} went beyond {limit}; do the rules end? Add an atom that "
            "stops them"
        )
        self.budget, self.limit = budget, limit

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.budget, self.limit)


class ReservedGraphError(RdfincError, ValueError):
    """A statement for a virtual graph; `urn:rdfinc:explicit` and `…:derived` are read-only."""
