"""Parse trees of `swrl.lark` -> SWRL rules; see `swrl_text`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree, UnexpectedInput, v_args
from lark.tree import Meta

from rdfinc.datalog.model import Rule, Term
from rdfinc.datalog.syntax import rule_reader
from rdfinc.datalog.syntax.diagnosis import diagnose
from rdfinc.errors import RuleSyntaxError
from rdfinc.owl.swrl.swrl_model import (
    BuiltinAtom,
    ClassAtom,
    DataAtom,
    DifferentAtom,
    Misplaced,
    Property,
    PropertyAtom,
    SameAtom,
    Spot,
    SwrlAtom,
    SwrlRule,
)
from rdfinc.owl.swrl.swrl_rules import is_builtin, is_datatype, translated


def read_swrl_text(
    text: str, prefixes: Mapping[str, str], *, unique_names: bool = False
) -> list[Rule]:
    """The rules of a text; `prefixes` are all those known beforehand.

    Raises RuleSyntaxError, UnsupportedError, UnsafeRuleError.
    """
    try:
        written: list[SwrlRule] = _SwrlReader(text, prefixes).read("start")
        if unique_names:
            written = [rule.with_unique_names() for rule in written]
        return [rule for each in written for rule in translated(each)]
    except Misplaced as error:
        assert isinstance(error.place, Spot)
        raise RuleSyntaxError(error.reason, text, *error.place) from None


@cache
def _grammar() -> Lark:
    return Lark.open(
        "swrl.lark",
        rel_to=__file__,
        import_paths=[str(Path(rule_reader.__file__).parent)],
        parser="lalr",
        lexer="contextual",
        propagate_positions=True,
        maybe_placeholders=True,
    )


def _spot(place: Meta | Token) -> Spot:
    return Spot(place.line or 1, place.column or 1)


@v_args(inline=True)
class _SwrlReader(rule_reader.RuleReader):
    """Terms and declarations are those of rule texts."""

    def parsed(self, start: str) -> Tree[Token]:
        try:
            return _grammar().parse(self.source, start=start)
        except UnexpectedInput as error:
            raise diagnose(error, self.source) from None

    def start(  # type: ignore[override]
        self, *statements: SwrlRule | None
    ) -> list[SwrlRule]:
        return [rule for rule in statements if rule is not None]

    @v_args(meta=True, inline=True)
    def rule(self, place: Meta, body: tuple[SwrlAtom, ...], head: tuple[SwrlAtom, ...]) -> SwrlRule:
        return SwrlRule(body, head, self.name, _spot(place))

    def head(self, atoms: tuple[SwrlAtom, ...] | Token) -> tuple[SwrlAtom, ...]:
        return () if isinstance(atoms, Token) else atoms

    def atoms(self, *atoms: SwrlAtom) -> tuple[SwrlAtom, ...]:
        return atoms

    # -- atoms

    def same(self, word: Token, left: Term, right: Term) -> SameAtom:
        return SameAtom(left, right, _spot(word))

    def different(self, word: Token, left: Term, right: Term) -> DifferentAtom:
        return DifferentAtom(left, right, _spot(word))

    @v_args(meta=True, inline=True)
    def applied(self, place: Meta, iri: str, *arguments: Term | None) -> SwrlAtom:
        terms = tuple(term for term in arguments if term is not None)
        if is_builtin(iri):
            return BuiltinAtom(iri, terms, _spot(place))
        if is_datatype(iri) and len(terms) != 1:
            self.refuse(place, f"a datatype has one argument, {iri} has {len(terms)} here")
        if len(terms) == 1:
            atom = DataAtom if is_datatype(iri) else ClassAtom
            return atom(iri, terms[0], _spot(place))
        if len(terms) == 2:
            return PropertyAtom(Property(iri), *terms, _spot(place))
        self.refuse(
            place,
            f"a class atom has one argument, a property atom two; {iri} is no built-in "
            f"and has {len(terms)}",
        )

    @v_args(meta=True, inline=True)
    def enumerated(self, place: Meta, *terms: Term) -> DataAtom:
        *values, argument = terms
        return DataAtom(tuple(map(str, values)), argument, _spot(place))

    # -- terms

    def iri(self, token: Token) -> str:
        if token.type != "NAME":
            return super().iri(token)
        if "" not in self.prefixes:
            self.refuse(
                token, f"`{token}` has no prefix; declare the empty one, @prefix : <…> ., or write "
                "the name with its prefix"
            )  # fmt: skip
        return f"<{self.prefixes['']}{token}>"
