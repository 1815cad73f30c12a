# SPDX-License-Identifier: Apache-2.0
"""Arc scores as they come in: checked, masked, and freed of their labels.

Scores are ``(n+1, n+1)`` or, labelled, ``(n+1, n+1, L)``; the diagonal and column 0 are no arcs and may hold anything.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.errors import ConstraintError
from accord.inference import _labels


def checked_scores(scores: ArrayLike) -> NDArray[np.float64]:
    array = np.ascontiguousarray(scores, dtype=np.float64)
    if array.ndim not in (2, 3) or array.shape[0] != array.shape[1] or 0 in array.shape:
        raise ValueError(f"scores must be (n+1, n+1) or (n+1, n+1, labels), not {array.shape}")
    # Unlabelled scores are checked by the core. Here, before a maximum over labels hides NaN, which fails `<` too.
    if array.ndim == 3 and not (array[arc_positions(len(array))] < np.inf).all():
        raise ValueError("the score of a labelled arc is NaN or +infinity")
    return array


def best_over_labels(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return scores if scores.ndim == 2 else _labels.best_over_labels(scores)


def sum_over_labels(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return scores if scores.ndim == 2 else _labels.log_sum_over_labels(ignored_as_zero(scores))


def best_labels(scores: NDArray[np.float64], heads: NDArray[np.int32]) -> NDArray[np.int32] | None:
    if scores.ndim == 2:
        return None
    labels = np.full(len(heads), -1, dtype=np.int32)
    labels[1:] = _labels.arc_label_scores(scores, heads).argmax(axis=1)
    return labels


def share_among_labels(marginals: NDArray[np.float64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    if scores.ndim == 2:
        return marginals
    shares = _labels.label_shares(ignored_as_zero(scores))
    return np.where(marginals[..., None] > 0.0, marginals[..., None] * shares, 0.0)


def arc_positions(width: int) -> NDArray[np.bool_]:
    positions = ~np.eye(width, dtype=np.bool_)
    positions[:, 0] = False
    return positions


def ignored_as_zero(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Entries that are no arcs may hold anything, NaN too; zero keeps sums over labels quiet."""
    cleaned: NDArray[np.float64] = scores.copy()
    cleaned[~arc_positions(len(scores))] = 0.0
    return cleaned


def _mask(mask: ArrayLike, scores: NDArray[np.float64], name: str) -> NDArray[np.bool_]:
    array = np.asarray(mask)
    if array.dtype != np.bool_ or array.shape not in (scores.shape, scores.shape[:2]):
        raise ValueError(f"{name} must be a boolean array of shape {scores.shape[:2]} or that of the scores")
    if array.ndim < scores.ndim:
        array = np.broadcast_to(array[..., None], scores.shape)
    return array


def constrained(
    scores: NDArray[np.float64], forbid: ArrayLike | None, require: ArrayLike | None
) -> NDArray[np.float64]:
    """The scores with -inf on every arc that the masks exclude."""
    if forbid is not None:
        scores = np.where(_mask(forbid, scores, "forbid"), -np.inf, scores)
    if require is None:
        return scores
    required = _mask(require, scores, "require")
    arcs: NDArray[np.bool_] = np.any(required.reshape(*scores.shape[:2], -1), axis=2)
    if (arcs & ~arc_positions(len(scores))).any():
        raise ValueError("require names an entry that is no arc: the diagonal or column 0")
    twice = np.flatnonzero(arcs.sum(axis=0) > 1)
    if len(twice):
        raise ConstraintError(f"word {twice[0]} is required to have two heads: {np.flatnonzero(arcs[:, twice[0]])}")
    decided = np.zeros(scores.shape, dtype=np.bool_)
    decided[:, arcs.any(axis=0)] = True
    result: NDArray[np.float64] = np.where(decided & ~required, -np.inf, scores)
    return result
