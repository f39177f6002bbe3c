"""Expressions that compute with numbers of any length, as texts for Oxigraph.

Oxigraph has integers of 64 bits and decimals of 18 fractional digits. What is beyond is an error to
it, never a wrong number. So only rows with an error are computed anew, by the *exact* text, in
which our functions stand for the operators. Where an error, or the type, shows as another value,
the *guarded* text has these functions from the start: in COALESCE before its next argument, and for
isNumeric and casts to xsd:integer and xsd:decimal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyoxigraph as ox
from msgspec import Struct, field

from rdfinc.terms.builtins import FUNCTIONS
from rdfinc.terms.builtins.values import BOUNDS, XSD
from rdfinc.terms.expressions.exact_functions import (
    CALLS,
    MASKED,
    RELATIONS,
    SIGNS,
    TRUTH,
    Function,
    Masked,
    chain,
)
from rdfinc.terms.expressions.operations import Operation, operation
from rdfinc.terms.expressions.rewriting import (
    RESERVED,
    Call,
    Item,
    Part,
    is_simple,
    parse,
    text_of,
    tokens,
)
from rdfinc.terms.grammar import literal_parts
from rdfinc.terms.late_patterns import late

_DIGITS = 18
"""Of an integer that surely has 64 bits, and of a decimal before and after the point."""

_NUMBER = late(rf'"\^\^<{XSD}(?:{"|".join(BOUNDS)}|decimal)>$')
_BASE = len(f'""^^<{XSD}int>')
"""Bytes of the key of a number, its digits aside, at least."""

_UNBOUNDED = late(rf"/|STRDT|STRLEN|YEAR|SECONDS|<{XSD}(?:integer|decimal)>", re.IGNORECASE)
"""What makes numbers of other terms, and as many fractional digits as there may be."""

_LOGICAL = ("&&", "||")
_SPELLED = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


class Doubt(Struct, frozen=True):
    """Whether an error may be one for the length of numbers alone.

    Not where the numbers of an expression and a row have at most 18 digits together, as often as
    they are read: what is added, subtracted and multiplied of them is no longer.
    """

    digits: int
    """Of each number in a row; beyond, a row is in doubt. -1 where all rows are."""

    def __call__(self, row: Sequence[bytes]) -> bool:
        return self.digits < 0 or any(
            len(key) > _BASE + self.digits and _NUMBER.search(key.decode()) for key in row
        )


def doubt(text: str) -> Doubt:
    """The doubt about an expression: for which rows an error may only come from long numbers."""
    words = tokens(text)
    variables = sum(word[0] == "?" for word in words)
    constants = [literal_parts(word.encode())[0] for word in words if _NUMBER.search(word)]
    room = _DIGITS - sum(map(len, constants))
    if any(map(_makes_numbers, words)) or not variables or room < 0:
        return Doubt(-1)
    return Doubt(room // variables)


def _makes_numbers(word: str) -> bool:
    return _UNBOUNDED.fullmatch(word) is not None or word in FUNCTIONS


class Exactness(Struct):
    """Texts, and the functions that these call."""

    functions: dict[ox.NamedNode, Function] = field(default_factory=dict)

    def guarded(self, text: str) -> str:
        return text_of(self._guard(parse(text)))

    def exact(self, text: str) -> str:
        return self._text(parse(text))

    def _guard(self, part: Part) -> Part:
        return [self._guard_call(item) if isinstance(item, Call) else item for item in part]

    def _guard_call(self, call: Call) -> Item:
        if call.name.upper() == "COALESCE":
            return Call(call.name, self._alternatives(call.arguments))
        guarded = Call(call.name, [self._guard(argument) for argument in call.arguments])
        name = _spelling(call.name)
        return self._unmasked(guarded, MASKED[name]) if name in MASKED else guarded

    def _alternatives(self, arguments: list[Part]) -> list[Part]:
        """Each argument but the last is followed by the exact one, in case it is an error."""
        found: list[Part] = []
        for argument in arguments[:-1]:
            found.append(self._guard(argument))
            if (exactly := self._text(argument)) != text_of(argument):
                found.append([exactly])
        return [*found, self._guard(arguments[-1])]

    def _unmasked(self, call: Call, masked: Masked) -> Item:
        """Our own function in the place of Oxigraph's, for arguments that need it, if an
        argument can be looked at twice."""
        exactly = Call(self._named(call.name, masked.function), call.arguments)
        argument = text_of(call.arguments[0])
        if not is_simple(call.arguments[0]):
            return exactly
        return f"IF({masked.where.format(argument)}, {exactly}, {call})"

    def _text(self, part: Part) -> str:
        found = operation(part)
        if isinstance(found, Operation):
            return self._operation(found)
        return self._call(found) if isinstance(found, Call) else found

    def _call(self, call: Call) -> str:
        arguments = [self._text(argument) for argument in call.arguments]
        if call.name.upper() == "IF":
            arguments[0] = self._true(arguments[0])
        function = CALLS.get(_spelling(call.name))
        name = self._named(call.name, function) if function else call.name
        return f"{name}({', '.join(arguments)})"

    def _operation(self, found: Operation) -> str:
        sign = found.operators[0]
        if sign in ("IN", "NOT IN"):
            return self._membership(*found.operands, positive=sign == "IN")
        operands = [self._text(operand) for operand in found.operands]
        if sign in _LOGICAL:
            return f"({f' {sign} '.join(map(self._true, operands))})"
        if sign == "!":
            return f"(!{self._true(operands[0])})"
        name, function = _meant(found)
        return f"{self._named(name, function)}({', '.join(operands)})"

    def _membership(self, left: Part, members: Part, *, positive: bool) -> str:
        (listed,) = members
        assert isinstance(listed, Call)
        one, equal = self._text(left), self._named(_SPELLED["="], RELATIONS["="])
        tests = [f"{equal}({one}, {self._text(member)})" for member in listed.arguments if member]
        return f"({'' if positive else '!'}({' || '.join(tests) or 'false'}))"

    def _true(self, text: str) -> str:
        return f"{self._named('truth', TRUTH)}({text})"

    def _named(self, name: str, function: Function) -> str:
        """The function by a name of its own."""
        iri = f"{RESERVED}exact:{name.strip('<>').rpartition('#')[2]}"
        self.functions[ox.NamedNode(iri)] = function
        return f"<{iri}>"


def _meant(found: Operation) -> tuple[str, Function]:
    """Name and function of an operation on numbers."""
    sign = found.operators[0]
    if len(found.operands) == 1:
        return f"sign{sign}", SIGNS[sign]
    if sign in RELATIONS:
        return _SPELLED[sign], RELATIONS[sign]
    return "".join(found.operators), chain(found.operators)


def _spelling(name: str) -> str:
    return name if name.startswith("<") else name.upper()
