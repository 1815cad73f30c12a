# SPDX-License-Identifier: Apache-2.0
"""One line on a terminal while files are read: how much of a file was taken, how fast, and how long the rest takes.

It appears when a command has run for a second, stands on standard error, and is gone when the command ends or says
something. Commands that write their answers to the same terminal, or have bars of their own, have none.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from accord.app import console
from accord.data import files
from accord.drawing.characters import printable

QUIET = 1.0  # seconds before it appears
PAUSE = 0.2  # seconds between two looks
TARGETS = ("--to", "-o")
AT_THE_END = ("evaluate", "compare")  # verbs that write when all is read
OWN_BARS = ("--text-field", "-h", "--help")


class ReadingBar:
    """Counts the bytes that are taken from files, and tells them."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._started = self._opened = self._told = clock()
        self._name, self._size, self._taken = "", 0, 0
        self._visible = False

    def opened(self, name: str, size: int) -> None:
        """A file of so many bytes is read from now on; 0: nobody knows how many."""
        self._name, self._size, self._taken = name, size, 0
        self._opened = self._clock()

    def took(self, count: int) -> None:
        self._taken += count
        now = self._clock()
        if now - self._started >= QUIET and now - self._told >= PAUSE:
            self._told = now
            self._tell(now - self._opened)

    def clear(self) -> None:
        if self._visible:
            self._visible = False
            self._out.write("\r\x1b[K")
            self._out.flush()

    def _tell(self, seconds: float) -> None:
        speed = self._taken / max(seconds, 1e-9)
        line = f"{printable(Path(self._name).name)[:30]}  {self._taken / 1e6:.1f}"
        if self._size:
            left = max(self._size - self._taken, 0) / max(speed, 1e-9)
            share = min(100, 100 * self._taken // self._size)
            line += f" of {self._size / 1e6:.1f} MB  {share} %  eta {clock_time(left)}"
        else:
            line += " MB"
        self._out.write(f"\r\x1b[K{line}  {speed / 1e6:.2f} MB/s")
        self._out.flush()
        self._visible = True


def clock_time(seconds: float) -> str:
    """Hours, minutes and seconds.

    >>> clock_time(3725)
    '1:02:05'
    """
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def wanted(arguments: Sequence[str]) -> bool:
    """Whether a command that reads files may write a bar to standard error."""
    if not sys.stderr.isatty() or any(one.partition("=")[0] in OWN_BARS for one in arguments):
        return False
    to_file = any(one.partition("=")[0] in TARGETS and one not in ("--to=-", "-o=-") for one in arguments)
    return to_file or not sys.stdout.isatty() or arguments[0] in AT_THE_END


@contextmanager
def reading_bar(arguments: Sequence[str]) -> Iterator[None]:
    """A bar while files are read in the block, where it is wanted."""
    if not wanted(arguments):
        yield
        return
    bar = ReadingBar(sys.stderr)
    files.watchers.append(bar)
    console.before_telling.append(bar.clear)
    try:
        yield
    finally:
        files.watchers.remove(bar)
        console.before_telling.remove(bar.clear)
        bar.clear()
