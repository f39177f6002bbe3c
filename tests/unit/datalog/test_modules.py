"""Which relations their rules make closures, whatever the rules' words and order."""

import random

import numpy as np
import pytest
from msgspec.structs import replace

from rdfinc.datalog.analysis.modules import (
    ClosureKind,
    Module,
    Modules,
    kind_of,
    modules,
    shape_of,
    sources,
    unions,
)
from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.clause import compile_rule
from rdfinc.datalog.syntax.rule_text import parse_rules
from rdfinc.datalog.transform.core_rules import core_rules
from rdfinc.datalog.transform.rule_families import lift
from rdfinc.knowledge_base.rules.term_encoding import TermEncoder
from rdfinc.terms.dictionary import Dictionary

TRANSITIVE = "[?x, :r, ?z] :- [?x, :r, ?y], [?y, :r, ?z] . "
SYMMETRIC = "[?y, :r, ?x] :- [?x, :r, ?y] . "


class Shaped:
    """The shapes of some rules with the parameter tables that these make."""

    def __init__(self, text: str) -> None:
        dictionary = Dictionary()
        encoder = TermEncoder(dictionary)
        self.find = lambda name: dictionary.find(f"<http://e.org/{name}>".encode())
        self.rows = []
        for rule in parse_rules("@prefix : <http://e.org/> . " + text):
            for core in core_rules(canonical(rule)):
                template, _, constants = lift(core)
                clause = compile_rule(template, encoder)
                shape = shape_of(clause)
                ids = {f"c{i}": encoder.constant(term) for i, term in enumerate(constants)}
                names = {number: v.name for number, v in enumerate(clause.variables)}
                table = {
                    number: np.array([ids[name]], np.uint32)
                    for number, name in names.items()
                    if name in ids
                }
                if shape is not None:
                    self.rows.append((shape, table))

    @property
    def modules(self) -> list[Module]:
        found = list(modules(self.rows, lambda relation: -relation))
        assert all(kind == kind_of(module, self.rows) for module, kind in found)
        return [module for module, _ in found]

    @property
    def unions(self) -> list[Module]:
        return list(unions(self.rows, Modules(self.modules), lambda relation: -relation))

    def parts(self, module: Module) -> set[tuple[str, bool]]:
        names = {self.find(name): name for name in "rstuv"}
        return {(names[relation], straight) for relation, straight in module.parts}

    def kinds(self) -> dict[str, ClosureKind | None]:
        """Of the modules that there are, by the names of their members."""
        return {self.members(m): kind_of(m, self.rows) for m in self.modules}

    def members(self, module: Module) -> str:
        names = {self.find(name): name for name in "rstuv"}
        return " ".join(
            names[relation] + "" * straight + "⁻" * (not straight)
            for relation, straight in module.members
        )


def kinds(text: str) -> dict[str, ClosureKind | None]:
    return Shaped(text).kinds()


@pytest.mark.parametrize(
    "text",
    [
        TRANSITIVE,
        "[?a, :r, ?c] :- [?b, :r, ?c], [?a, :r, ?b] .",
        "[?z, :r, ?x] :- [?y, :r, ?x], [?z, :r, ?y] .",
    ],
)
def test_transitivity_in_any_words_and_order(text: str) -> None:
    assert kinds(text) == {"r": ClosureKind(transitive=True, symmetric=False, diagonal=True)}


def test_a_guard_takes_the_diagonal_away_unless_another_rule_has_none() -> None:
    guarded = "[?x, :r, ?z] :- [?x, :r, ?y], [?y, :r, ?z], FILTER(?z != ?x) . "
    assert kinds(guarded) == {"r": ClosureKind(transitive=True, symmetric=False, diagonal=False)}
    assert kinds(guarded + TRANSITIVE)["r"] == ClosureKind(True, symmetric=False, diagonal=True)
    assert kinds(guarded + SYMMETRIC)["r"] == ClosureKind(True, symmetric=True, diagonal=False)


@pytest.mark.parametrize(
    "text",
    [
        "[?x, :r, ?y] :- [?x, :s, ?y] .",
        SYMMETRIC,
        "[?x, :r, ?z] :- [?x, :r, ?y], [?y, :s, ?z] .",
        "[?x, :r, ?z] :- [?x, :r, ?y], [?y, :r, ?z], FILTER(?x != ?y) .",
        "[?x, :r, ?z] :- [?x, :r, ?y], [?y, :r, ?z], FILTER(?x < ?z) .",
        "[?x, :r, ?z] :- [?x, :r, ?y], [?y, :r, ?z], [?y, a, :Open] .",
        "[?x, :r, ?z] :- [?x, :r, ?y], [?y, :r, ?z], NOT [?x, :s, ?z] .",
        "[?x, :r, ?z] :- [?z, :r, ?y], [?y, :r, ?x] .",
        "[?x, :r, ?x] :- [?x, :r, ?y], [?y, :r, ?x] .",
        "[?x, :r, :a] :- [?x, :r, ?y], [?y, :r, :a] .",
    ],
)
def test_relations_that_are_no_closure(text: str) -> None:
    assert kinds(text) == {}


