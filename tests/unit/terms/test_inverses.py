"""Built-ins read backwards, against the built-ins themselves over small domains of values."""

from __future__ import annotations

import random
import re
from itertools import combinations, product

import pytest

from rdfinc.terms.builtins import BUILTINS, FUNCTIONS, SOLUTION, SWRLB, UNKNOWN, WANTED, solvable
from rdfinc.terms.builtins.inverses import INVERSES

XSD = "http://www.w3.org/2001/XMLSchema#"
EQUAL = BUILTINS[f"<{SWRLB}equal>"]
TRUE = f'"true"^^<{XSD}boolean>'.encode()


def literals(datatype: str, *texts: object) -> list[bytes]:
    return [f'"{text}"^^<{XSD}{datatype}>'.encode() for text in texts]


def texts(*values: str) -> list[bytes]:
    return [f'"{value}"'.encode() for value in values]


INTEGERS = literals("integer", *range(-3, 4), 12, 10**20)
NUMBERS = INTEGERS + literals("decimal", "0.5", "-1.25", "2.0", "0.1")
WHOLE = literals("integer", *range(-3, 4), 12, 30)
SECONDS = literals("decimal", "0", "0.5", "59.25", "-7")
ZONES = texts("", "Z", "+01:00", "-05:30", "+14:00")
CLOCK = (literals("integer", 0, 5, 23), literals("integer", 0, 59), SECONDS[:3])
DATE = (literals("integer", -1, 0, 1999, 2020), literals("integer", 1, 2, 12),
        literals("integer", 1, 28, 29, 31))  # fmt: skip
MONTHS = literals("yearMonthDuration", "P0M", "P1M", "-P3M", "P1Y2M", "P100Y")
LENGTHS = literals("dayTimeDuration", "PT0S", "PT1S", "-PT36H", "P1DT2H", "PT0.5S", "P400D", "PT7H")
DATE_TIMES = literals("dateTime", "2020-02-29T23:59:59.5", "2020-03-01T00:00:00Z",
                      "1999-12-31T20:00:00-05:00", "-0001-01-01T00:00:00")  # fmt: skip
DATES = literals("date", "2020-02-29", "2020-03-01Z", "1999-12-31-05:00", "0000-01-01")
TIMES = literals("time", "00:00:00", "23:59:59.5Z", "12:00:00+05:00", "06:30:00")
ZEROS = {*literals("integer", 0), *literals("decimal", "0"), *literals("dayTimeDuration", "PT0S")}
FACTORS = NUMBERS[:8] + literals("decimal", "0.5", "-1.25")

# built-in, the domains of its arguments
DOMAINS = [
    ("add", NUMBERS, NUMBERS),
    ("add", NUMBERS, NUMBERS, NUMBERS),
    ("subtract", NUMBERS, NUMBERS),
    ("multiply", NUMBERS, NUMBERS),
    ("multiply", INTEGERS, NUMBERS, INTEGERS),
    ("divide", NUMBERS, literals("decimal", "2", "0.5", "-4", "0", "1")),
    ("unaryPlus", NUMBERS),
    ("unaryMinus", NUMBERS),
    ("booleanNot", literals("boolean", "true", "false")),
    ("stringConcat", texts("", "a", "ab", "b"), texts("", "b", "bb"), texts("", "a", "é")),
    ("anyURI", texts("", "http"), texts("", "e.org"), texts("", "80"), texts("", "/", "/a/b"),
     texts("", "q=1"), texts("", "f")),
    ("yearMonthDuration", WHOLE, WHOLE),
    ("dayTimeDuration", WHOLE[:5], WHOLE[2:5], WHOLE[3:6], SECONDS),
    ("addYearMonthDurations", MONTHS, MONTHS, MONTHS),
    ("subtractYearMonthDurations", MONTHS, MONTHS),
    ("addDayTimeDurations", LENGTHS, LENGTHS, LENGTHS),
    ("subtractDayTimeDurations", LENGTHS, LENGTHS),
    ("multiplyDayTimeDurations", LENGTHS, FACTORS),
    ("divideDayTimeDuration", LENGTHS, literals("decimal", "2", "0.5", "-4", "1")),
    ("dateTime", *DATE, *CLOCK),
    ("dateTime", DATE[0][2:], DATE[1], DATE[2][:2], *CLOCK, ZONES[:3]),
    ("date", *DATE), ("date", *DATE, ZONES),
    ("time", *CLOCK), ("time", *CLOCK, ZONES),
    ("subtractDates", DATES, DATES),
    ("subtractTimes", TIMES, TIMES),
    ("subtractDateTimesYieldingDayTimeDuration", DATE_TIMES, DATE_TIMES),
    ("addDayTimeDurationToDateTime", DATE_TIMES, LENGTHS),
    ("subtractDayTimeDurationFromDateTime", DATE_TIMES, LENGTHS),
    ("addDayTimeDurationToDate", DATES, LENGTHS),
    ("subtractDayTimeDurationFromDate", DATES, LENGTHS),
    ("addDayTimeDurationToTime", TIMES, LENGTHS),
    ("subtractDayTimeDurationFromTime", TIMES, LENGTHS),
]  # fmt: skip


