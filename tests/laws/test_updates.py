"""Random SPARQL updates leave the same statements as Oxigraph's and, but for what `updating` names,
as rdflib's over its memory store.

`--long START:COUNT` runs others than the slice for CI; a failure names its seed.
"""

from __future__ import annotations

import pytest

from laws.updating import check_updates

SLICE = 0, 40

pytestmark = pytest.mark.filterwarnings("ignore")


def test_updates_agree_with_rdflib_and_oxigraph(pytestconfig: pytest.Config) -> None:
    start, count = pytestconfig.getoption("--long") or SLICE
    met = check_updates(range(start, start + count))
    assert met["changed"] > met["asked"] / 3
    assert met["rdflib"] > met["asked"] / 8