def test_relations_that_copy_each_other_are_one_closure() -> None:
    copies = "[?x, :s, ?y] :- [?x, :r, ?y] . [?x, :r, ?y] :- [?x, :s, ?y] . "
    assert list(kinds(TRANSITIVE + copies)) == ["r s"]
    inverse = "[?y, :s, ?x] :- [?x, :r, ?y] . [?y, :r, ?x] :- [?x, :s, ?y] . "
    assert kinds(TRANSITIVE + inverse) == {
        "r s⁻": ClosureKind(True, symmetric=False, diagonal=True)
    }
    assert kinds(TRANSITIVE + copies + inverse)["r s"] == ClosureKind(
        True, symmetric=True, diagonal=True
    )
    one_way = "[?x, :s, ?y] :- [?x, :r, ?y] . "
    assert list(kinds(TRANSITIVE + one_way)) == ["r"]


def test_a_chain_against_the_grain_needs_symmetry() -> None:
    inverse = "[?y, :s, ?x] :- [?x, :r, ?y] . [?y, :r, ?x] :- [?x, :s, ?y] . "
    chain = "[?x, :r, ?z] :- [?x, :r, ?y], [?y, :s, ?z] . "
    assert kinds(TRANSITIVE + inverse + chain) == {}
    assert kinds(TRANSITIVE + inverse + chain + SYMMETRIC)["r s⁻"].symmetric


def test_members_that_are_no_longer_tied_or_otherwise() -> None:
    """The kind is that of the rows there are by then, for the module as it was."""
    inverse = "[?y, :s, ?x] :- [?x, :r, ?y] . [?y, :r, ?x] :- [?x, :s, ?y] . "
    copies = "[?x, :s, ?y] :- [?x, :r, ?y] . [?x, :r, ?y] :- [?x, :s, ?y] . "
    shaped = Shaped(TRANSITIVE + copies + inverse)
    (module,) = shaped.modules
    transitive, *rest = shaped.rows
    ties, turned = rest[:2], rest[2:]
    assert kind_of(module, [transitive]) is None
    assert kind_of(module, ties) == ClosureKind(False, symmetric=False, diagonal=False)
    assert kind_of(module, [transitive, *turned]) is None, "read otherwise than the module says"
    assert kind_of(module, [*ties, turned[0]]) == ClosureKind(False, symmetric=True, diagonal=False)


def test_relations_that_are_copied_to_a_module() -> None:
    text = TRANSITIVE + "[?x, :r, ?y] :- [?x, :s, ?y] . [?x, :s, ?y] :- [?y, :t, ?x] . "
    shaped = Shaped(text + "[?x, :u, ?y] :- [?x, :r, ?y] .")
    (module,) = shaped.modules
    r, s, t = map(shaped.find, "rst")
    assert sources(shaped.rows)(module) == ((r, True), (s, True), (t, False))


def test_relations_that_are_copied_to_a_symmetric_module_are_read_both_ways() -> None:
    shaped = Shaped(TRANSITIVE + SYMMETRIC + "[?x, :r, ?y] :- [?x, :s, ?y] . ")
    (module,) = shaped.modules
    r, s = map(shaped.find, "rs")
    assert set(sources(shaped.rows)(module)) == {(r, True), (r, False), (s, True), (s, False)}


COPIED = TRANSITIVE + "[?x, :u, ?y] :- [?x, :r, ?y] . "


def test_relations_to_which_a_closure_is_copied_are_its_union() -> None:
    shaped = Shaped(COPIED + "[?y, :u, ?x] :- [?x, :r, ?y] . [?x, :u, ?y] :- [?x, :s, ?y] . ")
    (union,) = shaped.unions
    assert shaped.members(union) == "u" and shaped.parts(union) == {("r", True), ("r", False)}
    kind = kind_of(union, shaped.rows)
    assert kind == ClosureKind(False, symmetric=False, diagonal=False, parts=union.parts)
    assert Modules([union]).internal((union.members[0][0], shaped.find("r")))
    assert not Modules([union]).internal((union.members[0][0], shaped.find("s")))


def test_a_union_is_read_as_its_first_member_reads_it() -> None:
    tied = "[?y, :v, ?x] :- [?x, :u, ?y] . [?y, :u, ?x] :- [?x, :v, ?y] . "
    for text, straight in (("[?x, :u, ?y] :- ", True), ("[?x, :v, ?y] :- ", False)):
        shaped = Shaped(
            TRANSITIVE + "[?x, :u, ?y] :- [?x, :t, ?y] . " + tied + text + "[?x, :r, ?y] ."
        )
        (union,) = shaped.unions
        assert shaped.members(union) == "u v⁻" and shaped.parts(union) == {("r", straight)}


