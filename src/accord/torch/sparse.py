# SPDX-License-Identifier: Apache-2.0
"""SparseMAP: the marginals that maximise ``scores . marginals - |marginals|^2 / 2``, a mixture of few structures.

Between the best structure (its marginals are 0 or 1, without gradients) and the probabilities of a log-linear model
(all structures take part): most marginals are exactly 0 or 1, the others move with the scores. Gradients come from the
structures that the mixture is left with.

Niculae, Martins, Blondel and Cardie (2018), "SparseMAP: differentiable sparse structured inference"; Niculae and
Martins (2020), "LP-SparseMAP". The norm is over the variables; the factors' own scores count in full.
"""

from __future__ import annotations

import numpy as np
import torch

from accord._core import graph as _core
from accord.errors import BudgetError, ConstraintError
from accord.inference import FactorGraph
from accord.torch._arrays import Doubles, Lengths, checked
from accord.torch._autograd import Map, Projection
from accord.torch.trees import NO_TREE, tree_batch

_NO_TREE, _UNFINISHED = 1, 2


def sparsemap_tree(
    scores: torch.Tensor,
    lengths: Lengths | None = None,
    *,
    projective: bool = False,
    single_root: bool = True,
    steps: int = 10_000,
    threads: int = 0,
) -> torch.Tensor:
    """Sparse marginals of the arcs of each sentence's trees: an array like the scores.

    ``steps`` bounds the searches for a best tree, of which a sentence needs about as many as its mixture has trees. The
    other parameters are those of :func:`accord.torch.tree_log_partition`.

    >>> sparsemap_tree(torch.tensor([[[0.0, 1.0, 1.5], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]]))[0]
    tensor([[0.0000, 0.3750, 0.6250],
            [0.0000, 0.0000, 0.3750],
            [0.0000, 0.6250, 0.0000]])
    """
    scores, sums = tree_batch(scores, lengths, projective, single_root, threads)

    def solve(array: Doubles) -> tuple[Doubles, Map]:
        mixtures = _core.TreeMixtures(array, sums.words, projective, single_root, steps, threads)
        outcomes = mixtures.outcomes()
        if (without := np.flatnonzero(outcomes == _NO_TREE)).size:
            raise ConstraintError(f"sentence {without[0]} of the batch: {NO_TREE}")
        if (unfinished := np.flatnonzero(outcomes == _UNFINISHED)).size:
            raise BudgetError(f"sentence {unfinished[0]} of the batch: {steps} steps are not enough")
        return mixtures.marginals(), mixtures.differentiate

    marginals: torch.Tensor = Projection.apply(scores, solve)
    return marginals


def sparsemap(graph: FactorGraph, scores: torch.Tensor, *, nodes: int = 10_000, steps: int = 1000) -> torch.Tensor:
    """Sparse posteriors of a factor graph's variables: ``[V]``.

    ``scores``, one a variable, take the place of the graph's; the factors' own scores count as they are and get no
    gradient. The best assignments that the method needs are found exactly; see
    :meth:`accord.inference.FactorGraph.sparsemap`, also for ``nodes`` and ``steps``.

    >>> graph = FactorGraph()
    >>> variables = graph.variables([0.0, 0.0, 0.0])
    >>> graph.exactly_one(variables)
    >>> sparsemap(graph, torch.tensor([1.0, 0.5, -1.0]))
    tensor([0.7500, 0.2500, 0.0000])
    """
    checked(scores, 1, "[variables]")

    def solve(array: Doubles) -> tuple[Doubles, Map]:
        mixture = graph.sparsemap(array, nodes=nodes, steps=steps)
        return mixture.posteriors, mixture.differentiate

    posteriors: torch.Tensor = Projection.apply(scores, solve)
    return posteriors
