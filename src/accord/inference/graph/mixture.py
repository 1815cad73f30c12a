# SPDX-License-Identifier: Apache-2.0
"""A mixture of few assignments: the answer of SparseMAP."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import graph as _core


@dataclass(frozen=True, eq=False)
class Mixture:
    """Assignments, their weights, and the posteriors of the variables that they make together."""

    posteriors: NDArray[np.float64]  # by variable
    assignments: NDArray[np.bool_]  # a row each
    weights: NDArray[np.float64]  # of the rows; they sum to one
    _native: _core.GraphMixture

    def differentiate(self, direction: ArrayLike) -> NDArray[np.float64]:
        """How the posteriors move when the variables' scores move along a direction.

        The map is symmetric, so that it also turns a gradient with respect to the posteriors into one with respect to
        the scores.
        """
        moved: NDArray[np.float64] = self._native.differentiate(np.ascontiguousarray(direction, dtype=np.float64))
        return moved
