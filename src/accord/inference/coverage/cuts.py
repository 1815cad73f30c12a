# SPDX-License-Identifier: Apache-2.0
"""Coverage by closed sets and prices (Qian & Liu 2013).

A concept that occurs in several units is given to its occurrences in shares that sum to its cap. With shares fixed, the
problem is a closed set of largest weight: an occurrence requires its unit, and a unit pays a price for its cost. All
prices are solved at once (:func:`~accord.inference.parametric_closure`). The set on either side of the budget gives
new shares, which go to the occurrences that the set holds, and the steps are repeated.

Shares can only lose value, so each set is a choice whose value is at least what the closed set says. Sets that break a
budget are repaired, so that the answer is always feasible. The first shares come from the steps of
:class:`~accord.inference.coverage.bounds.ShareBound`, whose bound proves how good the answer is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.inference.closure import parametric_closure
from accord.inference.coverage.improving import Choice, exchange, fill, price, repair
from accord.inference.coverage.problem import Chosen, CoverageProblem, Numbers


def shares_of(problem: CoverageProblem, amounts: Numbers) -> Numbers:
    """The cap of each concept over its occurrences in the ratio of these amounts; evenly where all amounts are 0.

    No occurrence gets more than it brings.
    """
    concept = problem.concept_of
    total = np.bincount(concept, amounts, minlength=problem.concepts)
    everything = np.bincount(concept, problem.counts, minlength=problem.concepts)
    chosen = total[concept] > 0
    ratio = np.where(chosen, amounts, problem.counts) / np.where(chosen, total[concept], everything[concept])
    return np.asarray(np.minimum(problem.counts, problem.caps[concept] * ratio))


def closed_choices(problem: CoverageProblem, shares: Numbers) -> list[Chosen]:
    """The choices on the two sides of the budgets: the last that is feasible, and the first that is not."""
    units = problem.units
    worth = problem.weights[problem.concept_of] * shares
    costs = np.concatenate([price(problem), np.zeros(len(worth))])
    arcs = np.stack([units + np.arange(len(worth)), problem.unit_of], axis=1)
    limits = parametric_closure(np.concatenate([problem.scores, worth]), costs, arcs)[:units]
    limits = np.where(problem.fitting, limits, 0.0)
    prices = np.unique(limits[limits > 0])  # the choice {limits >= price}, for each price
    low, high = 0, len(prices)
    while low < high:
        middle = (low + high) // 2
        if problem.is_feasible(limits >= prices[middle]):
            high = middle
        else:
            low = middle + 1
    found = [limits >= prices[k] for k in (low, low - 1) if 0 <= k < len(prices)]
    return found or [np.zeros(units, np.bool_)]


def cut(problem: CoverageProblem, start: NDArray[np.float64], rounds: int) -> tuple[Chosen, int]:
    """The best choice found from a fractional choice, and the number of rounds."""
    best, best_value = np.zeros(problem.units, np.bool_), problem.value(np.zeros(problem.units, np.bool_))
    sets = [start]
    done, better = 0, True
    while better and done < rounds:
        better, done = False, done + 1
        shares = [shares_of(problem, problem.counts * one.astype(np.float64)[problem.unit_of]) for one in sets]
        sets = [chosen.astype(np.float64) for one in shares for chosen in closed_choices(problem, one)][:4]
        for one in list(sets):
            choice = Choice(problem, one > 0)
            repair(choice)
            fill(choice)
            value = problem.value(choice.chosen)
            if value > best_value:
                best, best_value, better = choice.chosen, value, True
        sets.append(best.astype(np.float64))
    polished = Choice(problem, best)
    exchange(polished)
    return polished.chosen, done
