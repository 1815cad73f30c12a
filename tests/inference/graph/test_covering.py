# SPDX-License-Identifier: Apache-2.0
"""Dual solvers see tables over two variables as chains or trees: the same answers and bounds, in fewer rounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError, ConstraintError
from accord.inference.graph import FactorGraph
from tests.inference.graph.test_junction_tree import random_loops
from tests.inference.graph.test_values import seeds

covers = st.sampled_from(["none", "chains", "trees", "auto"])
solvers = st.sampled_from(["ad3", "subgradient"])


@settings(max_examples=80, deadline=None)
@given(seeds, solvers, covers, st.sampled_from([0, 0, 0, -12, -6, 6, 12]))
def test_bounds_hold_and_certificates_are_true(seed: int, solver: str, cover: str, power: int) -> None:
    scale = 10.0**power
    random = np.random.default_rng(seed)
    model = random_loops(random, scale)
    truth = model.enumerated()
    graph, variables = model.build()
    held = np.ones(len(truth.settings), bool)
    if seed % 3 == 0:
        place = int(random.integers(6))
        graph.fix_value(variables[place], 1)
        held = np.array([setting[place] == 1 for setting in truth.settings])
    best = truth.scores[held].max()
    for warm in (False, True):
        try:
            answer = graph.solve(solver, cover=cover, iterations=200, warm=warm)
        except ConstraintError:
            assert best == -np.inf
            return
        if best == -np.inf:
            assert answer.assignment is None
            return
        assert answer.bound >= best - 1e-13 * scale
        if answer.assignment is not None:
            chosen = tuple(answer.setting(variables))
            assert held[truth.settings.index(chosen)]
            assert abs(truth.scores[truth.settings.index(chosen)] - answer.value) <= 1e-13 * scale
        if answer.status == "optimal":
            assert answer.value >= best - 1e-6 * graph.spread - 1e-13 * scale


@settings(max_examples=30, deadline=None)
@given(seeds, solvers)
def test_trees_are_solved_at_once(seed: int, solver: str) -> None:
    # A tree of tables is one factor: its own maximum is the answer.
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    sites = graph.categorical(random.normal(size=(30, 4)))
    for site in range(1, 30):
        graph.categorical_table([sites[int(random.integers(site))], sites[site]], random.normal(size=(4, 4)))
    answer = graph.solve(solver, cover="trees", iterations=1)
    assert answer.status == "optimal"
    assert answer.value == pytest.approx(graph.solve("junction_tree", maximum=True).value)


def test_a_graph_may_grow_and_change_between_solutions() -> None:
    random = np.random.default_rng(2)
    graph = FactorGraph()
    sites = graph.categorical(random.normal(size=(8, 3)))
    graph.categorical_table([sites[:-1], sites[1:]], random.normal(size=(7, 3, 3)))
    first = graph.solve("ad3", warm=True)
    graph.categorical_table([sites[:-2], sites[2:]], random.normal(size=(6, 3, 3)))
    graph.add_constant(10.0)
    graph.set_scores(random.normal(size=24))
    second = graph.solve("ad3", warm=True, iterations=5000)
    exact = graph.solve("junction_tree", maximum=True)
    assert first.status == "optimal" and second.bound >= exact.value - 1e-9
    assert second.bound - exact.value < 1.0 and exact.value > 10.0


def grid(random: np.random.Generator, side: int, values: int) -> FactorGraph:
    graph = FactorGraph()
    sites = graph.categorical(random.normal(size=(side, side, values)))
    graph.categorical_table([sites[:, :-1], sites[:, 1:]], np.eye(values))
    graph.categorical_table([sites[:-1], sites[1:]], np.eye(values))
    return graph


def test_rows_and_columns_of_a_grid_take_fewer_rounds() -> None:
    rounds = {
        cover: sum(
            grid(np.random.default_rng(seed), 12, 4).solve("ad3", cover=cover, iterations=3000).iterations
            for seed in range(4)
        )
        for cover in ("none", "chains")
    }
    assert rounds["chains"] < rounds["none"] / 2


def test_unknown_covers_are_refused() -> None:
    with pytest.raises(ConfigError, match="no cover"):
        grid(np.random.default_rng(0), 2, 2).solve("ad3", cover="stars")
