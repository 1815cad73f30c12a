# SPDX-License-Identifier: Apache-2.0
"""Mixtures: the weighted sum of what several rerankers say, with the base model's score as one of them.

The weights are those that are best on dev lists: one after the other is tried out on a grid, until none helps.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.tasks.reranker.dataset import Dataset
from accord.tasks.reranker.features import Floats

_GRID = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0, 3.0)
_SWEEPS = 4


def normalised(data: Dataset, scores: Floats) -> Floats:
    """Scores as logarithms of probabilities in each list."""
    found = scores.astype(np.float64).copy()
    for a, b in zip(data.bounds[:-1], data.bounds[1:], strict=True):
        top = found[a:b].max()
        found[a:b] -= top + np.log(np.exp(found[a:b] - top).sum())
    return found


def tuned(data: Dataset, components: Sequence[Floats]) -> Floats:
    """Weights of components, the first of which is the base model's score.

    The search begins with each component alone, with all alike, and takes what comes out best.
    """
    table = np.stack(components, axis=1)
    count = table.shape[1]
    starts = [np.eye(count)[one] for one in range(count)]
    starts.append(np.array([0.0, *np.full(count - 1, 1 / max(count - 1, 1))]))
    best: Floats = starts[-1]
    best_score = -1.0
    for start in starts:
        weights, score = _climbed(data, table, start)
        if score > best_score + 1e-9:
            best, best_score = weights, score
    return best


def _climbed(data: Dataset, table: Floats, start: Floats) -> tuple[Floats, float]:
    weights = start.copy()
    score = data.score(table @ weights).chosen
    for _ in range(_SWEEPS):
        before = score
        for place in range(len(weights)):
            for value in _GRID:
                tried = weights.copy()
                tried[place] = value
                found = data.score(table @ tried).chosen
                if found > score + 1e-9:
                    weights, score = tried, found
        if score == before:
            break
    return weights, score
