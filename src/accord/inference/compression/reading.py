# SPDX-License-Identifier: Apache-2.0
"""What a compression problem is given, as arrays of the right shape; ConstraintError says what is wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.errors import ConstraintError

Numbers = NDArray[np.float64]


def read_scores(values: ArrayLike, shape: tuple[int, ...] | None, what: str) -> Numbers:
    """A copy that cannot be changed: programmes are made of it once."""
    array = np.array(values, np.float64)
    if array.ndim != 1 if shape is None else array.shape != shape:
        raise ConstraintError(f"{what} must be an array of shape {shape or '(n,)'}, not {array.shape}")
    if np.isnan(array).any() or (array == np.inf).any():
        raise ConstraintError(f"{what} must not be NaN or +infinity")
    array.setflags(write=False)
    return array


def read_heads(heads: ArrayLike, n: int) -> NDArray[np.int32]:
    array = np.asarray(heads)
    if array.shape != (n + 1,) or not np.issubdtype(array.dtype, np.integer):
        raise ConstraintError(f"heads must be {n + 1} whole numbers, the first of them -1")
    if n and not 0 <= array[1:].min() <= array[1:].max() <= n:
        raise ConstraintError(f"heads must be words 1 to {n}, or 0 for the root")
    above = array.copy()
    above[0] = 0
    for _ in range(int(n).bit_length() + 1):  # twice as far up each time
        above = above[above]
    if above.any():
        raise ConstraintError("heads must form a tree, not a circle")
    out = array.astype(np.int32)
    out[0] = -1
    return out


def read_mask(values: ArrayLike | None, n: int, what: str) -> NDArray[np.bool_]:
    array = np.zeros(n, np.bool_) if values is None else np.asarray(values)
    if array.shape != (n,) or array.dtype != np.bool_:
        raise ConstraintError(f"{what} must be {n} booleans")
    return array


def read_costs(costs: ArrayLike | None, n: int) -> NDArray[np.int32]:
    array = np.ones(n, np.int32) if costs is None else np.asarray(costs)
    if array.shape != (n,) or (n and (array != np.floor(array)).any()):
        raise ConstraintError(f"costs must be {n} whole numbers")
    if n and (array.min() < 0 or array.sum() > 2**24):
        raise ConstraintError("costs must not be negative, and their sum at most 2^24")
    return array.astype(np.int32)
