# SPDX-License-Identifier: Apache-2.0
"""Coverage problems as linear programs, and as factor graphs.

Units that an occurrence needs only because others of its units require them are left out (the core does so), which is
why most occurrences of shortened sentences need no variable of their own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference import linear
from accord.inference.coverage.problem import CoverageProblem
from accord.inference.graph import FactorGraph

MOST_LEVELS = 100  # of a concept in a factor graph
_Entries = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]  # row, column, coefficient


def program(problem: CoverageProblem) -> linear.Arrays:
    """The program: units, then how much of each concept is covered, then occurrences of several units, then pairs.

    The amount covered may stay a fraction in an integer program: it is as large as units and cap allow.
    """
    units, concepts, pairs = problem.units, problem.concepts, problem.redundancy
    found = problem.occurrences
    starts, needs = (np.asarray(one, np.int64) for one in problem.native.needs())
    sizes = np.diff(starts)
    joined = np.flatnonzero(sizes > 1)
    column = np.full(len(sizes), -1, np.int64)  # that stands for each occurrence
    column[sizes == 1] = needs[starts[:-1][sizes == 1]]
    column[joined] = units + concepts + np.arange(len(joined))
    first_pair = units + concepts + len(joined)
    counts = np.minimum(found.counts, problem.caps[found.concept_of])
    parts: list[tuple[_Entries, int, float]] = []  # entries, rows, and the limit of all of these rows
    for costs, limit in zip(problem.costs, problem.limits, strict=True):
        parts.append(((np.zeros(units, np.int64), np.arange(units), costs), 1, float(limit)))
    parts.append((_differences(problem.requires[:, 0], problem.requires[:, 1]), len(problem.requires), 0.0))
    of_joined = np.repeat(np.arange(len(sizes)), sizes)
    inside = sizes[of_joined] > 1
    parts.append((_differences(column[of_joined[inside]], needs[inside]), int(inside.sum()), 0.0))
    everything = np.arange(concepts)  # covered - sum of counts <= 0
    cover = (
        np.concatenate([found.concept_of, everything]),
        np.concatenate([column, units + everything]),
        np.concatenate([-counts, np.ones(concepts)]),
    )
    parts.append((cover, concepts, 0.0))
    row = np.arange(len(pairs))
    ends = np.array([(u, v) for u, v, _ in pairs], np.int64).reshape(-1, 2)
    both = (np.tile(row, 3), np.concatenate([*ends.T, first_pair + row]), np.repeat([1.0, 1.0, -1.0], len(row)))
    parts.append((both, len(pairs), 1.0))  # u + v - both <= 1
    fitting = problem.fitting.astype(np.float64)
    high = np.concatenate([fitting, problem.caps, np.ones(len(joined)), np.ones(len(pairs))])
    penalties = np.array([-penalty for *_, penalty in pairs], np.float64)
    scores = np.concatenate([problem.scores, problem.weights, np.zeros(len(joined)), penalties])
    return _arrays(parts, scores, high, np.arange(len(high)) < units)


def _differences(less: NDArray[np.int64], more: NDArray[np.int64]) -> _Entries:
    """Rows less - more <= 0."""
    rows = np.arange(len(less))
    return np.tile(rows, 2), np.concatenate([less, more]), np.repeat([1.0, -1.0], len(rows))


def _arrays(
    parts: list[tuple[_Entries, int, float]],
    scores: NDArray[np.float64],
    high: NDArray[np.float64],
    integral: NDArray[np.bool_],
) -> linear.Arrays:
    before = np.cumsum([0, *(rows for _, rows, _ in parts)])
    row = np.concatenate([entries[0] + first for (entries, _, _), first in zip(parts, before, strict=False)])
    columns = np.concatenate([entries[1] for entries, _, _ in parts])
    coefficients = np.concatenate([entries[2] for entries, _, _ in parts])
    rows = int(before[-1])
    # Several occurrences of a concept may stand for the same unit: their coefficients are summed.
    keys, place = np.unique(row * (len(scores) + 1) + columns, return_inverse=True)
    return linear.Arrays(
        scores=scores,
        low=np.zeros(len(high)),
        high=high,
        integral=integral,
        row_starts=np.concatenate([[0], np.cumsum(np.bincount(keys // (len(scores) + 1), minlength=rows))]),
        columns=keys % (len(scores) + 1),
        coefficients=np.bincount(place, coefficients, minlength=len(keys)).astype(np.float64),
        row_low=np.full(rows, -np.inf),
        row_high=np.concatenate([np.full(many, limit) for _, many, limit in parts]) if rows else np.zeros(0),
    )


def factor_graph(problem: CoverageProblem) -> FactorGraph:
    """The factor graph: units first.

    A budget each, a factor for what requires what, an AND for each occurrence of several units, an OR for each concept
    (or a ladder of amounts where more than one counts), and pairs.
    """
    graph = FactorGraph()
    fitting = problem.fitting
    x = graph.variables(np.where(fitting, problem.scores, 0.0))
    for unit in np.flatnonzero(~fitting):
        graph.exactly(0, x[[unit]])
    for costs, limit in zip(problem.costs, problem.limits, strict=True):
        paid = fitting & (costs > 0)
        if costs[paid].sum() > limit:
            graph.budget(x[paid], costs[paid], limit)
    _add_requirements(graph, problem, x)
    _add_concepts(graph, problem, x)
    for u, v, penalty in problem.redundancy:
        graph.pair(x[u], x[v], -penalty)
    return graph


def _add_requirements(graph: FactorGraph, problem: CoverageProblem, x: NDArray[np.int64]) -> None:
    """A factor for each tree of requirements; units that require several others have a factor for each of those."""
    if not len(problem.requires):
        return
    needy, required = problem.requires.T
    single = (np.bincount(needy, minlength=problem.units) == 1)[needy]
    if not single.all():
        graph.implies(x[needy[~single]][:, None], x[required[~single]])
    above = np.full(problem.units, -1, np.int64)
    above[needy[single]] = required[single]
    top = np.where(above >= 0, above, np.arange(problem.units))
    while (top[top] != top).any():
        top = top[top]
    order = np.argsort(top, kind="stable")
    place = np.full(problem.units, -1, np.int64)
    for tree in np.split(order, np.flatnonzero(np.diff(top[order])) + 1):
        if len(tree) > 1:
            place[tree] = np.arange(len(tree))
            graph.subtree(np.where(above[tree] >= 0, place[above[tree]], -1), x[tree])


def _add_concepts(graph: FactorGraph, problem: CoverageProblem, x: NDArray[np.int64]) -> None:
    found, fitting = problem.occurrences, problem.fitting
    starts, needs = (np.asarray(one, np.int64) for one in problem.native.needs())
    sizes = np.diff(starts)
    concept = found.concept_of
    possible = np.minimum.reduceat(fitting[needs], starts[:-1]) if len(needs) else np.zeros(0, np.bool_)
    counted = possible & (found.counts > 0) & ((problem.weights * problem.caps)[concept] > 0)
    stands = np.full(len(sizes), -1, np.int64)  # variable of each occurrence
    stands[sizes == 1] = x[needs[starts[:-1][sizes == 1]]]
    for size in np.unique(sizes[counted & (sizes > 1)]):
        mine = np.flatnonzero(counted & (sizes == size))
        stands[mine] = graph.variables(np.zeros(len(mine)))
        rows = needs[starts[mine][:, None] + np.arange(size)]
        graph.and_output(x[rows], stands[mine])
    at = np.flatnonzero(counted)
    pieces = np.split(at, np.cumsum(np.bincount(concept[at], minlength=problem.concepts))[:-1]) if len(at) else []
    plain: dict[int, list[tuple[float, NDArray[np.int64]]]] = {}
    for c, mine in enumerate(pieces):
        if not len(mine):
            continue
        weight, cap = float(problem.weights[c]), float(problem.caps[c])
        inputs, counts = _summed(stands[mine], found.counts[mine])
        if counts.min() >= cap:
            plain.setdefault(len(inputs), []).append((weight * cap, inputs))
        else:
            _add_levels(graph, weight, cap, inputs, counts)
    for _, ors in sorted(plain.items()):
        outputs = graph.variables([worth for worth, _ in ors])
        graph.or_output(np.stack([inputs for _, inputs in ors]), outputs)


def _summed(variables: NDArray[np.int64], counts: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Each variable once, with all that it brings."""
    names, place = np.unique(variables, return_inverse=True)
    return names, np.bincount(place, counts).astype(np.float64)


def _add_levels(
    graph: FactorGraph, weight: float, cap: float, inputs: NDArray[np.int64], counts: NDArray[np.float64]
) -> None:
    """Variables for the levels that the amount of a concept can reach, each worth what the level adds."""
    if (counts != np.round(counts)).any() or counts.sum() > MOST_LEVELS:
        raise ConstraintError(f"ad3: the counts of a concept with a cap must be whole and at most {MOST_LEVELS}")
    for level in range(1, int(min(counts.sum(), np.ceil(cap))) + 1):
        reached = graph.variable(weight * (min(cap, level) - (level - 1)))
        # level * reached <= sum of counts, written with negated inputs
        graph.budget(np.append(~inputs, reached), np.append(counts, float(level)), float(counts.sum()))
