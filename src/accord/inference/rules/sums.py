# SPDX-License-Identifier: Apache-2.0
"""Sums of exponentials that bear -infinity."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def log_sum(values: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """log of the sum of exp(values); -inf where all are."""
    top = values.max(axis=axis, keepdims=True)
    finite = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        total: NDArray[np.float64] = np.log(np.exp(values - finite).sum(axis=axis))
    return total + finite.squeeze(axis)
