# SPDX-License-Identifier: Apache-2.0
"""Runs of solvers: each in a process of its own with one thread, ended at its time, and kept in a file of results.

All clocks of a solver tell CPU time (``cpu_clock.c``), so that its limit means the same on a busy machine. Where there
is no C compiler, limits are those of each solver's own clock.
"""

from __future__ import annotations

import atexit
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import accord
from benchmarks.inference.networks.problem import Problem, save
from benchmarks.places import ROOT

SCRIPT = Path(__file__).with_name("solve_one.py")
BUILDING = 300.0  # seconds at most for loading a library and building a model, which are not timed
PATIENCE = 20.0  # seconds on the wall for a second of CPU time, at most: other programs may take the rest
CLOCK = Path(__file__).with_name("cpu_clock.c")


@dataclass(frozen=True)
class Run:
    """What one solver did on one instance; times are CPU seconds since its model was built."""

    solver: str
    instance: str
    limit: float
    values: list[tuple[float, float]] = field(default_factory=list)  # time and value of better and better settings
    proof: float | None = None  # time
    problem: str = ""  # why it did not run to its end

    def value_at(self, seconds: float) -> float:
        """The best value after so many seconds; -inf where there is no setting yet."""
        return max((value for at, value in self.values if at <= seconds), default=-math.inf)


class Runner:
    """Runs solvers by the interpreter that has them. What a file of results has already is not run again."""

    def __init__(self, peer_python: str, kept: Path | None, older: Path | None = None) -> None:
        self._peer_python = peer_python
        self._older = older
        self._kept = kept
        self._folder = Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        self._clock = _compiled_clock(self._folder)
        self._known: dict[tuple[str, str, float], Run] = {}
        if kept is not None and kept.exists():
            for line in kept.read_text().splitlines():
                run = Run(**json.loads(line))
                self._known[run.solver, run.instance, run.limit] = run

    def run(self, solver: str, name: str, make: Callable[[], Problem], limit: float) -> Run:
        """The run of a solver on the instance of this name, which is made where it is needed."""
        known = self._known.get((solver, name, limit))
        if known is not None:
            return known
        path = self._folder / f"{name}.npz"
        if not path.exists():
            save(make(), path)
        run = self._fresh(solver, name, path, limit)
        self._known[solver, name, limit] = run
        if self._kept is not None:
            with self._kept.open("a") as file:
                file.write(json.dumps(asdict(run)) + "\n")
        return run

    def _fresh(self, solver: str, name: str, path: Path, limit: float) -> Run:
        older = solver.startswith("before:")
        ours = older or solver.startswith("accord:")
        source = self._older if older and self._older is not None else Path(accord.__file__).parents[1]
        environment = dict(os.environ, OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
        environment["PYTHONPATH"] = os.pathsep.join([str(source), str(ROOT)] if ours else [str(ROOT)])
        environment["LD_PRELOAD"] = " ".join(filter(None, [self._clock, os.environ.get("LD_PRELOAD")]))
        python = sys.executable if ours else self._peer_python
        command = [python, str(SCRIPT), solver.rpartition(":")[2], str(path), str(limit)]
        events, problem = _events(command, environment, limit)
        values = [(event["at"], event["value"]) for event in events if "value" in event and event["at"] <= limit]
        proofs = [event["at"] for event in events if "proved" in event and event["at"] <= limit]
        return Run(solver, name, limit, values, proofs[0] if proofs else None, problem)


def _compiled_clock(folder: Path) -> str:
    """The library with clocks of CPU time; nothing where it cannot be made."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    library = folder / "cpu_clock.so"
    if compiler is None:
        return ""
    done = subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, CLOCK], check=False)
    return str(library) if done.returncode == 0 else ""


def _events(command: list[str], environment: dict[str, str], limit: float) -> tuple[list[dict[str, float]], str]:
    """What a solver tells until its end, or until it is ended; and the last line of its complaints."""
    events: list[dict[str, float]] = []
    with tempfile.TemporaryFile(mode="w+") as complaints:
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=complaints, text=True)
        assert process.stdout is not None
        timer = _ended_after(BUILDING, process)
        try:
            for line in process.stdout:
                if not line.startswith("{"):
                    continue
                events.append(json.loads(line))
                if "started" in events[-1]:
                    timer.cancel()
                    timer = _ended_after(PATIENCE * limit, process)
        finally:
            timer.cancel()
            process.kill()
            process.stdout.close()
            process.wait()
        complaints.seek(0)
        return events, (complaints.read().strip().splitlines() or [""])[-1]


def _ended_after(seconds: float, process: subprocess.Popen[str]) -> threading.Timer:
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    return timer
