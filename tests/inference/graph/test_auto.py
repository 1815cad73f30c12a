# SPDX-License-Identifier: Apache-2.0
"""``auto`` proves what any of its solvers proves, says who did what, and keeps its time."""

from __future__ import annotations

import time

import numpy as np
import pytest

from accord.errors import ConstraintError
from accord.inference.graph import FactorGraph, Progress
from tests.inference.factor_kinds import FORBIDDEN, KINDS
from tests.inference.graph_recipes import seeded_recipe
from tests.inference.solver_contract import HAVE_HIGHS, check_answer
from tests.inference.test_graph_interruption import grid


def test_small_graphs_are_always_proved() -> None:
    for seed in range(200):
        recipe = seeded_recipe(seed, list(KINDS))
        graph = recipe.build()
        if recipe.optimum == FORBIDDEN:
            with pytest.raises(ConstraintError):
                graph.solve("auto")
            continue
        answer = graph.solve("auto")
        assert answer.status == "optimal"
        check_answer(recipe, graph, answer, "ilp")
        custom = any(factor.kind == "custom" for factor in recipe.factors)
        assert answer.stages[0].solver == ("ad3" if custom else "search") and answer.stages[-1].status == "optimal"
        assert [stage.status for stage in answer.stages[:-1]].count("optimal") == 0


def test_the_shape_of_a_graph_decides_who_comes_first() -> None:
    tables = FactorGraph()
    tables.exactly_one(tables.variables([1.0, 2.0]))
    assert [stage.solver for stage in tables.solve("auto").stages] == ["search"]
    long = FactorGraph()  # too long for a table, and a tight relaxation
    long.at_least_one(long.variables([-1.0] * 30))
    assert [stage.solver for stage in long.solve("auto").stages] == ["ad3"]
    loose = FactorGraph()  # too long for a table, and a relaxation with a gap
    u = loose.variables([1.0, 1.0, 1.1, *[-0.1] * 30])
    for first, second in ((0, 1), (0, 2), (1, 2)):
        loose.at_most_one(u[[first, second]])
    loose.at_least_one(u[3:])
    answer = loose.solve("auto")
    assert [stage.solver for stage in answer.stages] == ["ad3", "search"]
    assert (answer.status, answer.value) == ("optimal", pytest.approx(1.0))


def test_budgets_are_proved_by_search_over_rows() -> None:
    random = np.random.default_rng(0)
    graph = FactorGraph()
    u = graph.variables(random.integers(1, 100, 40).astype(float))
    graph.budget(u, random.integers(1, 100, 40), 500.0)
    graph.pair(u[:-1], u[1:], random.normal(size=39) * 10)
    answer = graph.solve("auto")
    assert [stage.solver for stage in answer.stages] == ["search"] and answer.status == "optimal"
    if HAVE_HIGHS:
        assert answer.value == pytest.approx(graph.solve("ilp").value)


@pytest.mark.parametrize("solver", ["auto", "search", "branch_and_bound"])
def test_better_assignments_are_told_in_order_and_the_last_is_the_answer(solver: str) -> None:
    random = np.random.default_rng(1)
    graph = FactorGraph()
    u = graph.variables(random.integers(1, 100, 30).astype(float))
    for _ in range(3):
        graph.budget(u, random.integers(1, 100, 30), 500.0)
    found: list[tuple[float, float]] = []
    answer = graph.solve(solver, on_better=lambda bits, value: found.append((value, graph.value(bits))))
    assert found and found == sorted(found) and found[-1][0] == pytest.approx(answer.value)
    assert all(value == pytest.approx(own) for value, own in found)


def test_time_is_kept_and_the_best_of_all_is_told() -> None:
    graph = grid(seed=5, side=30)
    told: list[Progress] = []
    started = time.perf_counter()
    answer = graph.solve("auto", seconds=1.0, on_progress=told.append)
    assert time.perf_counter() - started < 10.0
    assert answer.status == "budget" and answer.value <= answer.bound
    assert answer.bound <= min(stage.bound for stage in answer.stages) + 1e-6
    assert answer.value == max(stage.value for stage in answer.stages)
    assert told and told[-1].bound <= told[0].bound
