# SPDX-License-Identifier: Apache-2.0
"""Greedy choices, their bound, and how any choice becomes a feasible and better one. The work is done in the core."""

from __future__ import annotations

import numpy as np

from accord._core import graph as _core
from accord.inference.coverage.problem import Chosen, CoverageProblem, Numbers

_EXCHANGES = 5  # rounds at most
_CUTS = 3  # the same


def best_greedy(problem: CoverageProblem) -> Chosen:
    """The better of two: greedy by gain for the price, and greedy by gain, which begins with the best single unit."""
    choices = [problem.native.greedy(by_price).astype(np.bool_) for by_price in (True, False)]
    return max(choices, key=problem.value)


def greedy_bound(problem: CoverageProblem, chosen: Chosen) -> float:
    """No feasible choice has a larger value: from the gains that are left beside a given choice, and beside none."""
    bound = _core.ShareBound(problem.native)
    bound.look_at(problem.amounts(chosen))
    bound.look_at(np.zeros(problem.concepts))
    return max(bound.bound, problem.value(chosen))


def improved(problem: CoverageProblem, chosen: Chosen, rounds: int = _EXCHANGES) -> Chosen:
    """A feasible choice from any choice: repaired, filled, and exchanged."""
    native = problem.native
    return native.improved(_closed(problem, chosen).astype(np.uint8), native.groups(), rounds).astype(np.bool_)


def rounded(problem: CoverageProblem, fractions: Numbers) -> Chosen:
    """The better of two feasible choices: units of more than a half, and closed sets with shares by the fractions."""
    native = problem.native
    cut, _ = native.cut(np.ascontiguousarray(np.clip(fractions, 0.0, 1.0)), native.groups(), _CUTS, True)
    return max((improved(problem, one) for one in (fractions > 0.5, cut.astype(np.bool_))), key=problem.value)


def _closed(problem: CoverageProblem, chosen: Chosen) -> Chosen:
    """The choice without units that lack what they require."""
    needy, required = problem.requires.T
    chosen = chosen & problem.fitting
    while len(needy) and (lacking := chosen[needy] & ~chosen[required]).any():
        chosen = chosen.copy()
        chosen[needy[lacking]] = False
    return chosen
