# SPDX-License-Identifier: Apache-2.0
"""How long the chart of constituents takes, by the number of words.

    python -m benchmarks constituent_charts

Random scores of 32 labels. Milliseconds of one call on one core, the fastest of several: the best tree, the
log-partition with all marginals, the ten best trees, and a hundred samples.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from accord.inference.constituents import Spans
from benchmarks.inference.solver_tables import table

LABELS = 32


def fastest(work: Callable[[], object], times: int) -> float:
    found = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        found.append(time.perf_counter() - begin)
    return 1000 * min(found)


def main() -> None:
    rows = []
    for words in (10, 20, 40, 80, 160, 300):
        scores = np.random.default_rng(words).normal(size=(words + 1, words + 1, LABELS)) - 2.0
        times = 20 if words <= 80 else 3
        rows.append(
            (
                words,
                f"{fastest(Spans(scores).argmax, times):.2f}",
                f"{fastest(lambda given=scores: Spans(given).marginals(), times):.2f}",
                f"{fastest(lambda given=scores: Spans(given).kbest(10), times):.2f}",
                f"{fastest(lambda given=scores: Spans(given).sample(100), times):.2f}",
            )
        )
    table("Charts of constituents, ms", ("words", "best tree", "sums", "10 best", "100 samples"), rows)


if __name__ == "__main__":
    main()
