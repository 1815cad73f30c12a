# SPDX-License-Identifier: Apache-2.0
"""Where graph cuts begin: the shares of concepts from whole sentences, as in Qian & Liu (2013), and from pieces.

    python -m benchmarks summary_starts [--words 300 1000] [--problems 6]

The paper takes the first shares from a problem of whole sentences: from its linear relaxation, from a choice of
sentences, or evenly. Sentences are chosen greedily by what each adds for its words, or simply by rank, which is the sum
of the weights of its concepts. Accord's own starts know pieces of sentences: the greedy choice of pieces is itself a
good summary. Values are in percent of the bound of the linear relaxation, without repair, with ten rounds of cuts.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from accord.inference import linear
from accord.inference.coverage import CoverageProblem, solve
from accord.inference.coverage.programs import program
from tests.inference.coverage.random_problems import compressive_topic

Numbers = NDArray[np.float64]
ROUNDS = 10


def sentences_of(problem: CoverageProblem) -> NDArray[np.int64]:
    """The sentence of each unit: the unit at the top of what it requires."""
    above = np.arange(problem.units)
    above[problem.requires[:, 0]] = problem.requires[:, 1]
    while (above[above] != above).any():
        above = above[above]
    return np.unique(above, return_inverse=True)[1].astype(np.int64)


def extractive(problem: CoverageProblem, sentence: NDArray[np.int64]) -> CoverageProblem:
    """The problem of whole sentences."""
    rows = problem.occurrences.renumbered(np.arange(problem.units))
    many = int(sentence.max()) + 1
    costs = np.stack([np.bincount(sentence, row, many) for row in problem.costs])
    return CoverageProblem(problem.weights, np.stack([rows[:, 0], sentence[rows[:, 1]]], axis=1), costs, problem.limits)


def by_rank(whole: CoverageProblem) -> Numbers:
    """The sentences of the largest sums of weights that fit."""
    found = whole.occurrences
    ranks = np.bincount(found.needs, whole.weights[found.concept_of], whole.units)
    chosen, left = np.zeros(whole.units), whole.limits.copy()
    for unit in np.argsort(-ranks, kind="stable"):
        if (whole.costs[:, unit] <= left).all():
            chosen[unit], left = 1.0, left - whole.costs[:, unit]
    return chosen


def starts(problem: CoverageProblem) -> dict[str, Numbers]:
    sentence = sentences_of(problem)
    whole = extractive(problem, sentence)
    greedy, pieces = solve(whole, "greedy").assignment, solve(problem, "greedy").assignment
    assert greedy is not None and pieces is not None
    relaxed = [linear.solve(program(one), False).columns[: one.units] for one in (whole, problem)]
    return {
        "sentences: linear relaxation": relaxed[0][sentence],
        "sentences: greedy by gain": greedy.astype(np.float64)[sentence],
        "sentences: by rank": by_rank(whole)[sentence],
        "uniform": np.zeros(problem.units),
        "pieces: linear relaxation": relaxed[1],
        "pieces: greedy": pieces.astype(np.float64),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, nargs="*", default=[300, 1000])
    parser.add_argument("--problems", type=int, default=6)
    given = parser.parse_args()
    table: dict[str, list[float]] = {}
    for words in given.words:
        shares: dict[str, list[float]] = {}
        for seed in range(given.problems):
            problem, _ = compressive_topic(seed, words).merged()
            bound = solve(problem, "lp").bound
            native = problem.native
            for name, start in starts(problem).items():
                chosen, _ = native.cut(np.ascontiguousarray(np.clip(start, 0, 1)), native.groups(), ROUNDS, False)
                shares.setdefault(name, []).append(100 * problem.value(chosen.astype(np.bool_)) / bound)
        for name, values in shares.items():
            table.setdefault(name, []).append(float(np.mean(values)))
    print(f"\n{given.problems} problems of each size\n")
    print("| start | " + " | ".join(f"{words:,} words" for words in given.words) + " |")
    print("|---" * (1 + len(given.words)) + "|")
    for name, row in table.items():
        print(f"| {name} | " + " | ".join(f"{value:.1f}" for value in row) + " |")


if __name__ == "__main__":
    main()
