# SPDX-License-Identifier: Apache-2.0
"""Labels on arcs, reduced to unlabelled trees and back.

Given the heads, labels are independent: the best labelled tree uses each arc's best label, sums over labelled trees are
sums over trees whose arcs weigh the sum over their labels, and a labelled arc's marginal is its arc's times its share.
Scores are (n+1, n+1, L).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def best_over_labels(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The score of each arc's best label."""
    best: NDArray[np.float64] = scores.max(axis=2)
    return best


def log_sum_over_labels(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """log of the sum of exp over the last axis; -inf where every label is forbidden."""
    peak = scores.max(axis=2)
    finite_peak = np.where(np.isneginf(peak), 0.0, peak)
    with np.errstate(divide="ignore"):
        total: NDArray[np.float64] = np.log(np.exp(scores - finite_peak[..., None]).sum(axis=2)) + finite_peak
    return total


def label_shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(label | arc), zero where every label is forbidden."""
    total = log_sum_over_labels(scores)
    finite_total = np.where(np.isneginf(total), 0.0, total)
    shares: NDArray[np.float64] = np.exp(scores - finite_total[..., None])
    return shares


def arc_label_scores(scores: NDArray[np.float64], heads: NDArray[np.int32]) -> NDArray[np.float64]:
    """The (n, L) label scores of a tree's arcs, by dependent 1..n."""
    dependents = np.arange(1, len(heads))
    selected: NDArray[np.float64] = scores[heads[1:], dependents]
    return selected


class _Labelling:
    """One choice of label ranks for one tree, ordered by score, best first."""

    __slots__ = ("last_changed", "ranks", "score", "tree")

    def __init__(self, score: float, tree: int, ranks: tuple[int, ...], last_changed: int) -> None:
        self.score = score
        self.tree = tree
        self.ranks = ranks
        self.last_changed = last_changed

    def __lt__(self, other: _Labelling) -> bool:
        return (-self.score, self.tree, self.ranks) < (-other.score, other.tree, other.ranks)


def rank_labellings(
    scores: NDArray[np.float64], trees: Sequence[NDArray[np.int32]], k: int
) -> list[tuple[float, NDArray[np.int32], NDArray[np.int32]]]:
    """The k best (score, heads, labels) over all labellings of the given trees.

    When `trees` are the k best under each arc's best label, these are the k best labelled trees: a tree outside the
    list has k trees before it whose best labellings are at least as good as any of its own.

    A labelling is a rank per word. Ranks are raised from left to right only, so each labelling is met once.
    """
    tables = [arc_label_scores(scores, heads) for heads in trees]
    orders = [np.argsort(-table, axis=1, kind="stable") for table in tables]
    ranked = [np.take_along_axis(table, order, axis=1) for table, order in zip(tables, orders, strict=True)]
    agenda = [_Labelling(float(table[:, 0].sum()), tree, (0,) * len(table), 0) for tree, table in enumerate(ranked)]
    heapq.heapify(agenda)
    found: list[tuple[float, NDArray[np.int32], NDArray[np.int32]]] = []
    while agenda and len(found) < k:
        best = heapq.heappop(agenda)
        words = np.arange(len(best.ranks))
        labels = np.full(len(words) + 1, -1, dtype=np.int32)
        labels[1:] = orders[best.tree][words, list(best.ranks)]
        found.append((best.score, trees[best.tree], labels))
        table = ranked[best.tree]
        for word in range(best.last_changed, len(words)):
            rank = best.ranks[word] + 1
            if rank < table.shape[1] and not np.isneginf(table[word, rank]):
                ranks = (*best.ranks[:word], rank, *best.ranks[word + 1 :])
                score = float(table[words, list(ranks)].sum())
                heapq.heappush(agenda, _Labelling(score, best.tree, ranks, word))
    return found
