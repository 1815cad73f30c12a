# SPDX-License-Identifier: Apache-2.0
"""What sums over hidden values cost, by words of a candidate and by values of a word.

    python -m benchmarks hidden_cost [--candidates 30] [--seconds 0.5]

A candidate is a random tree of words, each of which has the same number of values, one feature of its own and one with
its head. Scores sum over all values (Koo and Collins 2005); the objective has derivatives, too. Times are CPU time for
one candidate, the best of as many passes as fit the seconds of each row. Units: ns for each word and each pair of
values; where they stay the same, the cost is linear in words and quadratic in values.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from accord._core import tasks as _tasks
from benchmarks.inference.solver_tables import table

WORDS = (10, 20, 40, 80, 160, 320)
VALUES = (2, 4, 8, 16, 32)


def random_list(words: int, values: int, candidates: int) -> _tasks.HiddenReranker:
    """One list whose candidates are random trees over the same words."""
    draw = np.random.default_rng(words + 1000 * values)
    parents = np.concatenate([[-1, *(draw.integers(0, np.arange(1, words)))] for _ in range(candidates)])
    heads = parents >= 0
    edges = np.where(heads, np.cumsum(heads) - 1, -1)
    blocks = np.tile([0, values, 0, values], (int(heads.sum()), 1))
    return _tasks.HiddenReranker(
        lists=np.array([0, candidates]),
        node_rows=np.array([0, words]),
        edge_rows=np.array([0, len(blocks)]),
        node_counts=np.full(words, values, np.int32),
        node_starts=np.arange(words + 1),
        node_entries=np.tile(np.array([0, 0, values], np.int32), words),
        edge_starts=np.arange(len(blocks) + 1),
        edge_entries=np.insert(blocks, 0, values, axis=1).astype(np.int32).ravel(),
        words=words * np.arange(candidates + 1),
        nodes=np.tile(np.arange(words, dtype=np.int32), candidates),
        parents=parents.astype(np.int32),
        edges=edges.astype(np.int32),
        costs=np.concatenate([[0.0], np.ones(candidates - 1)]),
        offsets=np.zeros(candidates),
        weights=draw.normal(size=values + values * values),
    )


def best_time(work: Callable[[], object], seconds: float) -> float:
    """CPU seconds of the fastest of as many calls as fit the time."""
    best, end = np.inf, time.process_time() + seconds
    while (begin := time.process_time()) < end:
        work()
        best = min(best, time.process_time() - begin)
    return best


def row(words: int, values: int, candidates: int, seconds: float) -> tuple[str, ...]:
    native = random_list(words, values, candidates)
    times = [best_time(work, seconds) / candidates for work in (native.scores, native.objective)]
    units = [1e9 * one / (words * values * values) for one in times]
    return f"{words}", f"{values}", *(f"{1e6 * one:.1f}" for one in times), *(f"{one:.2f}" for one in units)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--candidates", type=int, default=30)
    asked.add_argument("--seconds", type=float, default=0.5)
    given = asked.parse_args()
    rows = [row(words, 5, given.candidates, given.seconds) for words in WORDS]
    rows += [row(40, values, given.candidates, given.seconds) for values in VALUES]
    heads = ("words", "values", "scores, µs", "objective, µs", "ns a word and pair", "of the objective")
    table("Sums over hidden values, one candidate", heads, rows)


if __name__ == "__main__":
    main()
