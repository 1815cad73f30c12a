# SPDX-License-Identifier: Apache-2.0
"""Proximity operators of penalties that make groups of weights exactly zero, on numpy arrays.

    prox(x) = argmin over z of |z - x|^2 / 2 + threshold * sum over groups of weight * |z restricted to the group|

Groups that do not overlap are shrunk one by one. Nested groups are shrunk from the smallest to the largest, which is
exact. Other overlapping groups are put into layers, which are applied one after the other: this is what online proximal
gradient needs (Martins et al. 2011), and it is not the exact operator of the sum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import learn as _learn

Numbers = NDArray[np.float64]


class Groups:
    """Groups of the entries of an array, each with a weight.

    >>> pairs = Groups([[0, 1], [2]], 3)
    >>> pairs.prox([3.0, 4.0, 0.5], 1.0).round(6).tolist()
    [2.4, 3.2, 0.0]
    """

    def __init__(self, members: Sequence[Sequence[int]], entries: int, weights: ArrayLike | None = None) -> None:
        self.members = tuple(tuple(int(entry) for entry in group) for group in members)
        self.entries = entries
        self._native = _learn.GroupStructure([list(group) for group in self.members], entries)
        self.weights = np.ones(len(self.members)) if weights is None else np.array(weights, np.float64)
        self._native.set_weights(self.weights)

    @staticmethod
    def singletons(entries: int) -> Groups:
        """Every entry by itself: the lasso."""
        return Groups([[entry] for entry in range(entries)], entries)

    def __len__(self) -> int:
        return len(self.members)

    @property
    def layers(self) -> list[list[int]]:
        """Groups that are shrunk together, in the order of the layers; those of a layer do not overlap."""
        return self._native.layers

    def prox(self, values: ArrayLike, threshold: float) -> Numbers:
        """The values after a proximal step."""
        return self._native.prox(np.ascontiguousarray(values, np.float64), threshold)

    def ratios(self, values: ArrayLike) -> Numbers:
        """The norm of each group in units of its weight: a proximal step with a larger threshold makes it zero."""
        return self._native.ratios(np.ascontiguousarray(values, np.float64))

    def shrink_to_budget(self, values: ArrayLike, budget: int) -> Numbers:
        """The values after the proximal step that leaves at most ``budget`` groups."""
        numbers = np.ascontiguousarray(values, np.float64)
        return self.prox(numbers, self._native.threshold_for(numbers, budget))


def soft_threshold(values: ArrayLike, threshold: float) -> Numbers:
    """Every value nearer to zero by the threshold: the proximity operator of the sum of absolute values.

    >>> soft_threshold([3.0, -0.5], 1.0).tolist()
    [2.0, 0.0]
    """
    return _learn.soft_threshold(np.ascontiguousarray(values, np.float64), threshold)


def prox_sparse_groups(values: ArrayLike, groups: Groups, threshold: float, lasso: float) -> Numbers:
    """The proximity operator of a group penalty and the sum of absolute values together (sparse group lasso)."""
    return groups.prox(soft_threshold(values, lasso), threshold)


def budget_threshold(ratios: ArrayLike, budget: int) -> float:
    """The threshold that leaves at most so many of the ratios: half-way between the last that stays and the next."""
    return _learn.budget_threshold(np.ascontiguousarray(ratios, np.float64), budget)
