# SPDX-License-Identifier: Apache-2.0
"""Runs cases in child processes, so that a crash, a hang or a hunger for memory is a finding and not the end.

A case is a number. What is done for it follows from the number alone, so a finding can be run again by its number.
"""

from __future__ import annotations

import os
import resource
import signal
import struct
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import FrameType

_RESULT = struct.Struct("<QI")  # the case, and the length of what was seen
_SECONDS = 20  # of CPU time that a case may take
_PATIENCE = 10  # times as many seconds of the clock, for what waits
_MEMORY = 6 << 30  # bytes of address space that a child may use
_BATCH = 200  # cases of one child


class TooSlow(BaseException):
    """Raised by the alarm; not an Exception, so that no code under test takes it for its own."""


@dataclass
class Trials:
    """What came out of the cases so far."""

    outcomes: Counter[str] = field(default_factory=Counter)
    findings: dict[str, list[int]] = field(default_factory=dict)  # what went wrong, and for which cases

    def add(self, case: int, seen: str) -> None:
        if seen.startswith("!"):
            self.findings.setdefault(seen[1:], []).append(case)
            self.outcomes["finding"] += 1
        else:
            self.outcomes[seen] += 1

    @property
    def total(self) -> int:
        return self.outcomes.total()


def run_cases(look: Callable[[int], str], cases: Iterator[int], seconds: float) -> Trials:
    """``look`` returns what was seen; where it raises, the last line of the traceback is a finding."""
    trials = Trials()
    end = time.monotonic() + seconds
    left: list[int] = []
    while time.monotonic() < end:
        if not left:
            left = list(islice(cases, _BATCH))
            if not left:
                break
        left = _run_child(look, left, trials)
    return trials


def _run_child(look: Callable[[int], str], cases: list[int], trials: Trials) -> list[int]:
    """Runs cases until all are done or the child dies; returns those that are left."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _serve(look, cases, writing)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as results:
        done = 0
        while head := results.read(_RESULT.size):
            case, length = _RESULT.unpack(head)
            trials.add(case, results.read(length).decode())
            done += 1
    status = os.waitpid(child, 0)[1]
    if done < len(cases):
        why = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
        trials.add(cases[done], f"!the process ended by {why}")
        done += 1
    return cases[done:]


def _serve(look: Callable[[int], str], cases: list[int], writing: int) -> None:
    if "asan" not in os.environ.get("LD_PRELOAD", ""):  # the sanitizer reserves terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, _too_slow)
    for case in cases:
        text = _seen(look, case).encode(errors="replace")
        os.write(writing, _RESULT.pack(case, len(text)) + text)


def _seen(look: Callable[[int], str], case: int) -> str:
    try:
        try:
            signal.setitimer(signal.ITIMER_PROF, _SECONDS)  # a busy machine is no finding
            signal.alarm(_SECONDS * _PATIENCE)
            return look(case)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.alarm(0)
    except TooSlow:
        return f"!more than {_SECONDS} seconds"
    except BaseException as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"!{type(error).__name__} at {Path(place.filename).name}:{place.lineno}: {str(error)[:200]}"


def _too_slow(_signal: int, _frame: FrameType | None) -> None:
    raise TooSlow
