# SPDX-License-Identifier: Apache-2.0
"""Which compression of a list is the right one: a log-linear model of named features of whole candidates.

    p(y | list) = exp(w·F(y)) / Σ_z exp(w·F(z))

The learner is the one that rerankers have (core/learn/ranking): it maximises Σ log p(positive) - l2 |w|² / 2. Unlike
:mod:`accord.tasks.reranker`, which reads lists from files and keeps a table of its features, a compressor makes its
lists itself; its features have values, and their names are hashed, so that a model is one array of weights. The lists
must come from a chain that did not see their sentences (jack-knifing), since lists of seen sentences are too good.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from accord._core import learn as _learn
from accord.errors import ConfigError

Features = Mapping[str, float]
Candidates = Sequence[Features]


@dataclass(frozen=True)
class ChoiceWeights:
    """Weights of hashed features.

    >>> lists = [[{"good": 1.0}, {"bad": 1.0}], [{"bad": 1.0, "x": 1.0}, {"good": 1.0, "x": 1.0}]]
    >>> weights = ChoiceWeights.fit(lists, [0, 1], l2=0.1, bits=10)
    >>> weights.best([{"bad": 1.0}, {"good": 1.0}])
    1
    """

    bits: int
    weights: NDArray[np.float32]

    @staticmethod
    def fit(
        lists: Sequence[Candidates],
        positives: Sequence[int],
        *,
        l2: float = 1.0,
        bits: int = 18,
        least_count: int = 1,
        iterations: int = 60,
    ) -> ChoiceWeights:
        """Learn from lists and the number of the right candidate of each.

        ``least_count``: features of fewer lists are left out.
        """
        if len(lists) != len(positives):
            raise ConfigError(f"{len(positives)} positives for {len(lists)} lists")
        if not lists or not all(lists):
            raise ConfigError("reranking needs lists with at least one candidate")
        if any(not 0 <= positive < len(one) for one, positive in zip(lists, positives, strict=True)):
            raise ConfigError("the positive of a list is not on it")
        kept, data = _rows(lists, positives, bits, least_count)
        weights = np.zeros(1 << bits, np.float32)
        weights[kept] = data.fit("likelihood", l2, iterations, 1)
        return ChoiceWeights(bits, weights)

    def scores(self, candidates: Candidates) -> NDArray[np.float64]:
        """The scores of the candidates of a list."""
        weights, bits = self.weights, self.bits
        each = [
            sum(value * float(weights[_index(name, bits)]) for name, value in features.items())
            for features in candidates
        ]
        return np.array(each)

    def best(self, candidates: Candidates) -> int:
        """The number of the best candidate; of equal ones the first."""
        return int(self.scores(candidates).argmax())


def _rows(
    lists: Sequence[Candidates], positives: Sequence[int], bits: int, least_count: int
) -> tuple[NDArray[np.intp], _learn.CandidateLists]:
    """Where the weights stand that are learnt, and the lists as the core takes them, with these weights numbered."""
    rows = [[_entries(features, bits) for features in candidates] for candidates in lists]
    counts: Counter[int] = Counter()
    for row in rows:
        counts.update({index for entries in row for index in entries})
    flat = [
        sorted((index, value) for index, value in entries.items() if index in telling and counts[index] >= least_count)
        for row, telling in ((row, _telling(row)) for row in rows)
        for entries in row
    ]
    kept, columns = np.unique(np.array([index for one in flat for index, _ in one], np.intp), return_inverse=True)
    ends = np.cumsum([0, *(len(candidates) for candidates in lists)])
    costs = np.ones(len(flat))
    costs[ends[:-1] + np.array(positives)] = 0.0
    return kept, _learn.CandidateLists(
        width=len(kept),
        lists=ends.astype(np.int64),
        starts=np.cumsum([0, *(len(one) for one in flat)]).astype(np.int64),
        features=columns.astype(np.int32),
        values=np.array([value for one in flat for _, value in one], np.float32),
        costs=costs,
    )


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
