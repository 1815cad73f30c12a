# SPDX-License-Identifier: Apache-2.0
"""Best closed sets of items: some items require others, and each item has a weight of either sign.

A set is closed when it holds all that its items require. Projects that need equipment, words that need their heads and
concepts that need the sentences they stand in are all of this kind. The answer is a minimum cut of a network and is
found by a maximum flow (Picard 1976).

>>> max_closure([5, -2, 4, -6], arcs=[(0, 1), (2, 1), (2, 3)]).tolist()  # the first project pays for its equipment
[True, True, False, False]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import graph as _core
from accord.errors import ConstraintError

__all__ = ["max_closure", "max_supermodular", "parametric_closure"]


def max_closure(weights: ArrayLike, arcs: ArrayLike = ()) -> NDArray[np.bool_]:
    """The closed set of largest total weight; of several such sets, the smallest.

    Parameters
    ----------
    weights:
        One finite number for each item.
    arcs:
        Pairs (item, required item). Cycles are allowed: their items are in the set together or not at all.

    Returns
    -------
    Whether each item is in the set.

    The search needs memory in proportion to items and arcs. A gain below 2^-44 of the weights that it is made of is
    rounding and counts as no gain; no other constant depends on the scale of the weights.
    """
    values = _numbers(weights, "weights")
    try:
        return _core.max_closure(values, _pairs(arcs, values.size)).astype(np.bool_)
    except ValueError as error:
        raise ConstraintError(f"max_closure: {error}") from None


def parametric_closure(weights: ArrayLike, costs: ArrayLike, arcs: ArrayLike = ()) -> NDArray[np.float64]:
    """The best closed sets under the weights ``weights - price * costs``, for all prices >= 0 at once.

    The sets shrink as the price grows (Gallo, Grigoriadis & Tarjan 1989), so one number for each item tells all of
    them: the best set at a price is ``limits > price``. A limit of 0 says that the item is in no best set, an infinite
    limit that it is in every one of them. Costs are not negative.

    >>> parametric_closure([6, 2, 3], costs=[2, 1, 1], arcs=[(2, 1)])
    array([3. , 2.5, 2.5])
    """
    values, prices = _numbers(weights, "weights"), _numbers(costs, "costs")
    try:
        limits: NDArray[np.float64] = _core.parametric_closure(values, prices, _pairs(arcs, values.size))
    except ValueError as error:
        raise ConstraintError(f"parametric_closure: {error}") from None
    return limits


def max_supermodular(linear: ArrayLike, pairs: ArrayLike = (), gains: ArrayLike = ()) -> NDArray[np.bool_]:
    """The set of items with the largest sum of items and of pairs that are both in it; of several, the smallest.

    Parameters
    ----------
    linear:
        One finite number for each item, of either sign.
    pairs, gains:
        Pairs of items, and what each pair brings when both are in the set: not negative. With gains of this sign the
        sum is supermodular, and a minimum cut finds its maximum: a pair is one more item, which requires its two.

    >>> max_supermodular([-2, -1, 1], pairs=[(0, 1), (1, 2)], gains=[1.5, 0.5]).tolist()
    [False, False, True]
    >>> max_supermodular([-2, -1, 1], pairs=[(0, 1), (1, 2)], gains=[2.5, 0.75]).tolist()
    [True, True, True]
    """
    values, extra = _numbers(linear, "linear"), _numbers(gains, "gains")
    ends = _pairs(pairs, values.size)
    if len(ends) != extra.size:
        raise ConstraintError(f"max_supermodular: {extra.size} gains for {len(ends)} pairs")
    if not (extra >= 0).all():
        raise ConstraintError("max_supermodular: gains must not be negative")
    items = values.size + np.repeat(np.arange(len(ends)), 2)
    arcs = np.stack([items, ends.reshape(-1)], axis=1).astype(np.int32)
    return max_closure(np.concatenate([values, extra]), arcs)[: values.size]


def _numbers(values: ArrayLike, what: str) -> NDArray[np.float64]:
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ConstraintError(f"{what} must be one number for each item, not an array of shape {array.shape}")
    return array


def _pairs(arcs: ArrayLike, items: int) -> NDArray[np.int32]:
    array = np.asarray(arcs)
    if array.size == 0:
        return np.zeros((0, 2), np.int32)
    if array.ndim != 2 or array.shape[1] != 2 or not np.issubdtype(array.dtype, np.integer):
        raise ConstraintError("arcs must be pairs (item, required item) of whole numbers")
    if array.min() < 0 or array.max() >= items:
        raise ConstraintError(f"arcs must be between items 0 to {items - 1}")
    return np.ascontiguousarray(array, dtype=np.int32)
