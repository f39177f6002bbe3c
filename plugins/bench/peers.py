"""The libraries that are measured, and what each of them can do."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from msgspec import Struct


class Peer(Struct, frozen=True):
    """A library under the name of its package: the class that a process makes of it, in a file
    among `programs`; the profiles that it derives by, none if it only stores; whether it has rules
    of users, whether these are translated for it, and whether it answers SPARQL."""

    name: str
    file: str
    made: str
    derives: tuple[str, ...] = ()
    has_rules: bool = False
    answers: bool = True
    is_translated: bool = False

    @property
    def version(self) -> str | None:
        """What is installed of it; None if nothing is."""
        try:
            return version(self.name)
        except PackageNotFoundError:
            return None

    def lacks(self, profile: str, rules: bool) -> str | None:
        """Why it cannot derive what is asked for; None if it can, or if it only stores."""
        if not self.derives:
            return None
        if profile not in self.derives:
            return f"has no profile {profile}"
        return "has no rules of users" if rules and not self.has_rules else None


RDFINC = Peer("rdfinc", "rdfinc_base", "InRdfinc", ("none", "rdfs", "owl2rl"), has_rules=True)
AXIOMATIC = Peer("rdfinc", "rdfinc_base", "WithAxiomaticFacts", RDFINC.derives, has_rules=True)


def _engine(name: str, made: str) -> Peer:
    return Peer(name, "rule_engines", made, ("none",), True, answers=False, is_translated=True)


PEERS = (
    RDFINC,
    Peer("reasonable", "reasonable_closure", "WithReasonable", ("owl2rl",), answers=False),
    Peer("owlrl", "rdflib_graph", "WithOwlrl", ("rdfs", "owl2rl"), answers=False),
    _engine("clingo", "InClingo"),
    _engine("nemo_python", "InNemo"),
    _engine("duckdb", "InDuckDB"),
    Peer("pyoxigraph", "oxigraph_store", "InOxigraph"),
    Peer("oxrdflib", "rdflib_graph", "InOxrdflib"),
    Peer("rdflib", "rdflib_graph", "InRdflib"),
)
