# SPDX-License-Identifier: Apache-2.0
"""Coverage problems as linear programs, and as factor graphs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference import linear
from accord.inference.coverage.problem import CoverageProblem
from accord.inference.graph import FactorGraph

MOST_LEVELS = 100  # of a concept in a factor graph


def program(problem: CoverageProblem) -> linear.Arrays:
    """The program: units, then how much of each concept is covered, then the pairs that are penalised.

    The amount covered may stay a fraction in an integer program: it is as large as units and cap allow.
    """
    units, concepts, pairs = problem.units, problem.concepts, problem.redundancy
    first_pair = units + concepts
    rows: list[tuple[NDArray[np.int64], NDArray[np.float64], float]] = []
    everywhere = np.arange(units)
    rows += [(everywhere, costs, limit) for costs, limit in zip(problem.costs, problem.limits, strict=True)]
    ends = np.cumsum(np.bincount(problem.concept_of, minlength=concepts)) if concepts else np.zeros(0, np.int64)
    begin = 0
    for concept, end in enumerate(ends):  # covered - sum of counts <= 0
        of_units, counts = problem.unit_of[begin:end], problem.counts[begin:end]
        rows.append((np.append(of_units, units + concept), np.append(-counts, 1.0), 0.0))
        begin = end
    for k, (u, v, _) in enumerate(pairs):  # u + v - both <= 1
        rows.append((np.array([u, v, first_pair + k]), np.array([1.0, 1.0, -1.0]), 1.0))
    high = np.concatenate([problem.fitting.astype(np.float64), problem.caps, np.ones(len(pairs))])
    return linear.Arrays(
        scores=np.concatenate([problem.scores, problem.weights, [-penalty for *_, penalty in pairs]]),
        low=np.zeros(len(high)),
        high=high,
        integral=np.arange(len(high)) < units,
        row_starts=np.cumsum([0, *(len(columns) for columns, _, _ in rows)]),
        columns=np.concatenate([columns for columns, _, _ in rows]),
        coefficients=np.concatenate([coefficients for _, coefficients, _ in rows]),
        row_low=np.full(len(rows), -np.inf),
        row_high=np.array([limit for _, _, limit in rows], np.float64),
    )


def factor_graph(problem: CoverageProblem) -> FactorGraph:
    """The factor graph: units first; an OR for each concept, or a ladder of amounts where more than one counts."""
    graph = FactorGraph()
    x = graph.variables(np.where(problem.fitting, problem.scores, 0.0))
    for unit in np.flatnonzero(~problem.fitting):
        graph.exactly(0, x[[unit]])
    for costs, limit in zip(problem.costs, problem.limits, strict=True):
        paid = problem.fitting & (costs > 0)
        if costs[paid].sum() > limit:
            graph.budget(x[paid], costs[paid], limit)
    order = np.argsort(problem.concept_of, kind="stable")
    pieces = np.split(order, np.cumsum(np.bincount(problem.concept_of, minlength=problem.concepts))[:-1])
    for concept, occurrences in enumerate(pieces if problem.concepts else []):
        if len(occurrences) and problem.weights[concept] > 0 and problem.caps[concept] > 0:
            _add_concept(graph, problem, concept, x, occurrences)
    for u, v, penalty in problem.redundancy:
        graph.pair(x[u], x[v], -penalty)
    return graph


def _add_concept(
    graph: FactorGraph,
    problem: CoverageProblem,
    concept: int,
    x: NDArray[np.int64],
    occurrences: NDArray[np.int64],
) -> None:
    """Variables for the levels that the amount of a concept can reach, each worth what the level adds."""
    inputs, counts = x[problem.unit_of[occurrences]], problem.counts[occurrences]
    weight, cap = float(problem.weights[concept]), float(problem.caps[concept])
    inputs, counts = inputs[counts > 0], counts[counts > 0]
    if not len(counts):
        return
    if counts.min() >= cap:
        graph.or_output(inputs, graph.variable(weight * cap))
        return
    if (counts != np.round(counts)).any() or counts.sum() > MOST_LEVELS:
        raise ConstraintError(f"ad3: the counts of a concept with a cap must be whole and at most {MOST_LEVELS}")
    for level in range(1, int(min(counts.sum(), np.ceil(cap))) + 1):
        reached = graph.variable(weight * (min(cap, level) - (level - 1)))
        # level * reached <= sum of counts, written with negated inputs
        graph.budget(np.append(~inputs, reached), np.append(counts, float(level)), float(counts.sum()))
