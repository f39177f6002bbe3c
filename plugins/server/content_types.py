"""Which of the formats at hand a client likes best (RFC 9110, 12.5.1)."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request

from rdfinc.plugins.server.refusals import RefusalError

Range = tuple[str, float]


def chosen(accept: str, offers: Sequence[str]) -> str | None:
    """The media type with the greatest weight, the first of them if there are several; None if the
    client takes none. Of the ranges that a type is in, the narrowest tells its weight. A header
    that says nothing takes all."""
    ranges = [_range(part) for part in accept.split(",") if part.strip()]
    if not ranges:
        return offers[0]
    weights = [_weight(offer, ranges) for offer in offers]
    best = max(weights)
    return offers[weights.index(best)] if best > 0 else None


def names_any(accept: str, offers: Sequence[str]) -> bool:
    """Whether a client names one of the media types that it is offered."""
    ranges = dict(map(_range, accept.split(",")))
    return any(ranges.get(offer, 0) > 0 for offer in offers)


def accept_of(request: Request) -> str:
    """What a client takes."""
    return ",".join(request.headers.getlist("accept"))


def wanted(accept: str, offers: Sequence[str]) -> str:
    """As `chosen`. Raises RefusalError where there is nothing that the client takes."""
    media_type = chosen(accept, offers)
    if media_type is None:
        raise RefusalError(406, f"the answer is to be had as {', '.join(offers)}, not as {accept}")
    return media_type


def _range(part: str) -> Range:
    name, *parameters = (text.strip().lower() for text in part.split(";"))
    weight = next((each[2:] for each in parameters if each.startswith("q=")), "1")
    try:
        return name, min(max(float(weight), 0.0), 1.0)
    except ValueError:
        return name, 0.0


def _weight(offer: str, ranges: Sequence[Range]) -> float:
    found = dict(ranges)
    for wide in (offer, f"{offer.partition('/')[0]}/*", "*/*"):
        if wide in found:
            return found[wide]
    return 0.0


def essence(content_type: str) -> tuple[str, str]:
    """The media type of a header in lower case, and its charset: utf-8 if none is told."""
    name, *parameters = (text.strip() for text in content_type.split(";"))
    sets = [each.partition("=")[2] for each in parameters if each.lower().startswith("charset=")]
    return name.lower(), sets[0].strip('"').lower() if sets else "utf-8"
