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
_WORK = 3e8  # occurrences times steps at most
_EXCHANGES = 50


def graph_cut(problem: CoverageProblem, rounds: int, steps: int, start: str, repair: bool, exact: int) -> Found:
    """The best choice of closed sets and greedy steps, and the bound by shares."""
    if start not in STARTS:
        raise ConfigError(f"start = {start!r}: expected one of {', '.join(STARTS)}")
    native = problem.native
    chosen = best_greedy(problem)
    value = problem.value(chosen)
    shares = _core.ShareBound(native)
    done = 0
    while done < steps:
        size = len(problem.occurrences.needs) + problem.units
        now = min(steps - done, _FIRST_STEPS if done < _FIRST_STEPS else max(1, int(_WORK / (size + 1))))
        shares.improve(value, now)
        shares.prune(value)
        done += now
        if now < _FIRST_STEPS:
            break
    average = shares.average()
    fractions = {"relaxation": average, "greedy": chosen.astype(np.float64), "uniform": np.zeros(problem.units)}[start]
    found, iterations = native.cut(fractions, shares.groups(), rounds, repair)
    choices = [found.astype(np.bool_)]
    if repair:
        choices.append(native.improved(chosen.astype(np.uint8), shares.groups(), _EXCHANGES).astype(np.bool_))
    chosen = max(choices, key=problem.value)
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
