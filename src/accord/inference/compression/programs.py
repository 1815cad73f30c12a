# SPDX-License-Identifier: Apache-2.0
"""Compression problems as integer programs, after Thadani & McKeown (2013).

Columns: x[i] for words, b[i, j] for neighbours (0 and n+1 the ends of the sentence), y[h, m] for arcs, and a flow along
arcs that keeps them connected and free of circles:

    b is a path from 0 to n+1 through the kept words; the step from 0 to n+1 keeps nothing
    without scores of neighbours one column says that nothing is kept, so that subtrees have n+1 columns in all
    sum over h of y[h, m] = x[m];   y[h, m] <= x[h];   one arc from the root, none if nothing is kept
    f[h, m] <= n y[h, m];   sum over h of f[h, m] - sum over k of f[m, k] = x[m]
    y[h, m] + y[k, l] <= 1  for arcs that cross, where trees are projective

With statuses of words and heads, four columns a word, v[m, a, b], after Martins & Smith (2009):

    sum over a, b of v[m, a, b] = 1;   v[m, 1, 0] + v[m, 1, 1] = x[m];   v[m, 0, 1] + v[m, 1, 1] = x[head of m], or 1
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.inference import linear
from accord.inference.compression.problem import CompressionProblem

Found = tuple[NDArray[np.bool_], "NDArray[np.int32] | None", float, bool]


class _Rows:
    """A program under construction: columns with scores, and rows over them."""

    def __init__(self) -> None:
        self.scores: list[float] = []
        self.high: list[float] = []
        self.integral: list[bool] = []
        self.rows: list[tuple[float, list[int], list[float], float]] = []

    def column(self, score: float, *, high: float = 1.0, integral: bool = True) -> int:
        self.scores.append(score if score > -math.inf else 0.0)
        self.high.append(high if score > -math.inf else 0.0)
        self.integral.append(integral)
        return len(self.scores) - 1

    def row(self, low: float, terms: list[tuple[int, float]], high: float) -> None:
        self.rows.append((low, [column for column, _ in terms], [factor for _, factor in terms], high))

    def arrays(self, low: NDArray[np.float64]) -> linear.Arrays:
        return linear.Arrays(
            scores=np.array(self.scores),
            low=np.append(low, np.zeros(len(self.scores) - len(low))),
            high=np.array(self.high),
            integral=np.array(self.integral),
            row_starts=np.cumsum([0, *(len(columns) for _, columns, _, _ in self.rows)]),
            columns=np.array([column for _, columns, _, _ in self.rows for column in columns], np.int64),
            coefficients=np.array([factor for _, _, factors, _ in self.rows for factor in factors], np.float64),
            row_low=np.array([row[0] for row in self.rows], np.float64),
            row_high=np.array([row[3] for row in self.rows], np.float64),
        )


def solve(
    problem: CompressionProblem,
    window: tuple[int, int],
    additions: NDArray[np.float64],
    seconds: float,
    projective: bool,
) -> Found | None:
    """Kept words, heads, bound and whether it is met; None where nothing is feasible."""
    arrays, arcs = program(problem, window, additions, projective)
    n = problem.words.size
    found = linear.solve(arrays, True, time_limit=None if math.isinf(seconds) else seconds)
    if found.status == "infeasible" or not found.columns.size:
        return None
    kept = found.columns[:n] > 0.5
    heads: NDArray[np.int32] | None = None
    if problem.heads is not None and problem.statuses is None:
        heads = np.where(np.append(False, kept), problem.heads, -1).astype(np.int32)
    if arcs:
        heads = np.full(n + 1, -1, np.int32)
        for (head, dependent), column in arcs.items():
            if found.columns[column] > 0.5:
                heads[dependent] = head
    return kept, heads, found.bound + problem.constant, found.status == "optimal"


def program(
    problem: CompressionProblem, window: tuple[int, int], additions: NDArray[np.float64], projective: bool = True
) -> tuple[linear.Arrays, dict[tuple[int, int], int]]:
    """The program, whose first columns are the words, and the columns of arcs; ``problem.constant`` is not in it."""
    rows = _Rows()
    words, nothing = _add_sentence(rows, problem, additions)
    rows.row(window[0], [(word, float(cost)) for word, cost in zip(words, problem.costs, strict=True)], window[1])
    arcs = _add_arcs(rows, problem, words, nothing, projective) if problem.arcs is not None else {}
    return rows.arrays((problem.fates[1:] == 1).astype(np.float64)), arcs


def joint_program(
    problems: Sequence[CompressionProblem], worths: ArrayLike, limit: int, least_share: float
) -> linear.Arrays:
    """The program of sentences that are chosen and shortened at once, in problems that have a score of keeping nothing.

    With u for a sentence that is used, beside the columns of its words x:

        u + (nothing is kept) = 1;   x[i] <= u;   least * u <= costs @ x;   the costs of all sentences <= limit
    """
    rows = _Rows()
    low: list[float] = []
    budget: list[tuple[int, float]] = []
    for problem, worth in zip(problems, np.asarray(worths, np.float64).tolist(), strict=True):
        words, nothing = _add_sentence(rows, problem, np.zeros(problem.words.size))
        used = rows.column(worth)
        rows.row(1.0, [(used, 1.0), (nothing, 1.0)], 1.0)
        for word in words:
            rows.row(-math.inf, [(word, 1.0), (used, -1.0)], 0.0)
        costs = [(word, float(cost)) for word, cost in zip(words, problem.costs, strict=True)]
        least = max(1, math.ceil(least_share * problem.costs.sum() - 1e-9))
        rows.row(0.0, [*costs, (used, -float(least))], math.inf)
        budget += costs
        low += [*(problem.fates[1:] == 1).astype(float), *[0.0] * (len(rows.scores) - len(low) - len(words))]
    rows.row(-math.inf, budget, float(limit))
    return rows.arrays(np.array(low))


def _add_sentence(rows: _Rows, problem: CompressionProblem, additions: NDArray[np.float64]) -> tuple[list[int], int]:
    """Columns of words, and the one that says that nothing is kept; a table of arcs is left out."""
    scores = np.where(problem.drop, -np.inf, problem.folded_words() + additions)
    words = [rows.column(float(score)) for score in scores]
    for word, needs in problem.word_rules:
        rows.row(-math.inf, [(words[word - 1], 1.0), (words[needs - 1], -1.0)], 0.0)
    empty = -math.inf if problem.empty is None else float(problem.empty)
    if problem.bigrams is not None:
        nothing = _add_path(rows, problem.bigrams, words, empty)
    else:
        nothing = rows.column(empty)
        if problem.statuses is None or empty != 0.0:  # otherwise keeping nothing is a choice like any other
            rows.row(1.0, [(column, 1.0) for column in (*words, nothing)], math.inf)
            for word in words:
                rows.row(-math.inf, [(word, 1.0), (nothing, 1.0)], 1.0)
    if problem.programme == "subtree":
        _add_tree(rows, problem, words)
    if problem.statuses is not None:
        _add_statuses(rows, problem, words)
    return words, nothing


def _add_path(rows: _Rows, bigrams: NDArray[np.float64], words: list[int], empty: float) -> int:
    """Neighbours; returns the column that says that nothing is kept."""
    n = len(words)
    steps: dict[tuple[int, int], int] = {}
    for i, j in itertools.combinations(range(n + 2), 2):
        if (i, j) == (0, n + 1):
            steps[i, j] = rows.column(empty)
        else:
            steps[i, j] = rows.column(float(bigrams[i, j % (n + 1)]))
    rows.row(1.0, [(steps[0, j], 1.0) for j in range(1, n + 2)], 1.0)
    rows.row(1.0, [(steps[i, n + 1], 1.0) for i in range(n + 1)], 1.0)
    for word in range(1, n + 1):
        column = words[word - 1]
        rows.row(0.0, [*((steps[i, word], 1.0) for i in range(word)), (column, -1.0)], 0.0)
        rows.row(0.0, [*((steps[word, j], 1.0) for j in range(word + 1, n + 2)), (column, -1.0)], 0.0)
    return steps[0, n + 1]


def _add_tree(rows: _Rows, problem: CompressionProblem, words: list[int]) -> None:
    """Whole subtrees of the given tree are deleted."""
    assert problem.heads is not None
    for word, head in enumerate(problem.heads[1:], start=1):
        if head > 0:
            tied = problem.tied[word - 1]
            rows.row(0.0 if tied else -math.inf, [(words[word - 1], 1.0), (words[head - 1], -1.0)], 0.0)
        elif problem.tied[word - 1]:
            rows.row(1.0, [(words[word - 1], 1.0)], 1.0)


def _add_statuses(rows: _Rows, problem: CompressionProblem, words: list[int]) -> None:
    """The status of each word together with that of its head."""
    assert problem.statuses is not None and problem.heads is not None
    for word, head in enumerate(problem.heads[1:].tolist(), start=1):
        both = [[rows.column(float(score)) for score in row] for row in problem.statuses[word - 1]]
        rows.row(1.0, [(column, 1.0) for row in both for column in row], 1.0)
        rows.row(0.0, [(both[1][0], 1.0), (both[1][1], 1.0), (words[word - 1], -1.0)], 0.0)
        above = [(both[0][1], 1.0), (both[1][1], 1.0)]
        rows.row(0.0 if head else 1.0, [*above, (words[head - 1], -1.0)] if head else above, 0.0 if head else 1.0)


def _add_arcs(
    rows: _Rows, problem: CompressionProblem, words: list[int], nothing: int, projective: bool
) -> dict[tuple[int, int], int]:
    """A tree over the kept words."""
    assert problem.arcs is not None
    n = len(words)
    pairs = [(h, m) for h in range(n + 1) for m in range(1, n + 1) if h != m and problem.arcs[h, m] > -math.inf]
    arcs = {pair: rows.column(float(problem.arcs[pair])) for pair in pairs}
    flows = {pair: rows.column(0.0, high=float(n), integral=False) for pair in pairs}
    rows.row(1.0, [*((arcs[pair], 1.0) for pair in pairs if pair[0] == 0), (nothing, 1.0)], 1.0)
    for word in range(1, n + 1):
        column = words[word - 1]
        into = [pair for pair in pairs if pair[1] == word]
        out = [pair for pair in pairs if pair[0] == word]
        rows.row(0.0, [*((arcs[pair], 1.0) for pair in into), (column, -1.0)], 0.0)
        flow = [*((flows[pair], 1.0) for pair in into), *((flows[pair], -1.0) for pair in out), (column, -1.0)]
        rows.row(0.0, flow, 0.0)
        for pair in out:
            rows.row(-math.inf, [(arcs[pair], 1.0), (column, -1.0)], 0.0)
    for pair in pairs:
        rows.row(-math.inf, [(flows[pair], 1.0), (arcs[pair], -float(n))], 0.0)
    if projective:
        for first, second in itertools.combinations(pairs, 2):
            (a, b), (c, d) = sorted((sorted(first), sorted(second)))
            if a < c < b < d:
                rows.row(-math.inf, [(arcs[first], 1.0), (arcs[second], 1.0)], 1.0)
    return arcs
