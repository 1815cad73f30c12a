# SPDX-License-Identifier: Apache-2.0
"""``solve("auto")``: one solver after another, until the best assignment of all meets the least bound of all.

First ad3, which is fast and often enough; then branch and bound, for what its relaxation leaves open; then an integer
program, where every factor has rows and HiGHS is installed. Each takes a share of the time, and the last what is left.
"""

from __future__ import annotations

import importlib.util
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from accord.errors import ConfigError
from accord.inference.graph.solution import Solution, Stage

Told: TypeAlias = "Callable[[int, float, float, float], object] | None"
Run: TypeAlias = "Callable[..., Solution]"  # solver name and settings -> solution

FIRST_ROUNDS, FIRST_NODES = 1000, 1000
ALL_NODES = 2**31 - 1
SHARE = 1 / 3  # of the time, for each solver but the last


def solve_in_turn(run: Run, spread: float, seconds: float, gap: float, on_progress: Told) -> Solution:
    """The best of what the solvers find, with who did what in ``stages``."""
    started = time.perf_counter()
    best: Solution | None = None
    stages: list[Stage] = []
    for solver, settings in _turns():
        left = seconds - (time.perf_counter() - started)
        if left <= 0:
            break
        limit = left if settings.pop("last", False) else min(left, SHARE * seconds)
        told = _relative(on_progress, started, best)
        try:
            found = run(solver, {**settings, "seconds": limit, "gap": gap, "on_progress": told})
        except ConfigError:
            continue  # a factor has no rows, or HiGHS is missing: the solver before it has the last word
        stages.append(Stage(solver, found.status, found.value, found.bound, found.seconds))
        best = found if best is None else _better(best, found, gap * spread)
        if best.status in ("optimal", "infeasible"):
            break
    if best is None:
        raise ConfigError("auto: no time for any solver")
    return replace(best, seconds=time.perf_counter() - started, stages=tuple(stages))


def _turns() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "ad3", {"iterations": FIRST_ROUNDS}
    yield "branch_and_bound", {"nodes": FIRST_NODES}
    if importlib.util.find_spec("highspy") is not None:
        yield "ilp", {"last": True}
    yield "branch_and_bound", {"nodes": ALL_NODES, "last": True}


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
