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
├─ RemoteAccessError(PermissionError)
├─ FileAccessError(PermissionError)
├─ ReservedGraphError(ValueError)
├─ CorruptedError(OSError)
├─ ForgottenError(LookupError)
├─ LockedError(OSError)
├─ StorageError(OSError)
├─ VersionError(OSError)
└─ WorkerError(RuntimeError)

RdfincWarning(UserWarning) is what rdfinc warns of. Broken invariants are plain assertions, never
one of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

Placed = TypeVar("Placed", bound="RuleError")

LONGEST = 500
"""Characters of a line that a message shows."""


def _brief(line: str) -> str:
    """A line, without its middle if it is long, that can be printed."""
    line = line.encode(errors="backslashreplace").decode()
    return line if len(line) <= LONGEST else f"{line[: LONGEST * 3 // 4]} … {line[-LONGEST // 4 :]}"


class RdfincError(Exception):
    """The root: `except RdfincError` catches all that rdfinc raises on purpose. Messages show
    long lines without their middle."""

    def __str__(self) -> str:
        return "\n".join(map(_brief, super().__str__().split("\n")))


class RdfincWarning(UserWarning):
    """What was done, but perhaps not meant."""


class TermError(RdfincError, ValueError):
    """A value that is no RDF term; the message shows it and what would be accepted."""


class DataSyntaxError(RdfincError, ValueError):
    """A data file or a request that cannot be read: `file`, `line` and `column` (1-based, None if
    unknown), `text`."""

    def __init__(
        self, file: str, line: int | None, text: str, reason: str, column: int | None = None
    ) -> None:
        place = file if line is None else f"{file}, line {line}"
        place = place if column is None else f"{place}, column {column}"
        shown = f"\n    {text}" if text else ""
        super().__init__(f"{place}: {reason}{shown}")
        self.file, self.line, self.text, self.reason = file, line, text, reason
        self.column = column

    def within(self, file: str) -> DataSyntaxError:
        """The same error of a text that is in another file."""
        return DataSyntaxError(file, self.line, self.text, self.reason, self.column)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.file, self.line, self.text, self.reason, self.column)


class RuleError(RdfincError, ValueError):
    """A rule that cannot be used: `reason` says why, and what to do.

    Where the rule's text is known, so are its `line` and `column` (1-based, else 0), and the `file`
    that it stands in ("" if in none); then the message shows the line, with a caret if it can.
    """

    file = text = ""
    line = column = 0

    @property
    def reason(self) -> str:
        return str(self.args[0]) if self.args else ""

    def at(self: Placed, text: str, line: int, column: int) -> Placed:
        """The same error, which now knows that it is about this place of a text."""
        self.text, self.line, self.column = text, line, column
        return self

    def within(self: Placed, file: str) -> Placed:
        """The same error, which now knows the file that the text stands in."""
        self.file = file
        return self

    def __str__(self) -> str:
        place = [self.file] if self.file else []
        if self.line:
            place.append(f"line {self.line}")
        if self.column:
            place.append(f"column {self.column}")
        told = "".join((", ".join(place), ": " if place else "", self.reason, self.shown()))
        return "\n".join(map(_brief, told.split("\n")))

    def shown(self) -> str:
        """The line of the text with a caret under the column, if there is one."""
        if not self.text:
            return ""
        lines = self.text.split("\n")
        line = lines[min(self.line, len(lines)) - 1].rstrip("\r")
        if not self.column:
            return f"\n    {line}"
        start = max(0, self.column - LONGEST // 2)
        line, at = line[start : start + LONGEST - 4], self.column - 1 - start
        indent = "".join("\t" if c == "\t" else " " for c in line[:at])
        return f"\n    {line}\n    {indent.ljust(at)}^"


class RuleSyntaxError(RuleError):
    """Rule text that does not parse: `line`, `column` (1-based) and a caret under the place."""

    def __init__(self, reason: str, text: str, line: int, column: int) -> None:
        super().__init__(reason)
        self.at(text, line, column)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.text, self.line, self.column), vars(self)


class UnsafeRuleError(RuleError):
    """A rule whose `variable` no positive body atom binds; `hint` says what to do instead of adding
    one."""

    def __init__(self, variable: str, rule: str, hint: str = "") -> None:
        super().__init__(
            f"unsafe rule: ?{variable} is used but no positive body atom, AGGREGATE or BIND binds "
            f"it; {hint or f'add an atom with ?{variable} to its body'}"
        )
        self.variable, self.rule, self.hint = variable, rule, hint

    def shown(self) -> str:
        """The line with the caret, or else the rule."""
        return super().shown() or f"\n    {self.rule}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.variable, self.rule, self.hint), vars(self)


