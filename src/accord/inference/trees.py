# SPDX-License-Identifier: Apache-2.0
"""Distributions over dependency trees on numpy arrays.

A sentence of n words gives ``(n+1, n+1)`` arc scores: ``scores[head, dependent]``, row 0 the artificial root; column 0
and the diagonal are ignored, ``-inf`` forbids an arc. Labelled scores are ``(n+1, n+1, L)``. Heads are ``int32`` arrays
of size n+1 with ``heads[0] == -1``.

A tree's score is the sum of its arcs' scores, and its probability is proportional to exp(score):

>>> import numpy as np
>>> scores = np.array([[0.0, 1.0, 3.0], [0.0, 0.0, 2.0], [0.0, 4.0, 0.0]])
>>> t = NonProjective(scores, single_root=True)
>>> t.argmax()
Tree(heads=array([-1,  2,  0], dtype=int32), score=7.0, labels=None)
>>> t.marginals().round(3)
array([[0.   , 0.018, 0.982],
       [0.   , 0.   , 0.018],
       [0.   , 0.982, 0.   ]])

Methods: best tree O(n^2) (non-projective: Edmonds) or O(n^3) (projective: Eisner); log-partition, marginals and each
non-projective sample O(n^3). Sums are exact to rounding whatever the size of the scores.
"""

from __future__ import annotations

import math
from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import trees as _core
from accord.errors import ConstraintError
from accord.inference import _labels, _scores

__all__ = [
    "NonProjective",
    "Projective",
    "Tree",
    "TreeDistribution",
    "argmax_batch",
    "closest_projective",
    "is_projective",
    "is_tree",
    "log_partition_batch",
    "marginals_batch",
]

