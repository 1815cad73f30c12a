# SPDX-License-Identifier: Apache-2.0
"""The solvers: their settings with defaults, and one way to call them.

``gap`` says when an assignment counts as optimal: when its value lies within ``gap * spread`` of the bound. The spread
of a graph is the width of the interval that holds the values of all assignments by the simplest count, with every
score on or off and every factor at its best or worst. Variables with evidence and variables without factors do not
count, so that a constant changes no certificate, and all scores times a number change none either. ``gap=0`` leaves
nothing but the rounding of sums. ``bound`` is rounded upwards: no assignment has a larger value.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import graph as _core
from accord.errors import BudgetError, ConfigError
from accord.inference import linear
from accord.inference.graph import auto
from accord.inference.graph.solution import OnBetter, OnProgress, Progress, Solution, from_native

SOLVERS = (
    "ad3", "subgradient", "trws", "bp", "junction_tree", "lp", "ilp", "branch_and_bound", "search", "enumerate", "auto",
)  # fmt: skip

_INFINITE = float("inf")
COVERS = {"ad3": "chains", "subgradient": "trees"}  # by measurement on grids with 2 to 10 values
SETTINGS: dict[str, dict[str, Any]] = {
    "ad3": {
        "iterations": 1000,  # rounds at most
        "seconds": _INFINITE,  # time at most
        "penalty": 0.5,  # initial penalty, in units of the mean absolute score
        "relaxation": 1.5,  # over-relaxation, 1 to 1.618
        "residual": 1e-6,  # root mean square residuals of a solved relaxation
        "gap": 1e-7,  # of a certificate, in units of the spread
        "adapt_until": 150,  # rounds during which the penalty adapts
        "inner_steps": 2,  # maximisations per quadratic step without closed form
        "check_every": 10,  # rounds between bounds and roundings
        "cache": True,  # do not solve factors again whose inputs did not move
        "trace": False,  # record every round
        "warm": False,  # start from the last solution
        "cover": "auto",  # tables over two variables are joined into "chains" (auto), into "trees", or not ("none")
        "round": None,  # posteriors -> assignment or None
        "on_progress": None,  # told of the Progress, ten times a second at most; False ends the search
    },
    "subgradient": {
        "iterations": 1000,
        "seconds": _INFINITE,
        "step_rule": "increases",  # or "level": slower at first, but it always comes to the value of the relaxation
        "step": 0.0,  # the first step of "increases"; 0: chosen from the first dual value
        "tolerance": 1e-9,  # as the gap of ad3
        "lazy": True,
        "trace": False,
        "warm": False,
        "cover": "auto",  # trees
        "round": None,
        "on_progress": None,
    },
    "trws": {
        "passes": 400,  # forwards and backwards over all variables, at most
        "seconds": _INFINITE,
        "gap": 1e-7,
        "on_progress": None,
    },
    "bp": {
        "maximum": False,  # max-product instead of sum-product
        "iterations": 200,
        "seconds": _INFINITE,
        "damping": 0.0,  # share of the old message that is kept
        "tolerance": 1e-8,
        "temperature": 1.0,
        "trace": False,
        "warm": False,
        "on_progress": None,
    },
    "lp": {"seconds": _INFINITE, "gap": 1e-7, "on_progress": None},
    "ilp": {"seconds": _INFINITE, "gap": 1e-7, "on_progress": None},
    "branch_and_bound": {
        "nodes": 10_000,
        "seconds": _INFINITE,
        "gap": 1e-7,
        "iterations": 200,  # of ad3, per node
        "trace": False,
        "start": None,  # an assignment to beat
        "round": None,
        "on_better": None,  # told of each better assignment and its value
        "on_progress": None,
    },
    "search": {
        "by": "auto",  # "values": tables of values; "rows": a linear program; auto: values where all factors are tables
        "nodes": 2**62,
        "seconds": _INFINITE,
        "gap": 1e-7,
        "rows": 2**31 - 1,  # of a linear program that may hold with equality: beyond, a search over rows gives up
        "start": None,  # an assignment to beat
        "on_better": None,  # told of each better assignment and its value
        "on_progress": None,
    },
    "auto": {"seconds": _INFINITE, "gap": 1e-7, "on_better": None, "on_progress": None},
    "enumerate": {"limit": 25, "seconds": _INFINITE, "on_progress": None},  # limit: free variables at most
    "junction_tree": {
        "maximum": False,  # the best assignment alone, without marginals
        "width": 22.0,  # log2 of the entries of the largest table, at most
        "entries": 28.0,  # log2 of the entries of all tables, at most
        "seconds": _INFINITE,
        "on_progress": None,
    },
}


def solve(native: _core.Problem, solver: str, settings: dict[str, Any]) -> Solution:
    """The answer of a solver with these settings, defaults elsewhere; its status may be ``infeasible``."""
    if solver not in SOLVERS:
        raise ConfigError(f"unknown solver {solver!r}; there are: {', '.join(SOLVERS)}")
    unknown = set(settings) - set(SETTINGS[solver])
    if unknown:
        raise ConfigError(f"{solver} has no setting {sorted(unknown)[0]!r}; it has: {', '.join(SETTINGS[solver])}")
    values = {**SETTINGS[solver], **settings}
    values["on_progress"] = told(values["on_progress"])
    if values.get("on_better") is not None:
        values["on_better"] = _as_booleans(values["on_better"])
    if solver == "auto":
        kinds = frozenset(native.kind(factor) for factor in range(native.factors))
        entries = int(native.value_entries())
        return auto.solve_in_turn(
            lambda name, own: _run(native, name, {**SETTINGS[name], **own}),
            auto.Shape(entries >= 0, entries, kinds),
            float(native.spread),
            **values,
        )
    return _run(native, solver, values)


def _run(native: _core.Problem, solver: str, values: dict[str, Any]) -> Solution:
    if solver in ("lp", "ilp"):
        return _linear(native, solver == "ilp", **values)
    name = {"bp": "belief_propagation"}.get(solver, solver)
    if values.get("cover") == "auto":
        values = {**values, "cover": COVERS[solver]}
    if "start" in values:
        values["start"] = _bits(values["start"], native.variables)
    try:
        return from_native(getattr(native, name)(**values))
    except ValueError as error:
        raise ConfigError(f"{solver}: {error}") from None
    except RuntimeError as error:
        if solver != "junction_tree":
            raise
        raise BudgetError(f"{solver}: {error}") from None


def _bits(assignment: ArrayLike | None, variables: int) -> NDArray[np.uint8]:
    """An assignment as the core takes it; empty when there is none."""
    if assignment is None:
        return np.zeros(0, np.uint8)
    bits = np.ascontiguousarray(np.asarray(assignment, bool).reshape(-1).astype(np.uint8))
    if bits.size != variables:
        raise ConfigError(f"start: an assignment has {variables} values, not {bits.size}")
    return bits


def told(on_progress: OnProgress | None) -> Callable[[int, float, float, float], object] | None:
    """What the core calls: the fields of a Progress."""
    if on_progress is None:
        return None
    return lambda iteration, seconds, value, bound: on_progress(Progress(iteration, seconds, value, bound))


def _as_booleans(on_better: OnBetter) -> Callable[[NDArray[np.uint8], float], object]:
    return lambda bits, value: on_better(bits.astype(np.bool_), value)


def _linear(
    native: _core.Problem,
    integral: bool,
    seconds: float,
    gap: float,
    on_progress: Callable[[int, float, float, float], object] | None,
) -> Solution:
    started = time.perf_counter()
    try:
        program = native.program()
    except ValueError as error:
        raise ConfigError(f"{'ilp' if integral else 'lp'}: {error}") from None
    limit = None if seconds == _INFINITE else seconds
    found = linear.solve(program, integral, time_limit=limit, gap=gap, spread=native.spread, on_progress=on_progress)
    posteriors = found.columns[: native.variables]
    assignment: NDArray[np.bool_] | None = None
    value, status = -_INFINITE, found.status
    if found.value > -_INFINITE and np.all(np.minimum(posteriors, 1 - posteriors) < 1e-6):
        assignment = posteriors > 0.5
        value = float(native.value(assignment.astype(np.uint8)))
    if status == "optimal" and value < found.value - 1e-6 * native.spread - 1e-12 * abs(found.value):
        status = "budget"  # HiGHS stretched a row by its tolerance: the graph itself has the last word
    return Solution(
        status=status,
        assignment=assignment if value > -_INFINITE else None,
        value=value,
        bound=value if status == "optimal" and found.bound <= found.value else max(value, found.bound),
        posteriors=posteriors,
        iterations=found.nodes,
        seconds=time.perf_counter() - started,
    )