class UnstratifiableError(RuleError):
    """Rules that depend on their own negation or bound value: `cycle` names the relations,
    `barrier` what must be complete before it is read; `rules` are those that read it, as far as
    users wrote them."""

    def __init__(
        self,
        cycle: Sequence[str],
        barrier: str = "what is negated or aggregated",
        rules: Sequence[str] = (),
    ) -> None:
        super().__init__(
            f"the rules cannot be put in order: {barrier} depends on itself, through "
            + " → ".join(cycle)
        )
        self.cycle, self.barrier, self.rules = tuple(cycle), barrier, tuple(rules)

    def shown(self) -> str:
        """The rules, or else the line with the caret."""
        return "".join(f"\n    {rule}" for rule in self.rules) or super().shown()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.cycle, self.barrier, self.rules), vars(self)


class UnsupportedError(RuleError):
    """A construct that rdfinc does not have (yet): `construct`, `node` where it stands."""

    def __init__(self, construct: str, node: str = "") -> None:
        super().__init__(f"not supported: {construct}")
        self.construct, self.node = construct, node

    @property
    def reason(self) -> str:
        at_node = f" (at {self.node})" if self.node and not self.line else ""
        return super().reason + at_node

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.construct, self.node), vars(self)


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
        return type(self), (self.violations,), {**vars(self), "args": self.args}


class BudgetExceededError(RdfincError):
    """What went beyond a bound was stopped, and has changed nothing: `budget` says which bound,
    `limit` is it, and `reached` tells how far it went."""

    def __init__(self, message: str, budget: str, limit: float, reached: float) -> None:
        super().__init__(message)
        self.budget, self.limit, self.reached = budget, limit, reached

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.budget, self.limit, self.reached)


class RemoteAccessError(RdfincError, PermissionError):
    """A query or update that would ask another server: `iri` says which, or the variable that is to
    tell, with its question mark; that has to be allowed."""

    def __init__(self, what: str, iri: str) -> None:
        self.what, self.iri = what, iri
        super().__init__(f"{self.shown} asks another server; if you mean it, give remote=True")

    @property
    def shown(self) -> str:
        """What would ask, as it is written."""
        return f"{self.what} {self.iri if self.iri.startswith('?') else f'<{self.iri}>'}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.what, self.iri)


class FileAccessError(RdfincError, PermissionError):
    """An update that would read a file: `iri` says which; that has to be allowed."""

    def __init__(self, what: str, iri: str) -> None:
        self.what, self.iri = what, iri
        super().__init__(f"{self.shown} reads a file; if you mean it, give files=True")

    @property
    def shown(self) -> str:
        """What would read it, as it is written."""
        return f"{self.what} <{self.iri}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.what, self.iri)


class ReservedGraphError(RdfincError, ValueError):
    """A statement for a virtual graph; `urn:rdfinc:explicit` and `…:derived` are read-only."""


class CorruptedError(RdfincError, OSError):
    """A directory whose files are not what was written there; nothing in it was changed."""


class ForgottenError(RdfincError, LookupError):
    """Changes that were asked for after a checkpoint had taken them in: `first` is the number since
    which they can be told."""

    def __init__(self, message: str, first: int) -> None:
        super().__init__(message)
        self.first = first

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.first)


class LockedError(RdfincError, OSError):
    """A directory that another process writes, or that was opened to be read only."""


class VersionError(RdfincError, OSError):
    """A directory in the format of another version of rdfinc."""


class StorageError(RdfincError, OSError):
    """A file or folder of another machine that cannot be used: `uri` says which. Nothing was
    changed."""

    def __init__(self, uri: str, reason: str) -> None:
        super().__init__(f"{uri}: {reason}")
        self.uri, self.reason = uri, reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.uri, self.reason)


class WorkerError(RdfincError, RuntimeError):
    """A process that read a file for a load, and ended before it was done: `status` is what it
    ended with, the negative number of a signal if one killed it. Nothing was changed."""

    def __init__(self, file: str, status: int) -> None:
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        advice = "is there memory for all? Load with fewer workers, or with workers=1"
        super().__init__(f"{file}: a process that read this file {how}; {advice}")
        self.file, self.status = file, status

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.file, self.status)
