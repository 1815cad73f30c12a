# SPDX-License-Identifier: Apache-2.0
"""``solve("auto")``: one solver after another, until the best assignment of all meets the least bound of all.

The shape of the graph decides who comes when. Where every factor is a table of values, or small enough to become one,
``search`` comes first, over values. Where factors count or weigh many variables (budgets, cardinalities), ``search``
comes first too, over rows. Otherwise ad3 comes first, which is fast and often enough, then search over rows and branch
and bound for what its relaxation leaves open. Where rows are too many for the search, it gives up soon, and HiGHS
takes over, if it is installed. Each takes a share of the time, and the last what is left. Each gets the best assignment
so far to start from.
"""

from __future__ import annotations

import importlib.util
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from accord.errors import ConfigError
from accord.inference.graph.solution import OnBetter, Solution, Stage

Told: TypeAlias = "Callable[[int, float, float, float], object] | None"
Run: TypeAlias = "Callable[..., Solution]"  # solver name and settings -> solution

FIRST_ROUNDS, FIRST_NODES, FIRST_SEARCH = 1000, 1000, 200_000
ALL_NODES = 2**31 - 1
SHARE = 1 / 3  # of the time, for each solver but the last
ROWS_SHARE = 0.9  # of the time, for budgets: where the search over rows is not done by then, HiGHS seldom is
MOST_ROWS = 400  # that hold with equality: up to here the search over rows is faster than HiGHS
LARGEST_PROGRAM = 2_000_000  # entries of tables that are still worth handing to HiGHS
WEIGHING = {"budget", "cardinality", "knapsack", "linear"}  # kinds of factors whose rows say more than their maxima


class Shape(NamedTuple):
    """What decides the order of solvers."""

    values: bool  # every factor is a table of values
    entries: int  # of all these tables
    kinds: frozenset[str]  # of the factors


def solve_in_turn(
    run: Run, shape: Shape, spread: float, seconds: float, gap: float, on_better: OnBetter | None, on_progress: Told
) -> Solution:
    """The best of what the solvers find, with who did what in ``stages``."""
    started = time.perf_counter()
    best: Solution | None = None
    stages: list[Stage] = []
    for solver, share, settings in _turns(shape):
        left = seconds - (time.perf_counter() - started)
        if left <= 0:
            break
        told = _relative(on_progress, started, best)
        own = {**settings, "seconds": min(left, share * seconds), "gap": gap, "on_progress": told}
        if solver in ("search", "branch_and_bound"):
            own["on_better"] = on_better
            own["start"] = None if best is None else best.assignment
        try:
            found = run(solver, own)
        except ConfigError:
            continue  # a factor has no rows, or HiGHS is missing: the solver before it has the last word
        stages.append(Stage(solver, found.status, found.value, found.bound, found.seconds))
        best = found if best is None else _better(best, found, gap * spread)
        if best.status in ("optimal", "infeasible"):
            break
    if best is None:
        raise ConfigError("auto: no time for any solver")
    return replace(best, seconds=time.perf_counter() - started, stages=tuple(stages))


def _turns(shape: Shape) -> Iterator[tuple[str, float, dict[str, Any]]]:
    """Solvers with their share of the time and their settings."""
    highs = importlib.util.find_spec("highspy") is not None
    if shape.values:
        program = highs and shape.entries <= LARGEST_PROGRAM
        yield "search", 2 * SHARE, {"nodes": FIRST_SEARCH}
        if program:
            yield "ilp", 2 * SHARE, {}
        yield "search", 1.0, {}
        return
    if shape.kinds & WEIGHING:
        yield "search", ROWS_SHARE if highs else 1.0, {"by": "rows", "rows": MOST_ROWS}
        yield "ad3", SHARE, {"iterations": FIRST_ROUNDS // 10}
        if highs:
            yield "ilp", 1.0, {}
    yield "ad3", SHARE, {"iterations": FIRST_ROUNDS}
    if not shape.kinds & WEIGHING:
        yield "search", SHARE, {"by": "rows", "rows": MOST_ROWS, "nodes": FIRST_NODES}
    yield "branch_and_bound", SHARE, {"nodes": FIRST_NODES}
    if highs:
        yield "ilp", 1.0, {}
    yield "branch_and_bound", 1.0, {"nodes": ALL_NODES}


def _better(known: Solution, found: Solution, tolerance: float) -> Solution:
    """The better assignment with the lower bound; a certificate where these meet."""
    if found.status == "infeasible":
        return found
    if found.status == "optimal":
        best = found if found.value >= known.value else known
        return replace(best, status="optimal", bound=max(found.bound, best.value))
    best = found if found.value > known.value else known
    bound = min(known.bound, found.bound)
    proved = best.assignment is not None and bound - best.value <= tolerance
    return replace(best, bound=max(bound, best.value), status="optimal" if proved else "budget")


def _relative(on_progress: Told, started: float, known: Solution | None) -> Told:
    """Progress of one solver as progress of all."""
    if on_progress is None:
        return None
    value, bound = (-math.inf, math.inf) if known is None else (known.value, known.bound)

    def told(iteration: int, _: float, own_value: float, own_bound: float) -> object:
        now = time.perf_counter() - started
        return on_progress(iteration, now, max(value, own_value), min(bound, own_bound))

    return told
