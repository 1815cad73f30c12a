# SPDX-License-Identifier: Apache-2.0
"""Distributions over paths of a lattice: all ways to cut 0..n into labelled segments.

An edge leads from a node to a later one and has a score and, where transitions between neighbouring edges are scored, a
label. A path leads from node 0 to node n; its score is the sum of its edges' and transitions' scores, its probability
proportional to exp(score):

>>> words = Lattice(3, [(0, 1), (1, 2), (2, 3), (0, 2), (1, 3)], [1.0, 1.0, 1.0, 2.5, 2.0])
>>> words.argmax()
Path(edges=array([3, 2], dtype=int32), score=3.5)
>>> words.marginals().round(3)
array([0.548, 0.274, 0.726, 0.452, 0.274])

Everything is exact and costs O(edges), with transitions O(edges + nodes L^2).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import chains as _core
from accord.errors import ConstraintError

_NO_PATH = "no path leads through the lattice"

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Path:
    """The numbers of the edges of a path, in order, and its score."""

    edges: NDArray[np.int32]
    score: float


class Lattice:
    """A lattice over nodes 0..length.

    Parameters
    ----------
    length:
        n, the number of the last node.
    edges:
        ``(edges, 2)`` nodes from and to, or ``(edges, 3)`` with a label. Edges lead forward; several may join the same
        nodes.
    scores:
        One an edge; ``-inf`` forbids, NaN and +inf are a ValueError.
    transitions:
        ``(L, L)`` scores of the labels of neighbouring edges; row = the edge before.

    Methods raise :class:`~accord.errors.ConstraintError` when no path leads through.
    """

    def __init__(
        self, length: int, edges: ArrayLike, scores: ArrayLike, *, transitions: ArrayLike | None = None
    ) -> None:
        array = np.asarray(edges)
        if array.size == 0:
            array = np.zeros((0, 3), dtype=np.int32)
        if array.ndim != 2 or array.shape[1] not in (2, 3) or not np.issubdtype(array.dtype, np.integer):
            raise ValueError(
                f"edges must be integers of shape (edges, 2) or (edges, 3), not {array.dtype} {array.shape}"
            )
        if transitions is not None and array.shape[1] == 2:
            raise ValueError("transitions need edges with labels: (from, to, label)")
        if length < 0 or length >= 2**31 or (np.abs(array) >= 2**31).any():
            raise ValueError("length and edges must be 32-bit numbers, the length not negative")
        self.length = length
        self.edges: NDArray[np.int32] = np.zeros((len(array), 3), dtype=np.int32)
        self.edges[:, : array.shape[1]] = array
        self.scores: Floats = np.array(scores, dtype=np.float64)
        if self.scores.shape != (len(array),):
            raise ValueError(f"scores must hold {len(array)} numbers, one an edge, not {self.scores.shape}")
        table = None if transitions is None else np.ascontiguousarray(transitions, dtype=np.float64)
        if table is not None and table.ndim != 2:
            raise ValueError(f"transitions must be (labels, labels), not {table.shape}")
        begins, ends, labels = (np.ascontiguousarray(column) for column in self.edges.T)
        self._native = _core.lattice(length, begins, ends, labels, self.scores, table)

    def argmax(self) -> Path:
        """The best path; of equal ones, always the same."""
        return self.kbest(1)[0]

    def kbest(self, k: int) -> list[Path]:
        """The k best distinct paths, best first; fewer only if fewer exist.

        >>> [path.edges.tolist() for path in Lattice(2, [(0, 1), (1, 2), (0, 2)], [1.0, 1.0, 1.5]).kbest(5)]
        [[0, 1], [2]]
        """
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        ranked = self._native.kbest(min(k, 2**31 - 1))
        if not ranked:
            raise ConstraintError(_NO_PATH)
        return [Path(edges, value) for value, edges in ranked]

    def log_partition(self) -> float:
        """log of the sum of exp(score) over all paths.

        >>> round(math.exp(Lattice(2, [(0, 1), (1, 2), (0, 2)], [0.0, 0.0, 0.0]).log_partition()))
        2
        """
        return self._sums[0]

    def marginals(self) -> Floats:
        """Probability of each edge."""
        return self._sums[2].copy()

    def entropy(self) -> float:
        """Shannon entropy in nats.

        >>> round(math.exp(Lattice(2, [(0, 1), (1, 2), (0, 2)], [0.0, 0.0, 0.0]).entropy()), 6)
        2.0
        """
        return self._sums[1]

    def max_marginals(self) -> Floats:
        """The score of the best path through each edge; -inf where there is none."""
        self.log_partition()
        best: Floats = self._native.max_marginals()
        return best

    def sample(self, count: int, *, seed: int = 0) -> list[NDArray[np.int32]]:
        """Exact independent samples: the edges of ``count`` paths. The i-th depends on the seed and i alone."""
        if count < 0:
            raise ValueError("the number of samples must not be negative")
        self.log_partition()
        paths: list[NDArray[np.int32]] = self._native.sample(count, seed % 2**64)
        return paths

    def score(self, edges: Sequence[int] | NDArray[np.int32]) -> float:
        """The score of a path; a ValueError when the edges are none.

        >>> Lattice(2, [(0, 1), (1, 2), (0, 2)], [1.0, 1.0, 1.5]).score([0, 1])
        2.0
        """
        return float(self._native.score([int(edge) for edge in edges]))

    def probability(self, edges: Sequence[int] | NDArray[np.int32]) -> float:
        """P(path)."""
        return math.exp(min(self.score(edges) - self.log_partition(), 0.0))

    @cached_property
    def _sums(self) -> tuple[float, float, Floats]:
        log_partition, entropy, marginals = self._native.marginals()
        if np.isneginf(log_partition):
            raise ConstraintError(_NO_PATH)
        return log_partition, entropy, marginals


class UnigramSegmenter:
    """Words found by a dictionary: the segmentation of the largest joint probability, words being independent.

    P(word) = (count + delta) / (N + delta V) with N the sum of the counts and V the number of words; a single character
    that is no word has count 0, longer strings outside the dictionary are no candidates. There is always a
    segmentation.

    >>> segmenter = UnigramSegmenter({"the": 5, "table": 2, "down": 3, "there": 3, "tabledown": 1})
    >>> segmenter.segment("thetabledownthere")
    ['the', 'tabledown', 'there']
    """

    def __init__(self, counts: Mapping[str, float], *, delta: float = 0.5) -> None:
        for word in counts:
            _check_text(word)
        self._native = _core.UnigramSegmenter(list(counts), [float(count) for count in counts.values()], float(delta))

    def segment(self, text: str) -> list[str]:
        """The words of a text."""
        _check_text(text)
        ends = self._native.segment(text)
        return [text[begin:end] for begin, end in itertools.pairwise([0, *ends])]

    def lattice(self, text: str) -> Lattice:
        """The candidate words of a text as a lattice over its characters, for k best segmentations and probabilities.

        >>> lattice = UnigramSegmenter({"ab": 1, "a": 1, "b": 1}).lattice("ab")
        >>> lattice.edges[:, :2].tolist(), lattice.marginals().round(3).tolist()
        ([[0, 1], [0, 2], [1, 2]], [0.25, 0.75, 0.25])
        """
        _check_text(text)
        length, begins, ends, scores = self._native.edges(text)
        return Lattice(length, np.stack([begins, ends], axis=1), scores)

    def log_probability(self, word: str) -> float:
        """log P(word); -inf for strings that are no candidate."""
        _check_text(word)
        return float(self._native.log_probability(word))


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"character {error.start} of the text is a surrogate, which is no character") from None
