# SPDX-License-Identifier: Apache-2.0
"""Distributions over trees of phrases on numpy arrays.

A sentence of n words gives ``(n+1, n+1, L)`` scores: ``scores[i, j, label]`` with i < j is the score of a phrase over
the words i+1 to j; other entries are ignored, ``-inf`` forbids a labelled span. A tree is a set of labelled spans that
do not cross. A span has at most one label, the whole sentence has one (a single word may do without), and a phrase of
several words has at least two children, which are phrases or bare words. A tree's score is the sum over its labelled
spans, and its probability is proportional to exp(score):

>>> import numpy as np
>>> scores = np.zeros((4, 4, 1))
>>> scores[0, 2] = 1.0
>>> s = Spans(scores)
>>> s.argmax()
SpanTree(spans=((0, 3, 0), (0, 2, 0)), score=1.0)
>>> round(float(s.marginals()[0, 2, 0]), 3)  # of three shapes, one weighs e: e / (e + 2)
0.576

Every tree counts once, however many children its phrases have: nothing is binarised. Best tree, sums and samples take
O(n^3 + n^2 L) time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import constituents as _core
from accord.errors import ConstraintError

__all__ = ["SpanTree", "Spans"]

_NO_TREE = "no tree satisfies the rules about spans"


@dataclass(frozen=True)
class SpanTree:
    """Labelled spans ``(begin, end, label)``, a phrase before those inside it, and the score of the tree."""

    spans: tuple[tuple[int, int, int], ...]
    score: float


class Spans:
    """A distribution over trees of phrases.

    Parameters
    ----------
    scores:
        ``(n+1, n+1, L)``, or ``(n+1, n+1)`` for one label. NaN and +inf are a ValueError.
    forbid:
        Boolean array like ``scores``: True labelled spans may not be used. ``(n+1, n+1)`` speaks of all labels.
    require:
        Spans ``(i, j)`` that must be phrases; which labels they may have is a matter of ``forbid``.
    uncrossed:
        Spans ``(i, j)`` that no phrase may cross.

    Methods raise :class:`~accord.errors.ConstraintError` when no tree is possible.
    """

    def __init__(
        self,
        scores: ArrayLike,
        *,
        forbid: ArrayLike | None = None,
        require: Iterable[tuple[int, int]] = (),
        uncrossed: Iterable[tuple[int, int]] = (),
    ) -> None:
        given = np.asarray(scores, dtype=np.float64)
        given = given[:, :, None] if given.ndim == 2 else given
        if given.ndim != 3 or given.shape[0] != given.shape[1] or given.shape[0] == 0 or given.shape[2] == 0:
            raise ValueError("scores of spans must be an (n+1, n+1, L) array")
        if forbid is not None:
            mask = np.asarray(forbid, dtype=bool)
            given = np.where(mask[:, :, None] if mask.ndim == 2 else mask, -np.inf, given)
        self.words = len(given) - 1
        self.labels = given.shape[2]
        self._upper = np.triu_indices(self.words + 1, 1)
        self._rows = np.ascontiguousarray(given[self._upper])
        self._rules = (_pairs(require), _pairs(uncrossed))
        self._check()

    @classmethod
    def from_rows(cls, rows: NDArray[np.float64], words: int) -> Spans:
        """A distribution over scores in the order of the core: spans by begin, then by end, a row of labels each."""
        scores = np.full((words + 1, words + 1, rows.shape[1]), -np.inf)
        scores[np.triu_indices(words + 1, 1)] = rows
        return cls(scores)

    def rescored(self, scores: ArrayLike) -> Spans:
        """The distribution with other scores and the same rules about spans."""
        required, uncrossed = (tuple(map(tuple, pairs.tolist())) for pairs in self._rules)
        return Spans(scores, require=required, uncrossed=uncrossed)

    @property
    def scores(self) -> NDArray[np.float64]:
        """The scores with what is forbidden, ``(n+1, n+1, L)``; ``-inf`` on ignored entries."""
        return self._square(self._rows, -np.inf)

    def argmax(self) -> SpanTree:
        """The best tree."""
        score, spans = _core.argmax(*self._given)
        return _tree(score, spans)

    def log_partition(self) -> float:
        """log of the sum of exp(score) over all trees.

        >>> round(np.exp(Spans(np.zeros((4, 4))).log_partition()))  # 3 shapes, 2 choices for each word
        24
        """
        return self._sums[0]

    def marginals(self) -> NDArray[np.float64]:
        """Probability of each labelled span, an array like ``scores``; zero on ignored entries."""
        return self._square(self._sums[1], 0.0)

    def kbest(self, k: int) -> list[SpanTree]:
        """The k best distinct trees, best first; fewer only if fewer exist."""
        found = [_tree(score, spans) for score, spans in _core.kbest(*self._given, k)]
        if not found and k > 0:
            raise ConstraintError(_NO_TREE)
        return found

    def sample(self, count: int, *, seed: int = 0) -> list[SpanTree]:
        """Independent exact samples; the same seed gives the same trees."""
        try:
            drawn = _core.sample(*self._given, count, seed)
        except ValueError:
            raise ConstraintError(_NO_TREE) from None
        return [_tree(float(self._score(spans)), spans) for spans in drawn]

    def entropy(self) -> float:
        """Shannon entropy in nats."""
        value = float(_core.entropy(*self._given))
        if np.isneginf(value):
            raise ConstraintError(_NO_TREE)
        return value

    def least_risk(self, threshold: float = 0.5) -> SpanTree:
        """The tree with the largest sum over its spans of probability minus ``threshold``.

        At 1/2 this is the tree with the fewest wrong and missing labelled spans that is to be expected. ``score`` is
        that sum.
        """
        value, spans = _core.least_risk(*self._given, threshold)
        return _tree(value, spans)

    def pruned(self, threshold: float) -> Spans:
        """The distribution without labelled spans whose probability is below ``threshold``."""
        left = Spans.__new__(Spans)
        left.words, left.labels, left._upper, left._rules = self.words, self.labels, self._upper, self._rules
        left._rows = np.where(self._sums[1] < threshold, -np.inf, self._rows)
        return left

    @cached_property
    def _sums(self) -> tuple[float, NDArray[np.float64]]:
        total, rows = _core.marginals(*self._given)
        if np.isneginf(total):
            raise ConstraintError(_NO_TREE)
        return float(total), rows

    @property
    def _given(self) -> tuple[NDArray[np.float64], int, NDArray[np.int32], NDArray[np.int32]]:
        return self._rows, self.words, *self._rules

    def _check(self) -> None:
        if np.isnan(self._rows).any() or np.isposinf(self._rows).any():
            raise ValueError("the score of a span is NaN or +infinity")
        for pairs in self._rules:
            if (
                len(pairs)
                and not ((pairs[:, 0] >= 0) & (pairs[:, 0] < pairs[:, 1]) & (pairs[:, 1] <= self.words)).all()
            ):
                raise ValueError(f"a span of a rule is out of range: 0 <= begin < end <= {self.words}")

    def _score(self, spans: NDArray[np.int32]) -> float:
        square = self.scores
        return float(sum(square[begin, end, label] for begin, end, label in spans.tolist()))

    def _square(self, rows: NDArray[np.float64], empty: float) -> NDArray[np.float64]:
        square = np.full((self.words + 1, self.words + 1, self.labels), empty)
        square[self._upper] = rows
        return square


def _pairs(spans: Iterable[tuple[int, int]]) -> NDArray[np.int32]:
    return np.array(list(spans), dtype=np.int32).reshape(-1, 2)


def _tree(score: float, spans: NDArray[np.int32]) -> SpanTree:
    if np.isneginf(score):
        raise ConstraintError(_NO_TREE)
    return SpanTree(tuple((begin, end, label) for begin, end, label in spans.tolist()), float(score))
