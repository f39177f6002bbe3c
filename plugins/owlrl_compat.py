"""owlrl's classes with rdfinc behind them, for programs that were written for owlrl:

    import rdfinc.plugins.owlrl_compat as owlrl

    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)

The graph, in whatever store, then holds what rdfinc derives, and for each contradiction a node of
the class err:ErrorMessage, as owlrl leaves it. A graph that derives by itself, which one in a
rdfinc store does, stays as it is: a warning says so. `axiomatic_triples` brings what is so in every
graph (`KnowledgeBase(axiomatic=True)`), without facts about literals; `rdfs_closure` the rules of
RDFS as well; `datatype_axioms` and `improved_datatypes=False` have no effect, which is a warning.
"""

# ruff: noqa: N801

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, ClassVar

from rdflib import RDF, BNode, Literal, Namespace, URIRef
from rdflib.graph import ConjunctiveGraph, Graph

from rdfinc import KnowledgeBase, UnsupportedError
from rdfinc.knowledge_base.process.warn import warn
from rdfinc.plugins.rdflib.inference import derived_together, is_live, stated
from rdfinc.plugins.rdflib.rdflib_versions import default_of

ERRNS = Namespace("http://www.daml.org/2002/03/agents/agent-ont#")

_HOOKS = ("rules", "one_time_rules", "add_axioms", "add_d_axioms", "pre_process", "post_process")
_SELF_RESTRICTIONS = """
    @prefix owl: <http://www.w3.org/2002/07/owl#> .
    [?y, ?p, ?y] :- [?c, owl:hasSelf, ?t], [?c, owl:onProperty, ?p], [?y, a, ?c] .
    [?y, a, ?c] :- [?c, owl:hasSelf, ?t], [?c, owl:onProperty, ?p], [?y, ?p, ?y] .
"""


class Core:
    """The closure of one graph: `closure()` makes `destination`, the graph itself unless another is
    given, hold what follows. A subclass that has rules of its own gives them as `datalog`."""

    profiles: ClassVar[tuple[str, ...]] = ()
    datalog: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        hooks = [name for name in _HOOKS if name in vars(cls)]
        if hooks:
            raise UnsupportedError(
                f"{cls.__name__}.{hooks[0]}: rdfinc calls no methods for triples; give the rules as"
                f' text instead, `datalog = "[?x, :p, ?y] :- [?y, :p, ?x] ."`, or to kb.add_rules'
            )

    def __init__(
        self,
        graph: Graph,
        axioms: bool = False,
        daxioms: bool = False,
        rdfs: bool = False,
        destination: Graph | URIRef | str | None = None,
    ) -> None:
        if daxioms:
            warn("datatype_axioms has no effect: rdfinc has what datatypes mean among its rules")
        self.graph, self.axioms = graph, axioms
        self.destination = _graph_of(graph, destination)
        self._profiles = tuple(dict.fromkeys((*self.profiles, *(("rdfs",) if rdfs else ()))))

    def closure(self) -> None:
        """Adds what follows, and a message for each contradiction."""
        if not self.datalog and all(is_live(self.graph, each) for each in self._profiles):
            warn(
                f"nothing was added: this graph derives by itself what follows"
                f' (profile="{self.graph.store.kb.profile}"), and keeps it up to date;'
                f" leave expand() out"
            )
            return
        bases = [KnowledgeBase(profile, axiomatic=self.axioms) for profile in self._profiles]
        given = stated(self.graph)
        for kb in bases:
            kb.add_rules(self.datalog)
            kb.update(insert=given)
        found = derived_together(bases)
        self.destination.addN((s, p, o, self.destination) for s, p, o in found)
        self._add_messages(dict.fromkeys(_contradictions(bases)))

    def _add_messages(self, messages: dict[str, None]) -> None:
        if messages:
            self.destination.bind("err", ERRNS)
        for text in messages:
            node = BNode()
            self.destination.add((node, RDF.type, ERRNS.ErrorMessage))
            self.destination.add((node, ERRNS.error, Literal(text)))

    def flush_stored_triples(self) -> None:
        """Nothing is left to do: `closure` has added all there is."""


