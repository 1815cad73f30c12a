# SPDX-License-Identifier: Apache-2.0
"""Scores of parts as they come in: dense arrays or tuples of words, checked and placed into the core's flat array."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import trees as _core
from accord.inference import _scores

PartScores: TypeAlias = ArrayLike | tuple[ArrayLike, ArrayLike]
FAMILIES = {"sibling": 3, "grandparent": 3, "grand_sibling": 4, "tri_sibling": 4}


def checked_arcs(arcs: ArrayLike) -> NDArray[np.float64]:
    scores = _scores.checked_scores(arcs)
    if scores.ndim != 2:
        raise ValueError(f"arcs must be (n+1, n+1), not {scores.shape}")
    _core.check(scores)
    return scores


def layout(arcs: NDArray[np.float64], families: list[str]) -> _core.PartLayout:
    """Slots for the parts made of the arcs whose score is not -inf."""
    candidates = (arcs > -np.inf) & _scores.arc_positions(len(arcs))
    by_dependent = np.argwhere(candidates.T)[:, ::-1]
    pairs = np.ascontiguousarray(by_dependent, dtype=np.int32)
    return _core.PartLayout(len(arcs) - 1, pairs, [_core.Part[name] for name in families])


def placed(
    layout: _core.PartLayout, family: str, given: PartScores, words: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The slot of each entry given for a family, -1 where it is of no part; and the entries as an array."""
    slots, tuples = layout.list_parts(_core.Part[family])
    shape = (words + 1,) * FAMILIES[family]
    if isinstance(given, tuple):
        wanted, scores = _checked_tuples(family, given, words)
        return _found(
            np.ravel_multi_index(tuple(wanted.T), shape), np.ravel_multi_index(tuple(tuples.T), shape), slots
        ), scores
    scores = np.asarray(given, dtype=np.float64)
    if scores.shape != shape:
        raise ValueError(f"{family} must be an array of shape {shape} or (tuples, scores), not {scores.shape}")
    dense = np.full(shape, -1, dtype=np.int64)
    dense[tuple(tuples.T)] = slots
    return dense, scores


def _found(wanted: NDArray[np.int64], known: NDArray[np.int64], slots: NDArray[np.int64]) -> NDArray[np.int64]:
    """The slot of each wanted key among the known ones, or -1."""
    known = np.append(known, np.iinfo(np.int64).max)  # so that every key has one at or after it
    order = np.argsort(known)
    nearest = order[np.searchsorted(known, wanted, sorter=order)]
    return np.where(known[nearest] == wanted, np.append(slots, -1)[nearest], -1)


def _checked_tuples(
    family: str, given: tuple[ArrayLike, ArrayLike], words: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    if len(given) != 2:
        raise ValueError(f"{family} must be given as an array or as (tuples, scores)")
    size = FAMILIES[family]
    tuples = np.asarray(given[0])
    scores = np.asarray(given[1], dtype=np.float64)
    if tuples.size == 0:
        tuples = np.zeros((0, size), dtype=np.int64)
    if tuples.ndim != 2 or tuples.shape[1] != size or not np.issubdtype(tuples.dtype, np.integer):
        raise ValueError(f"{family} tuples must be an integer array of shape (count, {size}), not {tuples.shape}")
    if scores.shape != (len(tuples),):
        raise ValueError(f"{family} must have one score a tuple: {len(tuples)}, not {scores.shape}")
    if ((tuples < 0) | (tuples > words)).any():
        raise ValueError(f"{family} tuples must hold words in 0..{words}")
    return tuples.astype(np.int64), scores
