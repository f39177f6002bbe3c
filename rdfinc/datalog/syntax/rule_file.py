"""A file of rules (`.dlog`), with errors that name it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from rdfinc.datalog.model import Rule
from rdfinc.datalog.syntax.rule_statements import safe_rules
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.errors import RuleError, RuleSyntaxError
from rdfinc.terms.io.compression import is_compressed

SUFFIX = ".dlog"


def is_rule_file(path: Path) -> bool:
    """Whether the extension says so. Raises RuleError for one that is compressed."""
    if is_compressed(path) and path.with_suffix("").suffix == SUFFIX:
        raise RuleError(f"{path}: files of rules are read as they are; unpack it")
    return path.suffix == SUFFIX


def read_rule_file(path: Path, prefixes: Mapping[str, str] = PREFIXES) -> list[Rule]:
    """The rules of a file, all of them safe. Raises FileNotFoundError, RuleError."""
    with naming(path):
        return safe_rules(rule_file_text(path), prefixes)


def rule_file_text(path: Path) -> str:
    """The text as it stands in the file, with its line ends. Raises as `read_rule_file` does."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no file {str(path)!r}") from None
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        before = content[: error.start]
        line = before.count(b"\n") + 1
        shown = content.decode(errors="replace")
        column = len(before.decode()) - before.decode().rfind("\n")
        raise RuleSyntaxError(
            "this is no UTF-8: save the file in that encoding", shown, line, column
        ).within(str(path)) from None


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Errors of rules get the file that they stand in."""
    try:
        yield
    except RuleError as error:
        raise error.within(str(path)) from None
