"""Durations and points in time of XML Schema 1.1, over the proleptic Gregorian calendar.

A point in time is a number of seconds on its own clock and the clock's distance from UTC, if it
is known; years have any number of digits and there is a year 0. Every operation is O(1). The
arithmetic is that of XML Schema part 2, appendix E, as XQuery's operators use it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rdfinc.terms.late_patterns import late

DAY = 24 * 60 * 60
_WITHOUT_ZONE = 14 * 60 * 60
"""How far a clock of unknown zone may be from UTC, in seconds."""

_YEARS = 10**9


class Duration(Struct, frozen=True):
    """So many months and so many seconds; `kind` is the datatype's local name.

    Both are of one sign.
    """

    kind: str
    months: int
    seconds: Decimal

    def same(self, other: Duration) -> bool:
        return (self.months, self.seconds) == (other.months, other.seconds)

    def __str__(self) -> str:
        """The canonical form."""
        sign = "-" if self.months < 0 or self.seconds < 0 else ""
        years, months = divmod(abs(self.months), 12)
        days, rest = divmod(abs(self.seconds), DAY)
        hours, rest = divmod(rest, 3600)
        minutes, seconds = divmod(rest, 60)
        date = _part(years, "Y") + _part(months, "M") + _part(int(days), "D")
        time = _part(int(hours), "H") + _part(int(minutes), "M")
        time += f"{_plain(seconds)}S" if seconds else ""
        if not date and not time:
            return "P0M" if self.kind == "yearMonthDuration" else "PT0S"
        return f"{sign}P{date}" + (f"T{time}" if time else "")


def _part(number: int, unit: str) -> str:
    return f"{number}{unit}" if number else ""


def _plain(seconds: Decimal) -> str:
    text = format(seconds, "f")
    return text.rstrip("0").removesuffix(".") if "." in text else text


class Moment(Struct, frozen=True):
    """A date, a time of day or the like; `kind` is the datatype's local name.

    `local` counts seconds from 1970-01-01T00:00:00 on the clock that `zone`, in minutes, is ahead
    of UTC; None if that is not known. Parts that the kind does not have are those of the
    reference: 1972-12-31 for a time of day, else the first day, hour, minute and second.
    """

    kind: str
    local: Decimal
    zone: int | None

    def timeline(self) -> Decimal:
        """Seconds in UTC; on its own clock if the zone is not known."""
        return self.local - 60 * (self.zone or 0)

    def before(self, other: Moment) -> bool:
        """Certainly earlier, whatever zones are not known."""
        own, others = self.timeline(), other.timeline()
        if (self.zone is None) != (other.zone is None):
            return own + _WITHOUT_ZONE < others
        return own < others

    def same(self, other: Moment) -> bool:
        """Whether two moments are the same point, with zones both known or both unknown."""
        comparable = (self.zone is None) == (other.zone is None)
        return comparable and self.kind == other.kind and self.timeline() == other.timeline()

    def plus_months(self, months: int) -> Moment:
        """The same day of another month, or that month's last."""
        days, seconds = self.split()
        year, month, day = civil(days)
        year, month = divmod(12 * year + month - 1 + months, 12)
        return replace(self, local=_date(year, month + 1, day, clip=True) * DAY + seconds)

    def plus_seconds(self, seconds: Decimal) -> Moment:
        """So much later, on the same clock; a date stays one, a time of day goes round."""
        moved = replace(self, local=self.local + seconds)
        days, rest = moved.split()
        if abs(days) > 366 * _YEARS:
            raise ValueError(f"{days} days")
        if self.kind == "date":
            return replace(self, local=Decimal(days * DAY))
        return replace(self, local=_REFERENCE * DAY + rest) if self.kind == "time" else moved

    def split(self) -> tuple[int, Decimal]:
        """Whole days since 1970-01-01, and seconds since midnight."""
        days = int(self.local // DAY)
        days -= self.local < days * DAY  # decimals are divided towards zero
        return days, self.local - days * DAY

    def __str__(self) -> str:
        """The canonical form, for dates and times."""
        days, rest = self.split()
        year, month, day = civil(days)
        minutes, seconds = divmod(rest, 60)
        clock = "{:02}:{:02}".format(*divmod(int(minutes), 60))
        date = f"{'-' * (year < 0)}{abs(year):04}-{month:02}-{day:02}"
        time = f"{clock}:{'0' * (seconds < 10)}{_plain(seconds)}"
        shown = {"date": date, "time": time, "dateTime": f"{date}T{time}"}
        return shown[self.kind] + _zone_text(self.zone)


def fields(moment: Moment) -> Mapping[str, int | Decimal | str]:
    """The parts of a point in time on its own clock; the zone is empty if it is not known."""
    days, rest = moment.split()
    year, month, day = civil(days)
    hours, rest = divmod(rest, 3600)
    minutes, seconds = divmod(rest, 60)
    return {
        "year": year,
        "month": month,
        "day": day,
        "hours": int(hours),
        "minutes": int(minutes),
        "seconds": seconds,
        "zone": _zone_text(moment.zone),
    }


def date_of(moment: Moment) -> tuple[int, int, int]:
    """Year, month and day of a point in time on its own clock."""
    return civil(moment.split()[0])


def _zone_text(zone: int | None) -> str:
    if zone is None:
        return ""
    sign, (hours, minutes) = "-" if zone < 0 else "+", divmod(abs(zone), 60)
    return f"{sign}{hours:02}:{minutes:02}" if zone else "Z"


def months_between(later: Moment, earlier: Moment) -> int:
    """Whole months from one to the other, counted from the earlier; negative if they are swapped.

    Both clocks are set to UTC.
    """
    if later.timeline() < earlier.timeline():
        return -months_between(earlier, later)
    start, end = (Moment("dateTime", m.timeline(), None) for m in (earlier, later))
    (days, clock), (last_days, last_clock) = start.split(), end.split()
    (y1, m1, d1), (y2, m2, d2) = civil(days), civil(last_days)
    months: int = 12 * (y2 - y1) + m2 - m1
    return months - ((d2, last_clock) < (d1, clock))


# Days and dates


def _date(year: int, month: int, day: int, *, clip: bool = False) -> int:
    """The number of a day, 1970-01-01 being 0. Raises ValueError for a day that is none."""
    last = _last_day(year, month)
    if not 1 <= month <= 12 or day < 1 or (day > last and not clip) or abs(year) > _YEARS:
        raise ValueError(f"{year}-{month}-{day}")
    day = min(day, last)
    years = year - (month <= 2)  # counted from March, so that a leap day ends its year
    era, of_era = divmod(years, 400)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def _last_day(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def civil(days: Any) -> tuple[Any, Any, Any]:
    """Year, month and day of the day with this number, or of those with the numbers of an array."""
    era, of_era = divmod(days + 719468, 146097)
    years = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * years + years // 4 - years // 100)
    shifted = (5 * of_year + 2) // 153
    month = (shifted + 2) % 12 + 1
    return years + era * 400 + (month <= 2), month, of_year - (153 * shifted + 2) // 5 + 1


_REFERENCE = _date(1972, 12, 31)


def moment(
    kind: str,
    year: int = 1972,
    month: int = 1,
    day: int = 1,
    seconds: Decimal = Decimal(0),
    zone: int | None = None,
) -> Moment:
    """Raises ValueError if there is no such day or zone."""
    if zone is not None and abs(zone) > 14 * 60:
        raise ValueError(zone)
    return Moment(kind, Decimal(_date(year, month, day) * DAY) + seconds, zone)


def time_of_day(hours: int, minutes: int, seconds: Decimal) -> Decimal:
    """Seconds since midnight. Raises ValueError; 24:00:00 is the end of the day."""
    end = hours == 24 and minutes == 0 and seconds == 0
    if not (0 <= hours < 24 or end) or not 0 <= minutes < 60 or not 0 <= seconds < 60:
        raise ValueError(f"{hours}:{minutes}:{seconds}")
    return 3600 * hours + 60 * minutes + seconds


def clock_moment(hours: int, minutes: int, seconds: Decimal, zone: int | None) -> Moment:
    """A time of day. Raises ValueError."""
    return moment("time", 1972, 12, 31, time_of_day(hours, minutes, seconds) % DAY, zone)


# Lexical forms

_Y, _MM, _DD = r"(?P<year>-?(?:[1-9][0-9]{3,}|0[0-9]{3}))", r"(?P<month>\d\d)", r"(?P<day>\d\d)"
_HMS = r"(?P<hours>\d\d):(?P<minutes>\d\d):(?P<seconds>\d\d(?:\.\d+)?)"
_FORMS = {
    "dateTime": f"{_Y}-{_MM}-{_DD}T{_HMS}",
    "date": f"{_Y}-{_MM}-{_DD}",
    "time": _HMS,
    "gYear": _Y,
    "gYearMonth": f"{_Y}-{_MM}",
    "gMonth": f"--{_MM}",
    "gMonthDay": f"--{_MM}-{_DD}",
    "gDay": f"---{_DD}",
}
_ZONE = r"(?P<zone>Z|[+-]\d\d:\d\d)?"
_PATTERNS = {kind: late(form + _ZONE, re.ASCII) for kind, form in _FORMS.items()}
_MONTHS = r"(?:(?P<years>\d+)Y)?(?:(?P<months>\d+)M)?"
_SECONDS = (
    r"(?:(?P<days>\d+)D)?"
    r"(?:T(?=.)(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?"
)
_PARTS = {
    "duration": _MONTHS + _SECONDS,
    "yearMonthDuration": _MONTHS,
    "dayTimeDuration": _SECONDS,
}
_DURATIONS = {kind: late(f"(?P<sign>-)?P(?=.){parts}", re.ASCII) for kind, parts in _PARTS.items()}
_ZONE_TEXT = late(r"Z|([+-])(\d\d):(\d\d)", re.ASCII)


def read_zone(text: str) -> int:
    """Minutes ahead of UTC. Raises ValueError."""
    found = _ZONE_TEXT.fullmatch(text)
    if found is None or (found[1] and int(found[3]) > 59):
        raise ValueError(text)
    return 0 if found[1] is None else int(found[1] + "1") * (60 * int(found[2]) + int(found[3]))


def read_moment(kind: str, lexical: str) -> Moment | None:
    """The value, or None for an ill-typed literal."""
    found = _PATTERNS[kind].fullmatch(lexical)
    if found is None:
        return None
    given = {name: text for name, text in found.groupdict().items() if text is not None}
    zone = given.pop("zone", None)
    seconds = Decimal(given.pop("seconds", 0))
    clock = int(given.pop("hours", 0)), int(given.pop("minutes", 0)), seconds
    try:
        minutes = None if zone is None else read_zone(zone)
        if kind == "time":
            return clock_moment(*clock, minutes)
        date = {name: int(text) for name, text in given.items()}
        return moment(kind, **date, seconds=time_of_day(*clock), zone=minutes)
    except ValueError:
        return None


def read_duration(kind: str, lexical: str) -> Duration | None:
    """The value, or None for an ill-typed literal."""
    found = _DURATIONS[kind].fullmatch(lexical)
    if found is None:
        return None
    given = {name: text for name, text in found.groupdict().items() if text is not None}
    sign = -1 if given.pop("sign", None) else 1
    try:
        months = sum(size * int(given.get(name, 0)) for name, size in _IN_MONTHS)
        seconds = sum(size * int(given.get(name, 0)) for name, size in _IN_SECONDS)
    except ValueError:  # more digits than Python takes
        return None
    return Duration(kind, sign * months, sign * (seconds + Decimal(given.get("seconds", 0))))


_IN_MONTHS = (("years", 12), ("months", 1))
_IN_SECONDS = (("days", DAY), ("hours", 3600), ("minutes", 60))
