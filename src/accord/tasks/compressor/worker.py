# SPDX-License-Identifier: Apache-2.0
"""The compressor as users hold it: texts in, shorter sentences out, with what is proved of them.

>>> compressor = Compressor(CompressorConfig(method="grammar"))
>>> found = compressor("The old man, who lived near the lake, bought a very small dog in March.", rate=0.5)
>>> found.sentences[0].words <= 9
True
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Document
from accord.errors import ConfigError, ConstraintError
from accord.inference.compression import CompressionProblem, DeletionRule
from accord.models.stored import open_worker
from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.budget import Budget, Fates, check_fits, stop_length
from accord.tasks.compressor.config import CompressorConfig
from accord.tasks.compressor.decoding import problem_of
from accord.tasks.compressor.engines import Answer, Engine, Question, engine_of
from accord.tasks.compressor.model import CompressorModel
from accord.tasks.compressor.preparing import analyse
from accord.tasks.compressor.sources import SourceSentence, sentences_of_document, sentences_of_text
from accord.tasks.compressor.writing import write
from accord.tasks.pipeline import Pipeline


@dataclass(frozen=True)
class CompressedSentence:
    """A sentence and what is kept of it.

    ``score`` is that of the model, ``bound`` a number that no compression within the budget exceeds; None where the
    sentence was compressed piece by piece. ``status`` is "optimal" where the two meet, "pieces" for pieces.
    """

    sentence: SourceSentence
    kept: tuple[bool, ...]
    score: float
    bound: float | None
    status: str

    @property
    def text(self) -> str:
        """What is kept, as running text."""
        heads, labels = self.sentence.tree
        return write(self.sentence.words, self.kept, self.sentence.spaces, heads, labels)

    @property
    def words(self) -> int:
        """How many words are kept, punctuation counted."""
        return sum(self.kept)

    def to_json(self) -> dict[str, Any]:
        where = {"file": self.sentence.source, "sentence": self.sentence.number}
        place = {"begin": self.sentence.begin, "end": self.sentence.end}
        mask = "".join("1" if one else "0" for one in self.kept)
        proof = {"score": self.score, "bound": self.bound, "status": self.status}
        return {**where, **place, "text": self.text, "tokens": list(self.sentence.words), "mask": mask, **proof}


@dataclass(frozen=True)
class CompressedText:
    """The compressed sentences of a text, in order."""

    sentences: tuple[CompressedSentence, ...]

    @property
    def text(self) -> str:
        """One sentence after another."""
        return " ".join(sentence.text for sentence in self.sentences if sentence.text)

    @property
    def rate(self) -> float:
        """The share of words that is kept."""
        return sum(one.words for one in self.sentences) / max(sum(len(one.kept) for one in self.sentences), 1)

    def to_json(self) -> dict[str, Any]:
        return {"text": self.text, "rate": self.rate, "sentences": [one.to_json() for one in self.sentences]}


class Compressor:
    """Decides which words of sentences stay. ``pipeline``: tags and parses; that of the settings where not given."""

    def __init__(
        self, model: CompressorModel | CompressorConfig | None = None, pipeline: Pipeline | None = None
    ) -> None:
        given = model or CompressorConfig(method="grammar")
        self.model = given if isinstance(given, CompressorModel) else CompressorModel(given)
        self._pipeline = pipeline
        self._engine = engine_of(self.model, self.model.config.method)

    def __reduce__(self) -> tuple[Any, ...]:
        return Compressor, (self.model, self._pipeline)

    @classmethod
    def load(cls, model: str | Path) -> Compressor:
        """The compressor of a model file."""
        return open_worker(cls, CompressorModel, model)

    @classmethod
    def train(cls, pairs: Any, config: CompressorConfig | None = None, *, dev: Any = None, **how: Any) -> Compressor:
        """A compressor trained on pairs (:class:`~accord.tasks.compressor.Pair`)."""
        from accord.tasks.compressor.training import train_compressor

        return cls(train_compressor(pairs, dev, config or CompressorConfig(), **how).model)

    @cached_property
    def pipeline(self) -> Pipeline:
        """What tags and parses sentences."""
        return self._pipeline or Pipeline.load(self.model.config.parser)

    def __call__(
        self,
        text: str | Document | Sequence[SourceSentence],
        *,
        rate: float | None = None,
        words: int | None = None,
        characters: int | None = None,
        method: str | None = None,
        keep: str | Sequence[str] = (),
        drop: str | Sequence[str] = (),
        rules: str | DeletionRule | Sequence[str | DeletionRule] = (),
        threads: int = 0,
    ) -> CompressedText:
        """Compress each sentence of a text.

        Parameters
        ----------
        text: a text, a document or sentences of :mod:`accord.tasks.compressor.sources`.
        rate, words, characters: the share of words to keep, or the most words or characters of each sentence; without
            any of them the settings decide.
        method: another decoder than that of the model, where the model has the weights for it.
        keep, drop: words that must stay or go: forms, or ``upos=PROPN``, ``xpos=...``, ``deprel=...``.
        rules: what may be deleted, e.g. ``"never-cut nsubj*,obj"``; see :mod:`accord.inference.compression`.
        """
        budget = self.budget(rate, words, characters)
        engine = self._engine if method is None else engine_of(self.model, method)
        fates = Fates(_entries("keep", keep), _entries("drop", drop), _entries("rules", rules, DeletionRule))
        return CompressedText(tuple(_compressed(one, engine, budget, fates) for one in self.sentences(text, threads)))

    def problems(
        self, sentences: Sequence[Sequence[str]], costs: Sequence[NDArray[np.int32]], threads: int = 0
    ) -> list[CompressionProblem]:
        """The problems of tokenised sentences, in which nothing may be kept: for those who solve several together.

        ``costs``: of the tokens of each sentence. Only models with weights of words, bigrams, arcs or statuses have
        such problems.
        """
        method, linear = self.model.config.method, self.model.linear
        if linear is None:
            raise ConfigError(f"a compressor of the method {method} has no scores that can be added to others")
        return [
            problem_of(linear.scores(one, method, self.model.length_bonus), one, method, costs=cost, empty=0.0)
            for one, cost in zip(analyse(sentences, self.pipeline, threads), costs, strict=True)
        ]

    def budget(self, rate: float | None, words: int | None, characters: int | None) -> Budget:
        """What is asked for, or the rate of the settings."""
        asked = Budget(rate, words, characters)
        return Budget(rate=self.model.config.rate or None) if asked == Budget() else asked

    def sentences(self, text: str | Document | Sequence[SourceSentence], threads: int = 0) -> list[SourceSentence]:
        """The sentences of a text, ready to be compressed."""
        longest = self.model.config.longest
        if isinstance(text, str):
            return sentences_of_text(text, self.pipeline, longest)
        if isinstance(text, Document):
            return sentences_of_document(text, self.pipeline, longest, text.name, threads=threads)
        given: Sequence[Any] = text if isinstance(text, Sequence) else [text]
        found = [one for one in given if isinstance(one, SourceSentence)]
        if len(found) < len(given):
            raise ConfigError(f"expected a text, a document or sentences to compress, not {type(text).__name__}")
        return found

    def kept(self, analysis: Analysis, budget: Budget = Budget()) -> Answer:  # noqa: B008
        """Which words of an analysed sentence stay."""
        return _answer(analysis, self._engine, budget, Fates(), 0)


def _entries(name: str, given: Any, kind: type[Any] = str) -> tuple[Any, ...]:
    """One entry, or those of a list."""
    if isinstance(given, (str, kind)):
        return (given,)
    found = tuple(given) if isinstance(given, Iterable) else (given,)
    if any(not isinstance(one, (str, kind)) for one in found):
        raise ConfigError(f"{name} = {given!r}: expected texts")
    return found


def _compressed(sentence: SourceSentence, engine: Engine, budget: Budget, fates: Fates) -> CompressedSentence:
    """One sentence: as a whole, or piece by piece with a share of the budget for each piece."""
    try:
        if len(sentence.pieces) == 1:
            answer = _answer(sentence.pieces[0], engine, budget, fates, stop_length(sentence.words))
            kept = tuple(answer.kept.tolist())
            return CompressedSentence(sentence, kept, answer.score, answer.bound, answer.status)
        return _of_pieces(sentence, engine, budget, fates)
    except ConstraintError as error:
        raise ConstraintError(f"{sentence.source}: sentence {sentence.number}: {error}") from None


def _of_pieces(sentence: SourceSentence, engine: Engine, budget: Budget, fates: Fates) -> CompressedSentence:
    kept: list[bool] = []
    score = 0.0
    for piece, share in zip(sentence.pieces, _shares(sentence, budget), strict=True):
        try:
            if share is None:
                raise ConstraintError("nothing of the budget is left for a piece of the sentence with words to keep")
            answer = _answer(piece, engine, share, fates, 0)
        except ConstraintError:
            if fates.of(piece)[0].any():
                raise
            kept += [False] * len(piece)  # too little for any word
            continue
        kept += answer.kept.tolist()
        score += answer.score
    return CompressedSentence(sentence, tuple(kept), score, None, "pieces")


def _shares(sentence: SourceSentence, budget: Budget) -> list[Budget | None]:
    """The budgets of pieces, by their lengths; None where nothing is left for a piece."""
    limit = budget.words if budget.words is not None else budget.characters
    if limit is None:
        return [budget] * len(sentence.pieces)
    total, spent, seen = len(sentence.words), 0, 0
    shares: list[Budget | None] = []
    for piece in sentence.pieces:
        seen += len(piece)
        share = limit * seen // total - spent
        spent += share
        if share < 1:
            shares.append(None)
        else:  # the blank between pieces, and a stop that is mended, are characters too
            shares.append(Budget(words=share) if budget.words is not None else Budget(characters=max(share - 2, 1)))
    return shares


def _answer(analysis: Analysis, engine: Engine, budget: Budget, fates: Fates, stops: int) -> Answer:
    costs = budget.costs(analysis.forms)
    keep, drop, rules = fates.of(analysis)
    window = budget.window(costs, stops)
    if window is not None:
        unit = "characters" if budget.characters is not None else "words"
        check_fits(keep, costs, window[1], analysis.forms, unit)
    if drop.all():
        return Answer(np.zeros(len(analysis), np.bool_), 0.0, 0.0, "optimal")
    if window is not None and (window[1] < 1 or int(costs[~drop].min()) > window[1]):
        shortest = int(costs[~drop].min())
        raise ConstraintError(f"the shortest word needs {shortest} where the budget has {window[1]}")
    if window is not None and window[0] == window[1]:  # a rate: words that must go cannot be part of it
        target = max(min(window[0], int((~drop).sum())), int(keep.sum()), 1)
        window = target, target
    try:
        return engine(Question(analysis, costs, window, keep, drop, rules))
    except ConstraintError:
        if budget.characters is None:
            raise
        raise ConstraintError(
            f"no part of the sentence that could stay fits into {budget.characters} characters"
        ) from None