def test_a_union_by_the_rows_there_are() -> None:
    """The kind is that of the rows there are by then, for the module as it was."""
    shaped = Shaped(COPIED + "[?y, :u, ?x] :- [?x, :r, ?y] . [?y, :u, ?x] :- [?x, :u, ?y] . ")
    (union,) = shaped.unions
    transitive, straight, turned, symmetric = shaped.rows
    r = shaped.find("r")
    assert kind_of(union, [transitive]) == ClosureKind(False, symmetric=False, diagonal=False)
    assert kind_of(union, [turned]).parts == ((r, False),)
    assert kind_of(union, [straight, symmetric]) == ClosureKind(
        False, symmetric=True, diagonal=False, parts=((r, True),)
    )


def test_relations_that_are_no_union() -> None:
    for text in (
        TRANSITIVE + "[?x, :u, ?y] :- [?x, :s, ?y] . ",
        TRANSITIVE + "[?x, :u, ?y] :- [?x, :r, ?y], [?y, a, :Open] . ",
        TRANSITIVE + "[?x, :u, ?y] :- [?x, :r, ?y] . [?x, :r, ?y] :- [?x, :u, ?y] . ",
        COPIED + TRANSITIVE.replace(":r", ":u"),
    ):
        assert not Shaped(text).unions, text


def test_rows_of_a_module_and_others() -> None:
    both = Modules([Module(100, ((1, True), (2, False))), Module(101, ((3, True),))])
    assert both.internal((1, 2, 1)) and both.internal((3, 3))
    assert not both.internal((1, 3)) and not both.internal((4, 4))
    columns = [np.array(c, np.uint32) for c in ([1, 1, 4, 3], [2, 3, 4, 3])]
    assert both.internal_rows(columns).tolist() == [True, False, False, True]
    assert both.derived(2) == 100 and both.derived(4) == 4
    assert both.members(100) == ((1, True), (2, False)) and both.members(4) == ((4, True),)


def random_modules(rnd: random.Random) -> Modules:
    """Some of them with chains, the last a union of the first one's first member."""
    relations = iter(rnd.sample(range(1, 10), 9))
    kind = ClosureKind(True, symmetric=False, diagonal=True)
    several = [
        Module(
            100 + number,
            tuple((next(relations), rnd.random() < 0.5) for _ in range(rnd.randint(1, 2))),
            chained=rnd.choice((None, kind)),
        )
        for number in range(3)
    ]
    part = several[0].members[0]
    return Modules([*several[:2], replace(several[2], parts=(part,), chained=None)])


@pytest.mark.parametrize("seed", range(20))
def test_many_rows_are_told_apart_as_one_is(seed: int) -> None:
    rnd = random.Random(seed)
    several = random_modules(rnd)
    shapes = [shape for shape, _ in Shaped(TRANSITIVE + SYMMETRIC).rows]
    shaped = []
    for shape in shapes:
        table = [[rnd.randint(1, 10) for _ in shape.relations] for _ in range(60)]
        columns = [np.array(column, np.uint32) for column in zip(*table, strict=True)]
        owners = several.owners(columns).tolist()
        assert [owner >= 0 for owner in owners] == [several.internal(row) for row in table]
        chained = several.chain_owners(columns).tolist() if len(columns) == 3 else []
        for row, owner in zip(table, owners, strict=True):
            assert owner < 0 or several.all[owner] is several.of[row[0]]
        for row, owner in zip(table, chained, strict=False):
            first, second, third = (several.of.get(relation) for relation in row)
            is_chain = first is not None and (second is first) is not (third is first)
            assert (owner >= 0) == (is_chain and first.chained is not None)
        shaped.append((shape, dict(zip(shape.relations, columns, strict=True))))
    for module, mine in zip(several.all, several.rows_apart(shaped), strict=True):
        assert rows_of(mine) == [
            (shape.form, row)
            for shape, rows in shaped
            for row in zip(*(column.tolist() for column in shape.columns(rows)), strict=True)
            if several.of.get(row[0]) is module
        ]


def rows_of(shaped: list) -> list[tuple]:
    return [
        (shape.form, row)
        for shape, rows in shaped
        for row in zip(*(column.tolist() for column in shape.columns(rows)), strict=True)
    ]


def test_each_of_two_closures_is_told_by_its_own_rows() -> None:
    turned = "[?y, :s, ?x] :- [?x, :s, ?y] . "
    assert kinds(TRANSITIVE + TRANSITIVE.replace(":r", ":s") + turned) == {
        "r": ClosureKind(True, symmetric=False, diagonal=True),
        "s": ClosureKind(True, symmetric=True, diagonal=True),
    }
