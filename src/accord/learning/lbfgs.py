# SPDX-License-Identifier: Apache-2.0
"""L-BFGS: a minimum of a smooth function of many variables, from values and gradients (Liu & Nocedal 1989).

The last ``history`` changes of point and gradient stand for the curvature; a step along the direction they give is
halved until the value falls by a share of what the gradient promises (Armijo).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Objective = Callable[[Vector], tuple[float, Vector]]

_SHARE = 1e-4
_HALVINGS = 30


def lbfgs(
    objective: Objective, start: Vector, *, iterations: int = 100, tolerance: float = 1e-6, history: int = 8
) -> Vector:
    """The point where an iteration gains less than ``tolerance`` of the value, or the last one.

    >>> lbfgs(lambda x: (float(((x - 3) ** 2).sum()), 2 * (x - 3)), np.zeros(2)).round(6).tolist()
    [3.0, 3.0]
    """
    point = start.astype(np.float64).copy()
    value, gradient = objective(point)
    changes: deque[tuple[Vector, Vector, float]] = deque(maxlen=history)
    for _ in range(iterations):
        direction = _direction(gradient, changes)
        slope = float(direction @ gradient)
        if slope >= 0:  # only rounding makes it so
            break
        step = 1.0 if changes else min(1.0, 1.0 / float(np.abs(gradient).sum() or 1.0))
        for _ in range(_HALVINGS):
            there = point + step * direction
            next_value, next_gradient = objective(there)
            if next_value <= value + _SHARE * step * slope:
                break
            step /= 2
        else:
            break
        moved, turned = there - point, next_gradient - gradient
        product = float(moved @ turned)
        if product > 0:
            changes.append((moved, turned, product))
        gained = value - next_value
        point, value, gradient = there, next_value, next_gradient
        if gained <= tolerance * max(abs(value), 1e-12):
            break
    return point


def _direction(gradient: Vector, changes: deque[tuple[Vector, Vector, float]]) -> Vector:
    """Minus the gradient times the inverse of the curvature."""
    direction = -gradient
    shares = []
    for moved, turned, product in reversed(changes):
        share = float(moved @ direction) / product
        direction = direction - share * turned
        shares.append(share)
    if changes:
        _, turned, product = changes[-1]
        direction = direction * (product / float(turned @ turned))
    for (moved, turned, product), share in zip(changes, reversed(shares), strict=True):
        direction = direction + (share - float(turned @ direction) / product) * moved
    return direction
