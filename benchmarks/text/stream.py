# SPDX-License-Identifier: Apache-2.0
"""Memory and speed of ``accord parse`` over a long stream.

    python -m benchmarks stream [--file examples/english.conllu] [--model en] [--sentences 1000000] [--threads 1]

The sentences of the file, again and again, go through a pipe into ``accord parse -``; its output is read and its
sentences are counted. Once a second the resident memory of the process is noted. Prints that memory when 1, 10, 50 and
100 % of the sentences had come out, its maximum, and sentences and words per second: of wall time, and of the CPU time
of the process. Needs /proc.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from accord import data
from benchmarks.places import ROOT

SHARES = (1, 10, 50, 100)
PARSE = "from accord.app.cli import main; main()"
CHUNK = 1 << 16


def resident_megabytes(process: int) -> float:
    """VmRSS; 0 for a process that has ended."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


@dataclass
class Stream:
    """A process that parses, the sentences that came out of it, and its memory by then."""

    process: subprocess.Popen[bytes]
    done: int = 0
    samples: list[tuple[int, float]] = field(default_factory=list)  # sentences, megabytes

    def feed(self, sentences: bytes, each: int, count: int) -> None:
        whole, rest = divmod(count, each)
        with suppress(BrokenPipeError), _pipe(self.process.stdin) as pipe:  # a process that fails says why
            for _ in range(whole):
                pipe.write(sentences)
            pipe.write(b"".join(block + b"\n\n" for block in sentences.split(b"\n\n")[:rest]))

    def drain(self) -> None:
        last = b""
        with _pipe(self.process.stdout) as pipe:
            while chunk := pipe.read(CHUNK):
                self.done += (last + chunk).count(b"\n\n")
                last = b"\n" if chunk.endswith(b"\n") and not chunk.endswith(b"\n\n") else b""

    def watch(self, drained: threading.Thread) -> None:
        while drained.is_alive():
            if memory := resident_megabytes(self.process.pid):
                self.samples.append((self.done, memory))
            drained.join(1.0)


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--file", type=Path, default=ROOT / "examples" / "english.conllu")
    arguments.add_argument("--model", default="en")
    arguments.add_argument("--sentences", type=int, default=1_000_000)
    arguments.add_argument("--threads", type=int, default=1)
    options = arguments.parse_args()

    document = data.read(options.file)
    sentences = document.to_bytes()
    command = [sys.executable, "-c", PARSE, "parse", "-", "--model", options.model, "--threads", str(options.threads)]
    started = time.perf_counter()
    stream = Stream(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
    feeder = threading.Thread(target=stream.feed, args=(sentences, len(document), options.sentences))
    drainer = threading.Thread(target=stream.drain)
    feeder.start()
    drainer.start()
    stream.watch(drainer)
    feeder.join()
    if stream.process.wait():
        sys.exit(stream.process.returncode)
    seconds = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_seconds = used.ru_utime + used.ru_stime

    words = stream.done * document.heads.size / len(document)
    print(f"{stream.done:,} of {options.sentences:,} sentences, {words:,.0f} words, {seconds:.0f} s\n")
    print("| share of the stream | sentences | resident MB |\n|---|---|---|")
    for share in SHARES:
        done, memory = _sample_at(stream.samples, options.sentences * share / 100)
        print(f"| {share} % | {done:,} | {memory:.1f} |")
    print(f"\nAt most {used.ru_maxrss / 1024:.1f} MB.")
    for kind, spent in (("second", seconds), ("CPU second", cpu_seconds)):
        print(f"{stream.done / spent:,.0f} sentences and {words / spent:,.0f} words per {kind}.")


def _sample_at(samples: list[tuple[int, float]], sentences: float) -> tuple[int, float]:
    """The first sample once so many sentences were done; the last one if there is none."""
    return next((sample for sample in samples if sample[0] >= sentences), samples[-1])


if __name__ == "__main__":
    main()
