# SPDX-License-Identifier: Apache-2.0
"""The solvers of coverage problems against enumeration: feasible always, bounds above, exact where they say so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError, ConstraintError
from accord.inference.coverage import METHODS, CoverageProblem, solve
from tests.inference.coverage.random_problems import check_against_enumeration, random_problem

OTHERS = [method for method in METHODS if method != "enumerate"]
SCALES = (1e-12, 1e-3, 1.0, 1e6, 1e12)


@pytest.mark.parametrize("method", OTHERS)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), plain=st.booleans())
def test_answers_are_feasible_and_bounds_hold(method: str, seed: int, plain: bool) -> None:
    check_against_enumeration(random_problem(seed, plain=plain), method)


@pytest.mark.parametrize("method", OTHERS)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), scale=st.sampled_from(SCALES))
def test_concepts_of_negative_weight_are_paid_once(method: str, seed: int, scale: float) -> None:
    plain = random_problem(seed, plain=True)
    random = np.random.default_rng(seed)
    weights = plain.weights * random.choice([-1.0, -0.3, 1.0], plain.concepts) * scale
    pairs = np.stack([plain.occurrences.concept_of, plain.occurrences.needs], axis=1)
    problem = CoverageProblem(weights, pairs, plain.costs, plain.limits)
    best = max(
        problem.value(chosen)
        for number in range(1 << problem.units)
        if problem.is_feasible(chosen := np.array([number >> u & 1 for u in range(problem.units)], np.bool_))
    )
    found = solve(problem, method)
    assert found.assignment is not None and problem.is_feasible(found.assignment)
    assert found.value == pytest.approx(problem.value(found.assignment))
    slack = 1e-6 * scale
    assert found.value <= best + slack and found.bound >= best - slack
    if method == "ilp" or found.status == "optimal":
        assert found.value == pytest.approx(best, rel=1e-6, abs=slack)


def test_a_negative_pair_of_units_is_a_penalty_and_others_are_refused() -> None:
    for method in OTHERS:
        pair = CoverageProblem([2.0, 2.0, -3.0], [(0, 0), (1, 1), (2, 0, 1)], [1, 1], 2)
        assert solve(pair, method).value == 2.0
    twice = CoverageProblem([2.0, -3.0], [(0, 0), (1, 0, 1), (1, 1, 2)], [1, 1, 1], 3)
    with pytest.raises(ConstraintError, match="concept 1: a negative weight needs occurrences of one unit"):
        solve(twice)
    filled = CoverageProblem([-3.0], [(0, 0), (0, 1)], [1, 1], 3, caps=[2.0])
    with pytest.raises(ConstraintError, match="fill the cap alone"):
        solve(filled)
    head = CoverageProblem([2.0, -3.0], [(0, 0), (1, 1, 0), (1, 2)], [1, 1, 1], 3, requires=[(1, 0)])
    assert solve(head, "graph_cut").value == 2.0


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_relaxation_is_above_the_optimum_and_the_rounding_below(seed: int) -> None:
    problem = random_problem(seed)
    relaxed, exact = solve(problem, "lp"), solve(problem, "ilp")
    assert relaxed.bound >= exact.value - 1e-6 and exact.value >= relaxed.value - 1e-6


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), scale=st.sampled_from(SCALES))
def test_the_scale_of_weights_changes_no_choice(seed: int, scale: float) -> None:
    for method in ("greedy", "graph_cut"):
        one, other = (solve(random_problem(seed, scale=by, plain=True), method) for by in (1.0, scale))
        assert other.value == pytest.approx(one.value * scale, rel=1e-9)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_greedy_keeps_its_guarantee(seed: int) -> None:
    problem = random_problem(seed, plain=True)
    assert solve(problem, "greedy").value >= (1 - 1 / np.e) / 2 * solve(problem, "enumerate").value - 1e-9


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_gains_with_targets_of_at_most_one_are_plain_coverage(seed: int) -> None:
    plain = random_problem(seed, plain=True)
    pairs = np.stack([plain.occurrences.concept_of, plain.occurrences.needs], axis=1)
    targets = np.random.default_rng(seed).choice([0.2, 0.7, 1.0], plain.concepts)
    gain = CoverageProblem(np.ones(plain.concepts), pairs, plain.costs, plain.limits, caps=targets)
    cover = CoverageProblem(targets, pairs, plain.costs, plain.limits)
    assert solve(gain, "ilp").value == pytest.approx(solve(cover, "ilp").value)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_closed_sets_never_promise_more_than_the_true_value(seed: int) -> None:
    problem = random_problem(seed, plain=True)
    worths, sets = problem.native.closed_choices(np.zeros(problem.units))
    for chosen in (one.astype(np.bool_) for one in sets):
        promised = (worths * chosen[problem.occurrences.needs]).sum()
        assert promised <= problem.value(chosen) + 1e-9


def test_graph_cut_is_near_the_optimum_on_problems_of_the_size_of_a_topic() -> None:
    shares = []
    for seed in range(5):
        random = np.random.default_rng(seed)
        pairs = np.stack([random.zipf(1.5, 900) % 80, random.integers(0, 60, 900)], axis=1)
        problem = CoverageProblem(random.integers(3, 9, 80), pairs, random.integers(8, 40, 60), 100)
        exact, found = solve(problem, "ilp"), solve(problem, "graph_cut")
        assert exact.bound <= found.bound + 1e-6
        shares.append(found.value / exact.value)
    assert np.mean(shares) >= 0.97


def test_the_bound_of_ad3_comes_to_the_linear_relaxation_or_below() -> None:
    """Below where a budget cuts off more as a factor than as a row."""
    for seed in range(5):
        problem = random_problem(seed + 40, plain=True)
        bound = solve(problem, "ad3", iterations=5000).bound
        assert solve(problem, "ilp").value - 1e-6 <= bound <= solve(problem, "lp").bound * (1 + 1e-4) + 1e-6


@pytest.mark.parametrize("method", METHODS)
def test_nothing_to_choose_from_is_an_empty_choice(method: str) -> None:
    for problem in (
        CoverageProblem([], [], [], 5),
        CoverageProblem([1.0], [(0, 0)], [7], 5),
        CoverageProblem([1.0], [(0, 0)], [7], 0),
    ):
        found = solve(problem, method)
        assert found.assignment is not None and not found.assignment.any() and found.value == 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"weights": [np.nan]}, "weights must be finite"),
        ({"limits": -1}, "a budget of -1"),
        ({"occurrences": [(0, 1)]}, "occurrences must be of 1 concepts in 1 units"),
        ({"occurrences": [(0,)]}, "rows"),
        ({"occurrences": [(0, 0.5)]}, "whole numbers"),
        ({"occurrences": [(0, -1)]}, "occurrences must be of 1 concepts in 1 units"),
        ({"counts": [-1]}, "counts must not be negative"),
        ({"requires": [(0, 1)]}, "requires must be pairs of units 0 to 0"),
        ({"together": [0, 0]}, "together must be pairs of units"),
        ({"caps": [1, 1]}, "caps must be 1 numbers"),
        ({"limits": [1, 2]}, "1 rows of costs for 2 limits"),
        ({"redundancy": [(0, 0, 1.0)]}, "redundancy"),
    ],
)
def test_wrong_problems_are_one_message(wrong: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"weights": [1], "occurrences": [(0, 0)], "costs": [1], "limits": 1}
    with pytest.raises(ConstraintError, match=message):
        CoverageProblem(**{**good, **wrong})


def test_unknown_methods_and_settings_are_refused() -> None:
    problem = CoverageProblem([1], [(0, 0)], [1], 1)
    with pytest.raises(ConfigError, match="expected one of search, ilp"):
        solve(problem, "magic")
    with pytest.raises(ConfigError, match="no setting 'speed'"):
        solve(problem, "lp", speed=3)
    with pytest.raises(ConstraintError, match="too many"):
        solve(CoverageProblem([], [], np.ones(30), 5), "enumerate")


def test_a_circle_of_requirements_is_one_message() -> None:
    problem = CoverageProblem([1], [(0, 0)], [1, 1], 2, requires=[(0, 1), (1, 0)])
    with pytest.raises(ConstraintError, match="circle"):
        solve(problem)
