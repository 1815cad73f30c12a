# SPDX-License-Identifier: Apache-2.0
"""Mutated files, and texts that are hard to cut.

    python -m benchmarks reliability [--seconds 60]

`python -m tools.fuzz` runs for so many seconds on model files and for as many on inputs: how many mutated files were
refused in one line, how many were taken, and what else happened. Then the English tokeniser reads texts of one
kind of character, ten times longer each time: CPU seconds, which should grow tenfold.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import accord
from benchmarks.inference.solver_tables import table
from tools.fuzz.__main__ import ModelCases
from tools.fuzz.input_files import InputCases
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
    with tempfile.TemporaryDirectory() as folder:
        cases = (ModelCases if what == "models" else InputCases)(Path(folder), [])
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


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=60)
    given = arguments.parse_args()
    warnings.simplefilter("ignore")  # weights of any size overflow in numpy
    for what in ("models", "readers"):
        print_trials(what, fuzz(what, given.seconds))
    growth()


if __name__ == "__main__":
    main()