_NO_TREE = "no tree satisfies the forbidden and required arcs"


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree and its score. ``labels`` has the shape of ``heads``, ``labels[0] == -1``, when scores are labelled."""

    heads: NDArray[np.int32]
    score: float
    labels: NDArray[np.int32] | None = None


class TreeDistribution(ABC):
    """What :class:`NonProjective` and :class:`Projective` have in common.

    Parameters
    ----------
    scores:
        ``(n+1, n+1)`` or, labelled, ``(n+1, n+1, L)``. NaN and +inf are a ValueError.
    single_root:
        Whether exactly one word depends on the artificial root.
    forbid:
        Boolean array like ``scores`` (or one entry an arc): True arcs may not be used.
    require:
        Boolean array like ``scores`` (or one entry an arc): a True arc must be used, with one of its True labels.

    Methods raise :class:`~accord.errors.ConstraintError` when no tree is possible.
    """

    _projective: ClassVar[bool]

    def __init__(
        self,
        scores: ArrayLike,
        *,
        single_root: bool = False,
        forbid: ArrayLike | None = None,
        require: ArrayLike | None = None,
    ) -> None:
        checked = _scores.checked_scores(scores)
        if checked.ndim == 2:
            _core.check(checked)  # now, rather than at the first question
        self.scores: NDArray[np.float64] = _scores.constrained(checked, forbid, require)
        self.single_root = single_root

    @property
    def words(self) -> int:
        """n, the number of words."""
        return len(self.scores) - 1

    @property
    def labelled(self) -> bool:
        """Whether scores carry labels."""
        return self.scores.ndim == 3

    def argmax(self) -> Tree:
        """The best tree, with each arc's best label.

        >>> Projective(np.zeros((3, 3, 2)) + [0.0, 1.0]).argmax().labels
        array([-1,  1,  1], dtype=int32)
        """
        value, heads = _core.argmax(self._best_scores, self._projective, self.single_root)
        if np.isneginf(value):
            raise ConstraintError(_NO_TREE)
        return Tree(heads, value, _scores.best_labels(self.scores, heads))

    def log_partition(self) -> float:
        """log of the sum of exp(score) over all trees.

        >>> round(math.exp(NonProjective(np.zeros((5, 5))).log_partition()))  # (n+1)^(n-1) trees over n = 4 words
        125
        """
        return self._log_partition

    def marginals(self) -> NDArray[np.float64]:
        """Probability of each arc (and label), an array like ``scores``; zero on ignored entries.

        >>> Projective(np.zeros((3, 3))).marginals().sum(axis=0).round(12)  # every word has one head
        array([0., 1., 1.])
        """
        value, marginals = _core.marginals(self._summed_scores, self._projective, self.single_root)
        if np.isneginf(value):
            raise ConstraintError(_NO_TREE)
        return _scores.share_among_labels(marginals, self.scores)

    def kbest(self, k: int) -> list[Tree]:
        """The k best distinct (labelled) trees, best first; fewer only if fewer exist.

        >>> [tree.score for tree in Projective([[0, 1, 2], [0, 0, 4], [0, 8, 0]]).kbest(5)]
        [10.0, 5.0, 3.0]
        """
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        values, heads = _core.kbest(self._best_scores, k, self._projective, self.single_root)
        if len(values) == 0:
            raise ConstraintError(_NO_TREE)
        if not self.labelled:
            return [Tree(tree, float(value)) for value, tree in zip(values, heads, strict=True)]
        ranked = _labels.rank_labellings(self.scores, list(heads), k)
        return [Tree(tree.copy(), value, labels) for value, tree, labels in ranked]

    def sample(self, count: int, *, seed: int = 0) -> NDArray[np.int32]:
        """Exact independent samples: ``(count, n+1)`` heads. The i-th row depends on the seed and i alone.

        >>> NonProjective(np.zeros((3, 3))).sample(100, seed=1).shape
        (100, 3)
        """
        self.log_partition()
        heads: NDArray[np.int32] = _core.sample(
            self._summed_scores, count, seed % 2**64, self._projective, self.single_root
        )
        return heads

    def sample_labelled(self, count: int, *, seed: int = 0) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Exact independent samples of labelled trees: heads and labels, both ``(count, n+1)``."""
        if not self.labelled:
            raise ValueError("the scores have no labels")
        heads = self.sample(count, seed=seed)
        labels = np.full_like(heads, -1)
        shares = _labels.label_shares(_scores.ignored_as_zero(self.scores))[heads[:, 1:], np.arange(1, self.words + 1)]
        cumulative = shares.cumsum(axis=2)
        uniform = np.random.default_rng(seed % 2**64).random(heads[:, 1:].shape) * cumulative[..., -1]
        labels[:, 1:] = (cumulative <= uniform[..., None]).sum(axis=2)
        return heads, labels

    def entropy(self) -> float:
        """Shannon entropy in nats.

        >>> round(math.exp(Projective(np.zeros((4, 4)), single_root=True).entropy()), 6)  # seven trees, all alike
        7.0
        """
        if not self.labelled:
            self.log_partition()
            return float(_core.entropy(self.scores, self._projective, self.single_root))
        marginals = self.marginals()
        used = marginals > 0.0
        return max(0.0, self.log_partition() - float((marginals[used] * self.scores[used]).sum()))

    def score(self, heads: ArrayLike, labels: ArrayLike | None = None) -> float:
        """Sum of the scores of a tree's arcs; labelled scores need labels.

        >>> NonProjective([[0, 1, 2], [0, 0, 4], [0, 8, 0]]).score([-1, 0, 1])
        5.0
        """
        tree = self._checked_heads(heads)
        dependents = np.arange(1, self.words + 1)
        if not self.labelled:
            if labels is not None:
                raise ValueError("the scores have no labels")
            return float(self.scores[tree[1:], dependents].sum())
        if labels is None:
            raise ValueError("labelled scores need the labels of the tree")
        chosen = np.asarray(labels)
        if chosen.shape != tree.shape:
            raise ValueError(f"labels must have the shape of heads, {tree.shape}, not {chosen.shape}")
        chosen = chosen[1:].astype(np.int64)
        if ((chosen < 0) | (chosen >= self.scores.shape[2])).any():
            raise ValueError(f"labels must lie in 0..{self.scores.shape[2] - 1}")
        return float(self.scores[tree[1:], dependents, chosen].sum())

    def log_probability(self, heads: ArrayLike, labels: ArrayLike | None = None) -> float:
        """log P(tree); -inf for heads outside the distribution's set of trees.

        >>> round(math.exp(Projective(np.zeros((3, 3))).log_probability([-1, 0, 0])), 6)
        0.333333
        """
        tree = self._checked_heads(heads)
        score = self.score(tree, labels)
        inside = is_tree(tree, single_root=self.single_root) and (not self._projective or is_projective(tree))
        return score - self.log_partition() if inside else -math.inf

    @cached_property
    def _best_scores(self) -> NDArray[np.float64]:
        return _scores.best_over_labels(self.scores)

    @cached_property
    def _summed_scores(self) -> NDArray[np.float64]:
        return _scores.sum_over_labels(self.scores)

    @cached_property
    def _log_partition(self) -> float:
        value = float(_core.log_partition(self._summed_scores, self._projective, self.single_root))
        if np.isneginf(value):
            raise ConstraintError(_NO_TREE)
        return value

    def _checked_heads(self, heads: ArrayLike) -> NDArray[np.int32]:
        tree = _as_heads(heads)
        if len(tree) != self.words + 1:
            raise ValueError(f"heads must have {self.words + 1} entries (heads[0] is the root's), not {len(tree)}")
        words = np.arange(1, len(tree))
        if ((tree[1:] < 0) | (tree[1:] > self.words) | (tree[1:] == words)).any():
            raise ValueError(f"heads must lie in 0..{self.words}, and no word heads itself")
        return tree


