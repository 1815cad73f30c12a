# SPDX-License-Identifier: Apache-2.0
"""Compressors: milliseconds by sentence length and how they grow, and how often a relaxed length needs the exact way.

    python -m benchmarks compressors [--lengths 10 20 30 40 60] [--seconds 0.3] [--sentences 200] [--program 12]

Scores are standard normal. A time is that of one call through Python for a length of two thirds of the words, the best
of several rounds, in CPU time on one thread. ``exact`` finds the best compression of every length at once; ``relaxed``
puts a reward on length and asks again; ``free`` has no condition on length. The exponent is that of the last two
lengths. The second table counts, over random sentences of 30 words, how many relaxed searches met their length without
the exact way, how many questions they asked, and how far the bound lay above the best score of the length. The last
table compares with an integer program in HiGHS; it has a row for every pair of crossing arcs, so its sentences are
short.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from accord.inference.compression import CompressionDistribution, CompressionProblem, compress

PROGRAMMES = ("subtree", "bigrams", "joint")


def problem_of(programme: str, words: int, seed: int) -> CompressionProblem:
    random = np.random.default_rng(seed)
    square = (words + 1, words + 1)
    given: dict[str, dict[str, Any]] = {
        "subtree": {"heads": np.append(-1, random.integers(0, np.arange(1, words + 1)))},
        "bigrams": {"bigrams": random.normal(size=square)},
        "joint": {"arcs": random.normal(size=square), "bigrams": random.normal(size=square)},
    }
    return CompressionProblem(random.normal(size=words), **given[programme])


def milliseconds(work: Callable[[], Any], seconds: float) -> float:
    """CPU time of one call: the best of at least three rounds, each of enough calls for the clock."""
    calls, best, spent, rounds = 1, math.inf, 0.0, 0
    while spent < seconds or rounds < 3:
        start = time.process_time()
        for _ in range(calls):
            work()
        elapsed = time.process_time() - start
        if elapsed < 0.005:
            calls *= 2
            continue
        best, spent, rounds = min(best, elapsed / calls), spent + elapsed, rounds + 1
    return 1000.0 * best


def ways(problem: CompressionProblem) -> dict[str, Callable[[], Any]]:
    length = max(1, 2 * problem.words.size // 3)
    return {
        "free": lambda: compress(problem),
        "relaxed": lambda: compress(problem, length, "relaxed", close_gaps=False),
        "exact": lambda: compress(problem, length),
        "marginals": lambda: CompressionDistribution(problem).marginals(),
    }


def print_times(lengths: list[int], seconds: float) -> None:
    print("| programme | way | " + " | ".join(f"n = {n}" for n in lengths) + " | exponent |")
    print("|---|---|" + "--:|" * (len(lengths) + 1))
    for programme in PROGRAMMES:
        for way in ("free", "relaxed", "exact", "marginals"):
            times = [milliseconds(ways(problem_of(programme, n, 1))[way], seconds) for n in lengths]
            exponent = math.log(times[-1] / times[-2]) / math.log(lengths[-1] / lengths[-2])
            print(f"| {programme} | {way} | " + " | ".join(f"{t:.3f}" for t in times) + f" | {exponent:.1f} |")


def print_gaps(sentences: int, words: int = 30) -> None:
    length = 2 * words // 3
    print(f"\n| programme, n = {words} | length met | questions | mean gap | largest gap |\n|---|--:|--:|--:|--:|")
    for programme in PROGRAMMES:
        met, questions, gaps = 0, 0, []
        for seed in range(sentences):
            problem = problem_of(programme, words, seed)
            relaxed = compress(problem, length, "relaxed", close_gaps=False)
            met += relaxed.fits
            questions += relaxed.questions
            gaps.append(relaxed.bound - compress(problem, length).score)
        print(
            f"| {programme} | {100 * met / sentences:.1f} % | {questions / sentences:.1f} "
            f"| {np.mean(gaps):.4f} | {np.max(gaps):.4f} |"
        )


def print_programs(words: int) -> None:
    problem = problem_of("joint", words, 1)
    length = 2 * words // 3
    times = {
        "ilp": milliseconds(lambda: compress(problem, length, "ilp"), 0.0),
        "exact": milliseconds(lambda: compress(problem, length), 0.1),
        "relaxed": milliseconds(lambda: compress(problem, length, "relaxed", close_gaps=False), 0.1),
    }
    print(f"\n| joint, n = {words} | ms | times faster than the integer program |\n|---|--:|--:|")
    for way, spent in times.items():
        print(f"| {way} | {spent:.3f} | {times['ilp'] / spent:.0f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lengths", type=int, nargs="+", default=[10, 20, 30, 40, 60])
    parser.add_argument("--seconds", type=float, default=0.3, help="for each time")
    parser.add_argument("--sentences", type=int, default=200, help="of the table of gaps")
    parser.add_argument("--program", type=int, default=12, help="words of the sentence for the integer program")
    options = parser.parse_args()
    print_times(options.lengths, options.seconds)
    print_gaps(options.sentences)
    if importlib.util.find_spec("highspy") is not None:
        print_programs(options.program)


if __name__ == "__main__":
    main()
