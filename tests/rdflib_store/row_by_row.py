"""SPARQL's expressions, row by row: the oracle of those by columns.

rdflib evaluates a node of an expression by calling a function with the node and the solution.
Those of `CORRECTED` take the place of its own where these give something else than the standard
says. Only `equal`, `less` and numbers of `terms.builtins` are shared with the columns.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from types import MethodType
from typing import Any
from urllib.parse import urlsplit

from pyparsing import ParseResults
from rdflib.namespace import RDF
from rdflib.plugins.sparql import operators as rdflib_operators
from rdflib.plugins.sparql.parserutils import Expr
from rdflib.plugins.sparql.parserutils import value as evaluated
from rdflib.plugins.sparql.sparql import SPARQLError
from rdflib.term import BNode, Literal, URIRef, Variable

from rdfinc.errors import TermError
from rdfinc.plugins.sparql.by_rdflib.rdflib_algebra import function_of
from rdfinc.plugins.sparql.expressions.date_arithmetic import of_dates
from rdfinc.plugins.sparql.syntax.nodes import ExpressionNode
from rdfinc.terms.builtins import comparison, numeric
from rdfinc.terms.builtins.calendar import Duration, Moment
from rdfinc.terms.builtins.numeric import is_nan, is_number
from rdfinc.terms.builtins.strings import LONGEST_TEXT
from rdfinc.terms.builtins.values import (
    BOUNDS,
    XSD,
    NoValue,
    Other,
    Single,
    Tagged,
    is_too_long,
    value_of,
)
from rdfinc.terms.builtins.values import key_of as key_of_value
from rdfinc.terms.expressions.regular import search, substitute
from rdfinc.terms.grammar import escape
from rdfinc.terms.io.convert import key_of
from rdfinc.terms.rdflib_terms import to_rdflib

FAULTS = (ArithmeticError, AttributeError, IndexError, TypeError, ValueError, re.error)


def answer(expression: Any, row: Any) -> bytes | None:
    """The key of an expression's value in a solution, None for an error."""
    try:
        found = evaluated(row, corrected(expression))
        return None if isinstance(found, Variable) else key_of(found)
    except (SPARQLError, TermError, *FAULTS):
        return None


def corrected(node: Any) -> Any:
    """A copy of an expression that is evaluated by the functions here."""
    if isinstance(node, list):
        return [corrected(part) for part in node]
    if not isinstance(node, ExpressionNode):
        return node
    copy = Strict(node.name)
    copy._evalfn = MethodType(CORRECTED.get(node.name) or function_of(node.name), copy)
    for name, part in node.items():
        if name != "_vars":
            copy[name] = corrected(part)
    return copy


_NUMERIC = {f"{XSD}{name}" for name in (*BOUNDS, "decimal", "float", "double")}


def value(term: Any) -> Any:
    """What a term denotes. Raises SPARQLError for what is no term."""
    try:
        return value_of(key_of(term))
    except TermError as error:
        raise SPARQLError(str(error)) from error


def number(term: Any) -> Any:
    """The number that a term denotes; raises SPARQLError."""
    found = value(term)
    if not is_number(found):
        raise SPARQLError(f"{term!r} is no number")
    return found


def literal(value: Any) -> Any:
    """The term that denotes a computed value."""
    return to_rdflib(key_of_value(value))


TRUE, FALSE = literal(True), literal(False)


def truth(value: bool) -> Any:
    return TRUE if value else FALSE


def effective(term: Any) -> bool:
    """The effective boolean value; raises SPARQLError where there is none (SPARQL 1.1, 17.2.2)."""
    if not isinstance(term, Literal):
        raise SPARQLError("only literals have a boolean value")
    found = value(term)
    if is_number(found):
        return not (found == 0 or is_nan(found))
    if isinstance(found, bool | str):
        return bool(found)
    if isinstance(found, Tagged):
        return bool(found.text)
    kind = str(term.datatype)
    is_ill_typed = isinstance(found, Other) and not is_too_long(str(term), kind)
    if is_ill_typed and kind in (*_NUMERIC, f"{XSD}boolean"):
        return False
    raise SPARQLError(f"{term.n3()} has no boolean value")


def equal(left: Any, right: Any) -> bool:
    """`=`: literals are equal by value. Raises SPARQLError where the value of one of two different
    literals is not known; a text in a language equals no other kind of literal."""
    if not isinstance(left, Literal) or not isinstance(right, Literal):
        return key_of(left) == key_of(right)
    one, other = value(left), value(right)
    if isinstance(one, Tagged) or isinstance(other, Tagged):
        return bool(one == other)
    if isinstance(one, Other) or isinstance(other, Other):
        if one == other:
            return True
        raise SPARQLError(f"{left.n3()} = {right.n3()} is not known")
    return comparison.equal(one, other)


