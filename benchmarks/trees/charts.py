# SPDX-License-Identifier: Apache-2.0
"""Exact projective charts of first to third order: milliseconds by sentence length, unpruned and pruned.

    python -m benchmarks charts [--lengths 10 20 40 60] [--seconds 0.3] [--marginals] [--longest-full 60]

Scores are standard normal. Unpruned, every arc is a candidate; pruned, a word has its neighbour and three nearby words
(or the root) as heads. A time is that of one call through Python, the best of several rounds, in CPU time on one
thread; it includes building the chart, not scoring the parts. The exponent is that of the last two lengths.
``full`` has all parts of third order; ``first`` and ``sibling`` have arcs, and arcs and siblings.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.inference import charts

MODELS: dict[str, tuple[charts.Model, tuple[str, ...]]] = {
    "first": ("full", ()),
    "sibling": ("full", ("sibling",)),
    "carreras": ("carreras", ("sibling", "grandparent")),
    "model 0": ("model0", ("grandparent",)),
    "model 1": ("model1", ("sibling", "grandparent", "grand_sibling")),
    "model 2": ("model2", ("sibling", "grandparent", "grand_sibling", "tri_sibling")),
    "full": ("full", ("sibling", "grandparent", "grand_sibling", "tri_sibling")),
}


def arc_scores(words: int, heads: int | None, seed: int) -> NDArray[np.float64]:
    """Random scores; with a number of heads, -inf on all arcs but so many a word."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(words + 1, words + 1))
    if heads is None:
        return scores
    kept = np.zeros(scores.shape, dtype=bool)
    for word in range(1, words + 1):
        distance = np.abs(np.arange(words + 1) - word)
        closeness = np.exp(-distance / 6.0)
        closeness[word] = 0.0
        closeness[word - 1] = 0.0
        wanted = min(heads - 1, int((closeness > 0).sum()))
        kept[rng.choice(words + 1, size=wanted, replace=False, p=closeness / closeness.sum()), word] = wanted > 0
        kept[word - 1, word] = True
    return np.where(kept, scores, -np.inf)


def distribution(arcs: NDArray[np.float64], name: str, seed: int) -> charts.HigherOrder:
    rng = np.random.default_rng(seed)
    model, families = MODELS[name]
    candidates = arcs > -np.inf
    scores: dict[str, Any] = {}
    for family in families:
        tuples = charts.parts(candidates, family)
        scores[family] = (tuples, rng.normal(size=len(tuples)))
    return charts.HigherOrder(arcs, **scores, single_root=True, model=model)


def cpu_milliseconds(work: Callable[[], Any], seconds: float) -> float:
    """CPU time of one call: the best of at least three rounds, each of enough calls for the clock."""
    calls = 1
    while (elapsed := cpu_seconds(work, calls)) < 0.005:
        calls *= 2
    best, spent, rounds = elapsed, elapsed, 1
    while spent < seconds or rounds < 3:
        elapsed = cpu_seconds(work, calls)
        best, spent, rounds = min(best, elapsed), spent + elapsed, rounds + 1
    return 1000.0 * best / calls


def cpu_seconds(work: Callable[[], Any], calls: int) -> float:
    start = time.process_time()
    for _ in range(calls):
        work()
    return time.process_time() - start


def table(lengths: list[int], heads: int | None, options: argparse.Namespace) -> None:
    print(
        f"{'unpruned' if heads is None else f'{heads} heads a word':18}"
        + "".join(f"{n:>10}" for n in lengths)
        + "  exponent"
    )
    for name in MODELS:
        times: list[float | None] = []
        for words in lengths:
            if heads is None and name == "full" and words > options.longest_full:
                times.append(None)
                continue
            t = distribution(arc_scores(words, heads, words), name, words)
            times.append(cpu_milliseconds(t.marginals if options.marginals else t.argmax, options.seconds))
        row = "".join(f"{'-':>10}" if ms is None else f"{ms:10.3f}" for ms in times)
        measured = [(n, ms) for n, ms in zip(lengths, times, strict=True) if ms is not None]
        exponent = ""
        if len(measured) > 1:
            (n, before), (m, after) = measured[-2:]
            exponent = f"{math.log(after / before) / math.log(m / n):10.1f}"
        print(f"{name:18}{row}{exponent}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lengths", type=int, nargs="+", default=[10, 20, 40, 60], help="words, ascending")
    parser.add_argument("--heads", type=int, default=4, help="candidate heads a word where arcs are pruned")
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU time given to each measurement")
    parser.add_argument("--marginals", action="store_true", help="marginals of all parts instead of the best tree")
    parser.add_argument("--longest-full", type=int, default=60, help="longest sentence for all parts without pruning")
    options = parser.parse_args()
    table(options.lengths, None, options)
    print()
    table(options.lengths, options.heads, options)


if __name__ == "__main__":
    main()
