"""A wind farm whose turbines measure the air: data for the rule set `ontologies/wind_farm.dlog`.

    python examples/benchmarks/wind_farm.py 400 farm.nt --hour 12

The first data set of paper "ZodiacEdge: a Datalog Engine With Incremental Rule Set Maintenance"
(Xu and Curé, 2023): a row of 50 to 400 turbines, each linked to the next one. There the
temperatures do not matter; here each turbine measures one every hour, near the farm's own, which
follows the sun, and the thermometers of a few turbines are broken and show ten degrees too many.

What a turbine measures is a function of (seed, turbine, hour) alone: a larger farm has the
measurements of a smaller one and more (only `Random.random` is drawn from, which Python promises
to keep).
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from random import Random

NAMESPACE = "http://example.org/wind_farm#"
SEED = 4  # turbines 4 and 16 have the first two broken thermometers
MEAN, SWING, SPREAD = 12.0, 6.0, 1.0  # degrees: over a day, by day and night, between turbines
BROKEN = 1 / 50
TOO_MANY = 10.0  # degrees that a broken thermometer adds

Triple = tuple[str, str, str]


def rules() -> str:
    """The text of the rule set."""
    return files("rdfinc.ontologies").joinpath("wind_farm.dlog").read_text("utf-8")


def triples(turbines: int, hour: int = 0, seed: int = SEED) -> Iterator[Triple]:
    """The facts of one hour as tuples of N-Triples terms, as `KnowledgeBase.update` takes them."""
    for number in range(turbines):
        if number:
            yield link(number - 1, number)
        yield measurement(number, hour, seed)


def updates(
    turbines: int, hours: int, seed: int = SEED
) -> Iterator[tuple[list[Triple], list[Triple]]]:
    """(delete, insert) for each of the hours that follow: new measurements replace the old."""
    for hour in range(1, hours + 1):
        old, new = (
            [measurement(number, h, seed) for number in range(turbines)] for h in (hour - 1, hour)
        )
        yield old, new


def link(one: int, other: int) -> Triple:
    return turbine(one), term("hasNeighbour"), turbine(other)


def measurement(number: int, hour: int = 0, seed: int = SEED) -> Triple:
    degrees = f"{temperature(number, hour, seed):.1f}"
    decimal = f'"{degrees}"^^<http://www.w3.org/2001/XMLSchema#decimal>'
    return turbine(number), term("hasAirTemperatureMeasurement"), decimal


def temperature(number: int, hour: int, seed: int) -> float:
    """What the turbine shows in this hour, in degrees Celsius."""
    here = _draw(seed, number, hour) * 2 - 1
    sun = -math.cos((hour % 24) / 24 * math.tau)
    air = MEAN + SWING * sun + SPREAD * here
    return air + TOO_MANY if is_broken(number, seed) else air


def is_broken(number: int, seed: int = SEED) -> bool:
    return _draw(seed, number, -1) < BROKEN


def _draw(seed: int, number: int, hour: int) -> float:
    return Random((seed * 1_000_003 + number) * 1_000_003 + hour + 1).random()


def turbine(number: int) -> str:
    return term(f"turbine{number}")


def term(name: str) -> str:
    return f"<{NAMESPACE}{name}>"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("turbines", type=int, nargs="?", default=400, help="(%(default)s)")
    parser.add_argument("file", nargs="?", help="standard output if left out")
    parser.add_argument("--hour", type=int, default=0, help="of the measurements (%(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="(%(default)s)")
    options = parser.parse_args()
    facts = triples(options.turbines, options.hour, options.seed)
    text = "".join(f"{s} {p} {o} .\n" for s, p, o in facts)
    if options.file is None:
        sys.stdout.write(text)
    else:
        Path(options.file).write_text(text)


if __name__ == "__main__":
    main()
