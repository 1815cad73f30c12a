# SPDX-License-Identifier: Apache-2.0
"""The fuzzers: every case has one result, and a case that crashes, hangs or raises is named by its number."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tools.fuzz.__main__ import KINDS
from tools.fuzz.trial import run_cases


def look(case: int) -> str:
    if case % 100 == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    if case % 100 == 13:
        os._exit(0)
    if case % 100 == 21:
        raise LookupError("twenty-one")
    return "even" if case % 2 == 0 else "odd"


def test_cases_that_end_their_process_are_named() -> None:
    trials = run_cases(look, iter(range(5000)), 60)
    assert trials.total == 5000
    assert trials.findings["the process ended by signal 9"] == list(range(7, 5000, 100))
    assert trials.findings["the process ended by exit 0"] == list(range(13, 5000, 100))
    (other,) = (cases for what, cases in trials.findings.items() if "LookupError" in what)
    assert other == list(range(21, 5000, 100))
    assert trials.outcomes["even"] == 2500 and trials.outcomes["odd"] == 2500 - 150


def _no_return_to_python(case: int) -> str:
    if case == 3:
        with_the_interpreter_held = ctypes.PyDLL(None)
        with_the_interpreter_held.sleep(1000)  # no alarm of Python is heard in here
    return "done"


def test_a_case_that_hangs_outside_of_python_is_killed() -> None:
    trials = run_cases(_no_return_to_python, iter(range(6)), 60, patience=0.5)
    assert trials.findings == {"the process ended by signal 9": [3]} and trials.outcomes["done"] == 5


def test_time_ends_a_run() -> None:
    trials = run_cases(lambda _: "done", iter(range(10**9)), 0.2)
    assert 0 < trials.total < 10**9 and not trials.findings


@pytest.mark.parametrize("what", KINDS)
def test_a_few_cases_of_each_kind(what: str) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "tools.fuzz", what, "--cases", "150", "--first", "7000000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0 and "150 cases, 0 findings" in done.stdout, done.stdout + done.stderr
