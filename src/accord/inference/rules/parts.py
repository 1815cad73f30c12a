# SPDX-License-Identifier: Apache-2.0
"""Scores of more than single arcs, as rules meet them: a second summand of a tree's value, with factors of its own.

What the parts are (siblings, grandparents, ...) and how their scores come about is nobody's business here.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from accord.inference.graph import FactorGraph


class LargerParts(Protocol):
    """The parts of one sentence's trees that are larger than arcs."""

    def score(self, heads: NDArray[np.int32]) -> float:
        """Their sum for a tree; -inf when an arc of it is no candidate."""

    def best_tree(
        self, arc_scores: NDArray[np.float64], *, projective: bool, single_root: bool
    ) -> tuple[NDArray[np.int32], float, str]:
        """Heads of a good tree by arc scores, (n+1, n+1), and larger parts; a bound on all trees; the verdict.

        Arcs of score -inf are none.
        """

    def add_factors(
        self, graph: FactorGraph, arcs: NDArray[np.int64], *, projective: bool, single_root: bool
    ) -> NDArray[np.int64]:
        """The tree factor and those of the larger parts over the arcs' variables, (n+1, n+1); -1: no such arc.

        Returns the variables of what follows from the arcs, which parts may need; see ``indicators``.
        """

    def indicators(self, heads: NDArray[np.int32], *, projective: bool) -> NDArray[np.bool_]:
        """The values of these variables in a tree."""
