# SPDX-License-Identifier: Apache-2.0
"""Upper bounds of coverage problems that need no linear program.

Two are here. The first follows from falling gains: whatever the best choice is, it is worth at most the coverage of a
given choice and the gains of further units that a budget pays for (Nemhauser, Wolsey & Fisher 1978). The second gives
each occurrence of a concept a share of the concept's weight, and buys units in part:

    sum of (weights - shares) * caps  +  the most that a budget buys of  scores + shares of the concepts of each unit,
    0 <= shares <= weights

It holds for all shares and for each budget, and with one budget it is at best the value of the linear relaxation.
Projected subgradient steps with a target (Polyak 1969) come close to that. Both bounds leave penalties of pairs out.
"""

from __future__ import annotations

import numpy as np

from accord.inference.coverage.problem import Chosen, CoverageProblem, Numbers


def gain_bound(problem: CoverageProblem, chosen: Chosen) -> float:
    """No feasible choice has a larger value: from the gains that are left beside a given choice."""
    worth = float(problem.weights @ np.minimum(problem.caps, problem.amounts(chosen)))
    gains = problem.gains(problem.amounts(chosen)) * ~chosen + np.maximum(problem.scores, 0.0)
    gains = np.where(problem.fitting, gains, 0.0)
    return worth + min(float(gains @ bought(gains, *budget)) for budget in _budgets(problem))


def _budgets(problem: CoverageProblem) -> list[tuple[Numbers, float]]:
    return [(costs, float(limit)) for costs, limit in zip(problem.costs, problem.limits, strict=True)]


def bought(gains: Numbers, costs: Numbers, limit: float) -> Numbers:
    """How much of each unit a budget buys when units may be bought in part: the best for what it costs first."""
    part = ((costs <= 0) & (gains > 0)).astype(np.float64)
    wanted = np.flatnonzero((costs > 0) & (gains > 0))
    order = wanted[np.argsort(-gains[wanted] / costs[wanted], kind="stable")]
    before = np.cumsum(costs[order]) - costs[order]
    part[order] = np.clip((limit - before) / costs[order], 0.0, 1.0)
    return part


class ShareBound:
    """The bound by shares, and the fractional choice that its steps average to."""

    def __init__(self, problem: CoverageProblem) -> None:
        self.problem = problem
        self.bound = np.inf
        self.average: Numbers = np.zeros(problem.units)
        self._shares = problem.weights / 2
        self._budgets = _budgets(problem)
        worths = [self._relaxed(costs, limit)[0] for costs, limit in self._budgets]
        self._tightest = int(np.argmin(worths)) if worths else 0
        self._weight = 0.0

    def improve(self, target: float, steps: int) -> None:
        """Take steps towards a value that some feasible choice has."""
        problem, best = self.problem, self._shares
        speed, since = 1.0, 0
        for step in range(1, steps + 1):
            worth, chosen = self._relaxed(*self._budgets[self._tightest])
            better = worth < self.bound - 1e-3 * (self.bound - target) if np.isfinite(self.bound) else True
            since = 0 if better else since + 1
            if worth < self.bound:
                self.bound, best = worth, self._shares
            if since == 10:  # the target is too far: go back to the best shares with shorter steps
                speed, since, self._shares = speed / 2, 0, best
                continue
            self._remember(chosen, float(step))
            slope = self._slope(problem.amounts(chosen) - problem.caps)
            norm = float(slope @ slope)
            if norm <= 0 or worth <= target:
                break
            moved = self._shares - speed * (worth - target) / norm * problem.weights * slope
            self._shares = np.clip(moved, 0.0, problem.weights)
        self._shares = best
        self.bound = min(self.bound, *(self._relaxed(costs, limit)[0] for costs, limit in self._budgets))

    def _slope(self, slope: Numbers) -> Numbers:
        """The slope by shares in units of their weights, without directions that leave the range."""
        weights = self.problem.weights
        leaving = ((self._shares <= 0) & (slope > 0)) | ((self._shares >= weights) & (slope < 0))
        return np.where(leaving, 0.0, weights * slope)

    def _relaxed(self, costs: Numbers, limit: float) -> tuple[float, Numbers]:
        """The value of the relaxation at these shares, and the fractional choice that has it."""
        problem = self.problem
        shared = np.bincount(
            problem.unit_of, self._shares[problem.concept_of] * problem.counts, minlength=problem.units
        )
        worth = np.where(problem.fitting, problem.scores + shared, 0.0)
        part = bought(worth, costs, limit)
        return float((problem.weights - self._shares) @ problem.caps + worth @ part), part

    def _remember(self, chosen: Numbers, weight: float) -> None:
        """Later steps count more in the average."""
        self._weight += weight
        self.average += (chosen - self.average) * (weight / self._weight)
