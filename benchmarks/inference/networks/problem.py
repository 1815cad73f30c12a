# SPDX-License-Identifier: Apache-2.0
"""A problem as every solver gets it: variables with several values, tables of scores, budgets and unions.

The best setting has the largest sum of scores. Scores are whole multiples of ``STEP``, so that solvers of whole numbers
and solvers of floating-point numbers see one and the same problem. This module needs numpy alone: peers run in
interpreters that do not have Accord.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from accord.inference.graph import FactorGraph, Network

STEP = 1e-3
Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Budget:
    """The costs of those of these two-valued variables that have value 1 sum to at most the limit."""

    variables: NDArray[np.int64]
    costs: NDArray[np.int64]
    limit: int


@dataclass(frozen=True)
class Union:
    """The output has value 1 exactly when some input has."""

    inputs: NDArray[np.int64]
    output: int


@dataclass(frozen=True)
class Problem:
    """Choose a value for each variable; -inf in a table forbids a joint setting."""

    values: tuple[int, ...]
    tables: tuple[tuple[tuple[int, ...], Scores], ...]
    budgets: tuple[Budget, ...] = ()
    unions: tuple[Union, ...] = ()

    @property
    def is_network(self) -> bool:
        """Whether tables are all there is."""
        return not self.budgets and not self.unions

    def score(self, setting: Sequence[int]) -> float:
        """The total score of a value for each variable; -inf where something forbids the setting."""
        chosen = np.asarray(setting, np.int64)
        for budget in self.budgets:
            if int(budget.costs @ chosen[budget.variables]) > budget.limit:
                return -np.inf
        if any(int(chosen[union.output]) != int(chosen[union.inputs].any()) for union in self.unions):
            return -np.inf
        return float(sum(float(table[tuple(chosen[list(scope)])]) for scope, table in self.tables))

    def completed(self, setting: Sequence[int]) -> list[int]:
        """The setting with the outputs of all unions as their inputs make them."""
        chosen = np.asarray(setting, np.int64).copy()
        for union in self.unions:
            chosen[union.output] = int(chosen[union.inputs].any())
        return [int(value) for value in chosen]

    def alone(self) -> list[Scores]:
        """The score of each value of each variable by itself."""
        scores = [np.zeros(count) for count in self.values]
        for scope, table in self.tables:
            if len(scope) == 1:
                scores[scope[0]] = scores[scope[0]] + table
        return scores

    def network(self) -> Network:
        """For Accord: the problem as a network; only where tables are all there is."""
        from accord.inference.graph import Network

        if not self.is_network:
            raise ValueError("a network has no budgets and no unions")
        return Network(self.values, self.tables)

    def graph(self) -> FactorGraph:
        """For Accord: the problem as a factor graph."""
        if self.is_network:
            return self.network().graph
        from accord.inference.graph import FactorGraph

        if any(count != 2 for count in self.values) or any(len(scope) > 2 for scope, _ in self.tables):
            raise ValueError("a selection has variables of two values, and tables over one or two of them")
        graph = FactorGraph()
        graph.variables([own[1] - own[0] for own in self.alone()])
        for scope, table in self.tables:
            if len(scope) == 2:
                graph.table(scope, table)
        for budget in self.budgets:
            graph.budget(budget.variables, budget.costs, budget.limit)
        for union in self.unions:
            graph.or_output(union.inputs, union.output)
        return graph

    def setting(self, assignment: NDArray[np.bool_]) -> list[int]:
        """The values of all variables in an assignment of the factor graph."""
        if not self.is_network:
            return [int(on) for on in assignment[: len(self.values)]]
        ends = np.cumsum([0, *self.values])
        return [int(assignment[start:end].argmax()) for start, end in itertools.pairwise(ends)]


def rounded(scores: ArrayLike) -> Scores:
    """Scores as whole multiples of the step; -inf stays."""
    array = np.asarray(scores, np.float64)
    return np.where(np.isneginf(array), -np.inf, np.round(array / STEP) * STEP)


def logarithms(probabilities: ArrayLike) -> Scores:
    """Scores of a table of probabilities."""
    with np.errstate(divide="ignore"):
        return rounded(np.log(np.asarray(probabilities, np.float64)))


def save(problem: Problem, path: Path) -> None:
    """The problem as a file of a few flat arrays."""
    arrays: dict[str, Any] = {
        "values": np.array(problem.values, np.int64),
        "arities": np.array([len(scope) for scope, _ in problem.tables], np.int64),
        "scopes": np.array([variable for scope, _ in problem.tables for variable in scope], np.int64),
        "entries": np.concatenate([table.reshape(-1) for _, table in problem.tables] or [np.zeros(0)]),
        "limits": np.array([budget.limit for budget in problem.budgets], np.int64),
        "outputs": np.array([union.output for union in problem.unions], np.int64),
    }
    for place, budget in enumerate(problem.budgets):
        arrays[f"budget{place}"] = np.stack([budget.variables, budget.costs])
    arrays["fans"] = np.array([union.inputs.size for union in problem.unions], np.int64)
    arrays["inputs"] = np.concatenate([union.inputs for union in problem.unions] or [np.zeros(0, np.int64)])
    np.savez(path, **arrays)


def load(path: Path) -> Problem:
    with np.load(path) as file:
        arrays = dict(file)
    values = tuple(arrays["values"].tolist())
    scopes, entries, tables = arrays["scopes"].tolist(), arrays["entries"], []
    place = start = 0
    for arity in arrays["arities"].tolist():
        scope = tuple(scopes[place : place + arity])
        shape = tuple(values[variable] for variable in scope)
        size = int(np.prod(shape))
        tables.append((scope, entries[start : start + size].reshape(shape)))
        place, start = place + arity, start + size
    budgets = tuple(
        Budget(arrays[f"budget{place}"][0], arrays[f"budget{place}"][1], int(limit))
        for place, limit in enumerate(arrays["limits"])
    )
    rows = np.split(arrays["inputs"], np.cumsum(arrays["fans"])[:-1])
    unions = tuple(Union(row, int(output)) for row, output in zip(rows, arrays["outputs"], strict=False))
    return Problem(values, tuple(tables), budgets, unions)
