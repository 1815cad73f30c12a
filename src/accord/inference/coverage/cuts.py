# SPDX-License-Identifier: Apache-2.0
"""Coverage by closed sets and prices (Qian & Liu 2013); the core does the work.

The first shares of concepts come from the relaxation, whose bound proves how good the answer is, from a greedy choice,
or are the same for all occurrences. Units that no better choice can have are left out as soon as the bound says so.
Where few units are left, their choices are enumerated and the answer is proved.
"""

from __future__ import annotations

import numpy as np

from accord._core import graph as _core
from accord.errors import ConfigError
from accord.inference.coverage.enumeration import enumerated
from accord.inference.coverage.found import Found
from accord.inference.coverage.greedy import best_greedy
from accord.inference.coverage.problem import CoverageProblem

STARTS = ("relaxation", "greedy", "uniform")
_FIRST_STEPS = 30  # before units are left out for the first time
_WORK = 3e5  # units and occurrences times steps at most, after the first steps
_EXCHANGES = 3  # rounds at most
_LARGE = 3000  # units and occurrences from which only the better of two choices is improved
_VERY_LARGE = 5000  # the same from which it is improved in one round


def graph_cut(problem: CoverageProblem, rounds: int, steps: int, start: str, repair: bool, exact: int) -> Found:
    """The best choice of closed sets and greedy steps, and the bound by shares."""
    if start not in STARTS:
        raise ConfigError(f"start = {start!r}: expected one of {', '.join(STARTS)}")
    native = problem.native
    chosen = best_greedy(problem)
    value = problem.value(chosen)
    shares = _core.ShareBound(native)
    size = len(problem.occurrences.needs) + problem.units + 1
    for many in _portions(steps, max(_FIRST_STEPS, int(_WORK / size))):
        shares.improve(value, many)
        shares.prune(value)
    average = shares.average()
    fractions = {"relaxation": average, "greedy": chosen.astype(np.float64), "uniform": np.zeros(problem.units)}[start]
    found, iterations = native.cut(fractions, shares.groups(), rounds, repair)
    if repair:
        starts = [chosen, found.astype(np.bool_)]
        if size > _LARGE:
            starts = [max(starts, key=problem.value)]
        exchanges = 1 if size > _VERY_LARGE else _EXCHANGES
        improved = [native.improved(one.astype(np.uint8), shares.groups(), exchanges) for one in starts]
        chosen = max((one.astype(np.bool_) for one in improved), key=problem.value)
    else:
        chosen = found.astype(np.bool_)
    shares.look_at(problem.amounts(chosen))
    shares.look_at(np.zeros(problem.concepts))
    bound = max(shares.bound, problem.value(chosen))
    if repair and bound > problem.value(chosen):
        shares.prune(problem.value(chosen))
        left = np.concatenate([np.zeros(0, np.int64), *map(native.units_of, shares.groups())]).astype(np.int64)
        if len(left) <= exact:
            chosen = max(chosen, enumerated(problem, left), key=problem.value)
            bound = problem.value(chosen)
    return Found(chosen, bound, average, iterations, True)


def _portions(steps: int, most: int) -> list[int]:
    """Steps of the bound in two portions: units are left out after the first, which makes the second one cheaper."""
    first = min(steps, _FIRST_STEPS)
    return [portion for portion in (first, min(steps, most) - first) if portion > 0]
