"""Rule files, their statements and their rules, as the `rules` commands show and edit them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.model import Aggregate, BodyItem, Literal, NotExists, Program, Rule, Skolem
from rdfinc.datalog.syntax.rule_file import SUFFIX, rule_file_text
from rdfinc.datalog.syntax.rule_statements import Statement, statements
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.errors import RuleError, UnsupportedError
from rdfinc.terms.io.sources import expand


class RuleFile(Struct, frozen=True):
    """A rule file with everything that stands in it, faults too."""

    path: Path
    text: str
    statements: tuple[Statement, ...]

    @classmethod
    def read(cls, path: Path, prefixes: Mapping[str, str] = PREFIXES) -> RuleFile:
        text = rule_file_text(path)
        return cls(path, text, tuple(statements(text, prefixes)))

    def errors(self) -> Iterator[RuleError]:
        for statement in self.statements:
            if statement.error is not None:
                yield statement.error.within(str(self.path))

    def require_sound(self) -> RuleFile:
        """The file itself. Raises the first of its errors."""
        for error in self.errors():
            raise error
        return self

    @property
    def prefixes(self) -> dict[str, str]:
        """What is declared at the file's end."""
        return dict(self.statements[-1].prefixes if self.statements else PREFIXES)


class WrittenRule(Struct, frozen=True):
    """A rule and where it is first written; `again` are the other places."""

    rule: Rule
    file: RuleFile
    statement: Statement
    again: list[tuple[RuleFile, Statement]] = field(default_factory=list)

    @property
    def place(self) -> str:
        return f"{self.file.path}, line {self.statement.span.line}"


def rule_files(paths: Iterable[Path], prefixes: Mapping[str, str] = PREFIXES) -> list[RuleFile]:
    """The files, read, where some prefixes are known. Raises UnsupportedError for one that is no
    rule file."""
    files = list(paths)
    for path in files:
        if path.suffix != SUFFIX:
            raise UnsupportedError(f"rules in {path}; rules stand in {SUFFIX} files")
    return [RuleFile.read(path, prefixes) for path in files]


def sound_rule_files(patterns: Iterable[str]) -> list[RuleFile]:
    """The files that patterns name, all without fault. Raises RuleError, FileNotFoundError."""
    return [file.require_sound() for file in rule_files(expand(patterns))]


def written_rules(files: Iterable[RuleFile]) -> list[WrittenRule]:
    """The rules of files in order, each once up to variable names and body order."""
    found: dict[Rule, WrittenRule] = {}
    for file in files:
        for statement in file.statements:
            for rule in statement.rules:
                form = canonical(rule)
                if form in found:
                    found[form].again.append((file, statement))
                else:
                    found[form] = WrittenRule(rule, file, statement)
    return list(found.values())


def program_of(rules: Iterable[WrittenRule]) -> Program:
    return Program(tuple(written.rule for written in rules))


def known_prefixes(files: Sequence[RuleFile]) -> dict[str, str]:
    """For readable output: what the files declare, the first file's first."""
    known: dict[str, str] = {}
    for file in files:
        known = {**file.prefixes, **known}
    return known


def kinds(rule: Rule) -> list[str]:
    """What is special about a rule: contradiction, negation, aggregate, skolem; or else plain, or a
    fact."""
    found = ["contradiction"] if rule.head is None else []
    found += dict.fromkeys(_constructs(rule.body))
    return found or ["fact" if rule.is_fact else "plain"]


def _constructs(body: Iterable[BodyItem]) -> Iterator[str]:
    for item in body:
        if isinstance(item, Literal) and not item.positive:
            yield "negation"
        elif isinstance(item, NotExists | Aggregate):
            yield "negation" if isinstance(item, NotExists) else "aggregate"
            yield from _constructs(item.body)
        elif isinstance(item, Skolem):
            yield "skolem"
