# SPDX-License-Identifier: Apache-2.0
"""Libraries measured one by one, each in a process of its own on one thread, so that none slows another down.

A benchmark is called again with ``--library NAME --output FILE`` by the interpreter that has the library, and writes
there what it measured.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any


def add_arguments(parser: argparse.ArgumentParser, libraries: Iterable[str]) -> None:
    """Options that all such benchmarks have."""
    parser.add_argument("--seconds", type=float, default=0.5, help="CPU time given to each measurement")
    parser.add_argument("--library", choices=sorted(libraries), help=argparse.SUPPRESS)
    parser.add_argument("--output", type=Path, help=argparse.SUPPRESS)


def cpu_microseconds(work: Callable[[], Any], seconds: float, items: int) -> float:
    """Best CPU time of one call, an item, over at least three repetitions."""
    work()
    best, spent, repetitions = float("inf"), 0.0, 0
    while spent < seconds or repetitions < 3:
        start = time.process_time()
        work()
        elapsed = time.process_time() - start
        best, spent, repetitions = min(best, elapsed), spent + elapsed, repetitions + 1
    return best * 1e6 / items


def measure_elsewhere(script: str, python: str, library: str, **options: float) -> dict[str, Any] | None:
    """What a benchmark measures of a library in a new process; None when the library is missing there."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "results.json"
        command = [python, script, "--library", library, "--output", str(output)]
        command += [word for name, value in options.items() for word in (f"--{name}", str(value))]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if run.returncode == 0:
            measured: dict[str, Any] = json.loads(output.read_text())
            return measured
        if "ModuleNotFoundError" in run.stderr:
            return None
        raise RuntimeError(f"{library}: {run.stderr.strip()}")


def measure_here(script: str, **options: float) -> dict[str, Any]:
    """The same of this library, which must be there."""
    ours = measure_elsewhere(script, sys.executable, "accord", **options)
    if ours is None:
        raise RuntimeError("accord is not importable; install it or set PYTHONPATH=src")
    return ours
