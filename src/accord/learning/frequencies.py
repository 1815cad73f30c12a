# SPDX-License-Identifier: Apache-2.0
"""Log-linear regression of relative frequencies (Li, Qian & Liu 2013).

A sample is a set of instances with features, each of which is of a type. The model says how often a type should occur:

    frequency(type) = sum over instances i of the type of  exp(w . f(i))  /  sum over all instances of  exp(w . f(i))

and training brings these frequencies near observed ones: it minimises the mean Kullback-Leibler divergence over
samples, plus ``l2 / 2 * |w|^2``, by L-BFGS. With one instance for each type the objective is convex.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.learning.lbfgs import lbfgs

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """Features of instances (a row each), the type of each instance, and the observed frequency of each type.

    Observed frequencies are not negative; they are divided by their sum. Each type has an instance.
    """

    features: Numbers
    type_of: NDArray[np.int64]
    observed: Numbers


def frequencies(weights: Numbers, features: Numbers, type_of: NDArray[np.int64], types: int) -> Numbers:
    """The frequencies of types; they sum to 1."""
    if not len(features):
        return np.zeros(types)
    return np.bincount(type_of, _softmax(features @ weights), minlength=types).astype(np.float64)


def fit_frequencies(samples: Sequence[Sample], l2: float = 1e-3, iterations: int = 200) -> Numbers:
    """The weights of the features."""
    used = [sample for sample in samples if sample.observed.sum() > 0]
    size = samples[0].features.shape[1] if samples else 0
    if not used:
        return np.zeros(size)
    return lbfgs(lambda weights: divergence(weights, used, l2), np.zeros(size), iterations=iterations)


def divergence(weights: Numbers, samples: Sequence[Sample], l2: float) -> tuple[float, Numbers]:
    """The mean divergence with its penalty, and the gradient."""
    value, gradient = l2 / 2 * float(weights @ weights), l2 * weights
    for sample in samples:
        observed = sample.observed / sample.observed.sum()
        shares = _softmax(sample.features @ weights)
        found = np.bincount(sample.type_of, shares, minlength=len(observed))
        seen = observed > 0
        value += float(observed[seen] @ np.log(observed[seen] / np.maximum(found[seen], 1e-300))) / len(samples)
        # the expectation over all instances, less that over the instances of what was observed
        within = shares * (observed / np.maximum(found, 1e-300))[sample.type_of]
        gradient = gradient + sample.features.T @ (shares - within) / len(samples)
    return value, gradient


def _softmax(scores: Numbers) -> Numbers:
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum())
