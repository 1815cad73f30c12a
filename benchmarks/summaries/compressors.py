# SPDX-License-Identifier: Apache-2.0
"""Compressors: milliseconds by sentence length and how they grow, and how often a relaxed length needs the exact way.

    python -m benchmarks compressors [--lengths 10 20 30 40 60] [--seconds 0.3] [--growth 80] [--sentences 200]
        [--program 12]

Scores are standard normal. A time is that of one call through Python for a length of two thirds of the words, the best
of several rounds, in CPU time on one thread. ``free`` has no condition on length. ``relaxed`` puts a reward on length
and asks again. ``exact`` finds the best compressions of this length and of all larger ones at once, ``all lengths`` the
best scores of every length. ``heads`` lets each word stay only with its head in a random tree, which is a search over
rules in the programmes of bigrams and joint compression. Statuses are those of a balanced tree without crossing arcs.
Calls have a fixed cost of about 0.02 ms.

The second table shows how programmes grow where the fixed cost no longer matters. In operations, ``all lengths`` of
joint compression grows with n^5, ``free`` and ``marginals`` with n^3; statuses grow with n, and with n^2 for all
lengths; longer arrays make better use of vector instructions, and large charts leave the cache. The third counts, over
random sentences of 30 words, how many relaxed searches met their length without the exact way, how many questions they
asked, and how far the bound lay above the best score of the length. The fourth compares with an integer program in
HiGHS; it has a row for every pair of crossing arcs, so its sentences are short. The last is about AD3 over sentences
that share a budget: subtrees by isotonic regression, by the active set over a custom factor, and as one factor for each
arc.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.inference import FactorGraph
from accord.inference.compression import CompressionDistribution, CompressionProblem, best_by_cost, compress

GROWING = (  # programme, way, and how many times the shortest sentence of the table its own one is
    ("joint", "all lengths", 1),
    ("joint", "free", 4),
    ("joint", "marginals", 2),
    ("statuses", "free", 100),
    ("statuses", "all lengths", 10),
    ("status_bigrams", "free", 2),
    ("status_bigrams", "all lengths", 1),
)
PROGRAMMES = ("subtree", "bigrams", "joint", "statuses", "status_bigrams")


def problem_of(programme: str, words: int, seed: int) -> CompressionProblem:
    random = np.random.default_rng(seed)
    square = (words + 1, words + 1)
    given: dict[str, Any] = {}
    if programme == "subtree":
        given["heads"] = np.append(-1, random.integers(0, np.arange(1, words + 1)))
    if programme.startswith("status"):
        given |= {"heads": balanced(words), "statuses": random.normal(size=(words, 2, 2))}
    if programme == "joint":
        given["arcs"] = random.normal(size=square)
    if programme in ("bigrams", "joint", "status_bigrams"):
        given["bigrams"] = random.normal(size=square)
    return CompressionProblem(random.normal(size=words), **given)


def balanced(words: int) -> NDArray[np.int64]:
    """Heads of a tree without crossing arcs in which the word in the middle of each stretch is its head."""
    heads = np.full(words + 1, -1)
    stretches = [(1, words, 0)]
    while stretches:
        first, last, head = stretches.pop()
        if first <= last:
            middle = (first + last) // 2
            heads[middle] = head
            stretches += [(first, middle - 1, middle), (middle + 1, last, middle)]
    return heads


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


def with_heads(programme: str, words: int, seed: int) -> CompressionProblem:
    plain = problem_of(programme, words, seed)
    heads = np.append(-1, np.random.default_rng(seed).integers(0, np.arange(1, words + 1)))
    return CompressionProblem(plain.words, arcs=plain.arcs, bigrams=plain.bigrams, heads=heads)


def work_of(way: str, programme: str, words: int) -> Callable[[], Any]:
    problem = with_heads(programme, words, 1) if way == "heads" else problem_of(programme, words, 1)
    length = max(1, 2 * words // 3)
    if way == "free":
        return lambda: compress(problem)
    if way == "relaxed":
        return lambda: compress(problem, length, "relaxed", close_gaps=False)
    if way == "marginals":
        return lambda: CompressionDistribution(problem).marginals()
    if way == "all lengths":
        return lambda: best_by_cost(problem)
    return lambda: compress(problem, length)


def print_times(lengths: list[int], seconds: float) -> None:
    print("| programme, ms | way | " + " | ".join(f"n = {n}" for n in lengths) + " |")
    print("|---|---|" + "--:|" * len(lengths))
    for programme in PROGRAMMES:
        for way in ("free", "relaxed", "exact", "all lengths", "heads", "marginals"):
            if (way == "heads" and programme not in ("bigrams", "joint")) or (
                (programme, way) == ("status_bigrams", "marginals")
            ):
                continue
            times = [milliseconds(work_of(way, programme, n), seconds) for n in lengths]
            print(f"| {programme} | {way} | " + " | ".join(f"{t:.3f}" for t in times) + " |")


def print_growth(longest: int, seconds: float) -> None:
    print("\n| programme, ms | way | n | 1.5 n | exponent | 2.25 n | exponent |\n|---|---|--:|--:|--:|--:|--:|")
    for programme, way, times_longest in GROWING:
        first = times_longest * longest
        sizes = [first, first * 3 // 2, first * 9 // 4]
        times = [milliseconds(work_of(way, programme, n), seconds) for n in sizes]
        cells = [f"{times[0]:.2f} (n = {first})"]
        for k in (1, 2):
            exponent = math.log(times[k] / times[k - 1]) / math.log(sizes[k] / sizes[k - 1])
            cells += [f"{times[k]:.2f}", f"{exponent:.1f}"]
        print(f"| {programme} | {way} | " + " | ".join(cells) + " |")


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


class OnlyMaximized:
    """Subtrees of a tree whose words stand after their heads, as a factor that can only be maximised."""

    def __init__(self, parents: NDArray[np.int64]) -> None:
        self.parents = parents.tolist()

    def maximize(self, scores: NDArray[np.float64]) -> tuple[list[int], float]:
        worth = scores.tolist()
        for node in range(len(worth) - 1, 0, -1):
            worth[self.parents[node]] += max(worth[node], 0.0)
        on = [0] * len(worth)
        for node, parent in enumerate(self.parents):
            on[node] = int(worth[node] > 0 and (parent < 0 or on[parent] == 1))
        return on, max(worth[0], 0.0)


def budget_graph(way: str, sentences: int, words: int) -> FactorGraph:
    random = np.random.default_rng(1)
    graph = FactorGraph()
    all_words = []
    for _ in range(sentences):
        parents = np.append(-1, random.integers(0, np.arange(1, words)))
        x = graph.variables(random.normal(size=words))
        all_words.append(x)
        if way == "isotonic":
            graph.subtree(parents, x)
        elif way == "active set":
            graph.factor(OnlyMaximized(parents), x)
        else:
            graph.implies(x[1:, None], x[parents[1:]])
    everything = np.concatenate(all_words)
    graph.budget(everything, random.integers(2, 10, everything.size), 1.5 * everything.size)
    return graph


def print_projections(sentences: int = 20, words: int = 25, rounds: int = 1000) -> None:
    print(f"\n| AD3, {sentences} sentences of {words} words, one budget | rounds | seconds | bound | status |")
    print("|---|--:|--:|--:|---|")
    for way in ("isotonic", "active set", "an arc a factor"):
        graph = budget_graph(way, sentences, words)
        start = time.process_time()
        found = graph.solve("ad3", iterations=rounds)
        spent = time.process_time() - start
        print(f"| {way} | {found.iterations} | {spent:.3f} | {found.bound:.4f} | {found.status} |")


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
    parser.add_argument("--growth", type=int, default=80, help="words of the shortest sentence of the table of growth")
    parser.add_argument("--sentences", type=int, default=200, help="of the table of gaps")
    parser.add_argument("--program", type=int, default=12, help="words of the sentence for the integer program")
    options = parser.parse_args()
    print_times(options.lengths, options.seconds)
    print_growth(options.growth, options.seconds)
    print_gaps(options.sentences)
    if importlib.util.find_spec("highspy") is not None:
        print_programs(options.program)
    print_projections()


if __name__ == "__main__":
    main()
