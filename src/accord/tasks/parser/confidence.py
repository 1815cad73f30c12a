# SPDX-License-Identifier: Apache-2.0
"""How often arcs of a probability are right.

One temperature gives the scores of a parser the right scale, and cannot give them the shape of probabilities: a
large-margin learner stays too sure of what it finds easy, or not sure enough. Dev data fit two numbers more, a slope
and a shift of the logarithm of the odds (Platt 1999, Probabilistic outputs for support vector machines):

    log(q / (1 - q)) = slope * log(p / (1 - p)) + shift

p is the probability by the model and q the confidence. A slope above zero keeps the order of the arcs.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.models import stored

LEAST_SLOPE, MOST_SLOPE, MOST_SHIFT = 0.01, 100.0, 50.0
SURE = 1e-6  # no arc is taken to be surer than this while the numbers are fitted
STEPS, HALVINGS = 50, 30

Floats = NDArray[np.float64]


class Confidence(NamedTuple):
    """A slope and a shift; 1 and 0 change nothing."""

    slope: float = 1.0
    shift: float = 0.0

    def of(self, probability: Floats) -> Floats:
        """The confidences of arcs by their probabilities; 0 and 1 stay."""
        p = np.clip(probability, 0.0, 1.0)
        right, wrong = p**self.slope, (1 - p) ** self.slope * math.exp(-self.shift)
        return np.asarray(right / (right + wrong))


def read_confidences(value: Any) -> tuple[Confidence, ...]:
    """Those of heads, and of labelled arcs where there are labels, as a header has them."""
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= 2:
        raise ValueError("the confidences are not one or two pairs of numbers")
    if any(not isinstance(pair, (list, tuple)) or len(pair) != 2 for pair in value):
        raise ValueError("a confidence is not a slope and a shift")
    slope, shift = stored.number(LEAST_SLOPE, MOST_SLOPE), stored.number(-MOST_SHIFT, MOST_SHIFT)
    return tuple(Confidence(slope(one), shift(other)) for one, other in value)


def fit_confidence(probability: Floats, right: NDArray[np.bool_]) -> Confidence:
    """The slope and shift under which it is most probable that these arcs, and no others, are right.

    The likelihood has a bonus for slopes near 1 and shifts near 0, as one more arc would: numbers stay finite where all
    arcs are right. Newton's method; the objective is convex, and a step is halved until it helps.
    """
    p = np.clip(probability, SURE, 1 - SURE)
    inputs = np.stack([np.log(p) - np.log1p(-p), np.ones_like(p)], axis=1)
    start = np.array([1.0, 0.0])
    now = start

    def loss(numbers: Floats) -> float:
        odds = inputs @ numbers
        return float(np.logaddexp(0, np.where(right, -odds, odds)).sum() + ((numbers - start) ** 2).sum() / 2)

    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ now, -500, 500)))
        gradient = inputs.T @ (chance - right) + now - start
        curvature = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        here, length = loss(now), 1.0
        for _ in range(HALVINGS):
            if loss(now - length * step) < here:
                break
            length /= 2
        else:
            break
        now = now - length * step
    slope, shift = now.tolist()
    return Confidence(min(max(slope, LEAST_SLOPE), MOST_SLOPE), min(max(shift, -MOST_SHIFT), MOST_SHIFT))
