# SPDX-License-Identifier: Apache-2.0
"""Upper bounds of coverage problems that need no linear program.

Two are here. The first follows from falling gains: whatever the best choice is, it is worth at most the coverage of a
given choice and the gains of further units that the budgets pay for (Nemhauser, Wolsey & Fisher 1978). The second
relaxes the budgets by prices and the cover of concepts by shares:

    sum of (weights - shares) * caps  +  sum over units of max(0, scores + shares of its concepts - prices @ costs)
    + prices @ limits,            0 <= shares <= weights,   prices >= 0

It holds for all shares and prices, and at the best ones it is the value of the linear relaxation. Projected
subgradient steps with a target (Polyak 1969) come close to it. Both bounds leave penalties of pairs out.
"""

from __future__ import annotations

import numpy as np

from accord.inference.coverage.problem import Chosen, CoverageProblem, Numbers


def gain_bound(problem: CoverageProblem, chosen: Chosen) -> float:
    """No feasible choice has a larger value: from the gains that are left beside a given choice."""
    worth = float(problem.weights @ np.minimum(problem.caps, problem.amounts(chosen)))
    gains = problem.gains(problem.amounts(chosen)) * ~chosen + np.maximum(problem.scores, 0.0)
    gains = np.where(problem.fitting, gains, 0.0)
    paid = min(_fractional(gains, costs, limit) for costs, limit in zip(problem.costs, problem.limits, strict=True))
    return worth + paid


def _fractional(gains: Numbers, costs: Numbers, limit: float) -> float:
    """The most that a budget buys when units may be bought in part."""
    free = costs <= 0
    worth = float(gains[free].sum())
    gains, costs = gains[~free], costs[~free]
    order = np.argsort(-gains / costs, kind="stable")
    spent = np.cumsum(costs[order])
    whole = spent <= limit
    worth += float(gains[order][whole].sum())
    if not whole.all():
        k = int(whole.argmin())
        worth += float(gains[order][k]) * (limit - float(spent[k] - costs[order][k])) / float(costs[order][k])
    return worth


class PriceBound:
    """The bound by shares and prices, and the fractional choice that its steps average to."""

    def __init__(self, problem: CoverageProblem) -> None:
        self.problem = problem
        occurring = np.bincount(problem.concept_of, minlength=problem.concepts)
        self.shares = problem.weights / np.maximum(occurring, 1)
        self.prices = np.zeros(len(problem.limits))
        self.bound = np.inf
        self.average: Numbers = np.zeros(problem.units)
        self._weight = 0.0

    def improve(self, target: float, steps: int) -> None:
        """Take steps towards a value that some feasible choice has."""
        problem = self.problem
        speed, since = 1.0, 0
        for step in range(1, steps + 1):
            worth, chosen = self._relaxed()
            if worth < self.bound - 1e-4 * abs(self.bound - target) if np.isfinite(self.bound) else True:
                since = 0
            else:
                since += 1
                if since == 10:
                    speed, since = speed / 2, 0
            self.bound = min(self.bound, worth)
            amounts = problem.amounts(chosen)
            by_share, by_price = amounts - problem.caps, problem.limits - problem.costs @ chosen
            scale = np.maximum(problem.limits, 1.0)  # prices of budgets are measured by their limits
            norm = float(by_share @ by_share + (by_price / scale) @ (by_price / scale))
            if norm == 0 or worth <= target:
                self._remember(chosen, 1e9)
                return
            length = speed * (worth - target) / norm
            self._remember(chosen, float(step))
            self.shares = np.clip(self.shares - length * by_share, 0.0, problem.weights)
            self.prices = np.maximum(self.prices - length * by_price / scale**2, 0.0)

    def _relaxed(self) -> tuple[float, Chosen]:
        """The value of the relaxation at these shares and prices, and the choice that has it."""
        problem = self.problem
        shared = np.bincount(problem.unit_of, self.shares[problem.concept_of] * problem.counts, minlength=problem.units)
        net = np.where(problem.fitting, problem.scores + shared - self.prices @ problem.costs, -1.0)
        rest = float((problem.weights - self.shares) @ problem.caps + self.prices @ problem.limits)
        return rest + float(net[net > 0].sum()), net > 0

    def _remember(self, chosen: Chosen, weight: float) -> None:
        """Later steps count more in the average."""
        self._weight += weight
        self.average += (chosen - self.average) * (weight / self._weight)
