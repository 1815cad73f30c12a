# SPDX-License-Identifier: Apache-2.0
"""Subtrees as factors: projections by isotonic regression against those by the active set, and mistakes of callers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference import FactorGraph
from accord.inference.compression import CompressionProblem, Length, compress


class OnlyMaximized:
    """The same subtrees as a custom factor, which AD3 can only project on through the active set."""

    def __init__(self, parents: list[int]) -> None:
        self.parents = parents

    def maximize(self, scores: NDArray[np.float64]) -> tuple[list[int], float]:
        worth = scores.copy()
        for node in range(len(worth) - 1, 0, -1):  # parents stand before their children
            worth[self.parents[node]] += max(worth[node], 0.0)
        on = [False] * len(worth)
        for node, parent in enumerate(self.parents):
            on[node] = bool(worth[node] > 0 and (parent < 0 or on[parent]))
        return [int(bit) for bit in on], float(max(worth[0], 0.0))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_isotonic_regression_leads_where_the_active_set_leads(seed: int) -> None:
    random = np.random.default_rng(seed)
    size = int(random.integers(2, 12))
    parents = [-1, *(int(random.integers(0, node)) for node in range(1, size))]
    scores, costs = random.normal(size=size), random.integers(1, 5, size).astype(float)
    answers = []
    for native in (True, False):
        graph = FactorGraph()
        x = graph.variables(scores)
        if native:
            graph.subtree(parents, x)
        else:
            graph.factor(OnlyMaximized(parents), x)
        graph.budget(x, costs, float(costs.sum()) / 2)
        answers.append(graph.solve("ad3", iterations=3000))
    assert abs(answers[0].bound - answers[1].bound) <= 1e-3 * (1 + abs(answers[0].bound))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_tree_under_a_budget_is_a_compression_of_limited_cost(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 10))
    heads = np.append(-1, random.integers(0, np.arange(1, n + 1)))
    words, costs = random.normal(size=n), random.integers(1, 5, n)
    limit = int(costs.sum()) // 2
    graph = FactorGraph()
    x = graph.variables(words)
    graph.subtree(heads[1:] - 1, x)
    graph.budget(x, costs, limit)
    found = compress(CompressionProblem(words, heads=heads, costs=costs, empty=0.0), Length.at_most(limit))
    assert abs(graph.solve("branch_and_bound").value - found.score) <= 1e-9


@pytest.mark.parametrize(
    ("parents", "tied", "error", "message"),
    [
        ([-1], None, ValueError, "one entry for each of 2 variables"),
        ([-1, 2], None, ConstraintError, "places -1 to 1"),
        ([-1, 0.5], None, TypeError, "parents are integers"),
        ([1, 0], None, ValueError, "circle"),
        ([-1, 0], [True, False], ValueError, "root and cannot be tied"),
    ],
)
def test_mistakes_are_named(parents: list[int], tied: list[bool] | None, error: type[Exception], message: str) -> None:
    graph = FactorGraph()
    x = graph.variables([1.0, 2.0])
    with pytest.raises(error, match=message):
        graph.subtree(parents, x, tied=tied)
    assert graph.solve("enumerate").assignment is not None  # nothing was added
