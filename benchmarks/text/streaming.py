# SPDX-License-Identifier: Apache-2.0
"""A command that reads a text again and again from a pipe: what it took, used and wrote, second by second."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

ACCORD = "from accord.app.cli import main; main()"
CHUNK = 1 << 16
TICKS = os.sysconf("SC_CLK_TCK")
TABS = 9  # in a line of CoNLL-U


@dataclass(frozen=True)
class Sample:
    taken: int  # bytes
    megabytes: float  # of resident memory
    cpu_seconds: float


@dataclass
class Streamed:
    """A process that reads, and what was seen of it."""

    process: subprocess.Popen[bytes]
    taken: int = 0  # bytes that the pipe has taken
    tabs: int = 0  # in the output
    samples: list[Sample] = field(default_factory=list)
    cpu_seconds: float = 0.0
    most_megabytes: float = 0.0

    @property
    def words(self) -> float:
        return self.tabs / TABS

    def feed(self, text: bytes, size: int) -> None:
        with suppress(BrokenPipeError), _pipe(self.process.stdin) as pipe:  # a process that fails says why
            whole, rest = divmod(size, len(text))
            size = whole * len(text) + text.rfind(b"\n\n", 0, rest) + 1  # no sentence is cut
            view = memoryview(text)
            while self.taken < size:
                start = self.taken % len(text)
                self.taken += pipe.write(view[start : start + min(CHUNK, size - self.taken)])
            pipe.write(b"\n")

    def drain(self) -> None:
        with _pipe(self.process.stdout) as pipe:
            while chunk := pipe.read(CHUNK):
                self.tabs += chunk.count(b"\t")

    def watch(self, drained: threading.Thread) -> None:
        """Note a sample each second until the process ends. Its program is loaded before it takes anything."""
        while drained.is_alive():
            drained.join(1.0)
            memory = memory_of(self.process.pid)
            if memory and self.taken > 0:
                self.samples.append(Sample(self.taken, memory["VmRSS"], _cpu_seconds(self.process.pid)))
                self.most_megabytes = memory["VmHWM"]


def streamed(arguments: Sequence[str], text: bytes, size: int) -> Streamed:
    """Run `accord` with these arguments on so many bytes, the text again and again; exit as it does where it fails."""
    before = os.times()
    command = [sys.executable, "-c", ACCORD, *arguments]
    found = Streamed(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
    feeder = threading.Thread(target=found.feed, args=(text, size))
    drainer = threading.Thread(target=found.drain)
    feeder.start()
    drainer.start()
    found.watch(drainer)
    feeder.join()
    if found.process.wait():
        sys.exit(found.process.returncode)
    after = os.times()
    found.cpu_seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return found


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def memory_of(process: int) -> dict[str, float]:
    """Megabytes by the names of /proc: VmRSS is resident, VmHWM the most that was; empty when the process ended."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    entries = (line.partition(":") for line in lines if line.startswith("Vm"))
    return {name: int(rest.split()[0]) / 1024 for name, _, rest in entries}


def _cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
