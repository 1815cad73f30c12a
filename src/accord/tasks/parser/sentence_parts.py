# SPDX-License-Identifier: Apache-2.0
"""A sentence's candidate arcs and parts as rules see them: dense scores of labelled arcs, and :class:`Parts`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.data import Document
from accord.errors import ConfigError, ConstraintError
from accord.inference.graph import FactorGraph
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.options import STATUSES, Search


class Parts:
    """The larger parts of one sentence; see :class:`accord.inference.rules.parts.LargerParts`."""

    def __init__(self, native: _tasks.SentenceParts, decoder: _tasks.DecoderSettings, *, scale: float = 1.0) -> None:
        """``scale``: of their scores, in sums and factors."""
        self._native = native
        self._scale = scale
        self._decoder = decoder
        self._arcs = (native.heads, native.dependents)

    @property
    def candidates(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Heads and dependents of the arcs that the pruner leaves."""
        return self._arcs

    def score(self, heads: NDArray[np.int32]) -> float:
        return self._scale * float(self._native.larger_score(heads))

    def best_tree(
        self, arc_scores: NDArray[np.float64], *, projective: bool, single_root: bool
    ) -> tuple[NDArray[np.int32], float, str]:
        scores = np.ascontiguousarray(arc_scores[self._arcs])
        heads, _, bound, status = self._native.decode(scores, self._decoder, projective, single_root)
        if STATUSES[status] == "infeasible":
            raise ConstraintError("the arcs contain no tree")
        return heads, bound, STATUSES[status]

    def add_factors(
        self, graph: FactorGraph, arcs: NDArray[np.int64], *, projective: bool, single_root: bool
    ) -> NDArray[np.int64]:
        variables = np.ascontiguousarray(arcs[self._arcs])
        forbidden = variables < 0  # by rules, but candidates of the parser
        variables[forbidden] = graph.variables(np.zeros(int(forbidden.sum())))
        graph.fix(variables[forbidden], False)
        before, scale = len(graph.evidence), self._scale
        graph.add_natively(lambda problem: self._native.add_factors(problem, variables, projective, single_root, scale))
        return np.arange(before, len(graph.evidence))

    def indicators(self, heads: NDArray[np.int32], *, projective: bool) -> NDArray[np.bool_]:
        values: NDArray[np.bool_] = self._native.indicators(heads, projective).astype(np.bool_)
        return values


class PartGraph(NamedTuple):
    """A sentence's parses as a factor graph: variable i is the arc from ``heads[i]`` to ``dependents[i]``.

    After the arcs come the variables of what follows from them, where the model has path or non-projective parts.
    """

    graph: FactorGraph
    heads: NDArray[np.int32]
    dependents: NDArray[np.int32]


def part_graph(
    parser: _tasks.ParserModel, config: ParserConfig, document: Document, index: int, *, single_root: bool
) -> PartGraph:
    """The graph of a document's sentence over the arcs that the pruner leaves, each with its best label's score."""
    scores, parts = scored_parts(parser, config, document, index)
    heads, dependents = parts.candidates
    arcs = np.full(scores.shape, -1, np.int64)
    graph = FactorGraph()
    arcs[heads, dependents] = graph.variables(scores[heads, dependents])
    parts.add_factors(graph, arcs, projective=config.projective, single_root=single_root)
    return PartGraph(graph, heads, dependents)


def scored_parts(
    parser: _tasks.ParserModel, config: ParserConfig, document: Document, index: int
) -> tuple[NDArray[np.float64], Parts]:
    """The score of each arc that the pruner leaves with its best label, ``-inf`` for others, and the larger parts."""
    words = int(document.lengths[index])
    everything = np.ones((words + 1) ** 2, np.uint8)
    none_wanted = np.zeros_like(everything)
    native = _tasks.sentence_parts(parser, document.native, index, everything, none_wanted, True, config.projective)
    if native is None:
        raise ConfigError("a sentence without words has no graph")
    scores = labelled_scores(native, words, config.label_mode()).max(axis=2)
    return scores, Parts(native, Search().decoder(config))


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