def less(left: Any, right: Any) -> bool:
    """`<`; raises SPARQLError for literals that have no order, and for all other terms."""
    if not isinstance(left, Literal) or not isinstance(right, Literal):
        raise SPARQLError("only literals have an order")
    one, other = value(left), value(right)
    if isinstance(one, bool) and isinstance(other, bool):
        return one < other
    try:
        return comparison.less(one, other)
    except NoValue:
        raise SPARQLError(f"{left.n3()} < {right.n3()} is not known") from None


class Strict(Expr):
    """An expression whose evaluation raises SPARQLError, and does not return it.

    An operand is computed once for each solution, however often it is asked for: functions ask for
    theirs several times, and those in them do, so that depth would cost a power of two.
    """

    _computed: dict[str, Any]

    def eval(self, ctx: Any = None) -> Any:
        self.ctx, self._computed = ctx, {}
        try:
            found = self._evalfn(ctx)  # type: ignore[misc]
        except FAULTS as error:
            raise SPARQLError(str(error)) from error
        finally:
            self.ctx = None
        if isinstance(found, SPARQLError):
            raise found
        if found is None:
            raise SPARQLError("no value")
        return found

    def __getitem__(self, name: str) -> Any:
        if self.ctx is None:
            return dict.__getitem__(self, name)
        if name not in self._computed:
            self._computed[name] = super().__getitem__(name)
        return self._computed[name]


def operands(node: Expr, *names: str) -> Iterator[Any]:
    """The unevaluated operands of a node, lists of them taken apart."""
    for name in names:
        found = dict.get(node, name)
        if isinstance(found, list | ParseResults):
            yield from found
        elif found is not None and found != RDF.nil:
            yield found


def _and(node: Expr, ctx: Any) -> Any:
    return _decided(node, ctx, False)


def _or(node: Expr, ctx: Any) -> Any:
    return _decided(node, ctx, True)


def _decided(node: Expr, ctx: Any, deciding: bool) -> Any:
    """Whether some operand is `deciding`; an error only if that is not known."""
    fault = None
    for operand in operands(node, "expr", "other"):
        try:
            if effective(evaluated(ctx, operand)) is deciding:
                return truth(deciding)
        except SPARQLError as error:
            fault = error
    if fault is not None:
        raise fault
    return truth(not deciding)


def _not(node: Expr, ctx: Any) -> Any:
    return truth(not effective(node.expr))


def _if(node: Expr, ctx: Any) -> Any:
    return node.arg2 if effective(node.arg1) else node.arg3


def _coalesce(node: Expr, ctx: Any) -> Any:
    for operand in operands(node, "arg"):
        try:
            return evaluated(ctx, operand)
        except SPARQLError:
            continue
    raise SPARQLError("COALESCE without a value")


def _relation(node: Expr, ctx: Any) -> Any:
    if node.op in ("IN", "NOT IN"):
        return truth(_is_in(node, ctx) is (node.op == "IN"))
    return truth(_RELATIONS[node.op](node.expr, node.other))


_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": equal,
    "!=": lambda left, right: not equal(left, right),
    "<": less,
    ">": lambda left, right: less(right, left),
    "<=": lambda left, right: less(left, right) or equal(left, right),
    ">=": lambda left, right: less(right, left) or equal(left, right),
}


def _is_in(node: Expr, ctx: Any) -> bool:
    left, fault = node.expr, None
    for operand in operands(node, "other"):
        try:
            if equal(left, evaluated(ctx, operand)):
                return True
        except SPARQLError as error:
            fault = error
    if fault is not None:
        raise fault
    return False


def _same_term(node: Expr, ctx: Any) -> Any:
    return truth(key_of(node.arg1) == key_of(node.arg2))


def _sum(node: Expr, ctx: Any) -> Any:
    """Addition and subtraction, of numbers, or of dates and durations."""
    total = value(node.expr)
    for operator, operand in zip(node.op, node.other, strict=True):
        total = _SUMS[operator](total, value(operand))
    return literal(total)


