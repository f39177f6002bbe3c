"""XSD dates, times and durations as numbers that compare as they do."""

from __future__ import annotations

import re
from decimal import Decimal

_XSD = "<http://www.w3.org/2001/XMLSchema#"
_ZONE = r"(?P<zone>Z|[+-]\d\d:\d\d)?"
_DATE = r"(?P<year>-?\d{4,})-(?P<month>\d\d)-(?P<day>\d\d)"
_TIME = r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d(?:\.\d+)?)"
_MOMENTS = {
    f"{_XSD}dateTime>": re.compile(f"{_DATE}T{_TIME}{_ZONE}"),
    f"{_XSD}date>": re.compile(f"{_DATE}{_ZONE}"),
    f"{_XSD}time>": re.compile(f"{_TIME}{_ZONE}"),
}
_DAY_TIME = re.compile(
    r"(?P<sign>-?)P(?:(?P<days>\d+)D)?"
    r"(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?"
)
_YEAR_MONTH = re.compile(r"(?P<sign>-?)P(?:(?P<years>\d+)Y)?(?:(?P<months>\d+)M)?")


def moment(key: bytes) -> tuple[str, Decimal] | None:
    """(datatype, place on its line): seconds for moments and day-time durations, months for
    year-month durations; None for any other term. Without a time zone, UTC is taken."""
    lexical, quote, datatype = key.decode().rpartition('"^^')
    if not quote:
        return None
    text = lexical[1:]
    if datatype in _MOMENTS:
        found = _MOMENTS[datatype].fullmatch(text)
        return (datatype, _seconds(found.groupdict())) if found else None
    if datatype == f"{_XSD}dayTimeDuration>" and (found := _DAY_TIME.fullmatch(text)):
        days, hours, minutes, seconds = (Decimal(part or 0) for part in found.groups()[1:])
        length = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
        return datatype, -length if found["sign"] else length
    if datatype == f"{_XSD}yearMonthDuration>" and (found := _YEAR_MONTH.fullmatch(text)):
        months = Decimal(found["years"] or 0) * 12 + Decimal(found["months"] or 0)
        return datatype, -months if found["sign"] else months
    return None


def _seconds(part: dict[str, str]) -> Decimal:
    day = _days(int(part["year"]), int(part["month"]), int(part["day"])) if "year" in part else 0
    clock = Decimal(0)
    if "hour" in part:
        clock = Decimal(part["second"]) + 60 * (int(part["minute"]) + 60 * int(part["hour"]))
    return day * 86400 + clock - _offset(part["zone"])


def _offset(zone: str | None) -> int:
    if zone is None or zone == "Z":
        return 0
    size = int(zone[1:3]) * 3600 + int(zone[4:6]) * 60
    return -size if zone[0] == "-" else size


def _days(year: int, month: int, day: int) -> int:
    """Days since the first of March of year 0 in the Gregorian calendar."""
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    return year * 365 + year // 4 - year // 100 + year // 400 + (month * 153 + 2) // 5 + day
