# SPDX-License-Identifier: Apache-2.0
"""What Qian & Liu (2013) and Li, Qian & Liu (2013) say of coverage: shares of concepts, closed sets, and gains."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.inference import linear, max_closure, max_supermodular
from accord.inference.coverage import CoverageProblem, solve
from tests.inference.coverage.random_problems import random_words

Numbers = NDArray[np.float64]
Sets = NDArray[np.bool_]
PRICES = (0.0, 0.3, 1.0, 2.5)


def plain_words(seed: int) -> CoverageProblem:
    """Words of trees with concepts that count once, and one budget of words."""
    problem, _ = random_words(seed).merged()
    rows = problem.occurrences.renumbered(np.arange(problem.units))
    costs, limit = problem.costs[0], problem.limits[0]
    return CoverageProblem(problem.weights, rows, costs, limit, scores=problem.scores, requires=problem.requires)


def closed_sets(problem: CoverageProblem) -> Sets:
    sets = np.array(list(itertools.product((False, True), repeat=problem.units)))
    for unit, required in problem.requires:
        sets = sets[~sets[:, unit] | sets[:, required]]
    return sets


def promise(problem: CoverageProblem, worths: Numbers, chosen: NDArray[np.bool_], price: float) -> float:
    """What a set is worth when each occurrence has its own worth, less the price of its words."""
    held = problem.occurrences.held(chosen.astype(np.float64))
    return float(worths @ held + (problem.scores - price * problem.costs[0]) @ chosen)


def best_promise(problem: CoverageProblem, worths: Numbers, price: float) -> NDArray[np.bool_]:
    """The closed set of the largest promise: an occurrence is an item that requires its units."""
    found = problem.occurrences
    items = problem.units + np.repeat(np.arange(len(worths)), np.diff(found.starts))
    arcs = np.concatenate([problem.requires, np.stack([items, found.needs], axis=1)])
    profits = np.concatenate([problem.scores - price * problem.costs[0], worths])
    return max_closure(profits, arcs)[: problem.units]


def shares_of(problem: CoverageProblem, chosen: NDArray[np.bool_]) -> Numbers:
    """The worth of each occurrence when concepts share theirs among occurrences that the set holds."""
    return problem.native.closed_choices(chosen.astype(np.float64))[0]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), price=st.sampled_from(PRICES))
def test_for_any_shares_the_best_closed_set_is_that_of_enumeration(seed: int, price: float) -> None:
    problem = plain_words(seed)
    worths = np.random.default_rng(seed).random(len(problem.occurrences.counts))
    best = max(promise(problem, worths, one, price) for one in closed_sets(problem))
    assert promise(problem, worths, best_promise(problem, worths, price), price) == pytest.approx(best, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_supermodular_sums_are_those_of_enumeration(seed: int) -> None:
    random = np.random.default_rng(seed)
    items = int(random.integers(1, 9))
    values = random.integers(-4, 3, items).astype(float)
    pairs = random.integers(0, items, (int(random.integers(0, 12)), 2))
    gains = random.integers(0, 4, len(pairs)).astype(float)
    sets = np.array(list(itertools.product((False, True), repeat=items)))
    sums = sets @ values + (sets[:, pairs[:, 0]] & sets[:, pairs[:, 1]]) @ gains
    smallest = sets[sums == sums.max()].all(axis=0)  # best sets are closed under intersection
    assert max_supermodular(values, pairs, gains).tolist() == smallest.tolist()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), price=st.sampled_from(PRICES))
def test_shares_promise_no_more_than_the_best_value_and_some_promise_all_of_it(seed: int, price: float) -> None:
    problem = plain_words(seed)
    sets = closed_sets(problem)

    def value(one: NDArray[np.bool_]) -> float:
        return problem.value(one) - price * float(problem.costs[0] @ one)

    best = max(sets, key=value)
    concept = problem.occurrences.concept_of
    random = np.random.default_rng(seed)
    for _ in range(5):
        drawn = random.exponential(size=len(concept)) ** 4  # nearly one occurrence for each concept
        total = np.bincount(concept, drawn, minlength=problem.concepts)
        worths = problem.weights[concept] * drawn / total[concept]
        assert promise(problem, worths, best_promise(problem, worths, price), price) <= value(best) + 1e-9
    held = problem.occurrences.held(best.astype(np.float64)) > 0
    corner = np.zeros(len(concept))
    for c in range(problem.concepts):  # all of a concept is the share of one occurrence
        mine = np.flatnonzero(concept == c)
        if len(mine):
            corner[mine[np.argmax(held[mine])]] = problem.weights[c]
    assert promise(problem, corner, best_promise(problem, corner, price), price) == pytest.approx(value(best), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), price=st.sampled_from(PRICES))
def test_sets_and_shares_in_turn_never_lose(seed: int, price: float) -> None:
    problem = plain_words(seed)
    chosen = closed_sets(problem)[np.random.default_rng(seed).integers(len(closed_sets(problem)))]
    before = -np.inf
    for _ in range(2 * problem.units + 2):
        worths = shares_of(problem, chosen)
        value = problem.value(chosen) - price * float(problem.costs[0] @ chosen)
        assert promise(problem, worths, chosen, price) == pytest.approx(value, abs=1e-9), "the best shares of the set"
        if value <= before + 1e-12:
            break
        before = value
        following = best_promise(problem, worths, price)
        assert promise(problem, worths, following, price) >= value - 1e-9
        chosen = following
    else:
        raise AssertionError("values that rise come to an end")


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_gains_by_absolute_differences_are_gains_by_the_smaller_number(seed: int) -> None:
    """Li, Qian & Liu (2013), section 2.2: twice the gain, less all targets."""
    random = np.random.default_rng(seed)
    units, concepts = int(random.integers(1, 16)), int(random.integers(1, 8))
    counts = random.integers(0, 3, (concepts, units)) * (random.random((concepts, units)) < 0.5)
    targets = random.choice([0.4, 1.0, 1.7, 2.0, 3.5], concepts)
    costs, limit = random.integers(1, 9, units).astype(float), float(random.integers(0, 25))
    rows = [(c, u) for c in range(concepts) for u in range(units) if counts[c, u]]
    of_rows = [counts[row] for row in rows]
    problem = CoverageProblem(np.ones(concepts), rows, costs, limit, caps=targets, counts=of_rows)
    best = solve(problem, "enumerate").value
    assert solve(problem, "ilp").value == pytest.approx(best)
    # sum of counts - c  at most,  with  -c <= target - sum of counts <= c
    table = np.block([[counts, -np.eye(concepts)], [counts, np.eye(concepts)]])
    table = np.concatenate([np.append(costs, np.zeros(concepts))[None], table])
    entry, column = np.nonzero(table)
    absolute = linear.Arrays(
        scores=np.append(counts.sum(axis=0).astype(float), -np.ones(concepts)),
        low=np.zeros(units + concepts),
        high=np.append(np.ones(units), np.full(concepts, np.inf)),
        integral=np.arange(units + concepts) < units,
        row_starts=np.searchsorted(entry, np.arange(len(table) + 1)),
        columns=column,
        coefficients=table[entry, column],
        row_low=np.concatenate([[-np.inf], np.full(concepts, -np.inf), targets]),
        row_high=np.concatenate([[limit], targets, np.full(concepts, np.inf)]),
    )
    found = linear.solve(absolute, True)
    assert (found.value + targets.sum()) / 2 == pytest.approx(best, abs=1e-6)
