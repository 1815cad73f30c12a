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
from accord.inference import linear
from accord.inference.coverage.bounds import ShareBound, gain_bound
from accord.inference.coverage.cuts import cut
from accord.inference.coverage.improving import Choice, fill, improved, without_idle
from accord.inference.coverage.problem import Chosen, CoverageProblem, Numbers
from accord.inference.coverage.programs import factor_graph, program
from accord.inference.graph import Solution

METHODS = ("ilp", "lp", "ad3", "graph_cut", "greedy", "enumerate")
SETTINGS: dict[str, dict[str, Any]] = {
    "ilp": {"seconds": float("inf"), "gap": 1e-9},
    "lp": {"seconds": float("inf")},
    "ad3": {"iterations": 1000, "seconds": float("inf")},
    "graph_cut": {"rounds": 10, "steps": 300},  # rounds of cuts; steps of the bound
    "greedy": {},
    "enumerate": {"limit": 20},  # units at most
}
_GAP = 1e-9  # relative, of a certificate


def solve(problem: CoverageProblem, method: str = "graph_cut", **settings: Any) -> Solution:
    """The best choice of units that a method finds; ``assignment`` says for each unit whether it is chosen.

    ``ilp`` is exact, and ``lp`` rounds the relaxation; both need HiGHS. ``ad3`` solves the same relaxation by messages
    between factors. ``graph_cut`` chooses by closed sets and prices. ``greedy`` is the fastest; with weights alone it
    keeps at least (1 - 1/e) / 2 of the best value. ``enumerate`` looks at all choices.

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
    chosen, bound, fractions, iterations, relaxed = _SOLVERS[method](problem, **{**SETTINGS[method], **settings})
    chosen = without_idle(problem, chosen)
    value = problem.value(chosen)
    proved = bound - value <= _GAP * max(abs(value), abs(bound))
    return Solution(
        status="optimal" if proved else "fractional" if relaxed else "budget",
        assignment=chosen,
        value=value,
        bound=max(bound, value),
        posteriors=fractions,
        iterations=iterations,
        seconds=time.perf_counter() - started,
    )


# What a solver gives: the choice, the bound, the choice of the relaxation, rounds, and whether that was solved.
_Found = tuple[Chosen, float, Numbers, int, bool]


def _ilp(problem: CoverageProblem, seconds: float, gap: float) -> _Found:
    found = linear.solve(program(problem), True, time_limit=None if np.isinf(seconds) else seconds, gap=gap)
    if not found.columns.size:
        chosen, rough = _greedy_choice(problem), False
        return chosen, min(found.bound, gain_bound(problem, chosen)), chosen.astype(float), found.nodes, rough
    fractions = found.columns[: problem.units]
    chosen = fractions > 0.5
    bound = found.bound
    if found.status == "optimal":  # HiGHS proves to its own tolerance
        bound = min(bound, max(problem.value(chosen), found.value))
    return (
        improved(problem, chosen) if not problem.is_feasible(chosen) else chosen,
        bound,
        fractions,
        found.nodes,
        False,
    )


def _lp(problem: CoverageProblem, seconds: float) -> _Found:
    found = linear.solve(program(problem), False, time_limit=None if np.isinf(seconds) else seconds)
    if not found.columns.size:
        return _greedy(problem)
    fractions = found.columns[: problem.units]
    return rounded(problem, fractions), found.bound, fractions, found.nodes, found.status != "budget"


def _ad3(problem: CoverageProblem, iterations: int, seconds: float) -> _Found:
    graph = factor_graph(problem)
    if not problem.units:
        return np.zeros(0, np.bool_), 0.0, np.zeros(0), 0, True
    found = graph.solve("ad3", iterations=iterations, seconds=seconds)
    fractions = np.asarray(found.posteriors[: problem.units])
    chosen = rounded(problem, fractions)
    if found.assignment is not None:
        other = improved(problem, found.assignment[: problem.units])
        chosen = max(chosen, other, key=problem.value)
    return chosen, found.bound, fractions, found.iterations, found.status != "budget"


def rounded(problem: CoverageProblem, fractions: Numbers) -> Chosen:
    """A feasible choice from a fractional one: units by their fractions, then by their gains, then exchanged."""
    choice = Choice(problem)
    for unit in np.argsort(-fractions, kind="stable"):
        if fractions[unit] > 0.5 and choice.fits(int(unit)):
            choice.flip(int(unit))
    partly = improved(problem, choice.chosen)
    for unit in np.argsort(-fractions, kind="stable"):
        if fractions[unit] > 1e-6 and not choice.chosen[unit] and choice.fits(int(unit)) and choice.gain(int(unit)) > 0:
            choice.flip(int(unit))
    return max(partly, improved(problem, choice.chosen), key=problem.value)


def _graph_cut(problem: CoverageProblem, rounds: int, steps: int) -> _Found:
    greedy = _greedy_choice(problem)
    shares = ShareBound(problem)
    shares.improve(problem.value(greedy), steps)
    chosen, done = cut(problem, shares.average, rounds)
    chosen = max(chosen, improved(problem, greedy), key=problem.value)
    bound = min(shares.bound, gain_bound(problem, chosen), gain_bound(problem, np.zeros_like(chosen)))
    return chosen, bound, shares.average, done, True


def _greedy(problem: CoverageProblem) -> _Found:
    chosen = _greedy_choice(problem)
    bound = min(gain_bound(problem, chosen), gain_bound(problem, np.zeros_like(chosen)))
    return chosen, bound, chosen.astype(np.float64), int(chosen.sum()), False


def _greedy_choice(problem: CoverageProblem) -> Chosen:
    """The best of three: greedy by gain for cost, greedy by gain, the best single unit."""
    choices = []
    for by_cost in (True, False):
        choice = Choice(problem)
        fill(choice, by_cost=by_cost)
        choices.append(choice.chosen)
    single = np.zeros(problem.units, np.bool_)
    gains = np.where(problem.fitting, problem.gains(np.zeros(problem.concepts)) + problem.scores, -np.inf)
    if problem.units and gains.max() > 0:
        single[gains.argmax()] = True
    return max((*choices, single), key=problem.value)


def _enumerate(problem: CoverageProblem, limit: int) -> _Found:
    units = problem.units
    if units > limit:
        raise ConstraintError(f"enumerate: {units} units are too many; at most {limit} are enumerated")
    table = np.zeros((units, problem.concepts))
    table[problem.unit_of, problem.concept_of] = problem.counts
    best, best_value = np.zeros(units, np.bool_), problem.value(np.zeros(units, np.bool_))
    for first in range(0, 1 << units, 4096):
        codes = np.arange(first, min(first + 4096, 1 << units))
        sets = (codes[:, None] >> np.arange(units) & 1).astype(np.float64)
        values = np.minimum(problem.caps, sets @ table) @ problem.weights + sets @ problem.scores
        for u, v, penalty in problem.redundancy:
            values -= penalty * sets[:, u] * sets[:, v]
        values[(sets @ problem.costs.T > problem.slack_limits).any(axis=1)] = -np.inf
        k = int(values.argmax())
        if values[k] > best_value:
            best, best_value = sets[k] > 0, float(values[k])
    return best, problem.value(best), best.astype(np.float64), 1 << units, False


_SOLVERS: dict[str, Callable[..., _Found]] = {
    "ilp": _ilp,
    "lp": _lp,
    "ad3": _ad3,
    "graph_cut": _graph_cut,
    "greedy": lambda problem: _greedy(problem),
    "enumerate": _enumerate,
}
