# SPDX-License-Identifier: Apache-2.0
"""The solvers of coverage problems behind one call; each gives the engine's :class:`~accord.inference.Solution`.

Every solver returns a feasible choice and a bound that no feasible choice exceeds. Where the two meet the status is
``optimal``; ``fractional`` says that the bound is that of a relaxation, ``budget`` that the search stopped early.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from accord.errors import ConfigError, ConstraintError
from accord.inference.coverage.cuts import graph_cut
from accord.inference.coverage.enumeration import enumerated
from accord.inference.coverage.found import Found
from accord.inference.coverage.greedy import best_greedy, greedy_bound
from accord.inference.coverage.negative import without_negative
from accord.inference.coverage.problem import CoverageProblem
from accord.inference.coverage.relaxations import by_ad3, by_ilp, by_lp, by_search
from accord.inference.graph import Solution

METHODS = ("search", "ilp", "lp", "ad3", "graph_cut", "greedy", "enumerate")
SETTINGS: dict[str, dict[str, Any]] = {
    "search": {"seconds": float("inf"), "gap": 1e-9},
    "ilp": {"seconds": float("inf"), "gap": 1e-9},
    "lp": {"seconds": float("inf")},
    "ad3": {"iterations": 1000, "seconds": float("inf")},
    # rounds of cuts; steps of the bound; where the first shares come from: relaxation, greedy or uniform; whether sets
    # are repaired; and the number of units up to which what is left after all is enumerated
    "graph_cut": {"rounds": 3, "steps": 300, "start": "relaxation", "repair": True, "exact": 12},
    "greedy": {},
    "enumerate": {"limit": 20},  # units at most
}
_GAP = 1e-9  # relative, of a certificate


def solve(problem: CoverageProblem, method: str = "graph_cut", **settings: Any) -> Solution:
    """The best choice of units that a method finds; ``assignment`` says for each unit whether it is chosen.

    ``search`` and ``ilp`` are exact, and ``lp`` rounds the relaxation; ``ilp`` and ``lp`` need HiGHS. ``ad3`` solves
    the same relaxation by messages between factors. ``graph_cut`` chooses by closed sets and prices. ``greedy`` is the
    fastest; with weights alone it keeps at least (1 - 1/e) / 2 of the best value. ``enumerate`` looks at all choices.

    >>> problem = CoverageProblem([3, 2], [(0, 0), (1, 0), (0, 1), (1, 2)], costs=[7, 3, 3], limits=6)
    >>> found = solve(problem, "graph_cut")
    >>> found.status, found.value, found.assignment.tolist()
    ('optimal', 5.0, [False, True, True])
    """
    if method not in METHODS:
        raise ConfigError(f"method = {method!r}: expected one of {', '.join(METHODS)}")
    unknown = set(settings) - set(SETTINGS[method])
    if unknown:
        known = ", ".join(SETTINGS[method]) or "no settings"
        raise ConfigError(f"{method} has no setting {sorted(unknown)[0]!r}; it has {known}")
    started = time.perf_counter()
    merged, part_of = (without_negative(problem) if (problem.weights < 0).any() else problem).merged()
    found = _SOLVERS[method](merged, **{**SETTINGS[method], **settings})
    chosen = merged.native.without_idle(found.chosen.astype(np.uint8)).astype(np.bool_)[part_of[: problem.units]]
    value = problem.value(chosen)
    proved = found.bound - value <= _GAP * max(abs(value), abs(found.bound))
    return Solution(
        status="optimal" if proved else "fractional" if found.relaxed else "budget",
        assignment=chosen,
        value=value,
        bound=max(found.bound, value),
        posteriors=found.fractions[part_of[: problem.units]],
        iterations=found.iterations,
        seconds=time.perf_counter() - started,
    )


def _greedy(problem: CoverageProblem) -> Found:
    chosen = best_greedy(problem)
    return Found(chosen, greedy_bound(problem, chosen), chosen.astype(np.float64), int(chosen.sum()), False)


def _enumerate(problem: CoverageProblem, limit: int) -> Found:
    if problem.units > limit:
        raise ConstraintError(f"enumerate: {problem.units} units are too many; at most {limit} are enumerated")
    chosen = enumerated(problem, np.arange(problem.units))
    return Found(chosen, problem.value(chosen), chosen.astype(np.float64), 1 << problem.units, False)


_SOLVERS: dict[str, Callable[..., Found]] = {
    "search": by_search,
    "ilp": by_ilp,
    "lp": by_lp,
    "ad3": by_ad3,
    "graph_cut": graph_cut,
    "greedy": _greedy,
    "enumerate": _enumerate,
}
