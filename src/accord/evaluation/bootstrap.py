# SPDX-License-Identifier: Apache-2.0
"""Paired bootstrap: would another set of the same size tell two systems apart in the same direction?

Both systems answered the same questions (sentences, topics). A sample draws as many questions as there are, with
replacement, and both systems are scored on the same drawn questions. The score is any function of the sums of counts
over the questions: F1 of kept words, BLEU, a mean. The one-sided p-value is the share of samples in which the system
that is ahead is not ahead; the interval holds 95 % of the differences. O(samples · questions · counts).

Koehn: Statistical significance tests for machine translation evaluation, EMNLP 2004.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError, FormatError

_ROWS = 64  # samples that are drawn together: bounds memory


@dataclass(frozen=True, slots=True)
class PairedBootstrap:
    """The scores of two systems, and what resampling says of their difference (second minus first)."""

    first: float
    second: float
    p_value: float
    low: float
    high: float
    samples: int

    @property
    def difference(self) -> float:
        return self.second - self.first

    def to_json(self) -> dict[str, float | int]:
        return {
            "first": self.first,
            "second": self.second,
            "difference": self.difference,
            "p_value": self.p_value,
            "low": self.low,
            "high": self.high,
            "samples": self.samples,
        }


def paired_bootstrap(
    first: NDArray[Any],
    second: NDArray[Any],
    score: Callable[[NDArray[Any]], float] | None = None,
    *,
    samples: int = 1000,
    seed: int = 0,
) -> PairedBootstrap:
    """Compare two systems by a score of sums of counts.

    Parameters
    ----------
    first, second: a row of counts, or one number, for each question.
    score: the score of a row of sums; without it, the mean over questions of the one number.
    samples, seed: how many sets of questions are drawn, and from which numbers. The same seed gives the same answer.

    >>> right = np.array([1, 1, 1, 0, 1, 1, 0, 1, 1, 1])
    >>> found = paired_bootstrap(np.zeros(10), right, samples=100)
    >>> found.difference, found.p_value
    (0.8, 0.0)
    """
    one, other = (np.atleast_1d(np.asarray(given)) for given in (first, second))
    one, other = (given[:, None] if given.ndim == 1 else given for given in (one, other))
    if one.shape != other.shape:
        raise FormatError("the two systems did not answer the same number of questions")
    if samples < 1:
        raise ConfigError(f"samples = {samples}: expected at least 1")
    many = len(one)
    if many == 0:
        return PairedBootstrap(0.0, 0.0, 1.0, 0.0, 0.0, samples)
    scored = score if score is not None else lambda sums: float(sums[0]) / many
    whole = scored(one.sum(axis=0)), scored(other.sum(axis=0))
    generator = np.random.default_rng(seed)
    differences = []
    for begin in range(0, samples, _ROWS):
        rows = min(_ROWS, samples - begin)
        drawn = generator.multinomial(many, np.full(many, 1 / many), size=rows).astype(one.dtype)
        pairs = zip(drawn @ one, drawn @ other, strict=True)
        differences += [scored(theirs) - scored(ours) for ours, theirs in pairs]
    found = np.array(differences)
    behind = found <= 0 if whole[1] >= whole[0] else found >= 0
    low, high = np.quantile(found, (0.025, 0.975))
    return PairedBootstrap(*whole, float(behind.mean()), float(low), float(high), samples)
