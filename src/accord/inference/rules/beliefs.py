# SPDX-License-Identifier: Apache-2.0
"""Probabilities of labelled arcs under tree rules, by belief propagation over the graph of the rules.

Distribution: p(tree) ~ exp(value) over labelled trees that keep the hard rules. The tree factor is summed exactly, each
class of labels that no rule tells apart counts with the sum of its members; loops between tree and rules make it an
estimate. Paper: Smith & Eisner (2008), "Dependency parsing by belief propagation".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.inference import trees
from accord.inference.rules.problem import TreeProblem
from accord.inference.rules.program import TreeProgram
from accord.inference.rules.sums import log_sum

ITERATIONS = 50
DAMPING = 0.2


@dataclass(frozen=True, eq=False)
class TreeBeliefs:
    """Probabilities of labelled arcs, (n+1, n+1, labels), those of a word summing to one.

    ``log_share``: Bethe's estimate of the logarithm of what tree rules leave of the sum over all trees.
    """

    labelled: NDArray[np.float64]
    log_share: float


def tree_beliefs(problem: TreeProblem) -> TreeBeliefs:
    """By the scores of a problem of single arcs, as logarithms. ConstraintError when no tree keeps the hard rules."""
    program = TreeProgram(problem, sums=True)
    labelled, log_partition = program.beliefs(iterations=ITERATIONS, damping=DAMPING, tolerance=1e-5)
    kind = trees.NonProjective if problem.crossing_allowed else trees.Projective
    free = kind(log_sum(problem.arc_scores, axis=2), single_root=problem.single_root).log_partition()
    totals = labelled.sum(axis=(0, 2))
    totals[totals <= 0] = 1.0
    return TreeBeliefs(labelled / totals[None, :, None], log_partition - free)
