# SPDX-License-Identifier: Apache-2.0
"""Distributions over the derivations of a hypergraph: any dynamic programme, given edge by edge.

An item is something that a programme computes a value for: a constituent over a span, a state of a chain. An edge
makes one item of others, its tails, and has a weight. A derivation of the goal is one edge into it and a derivation of
each of that edge's tails; its score is the sum of the weights of its edges, its probability proportional to exp(score).

The two ways to bracket three words, of which the first is better:

>>> spans = Hypergraph(
...     6,  # items: words a, b, c, then ab, bc, abc
...     [(0, ()), (1, ()), (2, ()), (3, (0, 1)), (4, (1, 2)), (5, (3, 2)), (5, (0, 4))],
...     [0.0, 0.0, 0.0, 1.0, 0.5, 0.0, 0.0],
... )
>>> spans.argmax()
Derivation(edges=array([0, 1, 3, 2, 5], dtype=int32), score=1.0)
>>> spans.marginals().round(3)
array([1.   , 1.   , 1.   , 0.622, 0.378, 0.622, 0.378])

Everything is exact; each question costs a few operations for each tail of each edge. Shares of the edges of one item
are normalised by themselves, so that scores of any size give probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import hypergraph as _core
from accord.errors import ConstraintError

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Derivation:
    """The numbers of the edges of a derivation, those of tails before the edge that joins them, and the score."""

    edges: NDArray[np.int32]
    score: float


class Hypergraph:
    """A hypergraph over items 0..items-1.

    Parameters
    ----------
    items:
        How many items there are. An item must be made of items with smaller numbers.
    edges:
        One ``(head, tails)`` an edge; no tails make an axiom, and an item may stand in the tails of one edge twice.
    weights:
        One an edge; ``-inf`` forbids, NaN and +inf are a ValueError.
    goal:
        The item whose derivations are meant; the last one unless given.

    Methods raise :class:`~accord.errors.ConstraintError` when the goal has no derivation.
    """

    def __init__(
        self,
        items: int,
        edges: Sequence[tuple[int, Sequence[int]]],
        weights: ArrayLike,
        *,
        goal: int | None = None,
    ) -> None:
        self.weights: Floats = np.array(weights, dtype=np.float64)
        if self.weights.shape != (len(edges),):
            raise ValueError(f"weights must hold {len(edges)} numbers, one an edge, not {self.weights.shape}")
        numbers = [items, *(number for head, tails in edges for number in (head, *tails))]
        if any(not -(2**31) <= number < 2**31 for number in numbers):
            raise ValueError("the numbers of items must be 32-bit numbers")
        heads = np.array([head for head, _ in edges], dtype=np.int32)
        starts = np.cumsum([0, *(len(tails) for _, tails in edges)], dtype=np.int64)
        tails_of_all = np.array([tail for _, tails in edges for tail in tails], dtype=np.int32)
        last = items - 1 if goal is None else goal
        self._native = _core.Hypergraph(items, last, heads, starts, tails_of_all, self.weights)

    def argmax(self) -> Derivation:
        """The best derivation; of equal ones, that with the first edge into every item."""
        return self.kbest(1)[0]

    def kbest(self, k: int) -> list[Derivation]:
        """The k best distinct derivations, best first; fewer only if fewer exist.

        >>> twice = Hypergraph(2, [(0, ()), (0, ()), (1, (0, 0))], [1.0, 0.0, 0.0])
        >>> [derivation.score for derivation in twice.kbest(5)]
        [2.0, 1.0, 1.0, 0.0]
        """
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        ranked = self._native.kbest(min(k, 2**31 - 1))
        if not ranked:
            raise ConstraintError("the goal has no derivation")
        return [Derivation(edges, score) for score, edges in ranked]

    def count(self) -> float:
        """How many derivations there are, exact below 2^53.

        >>> Hypergraph(2, [(0, ()), (0, ()), (1, (0, 0))], [0.0, 0.0, 0.0]).count()
        4.0
        """
        return self._native.count()

    def log_partition(self) -> float:
        """log of the sum of exp(score) over all derivations."""
        value = self._log_partition
        if value == -math.inf:
            raise ConstraintError("the goal has no derivation")
        return value

    def marginals(self) -> Floats:
        """Expected number of uses of each edge: its probability where no derivation uses an edge twice."""
        return self._sums[1].copy()

    def entropy(self) -> float:
        """Shannon entropy in nats."""
        return self._sums[0]

    def max_marginals(self) -> Floats:
        """The score of the best derivation through each edge; -inf where there is none."""
        self.log_partition()
        return self._native.max_marginals()

    def expectation(self, amounts: ArrayLike) -> float:
        """The mean, over derivations, of the sum of the amounts of their edges.

        >>> twice = Hypergraph(2, [(0, ()), (0, ()), (1, (0, 0))], [0.0, 0.0, 0.0])
        >>> twice.expectation([1.0, 0.0, 10.0])
        11.0
        """
        self.log_partition()
        return self._native.expectation(self._numbers(amounts))

    def tangents(self, direction: ArrayLike) -> Floats:
        """How the marginals move when the weights move along a direction."""
        self.log_partition()
        return self._native.tangents(self._numbers(direction))

    def sample(self, count: int, *, seed: int = 0) -> list[NDArray[np.int32]]:
        """Exact independent samples: the edges of ``count`` derivations. The i-th depends on the seed and i alone."""
        if count < 0:
            raise ValueError("the number of samples must not be negative")
        self.log_partition()
        return self._native.sample(count, seed % 2**64)

    @cached_property
    def _log_partition(self) -> float:
        return self._native.log_partition()

    @cached_property
    def _sums(self) -> tuple[float, Floats]:
        self.log_partition()
        return self._native.marginals()

    def _numbers(self, amounts: ArrayLike) -> Floats:
        array = np.ascontiguousarray(amounts, dtype=np.float64)
        if array.shape != self.weights.shape:
            raise ValueError(f"there must be one number an edge, {self.weights.size}, not {array.shape}")
        return array
