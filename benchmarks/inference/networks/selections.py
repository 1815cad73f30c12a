# SPDX-License-Identifier: Apache-2.0
"""Selections within budgets: knapsacks of several dimensions, and units that cover concepts."""

from __future__ import annotations

import numpy as np

from benchmarks.inference.networks.problem import Budget, Problem, Union, rounded


def _scores(scores: np.ndarray) -> list[tuple[tuple[int, ...], np.ndarray]]:
    return [((item,), np.array([0.0, score])) for item, score in enumerate(rounded(scores))]


def knapsack(random: np.random.Generator, items: int, budgets: int) -> Problem:
    """Items whose worth follows their costs, under several budgets; some pairs exclude each other."""
    costs = random.integers(5, 100, (budgets, items))
    worth = costs.mean(0) / 10 + random.uniform(0.5, 3.0, items)
    every = np.arange(items)
    rows = tuple(Budget(every, row.astype(np.int64), int(row.sum() // 3)) for row in costs)
    excluded = np.array([[0.0, 0.0], [0.0, -np.inf]])
    pairs = {tuple(sorted(random.choice(items, 2, replace=False).tolist())) for _ in range(items // 4)}
    tables = [*_scores(worth), *(((int(first), int(second)), excluded) for first, second in sorted(pairs))]
    return Problem((2,) * items, tuple(tables), rows)


def coverage(random: np.random.Generator, units: int, concepts: int) -> Problem:
    """Units of different lengths within one budget; each concept counts once, however many units cover it.

    Concepts are drawn with frequencies as words have them.
    """
    frequency = 1.0 / np.arange(1, concepts + 1)
    lengths = random.integers(5, 40, units)
    holds = [
        np.unique(random.choice(concepts, max(2, int(length) // 3), p=frequency / frequency.sum()))
        for length in lengths
    ]
    weights = rounded(random.gamma(2.0, 1.0, concepts))
    covered = [np.flatnonzero([concept in held for held in holds]) for concept in range(concepts)]
    kept = [concept for concept in range(concepts) if covered[concept].size]
    tables = _scores(np.concatenate([np.zeros(units), weights[kept]]))
    unions = tuple(Union(covered[concept], units + place) for place, concept in enumerate(kept))
    budget = Budget(np.arange(units), lengths.astype(np.int64), int(lengths.sum() // 6))
    return Problem((2,) * (units + len(kept)), tuple(tables), (budget,), unions)
