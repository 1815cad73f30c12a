# SPDX-License-Identifier: Apache-2.0
"""Mutated files, and texts that are hard to cut.

    python -m benchmarks reliability [--seconds 60] [--sentences 400]

`python -m tools.fuzz` runs for so many seconds on model files and for as many on inputs: how many mutated files were
refused in one line, how many were taken, and what else happened. Then the English tokeniser reads texts of one
kind of character, ten times longer each time: CPU seconds, which should grow tenfold. Then ``accord parse`` reads
the sentences of a treebank with each instruction set and number of threads: how many lines of the output differ from
those of the widest instruction set, and how many trees do.
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import accord
from accord import data
from benchmarks.inference.solver_tables import table
from benchmarks.places import DATA
from tools.fuzz.__main__ import KINDS, work_folder
from tools.fuzz.trial import Trials, run_cases

LENGTHS = (10_000, 100_000, 1_000_000)
TEXTS: dict[str, Callable[[int], str]] = {
    "one letter": lambda n: "a" * n,
    "letters with marks": lambda n: "e\u0301" * (n // 2),
    "full stops": lambda n: "." * n,
    "blanks between two letters": lambda n: "a" + " " * (n - 2) + "b",
    "one address": lambda n: "http://x/" + "a/" * (n // 2),
    "emoji": lambda n: "\N{GRINNING FACE}" * n,
    "joiners": lambda n: "\u200d" * n,
    "digits and commas": lambda n: "1," * (n // 2),
    "words without a stop": lambda n: "word " * (n // 5),
    "lines of one letter": lambda n: "a\n" * (n // 2),
}


def fuzz(what: str, seconds: float) -> Trials:
    with work_folder() as folder:
        cases = KINDS[what](Path(folder), [])
        return run_cases(cases.look, iter(itertools.count(1_000_000)), seconds)


def print_trials(what: str, trials: Trials) -> None:
    by_name: dict[str, Counter[str]] = {}
    for outcome, count in trials.outcomes.items():
        name, _, how = outcome.partition(": ")
        by_name.setdefault(name, Counter())[how] += count
    rows = [
        (name, sum(hows.values()), hows["refused"], hows["answered"] + hows["read"], hows["refused in use"])
        for name, hows in sorted(by_name.items())
    ]
    rows.append(("all", trials.total, *(sum(row[column] for row in rows) for column in (2, 3, 4))))
    table(f"Mutated {what}", (what, "cases", "refused", "taken", "refused in use"), rows)
    print(f"findings (crash, hang, other exception): {trials.outcomes['finding']}")
    for finding, cases in trials.findings.items():
        print(f"  {len(cases)} times, first in case {cases[0]}: {finding}")


def growth() -> None:
    tokenizer = accord.load("en").tokenizer
    rows = []
    for name, make in TEXTS.items():
        seconds = []
        for length in LENGTHS:
            text = make(length)
            start = time.process_time()
            tokenizer(text)
            seconds.append(time.process_time() - start)
        rows.append((name, *seconds))
    table("CPU seconds of the tokeniser by characters", ("text", *(f"{length:,}" for length in LENGTHS)), rows)


def parse(text: Path, precision: str, level: str, threads: int) -> list[str]:
    command = [sys.executable, "-m", "accord", "parse", str(text), "--precision", precision, "--probabilities"]
    done = subprocess.run(
        [*command, "--threads", str(threads)], env={**os.environ, "ACCORD_SIMD": level}, capture_output=True, check=True
    )
    return done.stdout.decode().splitlines()


def same_bytes(sentences: int) -> None:
    document = data.read(DATA / "ud" / "en_ewt-ud-dev.conllu.xz")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "text.txt"
        text.write_text("\n\n".join(one.text for one in document.sentences[:sentences]), encoding="utf-8")
        for precision in ("float32", "int8"):
            wanted = parse(text, precision, "avx512", 1)
            for level, threads in itertools.product(("portable", "avx2", "avx512"), (1, 3)):
                found = parse(text, precision, level, threads)
                pairs = list(zip(wanted, found, strict=True))
                trees = sum(one.split("\t")[:8] != other.split("\t")[:8] for one, other in pairs)
                rows.append((precision, level, threads, len(found), sum(one != other for one, other in pairs), trees))
    header = ("precision", "instructions", "threads", "lines", "lines that differ", "heads, labels or tags that differ")
    table("The same bytes everywhere", header, rows)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--sentences", type=int, default=400)
    given = arguments.parse_args()
    warnings.simplefilter("ignore")  # weights of any size overflow in numpy
    for what in ("models", "readers"):
        print_trials(what, fuzz(what, given.seconds))
    growth()
    same_bytes(given.sentences)


if __name__ == "__main__":
    main()
