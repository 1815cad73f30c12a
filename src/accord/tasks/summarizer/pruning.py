# SPDX-License-Identifier: Apache-2.0
"""Compression by cuts as a task that learns structured answers: scores of cuts from sentences that people shortened.

A sentence is its pieces (:mod:`~accord.tasks.summarizer.cutting`), and a compression cuts some of them, each with all
that hangs on it. A piece counts as kept by people where they kept more than half of its words and the piece above it.
The best compression is found from the leaves to the root. The cost of an answer is the share of pieces that it cuts off
and people do not (Almeida & Martins 2013, section 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data import Sentence
from accord.tasks.summarizer.cut_features import features_of_cuts
from accord.tasks.summarizer.cutting import pieces_of
from accord.tasks.summarizer.features import CONCEPT_FEATURES

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class _Instance:
    parents: tuple[int, ...]
    cuts: NDArray[np.int64]  # features, of all pieces but the first
    gold: NDArray[np.bool_]  # whether each piece but the first is cut off a piece that stays


class Pruning:
    """Parsed sentences with the words that people kept; a :class:`~accord.learning.multitask.SharingTask`."""

    def __init__(self, sentences: Sequence[tuple[Sentence, Sequence[bool]]], *, safe: bool = True) -> None:
        self._instances = [one for tree, kept in sentences if (one := _instance(tree, kept, safe)) is not None]

    def __len__(self) -> int:
        return len(self._instances)

    def loss(self, instance: int, weights: Numbers) -> tuple[float, Numbers]:
        one = self._instances[instance]
        scale = 1 / len(one.gold)
        scores = scale * weights[CONCEPT_FEATURES:][one.cuts].sum(axis=1)
        price = np.where(one.gold, 0.0, scale)
        made = best_cuts(one.parents, scores + price)
        more = made.astype(np.float64) - one.gold
        slope = np.zeros(len(weights))
        np.add.at(slope[CONCEPT_FEATURES:], one.cuts, more[:, None])
        return max(0.0, float(scores @ more) + float(price @ made)), scale * slope


def best_cuts(parents: Sequence[int], scores: Numbers) -> NDArray[np.bool_]:
    """The cuts of the largest sum, by scores of pieces but the first; the first piece stays.

    >>> best_cuts((-1, 0, 1, 0), np.array([1.0, 2.0, -1.0])).tolist()
    [False, True, False]
    """
    best = np.zeros(len(parents))  # of the cuts below each piece, while the piece stays
    for k in range(len(parents) - 1, 0, -1):
        best[parents[k]] += max(best[k], scores[k - 1])
    there = np.ones(len(parents), np.bool_)
    made = np.zeros(len(parents), np.bool_)
    for k in range(1, len(parents)):
        made[k] = there[parents[k]] and scores[k - 1] > best[k]
        there[k] = there[parents[k]] and not made[k]
    return made[1:]


def _instance(tree: Sentence, kept: Sequence[bool], safe: bool) -> _Instance | None:
    pieces = pieces_of(tree, safe=safe)
    if pieces is None or len(pieces.parents) < 2 or len(pieces.piece_of) != len(kept):
        return None
    piece_of = np.array(pieces.piece_of)
    share = np.bincount(piece_of, np.asarray(kept, np.float64)) / np.bincount(piece_of)
    there = [True]
    for k, up in enumerate(pieces.parents[1:], start=1):
        there.append(there[up] and share[k] > 0.5)
    gold = np.array([there[up] and not there[k] for k, up in enumerate(pieces.parents) if k])
    return _Instance(pieces.parents, features_of_cuts(tree, pieces), gold)
