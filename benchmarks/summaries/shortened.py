# SPDX-License-Identifier: Apache-2.0
"""Sentences of learned relevance that a trained compressor shortens: at once, or one after the other.

``at_once`` is the joint model of Martins & Smith (2009): a sentence that is used keeps at least four fifths of its
words, and all of it is solved exactly. ``one_after_the_other`` is their pipeline: each sentence is shortened first, and
the shortened ones are taken by their relevance while they fit. The compressor learns from the written sentences of
Clarke & Lapata.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.inference.compression import CompressionProblem, compress, compress_together
from accord.tasks.compressor import CompressorConfig
from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.decoding import problem_of
from accord.tasks.compressor.model import CompressorModel
from accord.tasks.compressor.preparing import analyse
from accord.tasks.compressor.training import train_compressor
from accord.tasks.compressor.writing import write
from accord.tasks.pipeline import Pipeline
from accord.tasks.summarizer import Source
from benchmarks.summaries.baselines import Summarize, numbered
from benchmarks.summaries.compression_corpora import read_corpus
from benchmarks.summaries.relevance import features

Problems = list[tuple[tuple[str, ...], CompressionProblem]]  # tokens and the problem of each sentence

LEAST_SHARE = 0.8
SCALE = 64.0  # of relevance, beside the scores of the compressor; chosen on FewSum validation data
MARKS = frozenset(".,;:!?()'\"")  # that are written without a blank, and cost no word
LONGEST = 120  # words: longer sentences are not used


def trained_compressor(method: str, pipeline: Pipeline) -> CompressorModel:
    train, dev = (read_corpus("written_bnc", part, None, pipeline, None) for part in ("train", "dev"))
    return train_compressor(train, dev, CompressorConfig(method=method, epochs=3, threads=1)).model


class Shortener:
    """The compression problems of all sentences of a topic, made once."""

    def __init__(self, model: CompressorModel, pipeline: Pipeline) -> None:
        self.model = model
        self.pipeline = pipeline
        self._known: dict[int, tuple[Sequence[Source], Problems]] = {}  # with the sources, whose ids stay theirs

    def problems(self, sources: Sequence[Source]) -> Problems:
        """The tokens of each sentence, and its problem, in which such marks cost nothing."""
        if id(sources) not in self._known:
            tokens = [tuple(sentence.tokens) for _, sentence in numbered(sources)]
            short = [words if len(words) <= LONGEST else () for words in tokens]
            found = analyse(short, self.pipeline, 1)
            self._known[id(sources)] = sources, [(one.forms, self._problem(one)) for one in found]
        return self._known[id(sources)][1]

    def _problem(self, analysis: Analysis) -> CompressionProblem:
        assert self.model.linear is not None
        method = self.model.config.method
        scores = self.model.linear.scores(analysis, method)
        words = scores.words + self.model.length_bonus
        costs = np.array([int(form not in MARKS) for form in analysis.forms], np.int32)
        return problem_of(dataclasses.replace(scores, words=words), analysis, method, costs=costs, empty=0.0)


def at_once(weights: NDArray[np.float64], shortener: Shortener, scale: float = SCALE) -> Summarize:
    def summarize(sources: Sequence[Source], words: int) -> str:
        known = shortener.problems(sources)
        worths = scale * (features(sources) @ weights)
        found = compress_together([problem for _, problem in known], worths, words, least_share=LEAST_SHARE)
        pairs = zip(known, found.compressions, strict=True)
        return " ".join(write(forms, one.kept.tolist()) for (forms, _), one in pairs if one is not None)

    return summarize


def one_after_the_other(weights: NDArray[np.float64], shortener: Shortener) -> Summarize:
    def summarize(sources: Sequence[Source], words: int) -> str:
        known = shortener.problems(sources)
        short = [(forms, compress(problem)) for forms, problem in known]
        left, chosen = words, []
        for place in np.argsort(-(features(sources) @ weights), kind="stable").tolist():
            if 0 < short[place][1].cost <= left:
                left -= short[place][1].cost
                chosen.append(place)
        return " ".join(write(short[k][0], short[k][1].kept.tolist()) for k in sorted(chosen))

    return summarize
