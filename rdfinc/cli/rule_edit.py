"""Rules put into and taken out of a rule text; everything else stays as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rdfinc.cli.rule_files import RuleFile, WrittenRule, written_rules
from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.model import Rule
from rdfinc.datalog.printing import naming_text, rule_text
from rdfinc.datalog.syntax.rule_file import SUFFIX
from rdfinc.datalog.syntax.rule_statements import Statement, safe_rules, statements
from rdfinc.datalog.syntax.rule_text import parse_named
from rdfinc.errors import RuleError, UnknownRuleError

Forms = dict[Rule, Rule]
"""Rules by canonical form."""


def forms_of(rules: Iterable[Rule]) -> Forms:
    found: Forms = {}
    for rule in rules:
        found.setdefault(canonical(rule), rule)
    return found


# -- adding


def asked_to_add(file: RuleFile, asked: Iterable[str]) -> list[tuple[str, Statement]]:
    """The statements, with their text, of rule texts (which may use the file's prefixes) and of
    rule files. Raises RuleError, FileNotFoundError."""
    found = []
    for each in asked:
        if each.endswith(SUFFIX):
            other = RuleFile.read(Path(each)).require_sound()
            text, read = other.text, other.statements
        else:
            safe_rules(each, file.prefixes)
            text, read = each, tuple(statements(each, file.prefixes))
        found += [(text[s.span.start : s.span.end], s) for s in read if s.rules]
    return found


def with_rules(file: RuleFile, asked: Sequence[tuple[str, Statement]]) -> tuple[str, Forms]:
    """The file's text with the rules at its end that it does not hold yet, and these rules."""
    known = set(forms_of(written.rule for written in written_rules([file])))
    named = _last_name(file)
    added: Forms = {}
    lines: list[str] = []
    for text, statement in asked:
        new = {form: rule for form, rule in forms_of(statement.rules).items() if form not in known}
        if not new:
            continue
        if (statement.name, statement.meaning) != named:
            named = statement.name, statement.meaning
            lines.append(naming_text(*named))
        whole = len(new) == len(statement.rules)
        if whole and _says_the_same(text, statement, file):
            lines += text.splitlines()
        else:
            lines += (rule_text(rule, file.prefixes) for rule in new.values())
        known |= new.keys()
        added |= new
    newline = "\r\n" if "\r\n" in file.text else "\n"
    start = newline if file.text and not file.text.endswith("\n") else ""
    return file.text + start + "".join(line + newline for line in lines), added


def _last_name(file: RuleFile) -> tuple[str, str]:
    last = file.statements[-1] if file.statements else None
    return (last.name, last.meaning) if last else ("", "")


def _says_the_same(text: str, statement: Statement, file: RuleFile) -> bool:
    """Would the statement's text mean the same at the end of the file?"""
    try:
        rules = [rule.unnamed() for _, _, rule in parse_named(text, file.prefixes)]
    except RuleError:
        return False
    return rules == [rule.unnamed() for rule in statement.rules]


# -- removing


def asked_to_remove(file: RuleFile, asked: Iterable[str]) -> Forms:
    """The rules of the file that numbers (of `rules list`), names and rule texts speak of.

    Raises UnknownRuleError, RuleError.
    """
    rules = written_rules([file])
    return forms_of(rule for each in asked for rule in _meant(file, rules, each))


def _meant(file: RuleFile, rules: Sequence[WrittenRule], asked: str) -> Iterator[Rule]:
    if asked.isdecimal():
        if not 1 <= int(asked) <= len(rules):
            raise _unknown(file, f"number {asked}: the rules have numbers from 1 to {len(rules)}")
        yield rules[int(asked) - 1].rule
        return
    named = [written.rule for written in rules if written.rule.name == asked]
    if named:
        yield from named
        return
    known = {canonical(written.rule) for written in rules}
    if ":-" not in asked:
        raise _unknown(file, f"rule named {asked!r}")
    for rule in safe_rules(asked, file.prefixes):
        if canonical(rule) not in known:
            raise _unknown(file, f"rule\n    {rule_text(rule, file.prefixes)}")
        yield rule


def _unknown(file: RuleFile, what: str) -> UnknownRuleError:
    return UnknownRuleError(f"{file.path} has no {what}\nsee: rdfinc rules list {file.path}")


def without_rules(file: RuleFile, gone: Forms) -> str:
    """The file's text without some of its rules, and without `@rule` lines that only named these.

    A statement with several heads keeps the others, written anew.
    """
    kept = {i: _kept(statement, gone) for i, statement in enumerate(file.statements)}
    pieces: list[str] = []
    at = 0
    for i, statement in enumerate(file.statements):
        left = kept[i]
        if len(left) == len(statement.rules) and not _names_nothing_now(file, i, kept):
            continue
        start, end = statement.span[:2]
        prefixes = statement.prefixes
        pieces.append(file.text[at:start])
        pieces.append(" ".join(rule_text(rule, prefixes) for rule in left))
        at = end
        if not left:
            pieces[-2], at = _without_empty_line(pieces[-2], file.text, end)
    return "".join(pieces) + file.text[at:]


def _kept(statement: Statement, gone: Forms) -> list[Rule]:
    return [rule for rule in statement.rules if canonical(rule) not in gone]


def _names_nothing_now(file: RuleFile, i: int, kept: dict[int, list[Rule]]) -> bool:
    """Is this a `@rule` line all of whose rules, of which there are some, are removed?"""
    if not _is_naming(file, i):
        return False
    following = range(i + 1, len(file.statements))
    end = next((j for j in following if _is_naming(file, j)), len(file.statements))
    scope = range(i + 1, end)
    return any(file.statements[j].rules for j in scope) and not any(kept[j] for j in scope)


def _is_naming(file: RuleFile, i: int) -> bool:
    return file.text.startswith("@rule", file.statements[i].span.start)


def _without_empty_line(before: str, text: str, end: int) -> tuple[str, int]:
    """What stands before a removed statement, and where the text goes on: a line on which it stood
    alone goes with it."""
    line = before.rpartition("\n")[2]
    stop = text.find("\n", end)
    rest = text[end:] if stop < 0 else text[end:stop]
    if line.strip() or rest.strip():
        return before, end
    return before[: len(before) - len(line)], len(text) if stop < 0 else stop + 1
