# SPDX-License-Identifier: Apache-2.0
"""Memory and speed of commands over long streams.

    python -m benchmarks stream [--search 5000] [--tokenize 1000] [--parse 60] [--figure docs/results/stream.svg]

Three commands read from a pipe, one after the other, with one thread and the packaged `en`: ``accord find`` reads a
treebank (UD English-EWT, training part) again and again and looks for a word that is not there; ``accord tokenize`` and
``accord parse`` read raw text (textbooks) again and again. The numbers are megabytes of input; 0 leaves a command out.
The output is read and its words are counted. Every second the resident memory of the process, the CPU time that it has
used, and the bytes that it has taken are noted. Prints the memory when 1, 10, 50 and 100 % of the input were taken, its
maximum, the speed, and how long 5 GB and 100 GB take one core at this speed. Needs /proc.
"""

from __future__ import annotations

import argparse
import lzma
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from accord.figures import new_figure, write_figure
from benchmarks.places import DATA
from benchmarks.text.streaming import Sample, Streamed, streamed

SHARES = (1, 10, 50, 100)
TREEBANK = DATA / "ud" / "en_ewt-ud-train.conllu.xz"
TEXT = DATA / "raw_text" / "en_openstax_full.txt.xz"
MEGABYTE = 1_000_000
WINDOWS = 50  # points of the speed in the figure


@dataclass(frozen=True)
class Command:
    arguments: tuple[str, ...]
    source: Path


COMMANDS = {
    "search": Command(("find", "V[lemma=xyzzy]", "-", "--format", "conllu"), TREEBANK),
    "tokenize": Command(("tokenize", "-", "--model", "en", "--threads", "1"), TEXT),
    "parse": Command(("parse", "-", "--input", "text", "--model", "en", "--threads", "1"), TEXT),
}


def text_of(source: Path) -> bytes:
    """Sentences or paragraphs with an empty line behind each."""
    text = lzma.decompress(source.read_bytes())
    return text if source == TREEBANK else text.replace(b"\n", b"\n\n")


def memory_at(samples: Sequence[Sample], taken: float) -> float:
    """The resident megabytes once so many bytes were taken."""
    return next((one.megabytes for one in samples if one.taken >= taken), samples[-1].megabytes)


def duration(seconds: float) -> str:
    return f"{seconds / 60:.1f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def row(name: str, run: Streamed) -> str:
    memory = [f"{memory_at(run.samples, run.taken * share / 100):.1f}" for share in SHARES]
    speed = run.taken / run.cpu_seconds
    times = [duration(size / speed) for size in (5e9, 100e9)]
    words = f"{run.words / run.cpu_seconds:,.0f}" if run.words >= 1 else "-"
    cells = [name, f"{run.taken / MEGABYTE:,.0f} MB", *memory, f"{run.most_megabytes:.1f}"]
    return "| " + " | ".join([*cells, f"{speed / MEGABYTE:.2f}", words, *times]) + " |"


def speeds(samples: Sequence[Sample]) -> tuple[list[float], list[float]]:
    """Gigabytes that were taken, and megabytes per CPU second between them and the point before."""
    step = max(1, len(samples) // WINDOWS)
    points = list(samples[::step])
    pairs = [(a, b) for a, b in pairwise(points) if b.cpu_seconds > a.cpu_seconds]
    found = [(b.taken - a.taken) / MEGABYTE / (b.cpu_seconds - a.cpu_seconds) for a, b in pairs]
    return [b.taken / 1e9 for _, b in pairs], found


def draw(runs: dict[str, Streamed], path: Path) -> None:
    """Memory and speed over what was taken: a column for each command."""
    figure = new_figure(3.4 * len(runs), 4.6)
    panels = figure.subplots(2, len(runs), squeeze=False)
    for column, (name, run) in enumerate(runs.items()):
        memory, speed = panels[0][column], panels[1][column]
        memory.plot([one.taken / 1e9 for one in run.samples], [one.megabytes for one in run.samples])
        speed.plot(*speeds(run.samples))
        memory.set_title(f"accord {COMMANDS[name].arguments[0]}")
        for panel in (memory, speed):
            panel.set_ylim(bottom=0)
            panel.set_xlabel("GB read")
    panels[0][0].set_ylabel("resident MB")
    panels[1][0].set_ylabel("MB per CPU second")
    write_figure(figure, path)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("search", 5000), ("tokenize", 1000), ("parse", 60)):
        arguments.add_argument(f"--{name}", type=float, default=default, help="megabytes of input")
    arguments.add_argument("--figure", type=Path, help="picture to write: .svg, .png or .pdf")
    options = arguments.parse_args()

    runs = {}
    print("| command | input | resident MB at 1 % | 10 % | 50 % | 100 % | at most | MB per CPU second", end=" ")
    print("| words per CPU second | 5 GB | 100 GB |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, command in COMMANDS.items():
        if size := int(getattr(options, name) * MEGABYTE):
            runs[name] = streamed(command.arguments, text_of(command.source), size)
            print(row(command.arguments[0], runs[name]))
            sys.stdout.flush()
    if options.figure and runs:
        draw(runs, options.figure)


if __name__ == "__main__":
    main()
