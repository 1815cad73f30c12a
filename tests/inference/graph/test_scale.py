# SPDX-License-Identifier: Apache-2.0
"""Certificates hold for large scores and small ones, and beside constants: graphs on which they once did not."""

from __future__ import annotations

import numpy as np
import pytest

from accord.inference.graph import FactorGraph
from tests.inference.solver_contract import BOUNDING, HAVE_HIGHS, solve

highs = pytest.mark.skipif(not HAVE_HIGHS, reason="HiGHS is not installed")


def test_a_large_constant_hides_no_better_assignment() -> None:
    graph = FactorGraph()
    u = graph.variables([0.6, 1.0, 0.2, 1e6])
    graph.pair(u[0], u[1], -1.0)
    graph.pair(u[1], u[2], -0.4)
    answer = graph.solve("branch_and_bound", gap=0.0)
    assert (answer.status, answer.value, answer.bound) == ("optimal", 1000001.0, 1000001.0)


@pytest.mark.parametrize("solver", BOUNDING)
def test_small_scores_are_scores(solver: str) -> None:
    graph = FactorGraph()
    u = graph.variables([1e-7, 2e-7, 3e-7])
    graph.exactly_one(u)
    graph.pair(u[0], u[1], 5e-8)
    answer = solve(graph, solver)
    assert (answer.status, answer.value) == ("optimal", 3e-7)


@highs
def test_an_integer_program_of_small_scores_is_solved() -> None:
    graph = FactorGraph()
    u = graph.variables([1e-5, 1.1e-5, 1.2e-5])
    for first, second in ((0, 1), (0, 2), (1, 2)):
        graph.pair(u[first], u[second], -2e-5)
    answer = graph.solve("ilp")
    assert (answer.status, answer.value) == ("optimal", 1.2e-5)


@highs
@pytest.mark.parametrize("solver", ["lp", "ilp"])
def test_an_empty_program_has_the_empty_answer(solver: str) -> None:
    answer = FactorGraph().solve(solver)
    assert (answer.status, answer.value, answer.bound) == ("optimal", 0.0, 0.0)
    assert answer.assignment is not None and answer.assignment.size == 0


@highs
@pytest.mark.parametrize("solver", ["lp", "ilp"])
def test_programs_of_large_scores_are_solved(solver: str) -> None:
    graph = FactorGraph()
    u = graph.variables([1e12, 2e12, -3e12])
    graph.at_most_one(u[:2])
    graph.pair(u[1], u[2], 4e12)
    answer = graph.solve(solver)
    assert (answer.status, answer.value) == ("optimal", 3e12)


@pytest.mark.parametrize("solver", ["ad3", "subgradient", "branch_and_bound"])
def test_no_graph_with_a_large_constant_has_a_false_certificate(solver: str) -> None:
    random = np.random.default_rng(15)
    for _ in range(100):
        scores, pairs = random.normal(size=6), random.normal(size=(6, 6))

        def build(extra: list[float]) -> FactorGraph:
            graph = FactorGraph()
            u = graph.variables([*scores, *extra])  # noqa: B023
            for first in range(6):
                for second in range(first):
                    graph.pair(u[first], u[second], pairs[first, second])  # noqa: B023
            return graph

        best = build([]).solve("enumerate")
        answer = build([1e6]).solve(solver, **({"gap": 0.0} if solver != "subgradient" else {}))
        assert answer.bound >= best.value + 1e6 - 1e-9
        assert answer.assignment is not None and best.assignment is not None
        if answer.status == "optimal":
            assert answer.assignment[:6].tolist() == best.assignment.tolist()
