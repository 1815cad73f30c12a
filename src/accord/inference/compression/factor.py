# SPDX-License-Identifier: Apache-2.0
"""A compression problem as a factor of a graph, so that sentences can share a budget or concepts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference.compression.length import Length
from accord.inference.compression.problem import CompressionProblem


class CompressionFactor:
    """The compressions of one sentence over one variable a word, with the scores of the problem as own scores.

    AD3 projects on it through the active set, with one call of the programme for each vertex. For subtrees of a given
    tree, ``FactorGraph.subtree`` is many times faster. In the joint programme a set of words has the score of its best
    tree.

    >>> from accord.inference import FactorGraph
    >>> problem = CompressionProblem([1.0, 2.0, -1.0], bigrams=np.zeros((4, 4)), empty=0.0)
    >>> graph = FactorGraph()
    >>> words = graph.variables(np.zeros(3))
    >>> graph.factor(CompressionFactor(problem), words)
    >>> graph.budget(words, [2, 2, 1], 3)
    >>> graph.solve("branch_and_bound").assignment.tolist()
    [False, True, False]
    """

    def __init__(self, problem: CompressionProblem, length: Length | int | None = None) -> None:
        self.problem = problem
        self._window = Length.of(length).window(problem.costs)

    def maximize(self, scores: NDArray[np.float64]) -> tuple[list[int], float]:
        """The compression that is best when words earn these scores more; -inf forbids a word."""
        forbidden = np.isneginf(scores)
        if (forbidden & (self.problem.fates[1:] == 1)).any():
            return [0] * scores.size, -math.inf
        fates = self.problem.fates.copy()
        fates[1:][forbidden] = 2
        found = self._find(np.where(forbidden, 0.0, scores), fates)
        return [0] * scores.size if found is None else found[0], -math.inf if found is None else found[1]

    def score(self, configuration: NDArray[np.uint8]) -> float:
        """The score of keeping exactly these words; -inf where the problem does not allow it."""
        kept = np.asarray(configuration, np.bool_)
        if not self.problem.allows(kept):
            return -math.inf
        found = self._find(np.zeros(kept.size), np.append(0, np.where(kept, 1, 2)).astype(np.uint8))
        return -math.inf if found is None else found[1]

    def _find(self, additions: NDArray[np.float64], fates: NDArray[np.uint8]) -> tuple[list[int], float] | None:
        way: Any = ("exact", 0, True, 1_000_000)
        answer = self.problem.native.find(np.append(0.0, additions), fates, *self._window, *way)
        found, _, proved, kept, _, value, *_ = answer
        if found and not proved:
            raise ConstraintError("the rules of a compression take too long to be a factor")
        return (kept[1:].tolist(), float(value) + self.problem.constant) if found else None
