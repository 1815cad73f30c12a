# SPDX-License-Identifier: Apache-2.0
"""Accord's solvers on a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.errors import AccordError
from accord.inference.graph import SETTINGS, Progress
from benchmarks.inference.networks.problem import Problem

if TYPE_CHECKING:
    from benchmarks.inference.networks.solve_one import Events

PATIENT = {  # as long as the time lasts
    "ad3": {"iterations": 10**6},
    "subgradient": {"iterations": 10**6},
    "branch_and_bound": {"nodes": 2**31 - 1},
    "bp": {"maximum": True, "damping": 0.3},
    "junction_tree": {"maximum": True},
}


def run(solver: str, problem: Problem, seconds: float, events: Events) -> None:
    graph = problem.graph()

    def told(progress: Progress) -> None:
        if progress.value > -float("inf"):
            events.reached(progress.value)

    settings = {key: value for key, value in PATIENT.get(solver, {}).items() if key in SETTINGS[solver]}
    events.start()
    try:
        answer = graph.solve(solver, seconds=seconds, on_progress=told, **settings)
    except AccordError as error:
        raise SystemExit(f"{solver}: {error}") from None
    if answer.assignment is not None:
        events.found(problem.setting(answer.assignment))
    if answer.status == "optimal":
        events.proved()