def _summed(sign: str, function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def numbers(left: Any, right: Any) -> Any:
        if not (is_number(left) and is_number(right)):
            raise SPARQLError("no numbers")
        return function(left, right)

    def sum_(left: Any, right: Any) -> Any:
        try:
            return of_dates(sign, numbers)(left, right)
        except NoValue:
            raise SPARQLError("no sum") from None

    return sum_


_SUMS = {"+": _summed("+", numeric.add), "-": _summed("-", numeric.subtract)}


def _product(node: Expr, ctx: Any) -> Any:
    return _folded(node, {"*": numeric.multiply, "/": numeric.divide})


def _folded(node: Expr, functions: dict[str, Callable[[Any, Any], Any]]) -> Any:
    total = number(node.expr)
    for operator, operand in zip(node.op, node.other, strict=True):
        total = functions[operator](total, number(operand))
    return literal(total)


def _of_number(function: Callable[[Any], Any], name: str) -> Callable[[Expr, Any], Any]:
    return lambda node, ctx: literal(function(number(node[name])))


def _text(node: Expr, ctx: Any) -> Any:
    if isinstance(node.arg, BNode):
        raise SPARQLError("a blank node has no text")
    return rdflib_operators.Builtin_STR(node, ctx)


def _is_simple(term: Any) -> bool:
    return isinstance(term, Literal) and key_of(term).endswith(b'"')


def _of_simple_text(name: str) -> Callable[[Expr, Any], Any]:
    """A function of rdflib's that takes simple literals only; IRIs too, or nothing, as it may."""
    function = getattr(rdflib_operators, name)

    def of_text(node: Expr, ctx: Any) -> Any:
        term = node.arg
        if isinstance(term, Literal) and not _is_simple(term):
            raise SPARQLError(f"{term.n3()} is no simple literal")
        if name == "Builtin_IRI" and any(sign <= " " or sign in '<>"{}|^`\\' for sign in term):
            raise SPARQLError(f"{term!r} is no IRI")
        found = function(node, ctx)
        if name == "Builtin_IRI" and not urlsplit(found).scheme:
            raise SPARQLError(f"{term!r} is no absolute IRI")
        return found

    return of_text


def _blank(node: Expr, ctx: Any) -> Any:
    """A fresh node, or that of a label in this solution."""
    if node.arg is None:
        return BNode()
    if not isinstance(node.arg, Literal) or not isinstance(value(node.arg), str):
        raise SPARQLError("BNODE takes a simple literal")
    return ctx.nodes[str(node.arg)]


def _of_moment(name: str) -> Callable[[Expr, Any], Any]:
    """A function of rdflib's that takes dates and times."""
    function = getattr(rdflib_operators, name)

    def of_moment(node: Expr, ctx: Any) -> Any:
        if not isinstance(value(node.arg), Moment):
            raise SPARQLError("no dateTime")
        return function(node, ctx)

    return of_moment


_OF_SIMPLE_TEXT = [
    f"Builtin_{name}" for name in ("MD5", "SHA1", "SHA256", "SHA384", "SHA512", "IRI")
]
_OF_MOMENT = [
    f"Builtin_{name}" for name in ("YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS", "TZ")
]


def _is_numeric(node: Expr, ctx: Any) -> Any:
    return truth(isinstance(node.arg, Literal) and numeric.is_number(value(node.arg)))


def _substring(node: Expr, ctx: Any) -> Any:
    """Positions count from 1; those before it are empty (XPath, fn:substring)."""
    text = rdflib_operators.string(node.arg)
    start = int(numeric.round_up_halves(number(node.start)))
    stop = len(text) + 1
    if node.length is not None:
        stop = start + int(numeric.round_up_halves(number(node.length)))
    part = str(text)[max(start, 1) - 1 : max(stop, 1) - 1]
    return Literal(part, lang=text.language, datatype=text.datatype)


def _concatenation(node: Expr, ctx: Any) -> Any:
    """In the language of all parts, if they have one in common."""
    parts = [rdflib_operators.string(evaluated(ctx, part)) for part in operands(node, "arg")]
    if sum(map(len, parts)) > LONGEST_TEXT:
        raise _too_long()
    languages = {part.language for part in parts}
    return Literal("".join(parts), lang=languages.pop() if len(languages) == 1 else None)


def _too_long() -> SPARQLError:
    return SPARQLError(f"a text of more than {LONGEST_TEXT:,} characters")


def _replacement(node: Expr, ctx: Any) -> Any:
    text = rdflib_operators.string(node.arg)
    pattern, by = (str(rdflib_operators.string(part)) for part in (node.pattern, node.replacement))
    found = substitute(pattern, by, str(text), str(node.flags or ""))
    if len(found) > LONGEST_TEXT:
        raise _too_long()
    return Literal(found, lang=text.language, datatype=text.datatype)


def _matches(node: Expr, ctx: Any) -> Any:
    text, pattern = (str(rdflib_operators.string(part)) for part in (node.text, node.pattern))
    return truth(search(pattern, text, str(node.flags or "")))


def _typed(node: Expr, ctx: Any) -> Any:
    text, datatype = node.arg1, node.arg2
    if not _is_simple(text):
        raise SPARQLError("STRDT takes a simple literal")
    if not isinstance(datatype, URIRef) or datatype == RDF.langString:
        raise SPARQLError("a datatype is an IRI, and of texts in a language no one says it")
    return Literal(str(text), datatype=datatype, normalize=False)


def _function(node: Expr, ctx: Any) -> Any:
    name = str(node.iri).removeprefix(XSD)
    if str(node.iri) == f"{XSD}{name}" and name in _CASTS:
        (operand,) = operands(node, "expr")
        return _CASTS[name](evaluated(ctx, operand))
    return rdflib_operators.Function(node, ctx)


def _cast(name: str, convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A cast of literals: texts by their lexical form, numbers and booleans by value."""

    def cast(term: Any) -> Any:
        if not isinstance(term, Literal):
            raise SPARQLError("only a literal can be cast")
        found = value(term)
        if isinstance(found, str):
            found = value_of(f'"{escape(found.strip())}"^^<{XSD}{name}>'.encode())
            if not isinstance(found, _VALUES):
                raise SPARQLError(f"{term.n3()} is no {name}")
        if not isinstance(found, _VALUES):
            raise SPARQLError(f"{term.n3()} cannot be cast")
        return literal(convert(found))

    return cast


_VALUES = (int, Decimal, float)  # a bool is an int


def _decimal(found: Any) -> Decimal:
    if isinstance(found, float) and not math.isfinite(found):
        raise SPARQLError(f"{found} is no decimal")
    return Decimal(found)


def _moment(term: Any) -> Any:
    found = value(term) if isinstance(term, Literal) else None
    if isinstance(found, str):
        found = value_of(f'"{escape(found)}"^^<{XSD}dateTime>'.encode())
    if not isinstance(found, Moment) or found.kind != "dateTime":
        raise SPARQLError("no dateTime")
    return Literal(str(term), datatype=URIRef(f"{XSD}dateTime"), normalize=False)


def _time_zone(node: Expr, ctx: Any) -> Any:
    found = value(node.arg)
    if not isinstance(found, Moment) or found.kind != "dateTime" or found.zone is None:
        raise SPARQLError("no dateTime with a time zone")
    return literal(Duration("dayTimeDuration", 0, Decimal(60 * found.zone)))


def _string(term: Any) -> Any:
    """The text of an IRI or a literal; that of a number or boolean is the one of its value."""
    if not isinstance(term, URIRef | Literal):
        raise SPARQLError("a blank node has no text")
    found = value(term) if isinstance(term, Literal) else None
    return Literal(str(literal(found) if isinstance(found, _VALUES) else term))


_CASTS: dict[str, Callable[[Any], Any]] = {
    "integer": _cast("integer", int),
    "decimal": _cast("decimal", _decimal),
    "double": _cast("double", float),
    "float": _cast("float", Single),
    "string": _string,
    "boolean": _cast("boolean", lambda found: bool(found) and not numeric.is_nan(found)),
    "dateTime": _moment,
}

CORRECTED: dict[str, Callable[[Expr, Any], Any]] = {
    "ConditionalAndExpression": _and,
    "ConditionalOrExpression": _or,
    "UnaryNot": _not,
    "Builtin_IF": _if,
    "Builtin_COALESCE": _coalesce,
    "RelationalExpression": _relation,
    "Builtin_sameTerm": _same_term,
    "AdditiveExpression": _sum,
    "MultiplicativeExpression": _product,
    "UnaryPlus": _of_number(numeric.unary_plus, "expr"),
    "UnaryMinus": _of_number(numeric.unary_minus, "expr"),
    "Builtin_ABS": _of_number(numeric.absolute, "arg"),
    "Builtin_CEIL": _of_number(numeric.ceiling, "arg"),
    "Builtin_FLOOR": _of_number(numeric.floor, "arg"),
    "Builtin_ROUND": _of_number(numeric.round_up_halves, "arg"),
    "Builtin_isNUMERIC": _is_numeric,
    "Builtin_BNODE": _blank,
    "Builtin_STR": _text,
    "Builtin_SUBSTR": _substring,
    "Builtin_CONCAT": _concatenation,
    "Builtin_REPLACE": _replacement,
    "Builtin_REGEX": _matches,
    "Builtin_STRDT": _typed,
    "Builtin_TIMEZONE": _time_zone,
    "Function": _function,
    "Builtin_URI": _of_simple_text("Builtin_IRI"),
    **{name: _of_simple_text(name) for name in _OF_SIMPLE_TEXT},
    **{name: _of_moment(name) for name in _OF_MOMENT},
}