def same(left: bytes | None, right: bytes) -> bool:
    return left is not None and EQUAL(left, right) == TRUE


def solved(name: str, result: bytes, given: list[bytes | None]) -> list[bytes] | None:
    """All the arguments, the unknown ones (None) one after the other; None if there are none."""
    arguments = list(given)
    for place, known in enumerate(given):
        if known is None:
            marks = [UNKNOWN.encode() if each is None else each for each in arguments]
            marks[place] = WANTED.encode()
            found = FUNCTIONS[SOLUTION](f"<{SWRLB}{name}>".encode(), result, *marks)
            if found is None:
                return None
            arguments[place] = found
    return arguments if same(BUILTINS[f"<{SWRLB}{name}>"](*arguments), result) else None


def test_every_inverse_has_its_domains():
    assert {name for name, *_ in DOMAINS} == set(INVERSES)
    assert {f"<{SWRLB}{name}>" for name in INVERSES} <= set(BUILTINS)


@pytest.mark.parametrize(("name", "domains"), [(name, d) for name, *d in DOMAINS])
def test_one_unknown_is_what_trying_all_values_finds(name, domains):
    """Whatever the others are, an argument of the domain that leads to the result is found; as the
    answer is one, nothing else may lead there."""
    rng = random.Random(name)
    builtin = BUILTINS[f"<{SWRLB}{name}>"]
    places = [place for place in range(len(domains)) if solvable(builtin_iri(name), [place])]
    rows = list(product(*domains))
    rng.shuffle(rows)
    found = 0
    for row in rows[:150]:
        result = builtin(*row)
        for place in places if result is not None else ():
            trials = [(*row[:place], value, *row[place + 1 :]) for value in domains[place]]
            values = {trial[place] for trial in trials if same(builtin(*trial), result)}
            answer = solved(name, result, [*row[:place], None, *row[place + 1 :]])
            if ambiguous(name, row, place):
                continue
            assert answer is not None, (name, row, place, result)
            assert all(same(answer[place], value) for value in values), (name, row, place)
            found += 1
    assert places and found


def builtin_iri(name: str) -> str:
    return f"<{SWRLB}{name}>"


def zone(moment: bytes) -> bytes:
    found = re.search(rb'(Z|[+-]\d\d:\d\d)?"', moment[1:])
    return found[1] if found and found[1] else b""


def ambiguous(name: str, row: tuple[bytes, ...], place: int) -> bool:
    """Products with zero tell nothing of the other factor, and differences of dates or of times
    nothing of the zone of the other."""
    others = {*row[:place], *row[place + 1 :]}
    if "multiply" in name:
        return bool(ZEROS & others)
    if name in ("subtractDates", "subtractTimes"):
        return len({zone(end) for end in row}) > 1
    return name in ("divide", "divideDayTimeDuration") and place == 1 and row[0] in ZEROS


