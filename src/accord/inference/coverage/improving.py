# SPDX-License-Identifier: Apache-2.0
"""Making choices of units feasible, and better: what every solver does with the choice that it has found."""

from __future__ import annotations

import copy
import heapq
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from accord.inference.coverage.problem import Chosen, CoverageProblem, Numbers


class Choice:
    """A choice of units under construction, with the amounts that it covers and what it costs."""

    def __init__(self, problem: CoverageProblem, chosen: Chosen | None = None) -> None:
        self.problem = problem
        self.chosen = np.zeros(problem.units, np.bool_) if chosen is None else chosen.copy()
        self.have = problem.amounts(self.chosen)
        self.spent = problem.costs @ self.chosen
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(problem.unit_of, minlength=problem.units))])
        self._order = np.argsort(problem.unit_of, kind="stable")
        self._pairs: dict[int, list[tuple[int, float]]] = {}
        for u, v, penalty in problem.redundancy:
            self._pairs.setdefault(u, []).append((v, penalty))
            self._pairs.setdefault(v, []).append((u, penalty))

    def copy(self) -> Choice:
        other = copy.copy(self)
        other.chosen, other.have = self.chosen.copy(), self.have.copy()
        return other

    def fits(self, unit: int) -> bool:
        return bool((self.spent + self.problem.costs[:, unit] <= self.problem.slack_limits).all())

    def gain(self, unit: int) -> float:
        """What the value grows by when a unit comes in."""
        return self._difference(unit, 1.0)

    def loss(self, unit: int) -> float:
        """What the value falls by when a unit goes."""
        return -self._difference(unit, -1.0)

    def flip(self, unit: int) -> None:
        """Take a unit in, or out."""
        sign = -1.0 if self.chosen[unit] else 1.0
        occurrences = self._of(unit)
        self.have[self.problem.concept_of[occurrences]] += sign * self.problem.counts[occurrences]
        self.chosen[unit] = not self.chosen[unit]
        self.spent = self.problem.costs @ self.chosen

    def _of(self, unit: int) -> NDArray[np.int64]:
        """The occurrences in a unit."""
        return self._order[self._starts[unit] : self._starts[unit + 1]]

    def _difference(self, unit: int, sign: float) -> float:
        problem, occurrences = self.problem, self._of(unit)
        concept = problem.concept_of[occurrences]
        caps, have = problem.caps[concept], self.have[concept]
        after = np.minimum(caps, have + sign * problem.counts[occurrences])
        worth = float(problem.weights[concept] @ (after - np.minimum(caps, have)))
        penalty = sum(price for other, price in self._pairs.get(unit, ()) if self.chosen[other])
        return worth + sign * (float(problem.scores[unit]) - penalty)


def price(problem: CoverageProblem) -> Numbers:
    """One cost for each unit: the shares of the budgets that it takes, summed."""
    limits = np.where(problem.limits > 0, problem.limits, 1.0)
    return np.asarray((problem.costs / limits[:, None]).sum(axis=0))


def fill(choice: Choice, units: Iterable[int] | None = None, *, by_cost: bool = True) -> None:
    """Take in units greedily by gain, or by gain for what they cost, as long as one fits that improves the value.

    Gains fall as units come in, so a gain that was computed earlier is a bound, and only the unit of the largest bound
    is computed again (Minoux 1978).
    """
    problem = choice.problem
    shares = np.maximum(price(problem), 1e-12) if by_cost else np.ones(problem.units)
    candidates = np.flatnonzero(problem.fitting & ~choice.chosen).tolist() if units is None else list(units)
    bounds = -(problem.gains(choice.have) + problem.scores) / shares  # penalties aside
    waiting = [(float(bounds[unit]), unit) for unit in candidates if not choice.chosen[unit]]
    heapq.heapify(waiting)
    while waiting and waiting[0][0] < 0:
        _, unit = heapq.heappop(waiting)
        if not choice.fits(unit):
            continue
        worth = -choice.gain(unit) / shares[unit]
        if waiting and worth > waiting[0][0]:
            heapq.heappush(waiting, (worth, unit))
        elif worth < 0:
            choice.flip(unit)


def repair(choice: Choice) -> None:
    """Take out the units that lose least for what they cost, until all budgets are kept; this always ends."""
    problem, shares = choice.problem, np.maximum(price(choice.problem), 1e-12)
    while not problem.is_feasible(choice.chosen):
        over = choice.spent > problem.slack_limits
        helping = np.flatnonzero(choice.chosen & (problem.costs[over] > 0).any(axis=0)).tolist()
        choice.flip(min(helping, key=lambda unit: (choice.loss(unit) / shares[unit], -shares[unit])))


def exchange(choice: Choice, rounds: int = 50) -> None:
    """Take out one unit and fill again, as long as that improves the value."""
    problem = choice.problem
    value = problem.value(choice.chosen)
    candidates = _promising(problem)
    for _ in range(rounds):
        best = None
        for unit in np.flatnonzero(choice.chosen):
            trial = choice.copy()
            trial.flip(int(unit))
            fill(trial, [other for other in candidates if other != unit])
            found = problem.value(trial.chosen)
            if found > value * (1 + 1e-12) + 1e-300:
                value, best = found, trial
        if best is None:
            return
        choice.chosen, choice.have, choice.spent = best.chosen, best.have, best.spent


def without_idle(problem: CoverageProblem, chosen: Chosen) -> Chosen:
    """The choice without units that add nothing to its value; of equal ones the first stays."""
    choice = Choice(problem, chosen)
    none = 1e-12 * abs(problem.value(chosen))
    for unit in np.flatnonzero(chosen)[::-1].tolist():
        if choice.loss(unit) <= none:
            choice.flip(unit)
    return choice.chosen


def _promising(problem: CoverageProblem, most: int = 150) -> list[int]:
    """The units of largest gain for what they cost: those that an exchange looks at."""
    gains = np.where(problem.fitting, problem.gains(np.zeros(problem.concepts)) + problem.scores, -np.inf)
    order = np.argsort(-gains / np.maximum(price(problem), 1e-12), kind="stable")[:most]
    return [int(unit) for unit in order if gains[unit] > 0]


def improved(problem: CoverageProblem, chosen: Chosen) -> Chosen:
    """A feasible choice from any choice: repaired, filled, and exchanged unit by unit."""
    choice = Choice(problem, chosen)
    repair(choice)
    fill(choice)
    exchange(choice)
    return choice.chosen
