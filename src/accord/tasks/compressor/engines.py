# SPDX-License-Identifier: Apache-2.0
"""What answers for a sentence, by method: linear models, chains with or without reranking, rules of English.

All engines take the same :class:`Question`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Document, Sentence
from accord.errors import ConfigError
from accord.inference.compression import Length
from accord.models.file import model_path
from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.chain import ChainCompressor
from accord.tasks.compressor.config import CHAIN_METHODS, METHODS
from accord.tasks.compressor.decoding import decode
from accord.tasks.compressor.english.grammar import grammar_answer
from accord.tasks.compressor.english.trimming import trimming_answer
from accord.tasks.compressor.linear import LinearCompressor, sections_of
from accord.tasks.compressor.model import CompressorModel

if TYPE_CHECKING:
    from accord.tasks.constituents import ConstituencyParser

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Answer:
    """Kept words, their score, what no compression of the same question exceeds, and what is proved."""

    kept: Bools
    score: float
    bound: float | None
    status: str


@dataclass(frozen=True, eq=False)
class Question:
    """An analysed sentence, what each word costs, and what must hold.

    ``window``: the least and the largest total cost of the kept words; None leaves it free. ``keep``, ``drop``: words
    that must stay or go. ``rules``: pairs of words, numbered from 1; if the first stays, so does the second.
    """

    analysis: Analysis
    costs: NDArray[np.int32]
    window: tuple[int, int] | None
    keep: Bools
    drop: Bools
    rules: tuple[tuple[int, int], ...] = ()

    @property
    def length(self) -> Length | None:
        return None if self.window is None else Length(*self.window)

    def conditions(self) -> dict[str, Any]:
        """What holds, as arguments of a compression problem."""
        return {"costs": self.costs, "keep": self.keep, "drop": self.drop, "rules": self.rules}


Engine = Callable[[Question], Answer]


def engine_of(model: CompressorModel, method: str) -> Engine:
    """The engine of a method, where the model has the weights for it."""
    if method not in METHODS:
        raise ConfigError(f"method = {method!r}: expected one of {', '.join(METHODS)}")
    if method == "grammar":
        return _grammar
    if method == "trimmer":
        return _trimmer(model.config.phrases)
    own = model.config.method
    if method in CHAIN_METHODS:
        if model.chain is None or (method == "rerank" and model.reranker is None):
            raise ConfigError(f"a compressor that was trained for {own} has no weights for {method}")
        from accord.tasks.compressor.reranking import chain_engine

        chain = ChainCompressor(model.chain, model.config.features, model.language_model)
        reranker = model.reranker if method == "rerank" else None
        return chain_engine(chain, reranker, model.config.candidates, model.length_bonus)
    if model.linear is None or not _tables(method) <= _tables(own):
        raise ConfigError(f"a compressor that was trained for {own} has no weights for {method}")
    return _linear(model.linear, method, model.length_bonus)


def _tables(method: str) -> set[str]:
    """The weight tables that a method reads."""
    return {"arc" if section == "tree" else section for section in sections_of(method)}


def _linear(weights: LinearCompressor, method: str, length_bonus: float) -> Engine:
    def engine(asked: Question) -> Answer:
        scores = weights.scores(asked.analysis, method)
        free = length_bonus if asked.length is None else 0.0
        found = decode(scores, asked.analysis, method, length=asked.length, additions=free, **asked.conditions())
        return Answer(found.kept, found.score, found.bound, found.status)

    return engine


def _grammar(asked: Question) -> Answer:
    found = grammar_answer(asked.analysis, asked.length, asked.conditions())
    return Answer(found.kept, found.score, found.bound, found.status)


def _trimmer(name: str) -> Engine:
    """Trees of phrases are found when the first sentence is asked for."""

    @cache
    def parser() -> ConstituencyParser:
        from accord.tasks.constituents import ConstituencyParser

        return ConstituencyParser.load(model_path(name))

    def engine(asked: Question) -> Answer:
        known = asked.analysis
        sentence = Sentence.from_words(known.forms, xpos=known.xpos)
        tree = parser().trees(Document.from_sentences([sentence]), threads=1)[0].tree
        found = trimming_answer(tree, known.forms, asked.length, asked.conditions())
        return Answer(found.kept, found.score, found.bound, found.status)

    return engine
