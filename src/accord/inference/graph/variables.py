# SPDX-License-Identifier: Apache-2.0
"""Variables and scores as they come in: any shape of integers, ``~v`` for the negation of v; checked and made flat."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Variables: TypeAlias = "int | np.integer[Any] | ArrayLike"


def whole(variables: Variables) -> NDArray[np.int64]:
    array = np.asarray(variables)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"variables are integers, not {array.dtype}")
    return array.astype(np.int64)


def decoded(variables: Variables) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Plain numbers, and which of them are negated (empty when none is)."""
    flat = np.ascontiguousarray(whole(variables).reshape(-1))
    negated = flat < 0
    if not negated.any():
        return flat, np.zeros(0, np.uint8)
    return np.where(negated, ~flat, flat), negated.astype(np.uint8)


def joined(inputs: Variables, output: Variables) -> NDArray[np.int64]:
    """Inputs followed by their output: one set, or one per row."""
    a, b = whole(inputs), whole(output)
    if b.ndim == 0:
        return np.concatenate([np.atleast_1d(a), [b]])
    return np.concatenate([a.reshape(b.size, -1), b.reshape(-1, 1)], axis=1)


def in_a_row(*arrays: ArrayLike, kind: type = np.int64) -> NDArray[Any]:
    """All entries one after the other; variables that are no integers stay what they are, to be refused as such."""
    flat = [np.asarray(array).reshape(-1) for array in arrays]
    return np.concatenate([row for row in flat if row.size] or [np.zeros(0, kind)])


def finite(values: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    array = np.ascontiguousarray(values)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    return array


def score_table(values: ArrayLike, shape: tuple[int, ...], name: str) -> NDArray[np.float64]:
    """Scores of a structured factor, flat; the core refuses NaN and +infinity."""
    array = np.asarray(values, np.float64)
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, not {array.shape}")
    return np.ascontiguousarray(array).reshape(-1)


def weighted(scores: ArrayLike, weight: float) -> NDArray[np.float64]:
    """Scores times a weight; what is forbidden stays forbidden."""
    array = np.asarray(scores, np.float64)
    if not np.isfinite(weight):
        raise ValueError("a weight must be a finite number")
    if weight == 1.0:
        return array
    forbidden = np.isneginf(array)
    return np.where(forbidden, -np.inf, np.where(forbidden, 0.0, array) * weight)
