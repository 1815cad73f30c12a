# SPDX-License-Identifier: Apache-2.0
"""The least value of a function of one number."""

from __future__ import annotations

import math
from collections.abc import Callable


def golden_section(loss: Callable[[float], float], low: float, high: float, steps: int) -> float:
    """Where a unimodal function is least between ``low`` and ``high``; each step leaves 0.62 of the stretch.

    >>> round(golden_section(lambda x: (x - 2) ** 2, -5, 5, 30), 4)
    2.0
    """
    ratio = (math.sqrt(5) - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = loss(left), loss(right)
    for _ in range(steps):
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = loss(right)
    return (low + high) / 2
