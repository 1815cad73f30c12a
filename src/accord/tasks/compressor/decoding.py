# SPDX-License-Identifier: Apache-2.0
"""From scores of parts to the best compression, by the programmes of :mod:`accord.inference.compression`."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from accord.inference.compression import Compression, CompressionProblem, Length, compress
from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.config import STATUS_METHODS
from accord.tasks.compressor.parts import Scores

Decoded: TypeAlias = Compression


def problem_of(scores: Scores, analysis: Analysis, method: str, **rules: Any) -> CompressionProblem:
    """The problem whose best answer a method finds; ``rules``: costs, words to keep and to drop."""
    words = scores.words[1:]
    if method == "bigram":
        return CompressionProblem(words, bigrams=scores.bigrams, **rules)
    if method in STATUS_METHODS:
        bigrams = scores.bigrams if method == "status_bigram" else None
        heads = analysis.status_heads
        return CompressionProblem(words, heads=heads, statuses=scores.statuses, bigrams=bigrams, **rules)
    if method == "tree":
        heads = np.array([-1, *analysis.heads], np.int32)
        own = None if scores.arcs is None else scores.arcs[heads[1:], np.arange(1, len(heads))]
        return CompressionProblem(words, heads=heads, arcs=own, **rules)
    return CompressionProblem(words, arcs=scores.arcs, bigrams=scores.bigrams, **rules)


def decode(
    scores: Scores,
    analysis: Analysis,
    method: str,
    *,
    length: Length | int | None = None,
    additions: NDArray[np.float64] | float = 0.0,
    **rules: Any,
) -> Decoded:
    """The best compression by a method.

    ``length``: what the kept words may cost in all; None leaves it free. ``joint`` and ``status_bigram`` find the best
    one of each length, ``relaxed`` puts a price on length and falls back to ``joint`` where no price gives the length.
    """
    problem = problem_of(scores, analysis, method, **rules)
    return compress(
        problem, length, "exact" if method in ("joint", "status_bigram") else "relaxed", additions=additions
    )
