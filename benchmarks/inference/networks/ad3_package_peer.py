# SPDX-License-Identifier: Apache-2.0
"""The ``ad3`` package: its relaxation first, rounded value by value, then its own branch and bound.

Tables are its dense factors over multi-valued variables; budgets are its knapsacks, unions its OR with output. A
relaxation that ends integral counts as a proof, and so does a search that ends so; its search goes six levels deep and
says so where that was not enough. It has no time limit of its own: the system ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.inference.networks.problem import Problem

if TYPE_CHECKING:
    from benchmarks.inference.networks.solve_one import Events

FORBIDDEN = -1e4  # it has no scores of -inf
INTEGRAL = 0  # its status of an answer that it has proved


def network(graph: Any, problem: Problem) -> None:
    """Variables by value, and factors over them."""
    variables = [graph.create_multi_variable(count) for count in problem.values]
    for variable, scores in zip(variables, problem.alone(), strict=True):
        for value, score in enumerate(np.maximum(scores, FORBIDDEN)):
            variable.set_log_potential(value, float(score))
    for scope, table in problem.tables:
        if len(scope) > 1:
            graph.create_factor_dense([variables[v] for v in scope], np.maximum(table, FORBIDDEN).reshape(-1).tolist())
    graph.fix_multi_variables_without_factors()


def selection(graph: Any, problem: Problem) -> None:
    """One binary variable each; tables of selections forbid pairs."""
    variables = [graph.create_binary_variable() for _ in problem.values]
    for variable, scores in zip(variables, problem.alone(), strict=True):
        variable.set_log_potential(float(scores[1] - scores[0]))
    for scope, table in problem.tables:
        if len(scope) > 1:
            if not np.isneginf(table[1, 1]) or table.reshape(-1)[:3].any():
                raise SystemExit("ad3-package: a table of a selection that does more than exclude a pair")
            graph.create_factor_logic("ATMOSTONE", [variables[v] for v in scope], [False, False])
    for budget in problem.budgets:
        chosen = [variables[v] for v in budget.variables]
        costs = [float(cost) for cost in budget.costs]
        graph.create_factor_knapsack(chosen, costs=costs, budget=float(budget.limit))
    for union in problem.unions:
        chosen = [*(variables[v] for v in union.inputs), variables[union.output]]
        graph.create_factor_logic("OROUT", chosen, [False] * len(chosen))


def run(_: str, problem: Problem, seconds: float, events: Events) -> None:
    from ad3.factor_graph import PFactorGraph  # type: ignore[import-not-found,unused-ignore]

    graph = PFactorGraph()
    graph.set_verbosity(0)
    (network if problem.is_network else selection)(graph, problem)
    graph.set_eta_ad3(0.1)
    graph.adapt_eta_ad3(True)
    graph.set_max_iterations_ad3(1000)
    graph.set_residual_threshold_ad3(1e-6)
    events.start()
    for solve in (graph.solve_lp_map_ad3, graph.solve_exact_map_ad3):
        _, posteriors, _, status = solve()
        setting = _rounded(problem, np.array(posteriors[: sum(problem.values)]))
        events.found(setting)
        if status == INTEGRAL and problem.score(problem.completed(setting)) > -np.inf:
            events.proved()
            return


def _rounded(problem: Problem, posteriors: Any) -> list[int]:
    if not problem.is_network:
        return [int(posterior > 0.5) for posterior in posteriors[: len(problem.values)]]
    return problem.setting(posteriors)
