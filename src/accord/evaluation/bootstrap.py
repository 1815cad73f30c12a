# SPDX-License-Identifier: Apache-2.0
"""Is a difference between two systems more than chance? A paired bootstrap and a permutation test say how sure.

The bootstrap asks: would another set of the same size tell the two systems apart in the same direction?
Both systems answered the same questions (sentences, topics). A sample draws as many questions as there are, with
replacement, and both systems are scored on the same drawn questions. The score is any function of the sums of counts
over the questions: F1 of kept words, BLEU, a mean. The one-sided p-value is the share of samples in which the system
that is ahead is not ahead; the interval holds 95 % of the differences. O(samples · questions · counts).

The permutation test asks how often a difference at least as large would come about if it were chance which of the two
answers to a question belongs to which system: each sample swaps the answers of a random half of the questions. The
p-value is two-sided and counts the given assignment itself. O(samples · questions).

Noreen: Computer-intensive methods for testing hypotheses, 1989.
Koehn: Statistical significance tests for machine translation evaluation, EMNLP 2004.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError, FormatError

_ROWS = 64  # samples that are drawn together: bounds memory


@dataclass(frozen=True)
class PairedTest:
    """The scores of two systems, and what resampling says of their difference (second minus first)."""

    first: float
    second: float
    p_value: float
    samples: int

    @property
    def difference(self) -> float:
        return self.second - self.first

    def to_json(self) -> dict[str, float | int]:
        return {**asdict(self), "difference": self.difference}


@dataclass(frozen=True)
class PairedBootstrap(PairedTest):
    """The one-sided p-value, and the interval that holds 95 % of the differences."""

    low: float
    high: float


@dataclass(frozen=True)
class Permutation(PairedTest):
    """The two-sided p-value: how probable a difference as large would be by chance."""


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
        return PairedBootstrap(0.0, 0.0, 1.0, samples, 0.0, 0.0)
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
    return PairedBootstrap(*whole, float(behind.mean()), samples, float(low), float(high))


def permutation_test(
    first: NDArray[Any],
    second: NDArray[Any],
    score: Callable[[NDArray[Any]], float],
    *,
    samples: int = 1000,
    seed: int = 0,
) -> Permutation:
    """Counts of two systems, one row a sentence; ``score`` makes a score of the sums of the rows.

    >>> one = np.array([[1, 1]] * 8 + [[0, 1]] * 2)
    >>> test = permutation_test(one, one, lambda sums: sums[0] / sums[1])
    >>> test.difference, test.p_value
    (0.0, 1.0)
    """
    if first.shape != second.shape:
        raise FormatError("the two systems did not answer the same sentences")
    if samples < 1:
        raise ConfigError("a permutation test draws at least one sample")
    random = np.random.default_rng(seed)
    one, two = float(score(first.sum(axis=0))), float(score(second.sum(axis=0)))
    gap, total = second - first, first.sum(axis=0) + second.sum(axis=0)
    beyond = 0
    for begin in range(0, samples, _ROWS):
        swaps = random.random((min(_ROWS, samples - begin), len(first))) < 0.5
        moved = first.sum(axis=0) + swaps @ gap
        beyond += int(sum(abs(score(total - mine) - score(mine)) >= abs(two - one) - 1e-12 for mine in moved))
    return Permutation(one, two, (beyond + 1) / (samples + 1), samples)
