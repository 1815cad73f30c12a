# SPDX-License-Identifier: Apache-2.0
"""Many lists as sparse rows over the features that are kept: what all learners of rerankers read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from accord._core import learn as _learn
from accord.tasks.reranker.features import Floats, ListFeatures
from accord.tasks.reranker.lists import ListScore

Keys = NDArray[np.uint64]
_BATCH = 200  # lists whose features are counted at once


def kept_features(lists: Sequence[ListFeatures], least: int) -> Keys:
    """The features that occur in at least so many lists, sorted."""
    keys, counts = np.zeros(0, np.uint64), np.zeros(0, np.int64)
    for begin in range(0, len(lists), _BATCH):
        found = [one.present for one in lists[begin : begin + _BATCH]]
        more, times = np.unique(np.concatenate(found), return_counts=True)
        keys, which = np.unique(np.concatenate([keys, more]), return_inverse=True)
        counts = np.bincount(which, np.concatenate([counts, times]), minlength=len(keys)).astype(np.int64)
    return keys[counts >= least]


@dataclass(frozen=True)
class Dataset:
    """Lists with rows of features: entries of candidate c are from ``starts[c]`` to ``starts[c + 1]``."""

    lists: tuple[ListFeatures, ...]
    keys: Keys
    starts: NDArray[np.int64]
    columns: NDArray[np.int32]

    @staticmethod
    def of(lists: Sequence[ListFeatures], keys: Keys) -> Dataset:
        """The entries of the features that are kept."""
        columns, lengths, small = [], [], []
        for one in lists:
            places = np.searchsorted(keys, one.keys)
            places[places == len(keys)] = 0
            known = keys[places] == one.keys if len(keys) else np.zeros(len(places), bool)
            columns.append(places[known].astype(np.int32))
            lengths.append(np.bincount(one.candidates[known], minlength=one.size))
            empty = np.zeros(0, np.uint64)
            small.append(replace(one, candidates=empty.astype(np.int32), keys=empty, present=empty))
        starts = np.concatenate(([0], np.cumsum(np.concatenate(lengths)))) if lists else np.zeros(1)
        every = np.concatenate(columns) if lists else np.zeros(0, np.int32)
        return Dataset(tuple(small), keys, starts.astype(np.int64), every)

    def __len__(self) -> int:
        return len(self.lists)

    @cached_property
    def bounds(self) -> NDArray[np.int64]:
        """Where the candidates of each list begin, and the end."""
        return np.concatenate(([0], np.cumsum([one.size for one in self.lists]))).astype(np.int64)

    @cached_property
    def numbers(self) -> Floats:
        """The numbers of all candidates, one row each."""
        return np.concatenate([one.numbers for one in self.lists])

    @cached_property
    def costs(self) -> Floats:
        return np.concatenate([one.costs for one in self.lists])

    def best(self, scores: Floats) -> NDArray[np.int64]:
        """The place of the best candidate of each list; of equal ones the first."""
        ends = self.bounds.tolist()
        return np.array([scores[a:b].argmax() for a, b in pairwise(ends)], np.int64)

    @cached_property
    def _parts(self) -> NDArray[np.int64]:
        """Of each candidate the parts that are right, those of gold and its own."""
        rows = [(each.correct, each.gold, each.found) for one in self.lists for each in one.counts or ()]
        return np.array(rows, np.int64).reshape(-1, 3)

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """F1 of the first candidates, and of the best ones."""
        counts = [one.counts for one in self.lists if one.counts is not None]
        found = ListScore.of(counts, [0] * len(counts))
        return found.first, found.oracle

    def score(self, scores: Floats) -> ListScore:
        """How good the candidates are that these scores choose."""
        first, oracle = self._ends
        chosen = self._parts[self.bounds[:-1] + self.best(scores)].sum(axis=0)
        both = int(chosen[1] + chosen[2])
        return ListScore(first, 100 * 2 * int(chosen[0]) / both if both else 100.0, oracle)

    def with_numbers(self, numbers: Floats) -> _learn.CandidateLists:
        """The lists as the core takes them; columns of numbers come behind those of features."""
        wide = numbers.shape[1]
        rows = len(self.starts) - 1
        lengths = np.diff(self.starts)
        places = np.repeat(np.arange(rows) * wide, lengths) + np.arange(len(self.columns))
        columns = np.empty(len(self.columns) + rows * wide, np.int32)
        values = np.empty(len(columns), np.float32)
        columns[places], values[places] = self.columns, 1.0
        starts = self.starts + np.arange(rows + 1) * wide
        for place in range(wide):
            at = starts[1:] - wide + place
            columns[at], values[at] = len(self.keys) + place, numbers[:, place]
        return _learn.CandidateLists(
            width=len(self.keys) + wide,
            lists=self.bounds,
            starts=starts,
            features=columns,
            values=values,
            costs=self.costs,
        )

    def linear(self, weights: Floats, numbers: Floats, number_weights: Floats) -> Floats:
        """Scores of all candidates by weights of features and of numbers."""
        owners = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        found = np.bincount(owners, weights[self.columns], minlength=len(self.starts) - 1)
        return np.asarray(found + numbers @ number_weights)
