# SPDX-License-Identifier: Apache-2.0
"""Runs cases in child processes, so that a crash, a hang or a hunger for memory is a finding and not the end.

A case is a number. What is done for it follows from the number alone, so a finding can be run again by its number.
One child runs many cases, one after the other. Results come back in the order of the cases, so the first case without
one is the case that ended its child.
"""

from __future__ import annotations

import os
import resource
import select
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
_BATCH = 2000  # cases of one child


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


def run_cases(
    look: Callable[[int], str], cases: Iterator[int], seconds: float, patience: float = _SECONDS * _PATIENCE + 10
) -> Trials:
    """``look`` returns what was seen; where it raises, the last line of the traceback is a finding.

    A case that takes ``patience`` seconds without coming back to Python, where no alarm is heard, is killed.
    """
    trials = Trials()
    end = time.monotonic() + seconds
    left: list[int] = []
    while time.monotonic() < end:
        if not left:
            left = list(islice(cases, _BATCH))
            if not left:
                break
        left = _run_child(look, left, trials, end, patience)
    return trials


def _run_child(look: Callable[[int], str], cases: list[int], trials: Trials, end: float, patience: float) -> list[int]:
    """Runs cases until all are done, the time is over or the child dies; returns those that are left."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _serve(look, cases, writing, end)
        os._exit(0)
    os.close(writing)
    done = 0
    for case, seen in _results(reading, child, patience):
        trials.add(case, seen)
        done += 1
    os.close(reading)
    status = os.waitpid(child, 0)[1]
    if done < len(cases) and (status != 0 or time.monotonic() <= end):
        why = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
        trials.add(cases[done], f"!the process ended by {why}")
        done += 1
    return cases[done:]


def _results(reading: int, child: int, patience: float) -> Iterator[tuple[int, str]]:
    """What a child says of its cases; it is killed where it says nothing for too long."""
    held = b""
    while True:
        if not select.select([reading], [], [], patience)[0]:
            os.kill(child, signal.SIGKILL)
        more = os.read(reading, 1 << 16)
        if not more:
            return
        held += more
        at = 0
        while len(held) - at >= _RESULT.size:
            case, length = _RESULT.unpack_from(held, at)
            if len(held) - at < _RESULT.size + length:
                break
            at += _RESULT.size
            yield case, held[at : at + length].decode()
            at += length
        held = held[at:]


def _serve(look: Callable[[int], str], cases: list[int], writing: int, end: float) -> None:
    if "asan" not in os.environ.get("LD_PRELOAD", ""):  # the sanitizer reserves terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, _too_slow)
    for case in cases:
        text = _seen(look, case).encode(errors="replace")
        os.write(writing, _RESULT.pack(case, len(text)) + text)
        if time.monotonic() > end:
            return


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
