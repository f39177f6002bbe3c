"""Sums and differences of dates and durations, which SPARQL does not know and rdflib does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rdfinc.plugins.sparql.columns.term_values import literal
from rdfinc.terms.builtins.calendar import Duration, Moment
from rdfinc.terms.builtins.values import NoValue, value_of
from rdfinc.terms.io.convert import key_of
from rdfinc.terms.whole_imports import WHOLE


def of_dates(sign: str, number: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A sum or difference of numbers, or of dates and durations as rdflib has it."""

    def function(left: Any, right: Any) -> Any:
        if type(left) not in (Moment, Duration):
            return number(left, right)
        with WHOLE:
            from rdfinc.plugins.sparql.by_rdflib.rdflib_functions import computed_dates

        found = computed_dates(_operand(left), _operand(right), sign)
        if found is None:
            raise NoValue
        return value_of(key_of(found))

    return function


def _operand(value: Any) -> Any:
    """The term of a value; raises NoValue for one that rdflib does not compute with, such as a date
    before the year 1."""
    if type(value) is Moment and value.kind not in ("date", "time", "dateTime"):
        raise NoValue
    term = literal(value)
    if getattr(term, "value", None) is None:
        raise NoValue
    return term
