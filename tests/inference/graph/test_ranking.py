# SPDX-License-Identifier: Apache-2.0
"""Lists and samples of assignments against plain enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import BudgetError, ConfigError
from accord.inference.graph import FactorGraph
from tests.inference.factor_kinds import FORBIDDEN, KINDS
from tests.inference.graph_recipes import Recipe, recipes
from tests.inference.test_graph_interruption import grid


def ranked_values(recipe: Recipe) -> list[float]:
    values = recipe.values[recipe.values > FORBIDDEN]
    return sorted(values.tolist(), reverse=True)


@settings(max_examples=60, deadline=None)
@given(recipes([kind for kind in KINDS if kind != "custom"]), st.integers(1, 40))
def test_the_k_best_are_the_k_best(recipe: Recipe, k: int) -> None:
    graph, wanted = recipe.build(), ranked_values(recipe)
    found = graph.kbest(k)
    assert np.allclose([answer.score for answer in found], wanted[:k], atol=1e-9)
    assert all(answer.certified and answer.score == graph.value(answer.value) for answer in found)
    assert len({answer.value.tobytes() for answer in found}) == len(found)


@settings(max_examples=15, deadline=None)
@given(recipes(featured="custom"), st.integers(1, 6))
def test_graphs_with_factors_of_ones_own_are_split(recipe: Recipe, k: int) -> None:
    graph, wanted = recipe.build(), ranked_values(recipe)
    found = graph.kbest(k)
    assert np.allclose([answer.score for answer in found], wanted[:k], atol=1e-6)
    assert len({answer.value.tobytes() for answer in found}) == len(found)
    assert np.all(graph.evidence == -1)


@settings(max_examples=30, deadline=None)
@given(recipes([kind for kind in KINDS if kind != "custom"]))
def test_all_solutions_are_listed_once(recipe: Recipe) -> None:
    count = len(ranked_values(recipe))
    graph = recipe.build()
    assert len(graph.solutions()) == count
    if count > 1:
        with pytest.raises(BudgetError, match="more than 1"):
            graph.solutions(limit=1)


def test_evidence_holds_in_lists() -> None:
    graph = FactorGraph()
    u = graph.variables([1.0, 2.0, 3.0])
    graph.at_most_one(u)
    graph.fix(u[2], False)
    assert [answer.score for answer in graph.kbest(10)] == [2.0, 1.0, 0.0]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_diverse_assignments_are_the_best_that_differ(seed: int, distance: int) -> None:
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    variables = graph.categorical(random.normal(size=(4, 3)))
    for first, second in itertools.combinations(range(4), 2):
        graph.categorical_table([variables[first], variables[second]], random.normal(size=(3, 3)))
    everything = [
        (answer.score, tuple(int(answer.value[values].argmax()) for values in variables))
        for answer in graph.solutions()
    ]
    chosen: list[tuple[float, tuple[int, ...]]] = []
    for score, setting in everything:  # best first
        if len(chosen) < 4 and all(
            sum(a != b for a, b in zip(setting, old, strict=True)) >= distance for _, old in chosen
        ):
            chosen.append((score, setting))
    found = graph.diverse(4, distance)
    assert np.allclose([answer.score for answer in found], [score for score, _ in chosen])


def test_exact_samples_have_the_right_frequencies() -> None:
    random = np.random.default_rng(0)
    graph = FactorGraph()
    u = graph.variables(random.normal(size=6))
    graph.pair(u[:-1], u[1:], random.normal(size=5))
    graph.at_least_one(u[:3])
    samples = graph.samples(4000, seed=3)
    assert samples.exact and samples.effective == pytest.approx(4000)
    assert np.allclose(samples.posteriors, graph.solve("enumerate").posteriors, atol=0.04)
    assert np.array_equal(graph.samples(10, seed=3).assignments, samples.assignments[:10])


def test_weighted_samples_are_right_and_know_what_they_are_worth() -> None:
    graph = grid(seed=1, side=4, labels=2)
    exact = graph.solve("junction_tree").posteriors
    samples = graph.samples(20_000, seed=1, width=1.0)
    assert not samples.exact and 10 < samples.effective < 20_000
    assert np.allclose(samples.posteriors, exact, atol=3 / np.sqrt(samples.effective))


def test_what_cannot_be_listed_or_drawn_is_refused() -> None:
    graph = FactorGraph()
    graph.at_least_one(graph.variables([-1.0] * 40))
    with pytest.raises(ConfigError, match="too large to be a table"):
        graph.diverse(2, 1)
    with pytest.raises(ConfigError, match="0 assignments"):
        graph.kbest(0)
