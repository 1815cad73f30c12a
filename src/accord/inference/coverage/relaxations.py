# SPDX-License-Identifier: Apache-2.0
"""Coverage problems through linear programs, search and AD3: exact answers, and relaxations that are rounded."""

from __future__ import annotations

import numpy as np

from accord.inference import linear
from accord.inference.coverage.found import Found
from accord.inference.coverage.greedy import best_greedy, greedy_bound, improved, rounded
from accord.inference.coverage.problem import CoverageProblem
from accord.inference.coverage.programs import factor_graph, program

_AD3 = {"penalty": 2.0, "check_every": 100}  # found best on topics of 1,000 words


def by_ilp(problem: CoverageProblem, seconds: float, gap: float) -> Found:
    found = linear.solve(program(problem), True, time_limit=None if np.isinf(seconds) else seconds, gap=gap)
    if not found.columns.size:
        return _without_point(problem, found.bound, found.nodes)
    fractions = found.columns[: problem.units]
    chosen = fractions > 0.5
    bound = found.bound
    if found.status == "optimal":  # HiGHS proves to its own tolerance
        bound = min(bound, max(problem.value(chosen), found.value))
    if not problem.is_feasible(chosen):
        chosen = improved(problem, chosen)
    return Found(chosen, bound, fractions, found.nodes, False)


def by_lp(problem: CoverageProblem, seconds: float) -> Found:
    found = linear.solve(program(problem), False, time_limit=None if np.isinf(seconds) else seconds)
    if not found.columns.size:
        return _without_point(problem, found.bound, found.nodes)
    fractions = found.columns[: problem.units]
    return Found(rounded(problem, fractions), found.bound, fractions, found.nodes, found.status != "budget")


def by_ad3(problem: CoverageProblem, iterations: int, seconds: float) -> Found:
    if not problem.units:
        return Found(np.zeros(0, np.bool_), 0.0, np.zeros(0), 0, True)
    found = factor_graph(problem).solve("ad3", iterations=iterations, seconds=seconds, **_AD3)
    fractions = np.asarray(found.posteriors[: problem.units])
    chosen = rounded(problem, fractions)
    if found.assignment is not None:
        chosen = max(chosen, improved(problem, found.assignment[: problem.units]), key=problem.value)
    return Found(chosen, found.bound, fractions, found.iterations, found.status != "budget")


def by_search(problem: CoverageProblem, seconds: float, gap: float) -> Found:
    if not problem.units:
        return Found(np.zeros(0, np.bool_), 0.0, np.zeros(0), 0, False)
    graph = factor_graph(problem)
    found = graph.solve("search", by="rows", seconds=seconds, gap=gap)
    if found.assignment is None:
        return _without_point(problem, found.bound, found.iterations)
    chosen = found.assignment[: problem.units]
    return Found(chosen, found.bound, chosen.astype(np.float64), found.iterations, False)


def _without_point(problem: CoverageProblem, bound: float, nodes: int) -> Found:
    """Time ran out before the program had any point."""
    chosen = best_greedy(problem)
    return Found(chosen, min(bound, greedy_bound(problem, chosen)), chosen.astype(np.float64), nodes, False)