class RDFS_Semantics(Core):
    """RDFS."""

    profiles = ("rdfs",)


class OWLRL_Semantics(Core):
    """OWL 2 RL."""

    profiles = ("owl2rl",)


class RDFS_OWLRL_Semantics(RDFS_Semantics, OWLRL_Semantics):
    """Both of them together."""

    profiles = ("owl2rl", "rdfs")


class OWLRL_Extension(OWLRL_Semantics):
    """OWL 2 RL with self restrictions. Facets and owl:rational are part of rdfinc's OWL 2 RL."""

    datalog = _SELF_RESTRICTIONS


class OWLRL_Extension_Trimming(OWLRL_Extension):
    """The same: what owlrl trims is never there."""


class DeductiveClosure:
    """The closure that `closure_class` says, for any number of graphs; None for none."""

    def __init__(
        self,
        closure_class: type[Core] | None,
        improved_datatypes: bool = True,
        rdfs_closure: bool = False,
        axiomatic_triples: bool = False,
        datatype_axioms: bool = False,
    ) -> None:
        if closure_class is not None and not _is_semantics(closure_class):
            raise ValueError(
                f"{closure_class!r} is none of rdfinc.plugins.owlrl_compat's classes; give"
                f" {getattr(closure_class, '__name__', 'OWLRL_Semantics')} of that module"
            )
        if not improved_datatypes:
            warn("improved_datatypes=False has no effect: rdfinc compares literals by value")
        self.closure_class = closure_class
        self.rdfs_closure = rdfs_closure
        self.axiomatic_triples, self.datatype_axioms = axiomatic_triples, datatype_axioms

    def expand(self, graph: Graph, destination: Graph | URIRef | str | None = None) -> None:
        """Makes `destination`, or the graph itself, hold what follows from the graph."""
        if self.closure_class is not None:
            self.closure_class(
                graph,
                self.axiomatic_triples,
                self.datatype_axioms,
                self.rdfs_closure,
                destination,
            ).closure()


def return_closure_class(
    owl_closure: bool, rdfs_closure: bool, owl_extras: bool, trimming: bool = False
) -> type[Core] | None:
    """The class for these wishes."""
    if not owl_closure:
        return RDFS_Semantics if rdfs_closure else None
    if owl_extras:
        return OWLRL_Extension_Trimming if trimming else OWLRL_Extension
    return RDFS_OWLRL_Semantics if rdfs_closure else OWLRL_Semantics


def _is_semantics(given: Any) -> bool:
    return isinstance(given, type) and issubclass(given, Core) and given is not Core


def _graph_of(graph: Graph, destination: Graph | URIRef | str | None) -> Graph:
    """The graph that is written to."""
    if isinstance(destination, Graph):
        return destination
    if destination is not None:
        if not isinstance(graph, ConjunctiveGraph):
            raise ValueError(f"destination={destination!r}: a plain Graph has no named graphs")
        return graph.get_context(URIRef(destination))
    return default_of(graph) if isinstance(graph, ConjunctiveGraph) else graph


def _contradictions(bases: list[KnowledgeBase]) -> Iterator[str]:
    for kb in bases:
        yield from map(str, kb.violations())


Closure = SimpleNamespace(Core=Core)
RDFSClosure = SimpleNamespace(RDFS_Semantics=RDFS_Semantics)
OWLRL = SimpleNamespace(OWLRL_Semantics=OWLRL_Semantics)
CombinedClosure = SimpleNamespace(RDFS_OWLRL_Semantics=RDFS_OWLRL_Semantics)
OWLRLExtras = SimpleNamespace(
    OWLRL_Extension=OWLRL_Extension, OWLRL_Extension_Trimming=OWLRL_Extension_Trimming
)
Namespaces = SimpleNamespace(ERRNS=ERRNS)

_ELSEWHERE = {
    "convert_graph": "`rdfinc materialise FILES -o FILE` on the command line does this",
    "interpret_owl_imports": "nothing is fetched here: kb.load(FILE, imports={iri: path})",
}


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        raise ImportError(f"owlrl's {name} is not in rdfinc: {_ELSEWHERE[name]}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
