# SPDX-License-Identifier: Apache-2.0
"""toulbar2 through ``pytoulbar2``: hybrid best-first search as it comes, or after virtual arc consistency.

``toulbar2`` has the defaults of its command line. ``toulbar2-vac`` adds what its authors use on grids: VAC before the
search, its integrality and threshold heuristics, and RASPS for a first setting.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.inference.networks.problem import STEP, Problem

if TYPE_CHECKING:
    from benchmarks.inference.networks.solve_one import Events

INFINITE = 10**15  # above every sum of costs in steps


def model(pytoulbar2: Any, problem: Problem, vac: bool) -> tuple[Any, float]:
    """The model, and the score from which its costs, in steps, are taken away."""
    network = pytoulbar2.CFN(ubinit=INFINITE, resolution=0, vac=1 if vac else 0, verbose=0)
    if vac:
        network.Option.FullEAC = True
        network.Option.VACthreshold = True
        network.Option.useRASPS = 1
    for variable, count in enumerate(problem.values):
        network.AddVariable(f"x{variable}", range(count))
    total = 0.0
    for scope, table in problem.tables:
        top = float(table.max())
        total += top
        costs = np.where(np.isneginf(table), INFINITE, np.round((top - table) / STEP)).astype(np.int64)
        network.AddFunction(list(scope), costs.reshape(-1).tolist())
    for budget in problem.budgets:
        network.AddLinearConstraint(budget.costs.tolist(), budget.variables.tolist(), "<=", budget.limit)
    for union in problem.unions:  # an output that some input allows is taken, because it has a positive score
        scope = [*union.inputs.tolist(), union.output]
        network.AddLinearConstraint([1] * union.inputs.size + [-1], scope, ">=", 0)
    return network, total


def run(solver: str, problem: Problem, seconds: float, events: Events) -> None:
    import pytoulbar2  # type: ignore[import-not-found,unused-ignore]

    network, total = model(pytoulbar2, problem, solver.endswith("-vac"))
    events.start()
    started = events.now()
    answer, log = _captured(lambda: network.Solve(timeLimit=max(1, round(seconds))))
    took = events.now() - started
    times = [float(at) for at in re.findall(r"([\d.]+) seconds", log)]
    before = max(0.0, times[-1] - took) if times else 0.0  # its clock starts when it is loaded
    for cost, at in re.findall(r"New solution: (-?\d+) .*?([\d.]+) seconds", log):
        events.reached(total - STEP * float(cost), max(0.0, float(at) - before))
    if answer is not None:
        events.found([int(value) for value in answer[0]])
        if "Optimum:" in log:
            events.proved(took)


def _captured(work: Callable[[], Any]) -> tuple[Any, str]:
    """What a function returns, and what its native code prints."""
    sys.stdout.flush()
    shown = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            result = work()
        finally:
            os.dup2(shown, 1)
        file.seek(0)
        return result, file.read().decode(errors="replace")
