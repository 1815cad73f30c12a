# SPDX-License-Identifier: Apache-2.0
"""Log-linear reranking: which candidate of a list is the right one, by features of whole candidates.

    p(y | list) = exp(w·F(y)) / Σ_z exp(w·F(z))

``fit`` maximises Σ log p(positive) - l2 |w|² / 2 by L-BFGS. Features have names and values; names are hashed, so that
a model is one array of weights. The lists must come from a model that did not see their sentences (jack-knifing), since
lists of seen sentences are too good. Used for compressions; any task with ranked answers can use it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.learning.lbfgs import lbfgs

Features = Mapping[str, float]
CandidateList = Sequence[Features]


@dataclass(frozen=True)
class LogLinearReranker:
    """Weights of hashed features.

    >>> lists = [[{"good": 1.0}, {"bad": 1.0}], [{"bad": 1.0, "x": 1.0}, {"good": 1.0, "x": 1.0}]]
    >>> reranker = LogLinearReranker.fit(lists, [0, 1], l2=0.1, bits=10)
    >>> reranker.best([{"bad": 1.0}, {"good": 1.0}])
    1
    """

    bits: int
    weights: NDArray[np.float32]

    @staticmethod
    def fit(
        lists: Sequence[CandidateList],
        positives: Sequence[int],
        *,
        l2: float = 1.0,
        bits: int = 18,
        least_count: int = 1,
        iterations: int = 60,
    ) -> LogLinearReranker:
        """Learn from lists and the number of the right candidate of each.

        ``least_count``: features of fewer lists are left out.
        """
        if len(lists) != len(positives):
            raise ConfigError(f"{len(positives)} positives for {len(lists)} lists")
        data = _Lists(lists, positives, bits, least_count)
        weights = lbfgs(lambda point: data.objective(point, l2), np.zeros(1 << bits), iterations=iterations)
        return LogLinearReranker(bits, weights.astype(np.float32))

    def scores(self, candidates: CandidateList) -> NDArray[np.float64]:
        """The scores of the candidates of a list."""
        weights, bits = self.weights, self.bits
        each = [
            sum(value * float(weights[_index(name, bits)]) for name, value in features.items())
            for features in candidates
        ]
        return np.array(each)

    def best(self, candidates: CandidateList) -> int:
        """The number of the best candidate; of equal ones the first."""
        return int(self.scores(candidates).argmax())


class _Lists:
    """All lists as flat arrays: entries of candidates, candidates of lists."""

    def __init__(self, lists: Sequence[CandidateList], positives: Sequence[int], bits: int, least_count: int) -> None:
        sizes = [len(candidates) for candidates in lists]
        if not sizes or min(sizes) == 0:
            raise ConfigError("reranking needs lists with at least one candidate")
        if any(not 0 <= positive < size for positive, size in zip(positives, sizes, strict=True)):
            raise ConfigError("the positive of a list is not on it")
        counts: Counter[int] = Counter()
        rows = [[_entries(features, bits) for features in candidates] for candidates in lists]
        for row in rows:
            counts.update({index for entries in row for index in entries})
        flat = [
            [(index, value) for index, value in entries.items() if index in telling and counts[index] >= least_count]
            for row, telling in ((row, _telling(row)) for row in rows)
            for entries in row
        ]
        self.index = np.array([index for one in flat for index, _ in one], np.intp)
        self.values = np.array([value for one in flat for _, value in one])
        self.owners = np.repeat(np.arange(len(flat)), [len(one) for one in flat])
        self.lists = np.repeat(np.arange(len(lists)), sizes)
        self.starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.intp)
        self.positives = self.starts + np.array(positives, np.intp)

    def objective(self, weights: NDArray[np.float64], l2: float) -> tuple[float, NDArray[np.float64]]:
        """Minus the log-likelihood with the penalty, and its gradient."""
        scores = np.bincount(self.owners, self.values * weights[self.index], minlength=len(self.lists))
        top = np.maximum.reduceat(scores, self.starts)
        shares = np.exp(scores - top[self.lists])
        totals = np.add.reduceat(shares, self.starts)
        value = float((np.log(totals) + top - scores[self.positives]).sum()) + l2 / 2 * float(weights @ weights)
        shares = shares / totals[self.lists]
        shares[self.positives] -= 1
        gradient = np.bincount(self.index, self.values * shares[self.owners], minlength=len(weights)) + l2 * weights
        return value, gradient


def _entries(features: Features, bits: int) -> dict[int, float]:
    """The values of features by where their weights stand."""
    entries: dict[int, float] = {}
    for name, value in features.items():
        index = _index(name, bits)
        entries[index] = entries.get(index, 0.0) + value
    return entries


def _telling(row: Sequence[dict[int, float]]) -> set[int]:
    """The features that tell candidates of a list apart; one that all have alike moves no probability."""
    shared = set(row[0].items()).intersection(*(entries.items() for entries in row[1:]))
    return {index for entries in row for index in entries} - {index for index, _ in shared}


def split_by_references(candidates: Sequence[object], references: Sequence[object]) -> list[tuple[list[int], int]]:
    """Groups of a list with several right candidates: each has one of them and a share of the wrong ones.

    A group is the numbers of its candidates and the place of its positive. Wrong candidates are dealt in turn by their
    rank, so that groups are equally hard (Wang et al. 2012). A list without a right candidate gives no group.

    >>> split_by_references("abcdef", "be")
    [([1, 0, 3], 0), ([4, 2, 5], 0)]
    """
    wanted = set(references)
    right = [number for number, one in enumerate(candidates) if one in wanted]
    wrong = [number for number, one in enumerate(candidates) if one not in wanted]
    return [([positive, *wrong[group :: len(right)]], 0) for group, positive in enumerate(right)]


def _index(name: str, bits: int) -> int:
    """Where the weight of a feature stands."""
    return _number(name) >> (64 - bits)


@lru_cache(maxsize=1 << 20)
def _number(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
