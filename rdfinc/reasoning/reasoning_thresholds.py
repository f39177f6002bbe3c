"""Thresholds of reasoning: sizes at which another way is taken, and bounds of time and memory.

They decide about time and memory, and about how much is told of proofs; never about facts. Each
says its unit, unless it counts the things in its name. A test puts others in force by
`thresholds.put`.
"""

from __future__ import annotations

from msgspec import Struct


class ReasoningThresholds(Struct, frozen=True, eq=False):
    """The thresholds, module by module."""

    # -- guarded_deltas

    guarded_pairs: int = 1 << 16
    """Pairs more or less from which on a change is looked at by way of its ends."""
    guarded_ends_block: int = 64
    """Ends whose pairs are read at a time."""

    # -- plan_codegen

    few_classes: int = 2
    """Classes up to which to look for each costs less than to list all classes of an individual."""

    # -- search_reports

    steps_a_report: int = 1 << 8
    """Steps of a search between two reports: some tens of microseconds."""
    steps_a_computation: int = 1 << 6
    """Steps that a computed value counts for; of a long text it may take milliseconds."""
    loops_unreported: int = 2
    """Loops of a plan, each over few candidates, that end soon enough."""
    computed_rows: int = 1 << 8
    """Rows of a block that values are computed for between two reports."""

    # -- row_interpreter

    function_steps: int = 9
    """Steps of a plan in one function, because Python does not nest more than 20 loops, and each
    may need two."""
    interpreted_searches: int = 32
    """Facts, times rows given, that a plan is interpreted for before it is written as a function;
    to compile one takes a millisecond."""

    # -- run

    united_rows: int = 1 << 17
    """Matches with heads of many relations from which on these are told apart."""
    crossed_rows: int = 1 << 22
    """Rows that a block may have after a join: 100 MB or so."""
    waiting_rows: int = 1 << 16
    """Matches found one by one that wait for a block at most: 10 MB or so."""
    few_relations: int = 64
    """Relations up to which to look into each costs less than to ask which of them a term has."""
    scattered_rows: int = 8
    """Rows for each of several relations up to which a literal is looked up for one row after the
    other, which costs less than to look into each relation for all of its rows."""
    rows_block: int = 1 << 20
    """Rows that the column interpreter drives at a time, to bound its memory."""

    # -- plan_codegen

    long_body: int = 4
    """Matches behind the driver of a plan from which on it notes what it has tried: noting costs a
    tenth of a microsecond."""

    # -- step_interpreter

    long_plan: int = 18
    """Steps from which on a plan is interpreted."""

    # -- k_best_proofs

    proof_instances: int = 2000
    """Rule instances of which proofs are made."""

    # -- near_misses

    near_rows: int = 200
    """Rows of a parameter table that are looked at."""
    near_matches: int = 50
    """Facts with which an atom is tried."""
    near_tries: int = 2000
    """Matches that are tried for one rule."""
    nearest_of_rule: int = 3
    """Instances of one rule that are told."""

    # -- hierarchy_insertion

    hierarchy_pairs: int = 4096
    """Pairs of a hierarchy from which on copies along it are kept apart from other facts. Along a
    small one it costs less to meet them again."""

    # -- transitive_insertion

    closed_one_by_one: int = 8
    """New facts of a transitive relation up to which the pairs that each leads to are multiplied
    out,"""
    closed_ends: int = 32
    """if more terms lead to one end of some, or from it. Fewer are met by rounds as quickly."""
    closed_facts: int = 256
    """New facts of a transitive relation from which on its closure is made,"""
    closed_share: float = 0.5
    """and the part of all its facts that they are at least. A closure reads every fact; by rounds
    the old ones are only read where new ones meet them."""

    # -- equality_insertion

    equal_pairs: int = 256
    """New pairs of equal terms from which on all that follows from them is made at once,"""
    equal_rounds: int = 12
    """or rounds of one insertion that make terms equal,"""
    equal_share: float = 0.5
    """if as many facts and rule instances were met as this part of all facts, which that reads."""

    # -- backward_forward

    search_patience: int = 4
    """Instances that searches look at for each fact in doubt before all that is proved is fired."""
    vain_glances: int = 16
    """Glances that may tell less than others told before no more are taken."""
    unfounded_instances: int = 50
    """Instances that searches look at before it is asked what the deletion cannot reach."""

    # -- dred

    few_gone: int = 64
    """Facts that are gone up to which they are looked for once more when others came back. Each of
    more may be looked for in vain among all that came back."""

    # -- fbf

    search_bound: int = 64
    """The rule instances that searches may look at for each fact in doubt at the start."""

    # -- foundation

    foundation_rows: int = 1000
    """New facts of parameter tables up to which the rows with them are looked at; for more of them
    the foundation is found anew."""

    # -- time_budget

    untimed_instances: int = 8
    """Rule instances of a deletion up to which its clock need not run."""
    instances_a_look: int = 50
    """Rule instances after which the time is looked at, each time."""
    several_doubts: int = 4
    """Facts in doubt that are worth a look at the time, however few instances are looked at."""
    least_start: float = 0.0005
    """Seconds that a new start takes in any case."""
    seconds_a_loss: float = 5e-7
    """Seconds for a fact that is lost with many others, at least, to find what it puts in doubt."""
    telling_instances: int = 10_000
    """Rule instances from which on it tells something of a new start how long an insertion
    takes."""
    telling_facts: int = 256
    """Facts of one round from which on it tells something of the next one how long it takes."""
    even_facts: int = 4096
    """Facts of one round from which on each costs as much in a larger one. Of fewer, which are
    looked at one by one, the cost grows with the root of their number or faster."""

    # -- cost_model

    kept_habits: int = 64
    """Habits of deletions that are kept apart by relation and number in a stratum, at 1 KB and, in
    a copy, 20 µs each."""
    last_share: float = 0.25
    """The share of the last deletion in the mean cost of a strategy."""
    toll_share: float = 0.03125
    """The share of the last deletion, at least, in the mean of all that a strategy began."""
    telling_deletions: int = 8
    """Deletions after which the mean cost of a strategy tells of the next one."""
    better_by: float = 1.25
    """How many times less a way must cost than the usual one."""
    rare_cost: int = 2
    """How many times the mean the usual way may take before the others have their turn."""
    usual_share: float = 0.0625
    """The part of a new start that the usual way may take at least before the others do."""
    rare_in_a_row: int = 2
    """How many deletions in a row that take as long make another way the usual one."""
    first_turn: float = 0.004
    """Seconds that the first turn takes at least."""
    first_part: int = 32
    """The part of a new start that the first turn takes where no strategy is usual,"""
    most_first_turn: float = 0.016
    """and its seconds at most: a strategy that fails costs them once for each kind of deletion."""
    short_turn: int = 16
    """How many times as long as the first turn a new start takes at least where that is tried by
    ways, too, that have failed of late."""
    longer_turn: int = 4
    """How many times as long as a turn the next one of the same way is."""
    tries_share: float = 0.75
    """The part of a new start that the tries of all ways may take together where none is usual.
    With a quarter, the first slow axiom that goes out of Brick or QUDT takes a third longer."""
    late_share: float = 0.125
    """The part of a new start that a way may take that has failed of late, were it not for its
    failures: half of it after one, a third after two."""
    pauses: tuple[int, ...] = (1, 4, 16, 64)
    """For how many deletions what has failed is left, after one failure, two, and more."""
    long_search: float = 0.125
    """The share of a new start from which on it takes long to find what is in doubt."""
    seconds_a_fact: float = 5e-7
    """Seconds for each fact of a stratum that is materialised, before any was."""

    # -- plan_index

    remembered_relations: int = 4096
    """Relations whose plans an index remembers."""
    few_changes: int = 64
    """Changed terms of schema facts up to which rows that come or go are read at all, before the
    plans are found anew."""

    # -- leading_rows

    rows_read_once: int = 256
    """Rows of parameter tables that are read once for a relation; more are looked up when
    needed."""
    rows_read_together: int = 24
    """Rows from which on a step is looked up for all at once."""
    rows_looked_through: int = 4096
    """Rows of parameter tables that are gone through to find these."""

    # -- plan_memory

    changed_terms: int = 1024
    """Terms of changed schema facts from which on all plans are forgotten, and not theirs alone."""

    # -- plans

    remembered_chains: int = 4096
    """Chains of modules with other relations whose plans are remembered."""

    # -- single_step_proof

    glance_instances: int = 8
    """Instances of a plan that a glance looks at."""
    glance_steps: int = 1 << 13
    """Steps after which a glance ends: a millisecond or so."""


REASONING = ReasoningThresholds()
"""The thresholds in force."""
