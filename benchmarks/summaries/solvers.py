# SPDX-License-Identifier: Apache-2.0
"""Solvers of coverage problems side by side: time, share of the optimum, and what is proved.

    python -m benchmarks summary_solvers [--problems 5] [--large 3] [--seconds 60] [--plot growth.svg]

Compressive problems of 1,000 words (AD3 against the exact program of HiGHS), topics of 5,000 words (graph cut), starts
of the graph cut without repair, and extractive problems of up to 100,000 sentences (growth of time and memory).
Times are CPU times of one thread. Problems are drawn at random: trees of 25 words, cuts with small prices, pairs of
neighbours as concepts, 100 words, 6 sentences.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Sequence

import numpy as np

from accord.figures import new_figure, write_figure
from accord.inference.coverage import CoverageProblem, solve
from tests.inference.coverage.random_problems import compressive_topic

Row = tuple[str, str, dict[str, object]]  # what it is called, the method and its settings


def measured(problems: Sequence[CoverageProblem], rows: Sequence[Row], seconds: float) -> None:
    """A table of times and values, with those of the exact program first."""
    exact, spent = [], []
    for problem in problems:
        started = time.process_time()
        exact.append(solve(problem, "ilp", seconds=seconds))
        spent.append(time.process_time() - started)
    proved = sum(one.status == "optimal" for one in exact)
    print("\n| method | ms a problem | times faster than ILP | % of its value | least % | % of the bound |")
    print("|---|---|---|---|---|---|")
    print(f"| ILP (HiGHS), {proved} of {len(exact)} proved | {1000 * np.mean(spent):.0f} | 1 | 100 | 100 | |")
    for name, method, settings in rows:
        times, shares, bounds = [], [], []
        for problem, best in zip(problems, exact, strict=True):
            fresh = _again(problem)
            started = time.process_time()
            found = solve(fresh, method, **settings)
            times.append(time.process_time() - started)
            shares.append(100 * found.value / best.value)
            bounds.append(100 * found.value / found.bound)
        print(
            f"| {name} | {1000 * np.mean(times):.1f} | {np.mean(spent) / np.mean(times):.1f} | {np.mean(shares):.2f} "
            f"| {np.min(shares):.2f} | {np.mean(bounds):.2f} |",
            flush=True,
        )


def _again(problem: CoverageProblem) -> CoverageProblem:
    """The same problem without what was computed for it before."""
    found = problem.occurrences
    return CoverageProblem(
        problem.weights,
        found.renumbered(np.arange(problem.units)),
        problem.costs,
        problem.limits,
        caps=problem.caps,
        counts=found.counts,
        scores=problem.scores,
        requires=problem.requires,
        together=problem.together,
    )


def extractive(seed: int, sentences: int) -> CoverageProblem:
    """Sentences of about twenty words with ten concepts each, of which a few are frequent."""
    random = np.random.default_rng(seed)
    concepts = 2000
    rows = np.stack([random.zipf(1.3, 10 * sentences) % concepts, np.repeat(np.arange(sentences), 10)], axis=1)
    weights = np.log1p(np.bincount(rows[:, 0], minlength=concepts))
    return CoverageProblem(weights, rows, random.integers(8, 40, sentences), 100)


def growth(sizes: Sequence[int], plot: str | None) -> None:
    spent_by_size = []
    print("\n| sentences | ms, graph cut | microseconds a sentence | % of the bound | peak memory, MiB |")
    print("|---|---|---|---|---|")
    for size in sizes:
        problem = extractive(0, size)
        started = time.process_time()
        found = solve(problem, "graph_cut")
        spent = time.process_time() - started
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        share = 100 * found.value / found.bound
        print(f"| {size:,} | {1000 * spent:.0f} | {1e6 * spent / size:.1f} | {share:.2f} | {memory:.0f} |", flush=True)
        spent_by_size.append(spent)
    if plot:
        figure = new_figure(5, 3.2)
        axes = figure.subplots()
        axes.loglog(sizes, spent_by_size, "o-", label="graph cut")
        axes.loglog(sizes, [spent_by_size[0] * size / sizes[0] for size in sizes], "k:", label="linear")
        axes.set_xlabel("sentences")
        axes.set_ylabel("CPU seconds")
        axes.legend()
        write_figure(figure, plot)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=5)
    parser.add_argument("--large", type=int, default=3, help="topics of 5,000 words")
    parser.add_argument("--seconds", type=float, default=60.0, help="of the exact program at most")
    parser.add_argument("--plot", help="picture of the growth to write: .svg, .png or .pdf")
    given = parser.parse_args()
    print("\nCompressive problems of 1,000 words")
    rows: list[Row] = [
        ("LP, rounded", "lp", {}),
        ("AD3, 200 rounds", "ad3", {"iterations": 200}),
        ("AD3, 1,000 rounds", "ad3", {"iterations": 1000}),
        ("AD3, 5,000 rounds", "ad3", {"iterations": 5000}),
        ("graph cut", "graph_cut", {}),
        ("greedy", "greedy", {}),
    ]
    measured([compressive_topic(seed, 1000) for seed in range(given.problems)], rows, given.seconds)
    print("\nTopics of 5,000 words")
    starts: list[Row] = [
        (f"graph cut from {start}, not repaired", "graph_cut", {"start": start, "repair": False, "rounds": 10})
        for start in ("relaxation", "greedy", "uniform")
    ]
    rows = [("graph cut", "graph_cut", {}), ("greedy", "greedy", {}), *starts]
    measured([compressive_topic(seed, 5000) for seed in range(given.large)], rows, given.seconds)
    print("\nGrowth of extractive problems")
    growth((1_000, 3_000, 10_000, 30_000, 100_000), given.plot)


if __name__ == "__main__":
    main()
