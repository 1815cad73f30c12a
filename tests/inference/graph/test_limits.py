# SPDX-License-Identifier: Apache-2.0
"""Every solver ends in time when it is told to, and tells how far it has come."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from accord.errors import BudgetError
from accord.inference.graph import SETTINGS, SOLVERS, FactorGraph, Progress
from tests.inference.solver_contract import HAVE_HIGHS
from tests.inference.test_graph_interruption import ENDLESS, grid

SEARCHING = [name for name in SOLVERS if HAVE_HIGHS or "lp" not in name]


def hard(solver: str) -> tuple[FactorGraph, dict[str, Any]]:
    """A graph and settings that keep a solver busy for long."""
    if solver == "enumerate":
        return grid(seed=5, side=4), {"limit": 100}
    if solver == "ilp":
        return grid(seed=5, side=15), {}
    if solver == "junction_tree":
        return grid(seed=5, side=13), {"width": 30, "entries": 40}
    if solver == "trws":
        return grid(seed=5, side=120), {}
    return grid(seed=5, side=40), ENDLESS.get(solver, {})


def test_every_solver_has_a_time_limit_and_reports() -> None:
    assert all({"seconds", "on_progress"} <= set(SETTINGS[solver]) for solver in SOLVERS)


@pytest.mark.parametrize("solver", SEARCHING)
def test_time_limits_are_kept(solver: str) -> None:
    graph, settings = hard(solver)
    started = time.perf_counter()
    answer = graph.solve(solver, seconds=0.2, **settings)
    assert time.perf_counter() - started < 5.0
    assert answer.status == "budget"
    assert answer.value <= answer.bound


@pytest.mark.parametrize("solver", [name for name in SEARCHING if name != "lp"])
def test_progress_is_told_and_may_end_the_search(solver: str) -> None:
    graph, settings = hard(solver)
    told: list[Progress] = []

    def on_progress(progress: Progress) -> bool:
        told.append(progress)
        return len(told) < 2

    answer = graph.solve(solver, on_progress=on_progress, seconds=60.0, **settings)
    assert answer.status == "budget" and len(told) >= 2
    assert told[0].seconds <= told[1].seconds < 60.0
    assert told[1].iteration >= told[0].iteration
    if solver != "bp":
        assert told[1].value <= told[1].bound


def test_sparsemap_has_a_time_limit_and_reports() -> None:
    graph = grid(seed=5, side=20)
    told: list[Progress] = []
    with pytest.raises(BudgetError, match="stopped"):
        graph.sparsemap(seconds=0.3, on_progress=told.append)
    with pytest.raises(BudgetError, match="stopped"):
        graph.sparsemap(on_progress=lambda progress: False)
    graph = FactorGraph()
    graph.exactly_one(graph.variables([1.0, 0.5, -1.0]))
    assert graph.sparsemap(seconds=60.0, on_progress=told.append).posteriors.tolist() == [0.75, 0.25, 0.0]
    assert told and all(isinstance(progress, Progress) for progress in told)


def test_beliefs_of_a_large_sure_factor_take_a_moment() -> None:
    # Nearly all probabilities of the count are so near 0 or 1 that their odds have to be asked for one by one.
    random = np.random.default_rng(0)
    graph = FactorGraph()
    u = graph.variables(random.normal(size=300) * 60)
    graph.cardinality(u, -3.0 * np.arange(301) ** 1.5)
    graph.pair(u[:-1], u[1:], random.normal(size=299) * 40)
    started = time.process_time()
    answer = graph.solve("bp", iterations=10)
    assert time.process_time() - started < 5.0
    assert np.all((answer.posteriors >= 0) & (answer.posteriors <= 1))
