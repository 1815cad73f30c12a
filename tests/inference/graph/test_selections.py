# SPDX-License-Identifier: Apache-2.0
"""Selections under budgets: the search over rows against enumeration, at many scales and with many kinds of rows."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConstraintError
from accord.inference.graph import FactorGraph
from tests.inference.graph_recipes import seeds


def knapsacks(random: np.random.Generator, items: int, budgets: int, scale: float = 1.0) -> FactorGraph:
    """Items whose worth follows their costs, under several budgets; some pairs exclude each other."""
    costs = random.integers(5, 100, (budgets, items))
    graph = FactorGraph()
    x = graph.variables(np.round(costs.mean(0) / 10 + random.uniform(0.5, 3.0, items), 3) * scale)
    for row in costs:
        graph.budget(x, row, float(row.sum() // 3))
    for _ in range(items // 4):
        graph.at_most_one(random.choice(x, 2, replace=False))
    return graph


def coverage(random: np.random.Generator, units: int, concepts: int, scale: float = 1.0) -> FactorGraph:
    """Units of different lengths within one budget, and concepts that count once."""
    lengths = random.integers(5, 40, units)
    graph = FactorGraph()
    x = graph.variables(np.zeros(units))
    graph.budget(x, lengths, float(lengths.sum() // 3))
    for weight in random.gamma(2.0, 1.0, concepts):
        covering = random.choice(x, int(random.integers(1, min(6, units))), replace=False)
        graph.or_output(covering, graph.variable(float(weight) * scale))
    return graph


def mixed(random: np.random.Generator, scale: float) -> FactorGraph:
    """Up to ten variables, negated here and there, under rows, logic, pairs and tables."""
    count = int(random.integers(1, 11))
    graph = FactorGraph()
    scores = random.normal(size=count) * scale
    x = graph.variables(np.round(scores / scale) * scale if random.random() < 0.3 else scores)
    for _ in range(int(random.integers(0, 6))):
        some = random.permutation(x)[: int(random.integers(1, count + 1))]
        some = np.where(random.random(some.size) < 0.2, ~some, some)
        add_one(graph, random, some, scale)
    if random.random() < 0.3:
        graph.fix(x[:1], bool(random.random() < 0.5))
    return graph


def add_one(graph: FactorGraph, random: np.random.Generator, some: np.ndarray, scale: float) -> None:
    kind = str(random.choice(["budget", "linear", "or_output", "and_output", "pair", "table", "triple", "at_most_one"]))
    size = some.size
    if kind == "budget":
        costs = random.integers(1, 20, size).astype(float) if random.random() < 0.5 else random.random(size)
        graph.budget(some, costs, float(costs.sum() * random.random()))
    elif kind == "linear":
        at_least = -np.inf if random.random() < 0.5 else -float(random.random())
        graph.linear(some, random.normal(size=size), at_least=at_least, at_most=float(random.random()))
    elif kind in ("or_output", "and_output") and size > 1:
        getattr(graph, kind)(some[:-1], some[-1])
    elif kind == "pair" and size > 1:
        graph.pair(some[0], some[1], float(random.normal() * scale))
    elif kind in ("table", "triple") and size > 2:
        shape = (2, 2) if kind == "table" else (2, 2, 2)
        forbidden = random.random(shape) < 0.25
        graph.table(some[: len(shape)], np.where(forbidden, -np.inf, random.normal(size=shape) * scale))
    else:
        graph.at_most_one(some)


def holds_against_enumeration(graph: FactorGraph) -> None:
    """Values, bounds and proofs of the search over rows, with and without a gap."""
    try:
        best = graph.solve("enumerate").value
    except ConstraintError:
        with pytest.raises(ConstraintError):
            graph.solve("search", by="rows")
        return
    for gap in (0.0, 1e-7):
        answer = graph.solve("search", by="rows", gap=gap)
        rounding = 1e-12 * (graph.spread + abs(best))
        assert answer.status == "optimal"
        assert answer.value >= best - gap * graph.spread - rounding
        assert best - rounding <= answer.bound <= answer.value + 2 * gap * graph.spread + 4 * rounding


@settings(max_examples=150, deadline=None)
@given(seeds, st.integers(-12, 12))
def test_mixed_rows_hold_against_enumeration(seed: int, power: int) -> None:
    holds_against_enumeration(mixed(np.random.default_rng(seed), 10.0**power))


@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(-12, 12), st.sampled_from([knapsacks, coverage]))
def test_budgets_hold_against_enumeration(seed: int, power: int, make: type) -> None:
    random = np.random.default_rng(seed)
    holds_against_enumeration(make(random, int(random.integers(4, 11)), int(random.integers(1, 5)), 10.0**power))


def test_a_large_constant_changes_no_answer() -> None:
    graph = knapsacks(np.random.default_rng(2), 25, 2)
    plain = graph.solve("search", gap=0.0)
    graph.variable(1e9)
    shifted = graph.solve("search", gap=0.0)
    assert plain.assignment is not None and shifted.assignment is not None
    assert shifted.status == "optimal" and (shifted.assignment[:-1] == plain.assignment).all()


def test_subset_sums_that_miss_are_refused() -> None:
    # All costs are even: no choice sums to an odd number. Neither row knows of the other.
    graph = FactorGraph()
    x = graph.variables(np.ones(12))
    graph.linear(x, 2.0 * np.arange(1, 13), at_least=31.0)
    graph.linear(x, 2.0 * np.arange(1, 13), at_most=31.0)
    with pytest.raises(ConstraintError):
        graph.solve("search", by="rows")


@pytest.mark.parametrize("make, sizes", [(knapsacks, (60, 3)), (coverage, (150, 250))])
def test_selections_of_some_size_are_proved_within_a_second(make: type, sizes: tuple[int, int]) -> None:
    graph = make(np.random.default_rng(4), *sizes)
    started = time.process_time()
    answer = graph.solve("auto")
    assert answer.status == "optimal" and [stage.solver for stage in answer.stages] == ["search"]
    assert time.process_time() - started < 5.0


def test_a_search_that_is_ended_early_has_an_assignment_and_a_bound() -> None:
    graph = knapsacks(np.random.default_rng(0), 120, 5)
    short, longer = (graph.solve("search", nodes=nodes) for nodes in (10, 500))
    assert short.status == longer.status == "budget"
    assert short.value <= longer.value <= longer.bound <= short.bound
    assert graph.solve("search", nodes=10, start=longer.assignment).value >= longer.value


def test_rows_beyond_the_limit_end_the_search_at_once() -> None:
    graph = coverage(np.random.default_rng(1), 150, 250)
    answer = graph.solve("search", rows=5)
    assert answer.status == "budget" and answer.value <= answer.bound


def test_time_is_kept_and_errors_of_a_listener_come_through() -> None:
    graph = knapsacks(np.random.default_rng(0), 200, 5)
    started = time.perf_counter()
    answer = graph.solve("search", seconds=0.2)
    assert time.perf_counter() - started < 8.0
    assert answer.status == "budget" and answer.value <= answer.bound

    def refuse(assignment: object, value: float) -> None:
        raise KeyError("not this one")

    for solver in ("search", "branch_and_bound", "auto"):
        with pytest.raises(KeyError, match="not this one"):
            graph.solve(solver, on_better=refuse)
