# SPDX-License-Identifier: Apache-2.0
"""Sentences of learned relevance that a trained compressor shortens: at once, or one after the other.

``at_once`` is the joint model of Martins & Smith (2009), a summarizer with a compressor: a sentence that is used keeps
at least four fifths of its words, and all of it is solved exactly. ``one_after_the_other`` is their pipeline: each
sentence is shortened first, and the shortened ones are taken by their relevance while they fit. The compressor learns
from the written sentences of Clarke & Lapata.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.inference.compression import compress
from accord.tasks.compressor import Compressor, CompressorConfig
from accord.tasks.compressor.training import train_compressor
from accord.tasks.compressor.writing import write
from accord.tasks.pipeline import Pipeline
from accord.tasks.summarizer import Source, Summarizer, SummarizerConfig, SummarizerModel
from accord.tasks.summarizer.relevance import relevance_features
from benchmarks.summaries.baselines import Summarize, numbered
from benchmarks.summaries.compression_corpora import read_corpus

Weights = NDArray[np.float64]

MARKS = frozenset(".,;:!?()'\"")  # that are written without a blank, and cost no word
LONGEST = 120  # words: longer sentences are not used


def trained_compressor(method: str, pipeline: Pipeline) -> Compressor:
    train, dev = (read_corpus("written_bnc", part, None, pipeline, None) for part in ("train", "dev"))
    model = train_compressor(train, dev, CompressorConfig(method=method, epochs=3, threads=1)).model
    return Compressor(model, pipeline)


def at_once(weights: Weights, compressor: Compressor) -> Summarize:
    model = SummarizerModel(SummarizerConfig(), relevance=tuple(weights.tolist()))
    summarizer = Summarizer(model, compressor=compressor)

    def summarize(sources: Sequence[Source], words: int) -> str:
        return summarizer(sources, words=words).text

    return summarize


def one_after_the_other(weights: Weights, compressor: Compressor) -> Summarize:
    def summarize(sources: Sequence[Source], words: int) -> str:
        tokens = [sentence.tokens if len(sentence.tokens) <= LONGEST else () for _, sentence in numbered(sources)]
        costs = [np.array([int(token not in MARKS) for token in one], np.int32) for one in tokens]
        short = [compress(problem) for problem in compressor.problems(tokens, costs, threads=1)]
        left, chosen = words, []
        for place in np.argsort(-(relevance_features(sources) @ weights), kind="stable").tolist():
            if 0 < short[place].cost <= left:
                left -= short[place].cost
                chosen.append(place)
        return " ".join(write(tokens[k], short[k].kept.tolist()) for k in sorted(chosen))

    return summarize