@pytest.mark.parametrize(
    ("name", "domains"), [(name, d) for name, *d in DOMAINS if INVERSES[name].parts]
)
def test_any_parts_are_found_together(name, domains):
    rng = random.Random(name)
    builtin = BUILTINS[builtin_iri(name)]
    subsets = [s for size in range(1, len(domains) + 1)
               for s in combinations(range(len(domains)), size)]  # fmt: skip
    found = 0
    for _ in range(300):
        row = [rng.choice(domain) for domain in domains]
        result, unknown = builtin(*row), rng.choice(subsets)
        if result is None:
            continue
        given = [None if place in unknown else value for place, value in enumerate(row)]
        assert solved(name, result, given) is not None, (row, unknown)
        found += 1
    assert found > 20


# built-in, result, arguments (None: unknown), all the arguments (None: no value)
D, T, M = "date", "time", "dateTime"
EXAMPLES = [
    ("date", literals(D, "2020-02-29"), [None] * 3, [*literals("integer", 2020, 2, 29)]),
    ("date", literals(D, "2020-02-29+01:00"), [None] * 3, None),
    ("date", literals(D, "2020-02-29"), [None] * 4, [*literals("integer", 2020, 2, 29), b'""']),
    ("date", literals(D, "2020-02-29-01:00"), [None] * 4,
     [*literals("integer", 2020, 2, 29), b'"-01:00"']),
    ("date", literals(D, "2020-02-29"), [None, *literals("integer", 3), None], None),
    ("time", literals(T, "12:00:00Z"), [None, None, None, b'"+02:00"'],
     [*literals("integer", 14, 0), *literals("decimal", 0), b'"+02:00"']),
    ("time", literals(T, "12:00:00"), [None, None, None, b'"Z"'], None),
    ("dateTime", literals(M, "2020-01-01T24:00:00Z"), [None] * 7,
     [*literals("integer", 2020, 1, 2, 0, 0), *literals("decimal", 0), b'"Z"']),
    ("date", literals("string", "2020-02-29"), [None] * 3, None),
    ("yearMonthDuration", literals("duration", "-P1Y2M"), [None] * 2, literals("integer", -1, -2)),
    ("yearMonthDuration", literals("duration", "P14M"), [literals("integer", 0)[0], None],
     literals("integer", 0, 14)),
    ("yearMonthDuration", literals("duration", "P1Y1D"), [None] * 2, None),
    ("dayTimeDuration", literals("duration", "P1DT25H61M0.5S"), [None] * 4,
     [*literals("integer", 2, 2, 1), *literals("decimal", "0.5")]),
    ("multiply", literals("integer", 6), [None, *literals("integer", 4)],
     [*literals("decimal", "1.5"), *literals("integer", 4)]),
    ("multiply", literals("integer", 6), [None, *literals("integer", 3)],
     literals("integer", 2, 3)),
    ("multiply", literals("integer", 1), [None, *literals("integer", 3)], None),
    ("multiply", literals("integer", 0), [None, *literals("integer", 0)], None),
    ("add", literals("double", "1.5"), [None, *literals("integer", 1)],
     [*literals("double", "0.5"), *literals("integer", 1)]),
    ("stringConcat", texts("aba"), [b'"a"', None, b'"a"'], texts("a", "b", "a")),
    ("stringConcat", texts("a"), [b'"a"', None, b'"a"'], None),
    ("anyURI", literals("anyURI", "http://[::1]:80/x?#f"), [None] * 6, None),
    ("anyURI", literals("anyURI", "http://[::1]:80/x#f"), [None] * 6,
     texts("http", "[::1]", "80", "/x", "", "f")),
    ("anyURI", literals("anyURI", "mailto:a@b"), [None] * 6,
     texts("mailto", "", "", "a@b", "", "")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "result", "given", "expected"), EXAMPLES)
def test_examples(name, result, given, expected):
    assert solved(name, *result, list(given)) == expected
