# SPDX-License-Identifier: Apache-2.0
"""One solver on one problem, in a process of its own: ``solve_one.py SOLVER FILE SECONDS``.

Each line that it prints is an event as JSON: ``{"at": CPU seconds, "value": score}`` for a better setting, and
``{"at": CPU seconds, "proved": true}`` at the end where the last setting is proved to be the best. The clock starts
when the solver has its model. A solver that does not end at its limit is ended by the system; its events count.
"""

from __future__ import annotations

import importlib
import json
import math
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.inference.networks.problem import STEP, Problem, load

GRACE = 3  # seconds for saying the last word after the limit; the system ends a solver then
MODULES = {  # of the solvers that are not Accord's
    "toulbar2": "toulbar2_peer",
    "toulbar2-vac": "toulbar2_peer",
    "cp-sat": "cp_sat_peer",
    "ad3-package": "ad3_package_peer",
}


class Events:
    """What a solver tells of its work."""

    def __init__(self, problem: Problem, seconds: float) -> None:
        self.problem = problem
        self._seconds = seconds
        self._best = -math.inf
        self._started = time.process_time()

    def start(self) -> None:
        """The model is built: the clock starts now."""
        self._started = time.process_time()
        end = math.ceil(self._started + self._seconds) + GRACE
        resource.setrlimit(resource.RLIMIT_CPU, (end, end))
        self._print({"started": True})

    def found(self, setting: Sequence[int], at: float | None = None) -> None:
        """A setting, which may be better than those before."""
        self.reached(self.problem.score(self.problem.completed(setting)), at)

    def reached(self, value: float, at: float | None = None) -> None:
        if value > self._best + STEP / 2:
            self._best = value
            self._print({"at": self.now() if at is None else at, "value": value})

    def proved(self, at: float | None = None) -> None:
        self._print({"at": self.now() if at is None else at, "proved": True})

    def now(self) -> float:
        return time.process_time() - self._started

    @staticmethod
    def _print(event: dict[str, object]) -> None:
        print(json.dumps(event), flush=True)


def main() -> None:
    solver, path, seconds = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])
    problem = load(path)
    module = MODULES.get(solver, "accord_solver")
    run = importlib.import_module(f"benchmarks.inference.networks.{module}").run
    run(solver, problem, seconds, Events(problem, seconds))


if __name__ == "__main__":
    main()
