# SPDX-License-Identifier: Apache-2.0
"""``auto`` proves what any of its solvers proves, says who did what, and keeps its time."""

from __future__ import annotations

import time

import pytest

from accord.errors import ConstraintError
from accord.inference.graph import FactorGraph, Progress
from tests.inference.factor_kinds import FORBIDDEN, KINDS
from tests.inference.graph_recipes import seeded_recipe
from tests.inference.solver_contract import check_answer
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
        assert answer.stages[0].solver == "ad3" and answer.stages[-1].status == "optimal"
        assert [stage.status for stage in answer.stages[:-1]].count("optimal") == 0


def test_a_tight_relaxation_needs_one_solver_and_a_loose_one_more() -> None:
    tight = FactorGraph()
    tight.exactly_one(tight.variables([1.0, 2.0]))
    assert [stage.solver for stage in tight.solve("auto").stages] == ["ad3"]
    loose = FactorGraph()
    u = loose.variables([1.0, 1.0, 1.1])
    for first, second in ((0, 1), (0, 2), (1, 2)):
        loose.at_most_one(u[[first, second]])
    answer = loose.solve("auto")
    assert [stage.solver for stage in answer.stages] == ["ad3", "branch_and_bound"]
    assert (answer.status, answer.value) == ("optimal", 1.1)


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
