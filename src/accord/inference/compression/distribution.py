# SPDX-License-Identifier: Apache-2.0
"""Compressions as a distribution: P(compression) is proportional to exp(score)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import compressions as _core
from accord.errors import ConfigError, ConstraintError
from accord.inference.compression.length import Length
from accord.inference.compression.problem import CompressionProblem
from accord.inference.compression.solving import Compression


@dataclass(frozen=True, eq=False)
class CompressionMarginals:
    """Probabilities, each array laid out as the scores of the problem; ``cuts`` where a tree is given."""

    words: NDArray[np.float64]  # n: of words that stay
    bigrams: NDArray[np.float64] | None  # (n+1, n+1)
    arcs: NDArray[np.float64] | None  # (n+1, n+1), in the joint programme
    cuts: NDArray[np.float64] | None  # n: of words that go while their heads stay
    statuses: NDArray[np.float64] | None = None  # (n, 2, 2)


class CompressionDistribution:
    """All compressions that a problem allows, with their probabilities.

    Sums are exact. With a length, they are over compressions of this length; the joint programme then takes O(n^5).
    Rules that the programme does not know itself are refused, and so are statuses with bigrams.

    >>> d = CompressionDistribution(CompressionProblem([0.0, 0.0, 0.0], empty=0.0))
    >>> round(math.exp(d.log_partition())), d.marginals().words
    (8, array([0.5, 0.5, 0.5]))
    """

    def __init__(
        self,
        problem: CompressionProblem,
        length: Length | int | None = None,
        *,
        additions: ArrayLike | float = 0.0,
    ) -> None:
        if problem.word_rules:
            raise ConfigError("a distribution over compressions does not obey rules between words")
        if problem.programme == "status_bigrams":
            raise ConfigError("there is no distribution over compressions with statuses and bigrams")
        self.problem = problem
        window = None if length is None else Length.of(length).window(problem.costs)
        if window is not None:
            window = (window[0], min(window[1], int(problem.costs.sum())))
        if window is not None and window[0] > window[1]:
            raise ConstraintError("no compression has this length")
        added = np.append(0.0, problem.additions(additions))
        try:
            self._native = _core.distribution(problem.native, added, problem.fates, window)
        except ValueError as error:
            raise ConstraintError(str(error)) from None
        self._log_partition = float(self._native.log_partition())
        if self._log_partition == -math.inf:
            raise ConstraintError("no compression has this length and keeps the rules")

    def log_partition(self) -> float:
        """log of the sum of exp(score) over all compressions."""
        return self._log_partition + self.problem.constant

    def entropy(self) -> float:
        """Shannon entropy in nats."""
        return float(self._sums[0])

    def marginals(self) -> CompressionMarginals:
        """The probability of each word, of each pair of neighbours, of each arc, of each cut and of each status.

        They are the derivatives of :meth:`log_partition` by the scores.
        """
        _, words, arcs, bigrams, statuses = self._sums
        heads = self.problem.heads if self.problem.statuses is None else None
        cuts = None if heads is None else np.append(1.0, words[1:])[heads[1:]] - words[1:]
        joint = self.problem.programme == "joint"
        paths = self.problem.programme in ("bigrams", "joint")
        return CompressionMarginals(
            words=words[1:].copy(),
            bigrams=bigrams.copy() if paths else None,
            arcs=arcs.copy() if joint else None,
            cuts=None if cuts is None else np.maximum(cuts, 0.0),
            statuses=statuses[1:].reshape(-1, 2, 2) if self.problem.statuses is not None else None,
        )

    def kbest(self, k: int) -> list[Compression]:
        """The k best compressions, best first; fewer only if fewer exist.

        >>> [c.kept.tolist() for c in CompressionDistribution(CompressionProblem([1.0, -1.0])).kbest(5)]
        [[True, False], [True, True], [False, True]]
        """
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        return [self._compression(each) for each in self._native.kbest(min(k, 2**31 - 1))]

    def sample(self, count: int, seed: int = 0) -> list[Compression]:
        """Independent samples; each depends on the seed and its number alone."""
        return [self._compression(each) for each in self._native.sample(count, seed)]

    @cached_property
    def _sums(self) -> Any:
        return self._native.marginals()

    def _compression(self, found: Any) -> Compression:
        score, bits, heads = found
        kept = bits[1:].astype(np.bool_)
        return Compression(
            kept=kept,
            heads=None if self.problem.programme == "words" else heads,
            score=score + self.problem.constant,
            bound=math.inf,
            status="estimate",
            cost=int(self.problem.costs[kept].sum()),
        )
