"""A sentence's candidate arcs and parts as rules see them: dense scores of labelled arcs, and :class:`Parts`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.inference.graph import FactorGraph
from accord.tasks.parser.search import STATUSES


class Parts:
    """The larger parts of one sentence; see :class:`accord.inference.rules.parts.LargerParts`."""

    def __init__(self, native: _tasks.SentenceParts, decoder: _tasks.DecoderSettings) -> None:
        self._native = native
        self._decoder = decoder
        self._arcs = (native.heads, native.dependents)

    def score(self, heads: NDArray[np.int32]) -> float:
        return float(self._native.larger_score(heads))

    def best_tree(
        self, arc_scores: NDArray[np.float64], *, projective: bool, single_root: bool
    ) -> tuple[NDArray[np.int32], float, str]:
        scores = np.ascontiguousarray(arc_scores[self._arcs])
        heads, _, bound, status = self._native.decode(scores, self._decoder, projective, single_root)
        return heads, bound, STATUSES[status]

    def add_factors(self, graph: FactorGraph, arcs: NDArray[np.int64], *, projective: bool, single_root: bool) -> None:
        variables = np.ascontiguousarray(arcs[self._arcs])
        forbidden = variables < 0  # by rules, but candidates of the parser
        variables[forbidden] = graph.variables(np.zeros(int(forbidden.sum())))
        graph.fix(variables[forbidden], False)
        graph.add_natively(lambda problem: self._native.add_factors(problem, variables, projective, single_root))


def labelled_scores(native: _tasks.SentenceParts, words: int, labels: str) -> NDArray[np.float64]:
    """Scores of labelled arcs, (n+1, n+1, labels); -inf for arcs that are no candidates.

    Where labels are chosen after the tree, an arc's best label adds nothing and another costs what it is worse by: the
    best tree without rules is that of the arcs.
    """
    scores = native.label_scores.astype(np.float64)
    if labels == "none":
        scores = np.zeros((len(native.heads), 1))
    elif labels == "separate":
        scores -= scores.max(axis=1, keepdims=True)
    dense: NDArray[Any] = np.full((words + 1, words + 1, scores.shape[1]), -np.inf)
    dense[native.heads, native.dependents] = native.arc_scores[:, None] + scores
    return dense
