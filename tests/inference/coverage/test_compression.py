# SPDX-License-Identifier: Apache-2.0
"""Coverage problems whose units require one another: words of sentences that are shortened."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.inference.coverage import METHODS, CoverageProblem, solve
from accord.inference.coverage.programs import factor_graph, program
from tests.inference.coverage.random_problems import check_against_enumeration, compressive_topic, random_words

OTHERS = [method for method in METHODS if method != "enumerate"]


@pytest.mark.parametrize("method", OTHERS)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), tangled=st.booleans())
def test_answers_are_feasible_and_bounds_hold(method: str, seed: int, tangled: bool) -> None:
    check_against_enumeration(random_words(seed, tangled=tangled), method)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([1e-12, 1e-3, 1e6, 1e12]))
def test_the_scale_of_weights_changes_no_value(seed: int, scale: float) -> None:
    for method in ("greedy", "graph_cut"):
        one, other = (solve(random_words(seed, scale=by), method) for by in (1.0, scale))
        assert other.value == pytest.approx(one.value * scale, rel=1e-9, abs=1e-12 * scale)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_relaxation_is_above_the_optimum_and_the_rounding_below(seed: int) -> None:
    problem = random_words(seed)
    relaxed, exact = solve(problem, "lp"), solve(problem, "ilp")
    assert relaxed.bound >= exact.value - 1e-6 and exact.value >= relaxed.value - 1e-6


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_closed_sets_are_closed_nested_and_promise_no_more_than_their_value(seed: int) -> None:
    problem, _ = random_words(seed).merged()
    worths, sets = problem.native.closed_choices(np.random.default_rng(seed).random(problem.units))
    chosen = [one.astype(np.bool_) for one in sets]
    for one in chosen:
        assert not any(one[unit] and not one[needed] for unit, needed in problem.requires)
        promised = worths @ problem.occurrences.held(one.astype(float)) + problem.scores @ one
        assert promised <= problem.value(one) + 1e-9
    assert len(chosen) == 1 or not (chosen[0] & ~chosen[1]).any()


def test_variables_grow_with_words_and_with_pairs_that_repeat_one_another() -> None:
    for words in (50, 100, 200):
        problem, _ = compressive_topic(0, words).merged()
        most = problem.units + problem.concepts + len(problem.occurrences.counts)
        assert program(problem).scores.size <= most <= 3 * words
        pairs = [(u, v, 0.1) for u in range(10) for v in range(u)]
        rows = problem.occurrences.renumbered(np.arange(problem.units))
        requires = problem.requires
        repeating = CoverageProblem(
            problem.weights, rows, problem.costs, problem.limits, redundancy=pairs, requires=requires
        )
        assert program(repeating).scores.size == program(problem).scores.size + len(pairs)


def test_what_goes_together_is_kept_or_left_together() -> None:
    problem = CoverageProblem([5], [(0, 2)], [1, 1, 1], 2, requires=[(1, 0), (2, 1)], together=[(0, 1)])
    for method in METHODS:
        found = solve(problem, method)
        assert found.assignment is not None and found.assignment.tolist() == [False] * 3, "three words do not fit"
    problem = CoverageProblem([5, 1], [(0, 1), (1, 2)], [1, 1, 1], 2, requires=[(2, 1)], together=[(0, 1)])
    for method in METHODS:
        found = solve(problem, method)
        assert found.assignment is not None and found.assignment.tolist() == [True, True, False]


def test_a_concept_of_two_words_needs_both() -> None:
    problem = CoverageProblem([3, 1], [(0, 1, 2), (1, 1)], [1, 1, 1], 2, requires=[(1, 0), (2, 0)])
    for method in METHODS:
        found = solve(problem, method)
        assert found.value == 1 and found.assignment is not None and found.assignment.tolist() == [True, True, False]


def test_solvers_are_near_the_optimum_on_compressive_problems_of_the_size_of_a_topic() -> None:
    shares: dict[str, list[float]] = {"ad3": [], "graph_cut": [], "lp": []}
    for seed in range(3):
        problem = compressive_topic(seed, 400)
        exact = solve(problem, "ilp", seconds=20)
        for method, found in shares.items():
            answer = solve(problem, method)
            assert answer.assignment is not None and problem.is_feasible(answer.assignment)
            assert exact.value <= answer.bound * (1 + 1e-9)
            found.append(answer.value / exact.value)
    assert np.mean(shares["ad3"]) >= 0.99 and np.mean(shares["graph_cut"]) >= 0.97 and np.mean(shares["lp"]) >= 0.99


@pytest.mark.parametrize(("iterations", "tolerance"), [(1000, 1e-3), (5000, 1e-4)])
def test_ad3_comes_to_the_linear_relaxation(iterations: int, tolerance: float) -> None:
    """Or below, where a budget as a factor cuts off more than a row does."""
    for seed in range(2):
        problem = compressive_topic(seed, 300)
        relaxed, found = solve(problem, "lp"), solve(problem, "ad3", iterations=iterations)
        assert found.bound <= relaxed.bound * (1 + tolerance)


def test_more_rounds_of_ad3_bring_better_bounds_and_plain_subgradients_need_several_times_as_many() -> None:
    for seed in range(2):
        problem, _ = compressive_topic(seed, 200, limit=40).merged()
        relaxed = solve(problem, "lp").bound
        bounds = [solve(problem, "ad3", iterations=rounds).bound for rounds in (50, 200, 1000)]
        assert bounds[0] > bounds[1] > bounds[2] > relaxed * (1 - 1e-9)
        plain = factor_graph(problem).solve("subgradient", iterations=3000).bound
        assert plain - relaxed > 2 * (bounds[2] - relaxed)


def test_a_tree_of_ten_thousand_words_is_no_burden() -> None:
    chain = [(unit, unit - 1) for unit in range(1, 10_000)]
    rows = [(unit % 50, unit) for unit in range(10_000)]
    problem = CoverageProblem(np.ones(50), rows, np.ones(10_000), 60, requires=chain)
    found = solve(problem, "graph_cut")
    assert found.value == 50 and found.seconds < 20
