# SPDX-License-Identifier: Apache-2.0
"""Wrong input is refused in words, contradictions are named, and the smallest graphs have answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from accord.errors import ConfigError, ConstraintError
from accord.inference.graph import SETTINGS, SOLVERS, FactorGraph
from tests.inference.solver_contract import EXACT, HAVE_HIGHS, solve


def infeasible() -> FactorGraph:
    graph = FactorGraph()
    u = graph.variables([1.0, 2.0])
    graph.exactly_one(u, name="one of them")
    graph.fix(u, [True, True])
    return graph


@pytest.mark.parametrize("solver", ["ad3", "subgradient", *EXACT])
def test_contradictions_are_reported(solver: str) -> None:
    with pytest.raises(ConstraintError, match="no assignment satisfies"):
        solve(infeasible(), solver)


Wrong = tuple[str, type[Exception], str, Callable[[FactorGraph, Any], object]]
WRONG: list[Wrong] = [
    ("nan score", ValueError, "finite", lambda g, u: g.variables([np.nan])),
    ("infinite score", ValueError, "finite", lambda g, u: g.variables([np.inf])),
    ("nan pair", ValueError, "finite", lambda g, u: g.pair(u[0], u[1], np.nan)),
    ("infinite pair", ValueError, "finite", lambda g, u: g.pair(u[0], u[1], -np.inf)),
    ("nan table", ValueError, "NaN", lambda g, u: g.table(u[:1], [0.0, np.nan])),
    ("infinite count", ValueError, "NaN", lambda g, u: g.cardinality(u, [0, 0, 0, np.inf])),
    ("nan cost", ValueError, "finite", lambda g, u: g.budget(u, [1, np.nan, 1], 2)),
    ("nan limit", ValueError, "limit", lambda g, u: g.budget(u, [1, 1, 1], np.nan)),
    ("negative cost", ValueError, "cost", lambda g, u: g.budget(u, [1, -1, 1], 2)),
    ("nan sibling", ValueError, "NaN", lambda g, u: g.sibling_automaton(u, np.full((4, 5), np.nan))),
    ("nan new scores", ValueError, "finite", lambda g, u: g.set_scores([0, np.nan, 0])),
    ("empty factor", ValueError, "at least 1 variable", lambda g, u: g.exactly_one([])),
    ("empty tree", ValueError, "word", lambda g, u: g.tree([[-1]])),
    ("duplicate", ValueError, "twice", lambda g, u: g.exactly_one([u[0], u[1], u[0]])),
    ("duplicate by negation", ValueError, "twice", lambda g, u: g.at_most_one([u[0], ~u[0]])),
    ("duplicate pair", ValueError, "twice", lambda g, u: g.pair(u[0], u[0], 1.0)),
    ("no such variable", ValueError, "does not exist", lambda g, u: g.exactly_one([0, 7])),
    ("no such evidence", ValueError, "no such variable as 7", lambda g, u: g.fix(7)),
    ("no such evidence to release", ValueError, "no such variable as 7", lambda g, u: g.release(7)),
    ("fractional variable", TypeError, "integers", lambda g, u: g.exactly_one([0.5, 1.0])),
    ("too few scores", ValueError, "score", lambda g, u: g.set_scores([1.0])),
    ("flat table", ValueError, "shape", lambda g, u: g.table(u[:2], [0, 0, 0, 0])),
    ("short counts", ValueError, "0..3", lambda g, u: g.cardinality(u, [0, 0])),
    ("oblong tree", ValueError, "arcs", lambda g, u: g.tree(np.zeros((2, 3), int))),
    ("small automaton", ValueError, "shape", lambda g, u: g.sibling_automaton(u, np.zeros((3, 4)))),
    ("missing transitions", ValueError, "tables between", lambda g, u: g.chain([u[:1], u[1:]], [])),
    ("short assignment", ValueError, "3 values", lambda g, u: g.value([True])),
    ("impossible count", ConstraintError, "cannot be on", lambda g, u: g.exactly(4, u)),
    ("pairs of unequal length", ValueError, "broadcast", lambda g, u: g.pair(u[:2], u[:3], 1.0)),
    ("deep variables", ValueError, "set per row", lambda g, u: g.exactly_one(np.zeros((1, 1, 1), int))),
    ("not a factor", TypeError, "maximize", lambda g, u: g.factor(object(), u)),  # type: ignore[arg-type]
    ("unknown solver", ConfigError, "unknown solver", lambda g, u: g.solve("simplex")),
    ("unknown setting", ConfigError, "no setting", lambda g, u: g.solve("ad3", speed=9)),
    ("setting out of range", ConfigError, "relaxation", lambda g, u: g.solve("ad3", relaxation=5.0)),
]


@pytest.mark.parametrize(("error", "message", "act"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_wrong_input_is_refused_in_words(
    error: type[Exception], message: str, act: Callable[[FactorGraph, Any], object]
) -> None:
    graph = FactorGraph()
    u = graph.variables([1.0, -1.0, 0.5])
    graph.exactly_one(u)
    with pytest.raises(error, match=message):
        act(graph, u)
    # What was refused has left no trace.
    assert len(graph) == 1 and graph.solve("ad3").assignment is not None
    assert graph.solve("ad3").value == 1.0


def test_every_solver_has_settings() -> None:
    assert set(SETTINGS) == set(SOLVERS)


def test_too_many_free_variables_are_not_enumerated() -> None:
    graph = FactorGraph()
    graph.variables(np.zeros(30))
    with pytest.raises(ConfigError, match="30"):
        graph.solve("enumerate")


def test_step_rules_are_told_apart() -> None:
    graph = FactorGraph()
    graph.exactly_one(graph.variables([1.0, 2.0]))
    with pytest.raises(ConfigError, match="unknown step rule 'polyak'; there are: increases, level"):
        graph.solve("subgradient", step_rule="polyak")
    with pytest.raises(ConfigError, match="first step"):
        graph.solve("subgradient", step_rule="level", step=0.5)


def test_an_empty_graph_has_the_empty_answer() -> None:
    for solver in ("ad3", "subgradient", "branch_and_bound", "enumerate"):
        answer = FactorGraph().solve(solver)
        assert (answer.status, answer.value, answer.bound) == ("optimal", 0.0, 0.0)


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "bp" and (HAVE_HIGHS or "lp" not in name)])
def test_variables_without_factors_follow_their_scores(solver: str) -> None:
    graph = FactorGraph()
    graph.variables([1.5, -2.0, 0.25])
    answer = graph.solve(solver)
    assert answer.assignment is not None and answer.assignment.tolist() == [True, False, True]
    assert (answer.status, answer.value) == ("optimal", 1.75)


def test_a_factor_without_messages_is_named() -> None:
    graph = FactorGraph()
    graph.variables(np.zeros(2))
    graph.factor(ListedFactor(), [0, 1])
    with pytest.raises(ConfigError, match="custom"):
        graph.solve("bp")


class ListedFactor:
    """Both or none."""

    def maximize(self, scores: np.ndarray[Any, Any]) -> tuple[list[int], float]:
        return ([1, 1], float(scores.sum())) if scores.sum() > 0 else ([0, 0], 0.0)
