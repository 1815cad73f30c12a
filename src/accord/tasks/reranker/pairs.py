# SPDX-License-Identifier: Apache-2.0
"""Pairs of a list's best candidate and another one, for boosting; and the log of boosting, which replays to any round.

Collins & Koo, Discriminative reranking for natural language parsing, CL 31(1), 2005.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import learn as _learn
from accord.learning.minimise import golden_section
from accord.tasks.reranker.dataset import Dataset
from accord.tasks.reranker.features import Floats

HIGHEST = 10.0  # of the weight of the base model's score


@dataclass(frozen=True)
class Pairs:
    """Examples of boosting: what one candidate has and the other one has not; see core/learn/ranking/boosting.hpp."""

    features: int
    starts: NDArray[np.int64]
    entries: NDArray[np.int32]
    lists: NDArray[np.int64]
    weights: Floats
    leads: Floats  # by how much the best candidate's start is ahead

    @staticmethod
    def of(data: Dataset, start: Floats, *, weighted: bool = True) -> Pairs:
        """The pairs of all lists; candidates as good as the best are in none."""
        entries, lengths, weights, leads, sizes = [], [], [], [], []
        for number, one in enumerate(data.lists):
            first = int(data.bounds[number])
            costs = one.costs
            target = one.target
            others = np.flatnonzero(costs > 0)
            sizes.append(len(others))
            if not len(others):
                continue
            begin, end = int(data.starts[first]), int(data.starts[first + one.size])
            local, columns = np.unique(data.columns[begin:end], return_inverse=True)
            has = np.zeros((one.size, len(local)), np.int8)
            owners = np.repeat(np.arange(one.size), np.diff(data.starts[first : first + one.size + 1]))
            has[owners, columns] = 1
            difference = has[target] - has[others]
            rows, places = np.nonzero(difference)
            entries.append((2 * local[places] + (difference[rows, places] < 0)).astype(np.int32))
            lengths.append(np.bincount(rows, minlength=len(others)))
            weights.append(costs[others] if weighted else np.ones(len(others)))
            leads.append(start[first + target] - start[first + others])
        return Pairs(
            len(data.keys),
            np.concatenate(([0], np.cumsum(_joined(lengths)))).astype(np.int64),
            _joined(entries).astype(np.int32),
            np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            _joined(weights).astype(np.float64),
            _joined(leads).astype(np.float64),
        )

    def calibrated(self) -> float:
        """The weight of the start that makes the exponential loss least: a convex function of one number."""
        if not len(self.leads) or not np.abs(self.leads).max() > 0:
            return 1.0
        logs = np.log(np.maximum(self.weights, 1e-300))

        def loss(weight: float) -> float:
            terms = logs - weight * self.leads
            top = float(terms.max())
            return top + float(np.log(np.exp(terms - top).sum()))

        return golden_section(loss, 0.0, HIGHEST, 40)

    def boosting(self, weight: float, loss: str, smoothing: float, sparse: bool) -> _learn.Boosting:
        """Boosting that begins with the start times a weight."""
        return _learn.Boosting(
            features=self.features,
            starts=self.starts,
            entries=self.entries,
            lists=self.lists,
            weights=self.weights,
            margins=weight * self.leads,
            loss=loss,
            smoothing=smoothing,
            sparse=sparse,
        )


def _joined(pieces: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(pieces) if pieces else np.zeros(0)


def replay(features: NDArray[np.int32], steps: Floats, rounds: int, width: int) -> Floats:
    """The weights after so many rounds."""
    return np.bincount(features[:rounds], steps[:rounds], minlength=width).astype(np.float64)


def savings(work: NDArray[np.int64], entries: int, first: int, last: int) -> float:
    """How many times less work rounds ``first`` to ``last`` took than as many passes over all entries."""
    done = int(work[first - 1 : last].sum())
    return (last - first + 1) * entries / max(done, 1)
