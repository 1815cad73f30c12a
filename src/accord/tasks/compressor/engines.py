# SPDX-License-Identifier: Apache-2.0
"""What answers for a sentence, by method: the decoders of linear models, chains with or without reranking, and grammar.

All engines take the same question: an analysed sentence, what each word costs, what the kept words may cost in all, and
which words must stay or go.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.inference.compression import Length
from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.chain import ChainCompressor
from accord.tasks.compressor.config import CHAIN_METHODS, METHODS
from accord.tasks.compressor.decoding import decode
from accord.tasks.compressor.grammar import grammar_answer
from accord.tasks.compressor.linear import LinearCompressor, sections_of
from accord.tasks.compressor.model import CompressorModel

Bools = NDArray[np.bool_]
Window = tuple[int, int] | None


@dataclass(frozen=True, eq=False)
class Answer:
    """Kept words, their score, what no compression of the same question exceeds, and what is proved."""

    kept: Bools
    score: float
    bound: float | None
    status: str


Engine = Callable[[Analysis, NDArray[np.int32], Window, Bools, Bools], Answer]


def engine_of(model: CompressorModel, method: str) -> Engine:
    """The engine of a method, where the model has the weights for it."""
    if method not in METHODS:
        raise ConfigError(f"method = {method!r}: expected one of {', '.join(METHODS)}")
    if method == "grammar":
        return _grammar
    own = model.config.method
    if method in CHAIN_METHODS:
        if model.chain is None or (method == "rerank" and model.reranker is None):
            raise ConfigError(f"a compressor that was trained for {own} has no weights for {method}")
        from accord.tasks.compressor.reranking import chain_engine

        chain = ChainCompressor(model.chain, model.config.features, model.language_model)
        return chain_engine(chain, model.reranker if method == "rerank" else None, model.config.candidates)
    if model.linear is None or not _tables(method) <= _tables(own):
        raise ConfigError(f"a compressor that was trained for {own} has no weights for {method}")
    return _linear(model.linear, method)


def _tables(method: str) -> set[str]:
    """The weight tables that a method reads."""
    return {"arc" if section == "tree" else section for section in sections_of(method)}


def _linear(weights: LinearCompressor, method: str) -> Engine:
    def engine(analysis: Analysis, costs: NDArray[np.int32], window: Window, keep: Bools, drop: Bools) -> Answer:
        scores = weights.scores(analysis, method)
        length = None if window is None else Length(*window)
        found = decode(scores, analysis, method, length=length, costs=costs, keep=keep, drop=drop)
        return Answer(found.kept, found.score, found.bound, found.status)

    return engine


def _grammar(analysis: Analysis, costs: NDArray[np.int32], window: Window, keep: Bools, drop: Bools) -> Answer:
    found = grammar_answer(analysis, costs, window, keep, drop)
    return Answer(found.kept, found.score, found.bound, found.status)