class NonProjective(TreeDistribution):
    """All trees, crossing arcs allowed.

    >>> len(NonProjective(np.zeros((4, 4)), single_root=True).kbest(100))  # n^(n-1)
    9
    """

    _projective = False


class Projective(TreeDistribution):
    """Trees without crossing arcs, the artificial root standing left of the first word.

    >>> len(Projective(np.zeros((4, 4)), single_root=True).kbest(100))
    7
    """

    _projective = True


def argmax_batch(
    batch: Iterable[ArrayLike], *, projective: bool = False, single_root: bool = False, threads: int = 0
) -> list[Tree]:
    """The best tree of each sentence of a ragged batch; the scores may be labelled.

    Work runs on ``threads`` threads (0: one per processor) without the interpreter lock; the answers do not depend on
    their number. A sentence without trees is a ConstraintError that names it.

    >>> [tree.heads.tolist() for tree in argmax_batch([np.zeros((2, 2)), np.eye(3, k=1)], threads=2)]
    [[-1, 0], [-1, 0, 1]]
    """
    sentences = [_scores.checked_scores(scores) for scores in batch]
    values, heads = _core.argmax_batch(
        [_scores.best_over_labels(s) for s in sentences], projective, single_root, threads
    )
    _check_batch(values)
    return [
        Tree(tree, value, _scores.best_labels(scores, tree))
        for scores, value, tree in zip(sentences, values.tolist(), heads, strict=True)
    ]


def log_partition_batch(
    batch: Iterable[ArrayLike], *, projective: bool = False, single_root: bool = False, threads: int = 0
) -> NDArray[np.float64]:
    """The log-partition of each sentence; see :func:`argmax_batch`."""
    sentences = [_scores.sum_over_labels(_scores.checked_scores(scores)) for scores in batch]
    values: NDArray[np.float64] = _core.log_partition_batch(sentences, projective, single_root, threads)
    _check_batch(values)
    return values


def marginals_batch(
    batch: Iterable[ArrayLike], *, projective: bool = False, single_root: bool = False, threads: int = 0
) -> list[NDArray[np.float64]]:
    """The marginals of each sentence, arrays like its scores; see :func:`argmax_batch`."""
    sentences = [_scores.checked_scores(scores) for scores in batch]
    values, tables = _core.marginals_batch(
        [_scores.sum_over_labels(s) for s in sentences], projective, single_root, threads
    )
    _check_batch(values)
    return [_scores.share_among_labels(table, scores) for scores, table in zip(sentences, tables, strict=True)]


def is_tree(heads: ArrayLike, *, single_root: bool = False) -> bool:
    """Whether every word reaches the root (which has exactly one child, if asked).

    >>> is_tree([-1, 2, 0, 2]), is_tree([-1, 2, 1]), is_tree([-1, 0, 0], single_root=True)
    (True, False, False)
    """
    return bool(_core.is_tree(_as_heads(heads), single_root))


def is_projective(heads: ArrayLike) -> bool:
    """Whether no two arcs cross, arcs from the root (left of the first word) included.

    >>> is_projective([-1, 2, 0, 2]), is_projective([-1, 3, 0, 2])
    (True, False)
    """
    return bool(_core.is_projective(_as_heads(heads)))


def closest_projective(heads: ArrayLike, *, single_root: bool = False) -> NDArray[np.int32]:
    """The projective tree that shares most arcs with a given tree.

    >>> closest_projective([-1, 3, 0, 2])
    array([-1,  2,  0,  2], dtype=int32)
    """
    closest: NDArray[np.int32] = _core.closest_projective(_as_heads(heads), single_root)
    return closest


def _as_heads(heads: ArrayLike) -> NDArray[np.int32]:
    array = np.asarray(heads)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise ValueError("heads must be a one-dimensional array of integers")
    return np.ascontiguousarray(array, dtype=np.int32)


def _check_batch(values: NDArray[np.float64]) -> None:
    impossible = np.flatnonzero(np.isneginf(values))
    if len(impossible):
        raise ConstraintError(f"sentence {impossible[0]} of the batch: {_NO_TREE}")
