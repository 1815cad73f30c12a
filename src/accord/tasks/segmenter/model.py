# SPDX-License-Identifier: Apache-2.0
"""The word segmenter as a user holds it: texts to words, with a user's word list, k best answers and a dictionary.

Set:    all ways to cut a text into words, that have a boundary at each blank of the text.
Score:  a chain over labels of characters, with what lexicons say of the text among its features.
Paper:  Xu, Qian, Zhang and Zhou (2008); the label set is that of Huang and Zhao (2007).
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.errors import ConfigError
from accord.inference.lattices import UnigramSegmenter
from accord.models import stored
from accord.models.file import Blocks, text_block, text_of_block
from accord.models.stored import HeaderFields, open_worker
from accord.ranked import Ranked
from accord.tasks.labeller import ChainModel, ConfidenceBackoff, Labeller, Lexicon
from accord.tasks.segmenter.config import SegmenterConfig
from accord.tasks.segmenter.labels import LabelSet, split_text
from accord.tasks.segmenter.texts import Texts
from accord.tasks.segmenter.words import WordList

MODES = ("prefer", "force", "feature")


@dataclass(frozen=True)
class SegmenterModel(ChainModel):
    """All that a trained segmenter is. ``threshold``: of the back-off, 0 where dev data did not gain by it."""

    kind = "segmenter"
    title = "segmenter"
    settings = SegmenterConfig
    in_header: ClassVar[HeaderFields] = {"threshold": stored.number()}

    config: SegmenterConfig
    counts: Mapping[str, int]
    threshold: float = 0.0

    def own_blocks(self) -> Blocks:
        header, arrays = super().own_blocks()
        words, counts = text_block("\n".join(self.counts)), np.array(list(self.counts.values()), np.int32)
        return header, {**arrays, "vocabulary": words, "counts": counts}

    @classmethod
    def own_fields(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> dict[str, Any]:
        words = text_of_block(arrays["vocabulary"]).split("\n")
        counts = dict(zip(words, arrays["counts"].tolist(), strict=True))
        if any(count < 0 for count in counts.values()):
            raise ValueError("a word that was seen less than never")
        return {**super().own_fields(header, arrays, path), "counts": counts}


class Segmenter:
    """A segmenter ready to work: immutable, shared by any number of threads.

    ``lexicon`` holds words of the user. Mode ``prefer`` adds ``bonus`` (in units of log-probability) to the labels of
    each of their occurrences; ``force`` makes words of their longest matches from left to right, whatever else the
    model thinks; ``feature`` lets the model see them as it sees the words of its training text.
    """

    def __init__(
        self, model: SegmenterModel, lexicon: WordList | None = None, *, mode: str = "prefer", bonus: float = 2.0
    ) -> None:
        if mode not in MODES:
            raise ConfigError(f"lexicon mode {mode!r}: expected one of {', '.join(MODES)}")
        self.model = model
        self.label_set = LabelSet.named(model.config.labels)
        self.mode = mode
        self.bonus = bonus
        self._given = lexicon
        chain, counts = model.chain, dict(model.counts)
        if lexicon is not None:
            lexicon = lexicon.normalised() if model.config.width else lexicon
            counts |= {word: 1 for word in lexicon.words if word not in counts}
            if mode == "feature":
                chain = dataclasses.replace(chain, lexicon=_more_words(chain.lexicon, lexicon))
        self._lexicon = lexicon
        self._labeller = Labeller(chain)
        self._dictionary = UnigramSegmenter(counts, delta=model.config.delta) if counts else None

    @staticmethod
    def load(
        path: str | Path, lexicon: WordList | None = None, *, mode: str = "prefer", bonus: float = 2.0
    ) -> Segmenter:
        return open_worker(
            lambda model: Segmenter(model, lexicon, mode=mode, bonus=bonus), SegmenterModel, path, chosen=True
        )

    def segment(
        self,
        texts: Sequence[str],
        *,
        hybrid: bool | None = None,
        threshold: float | None = None,
        likeliest: bool = False,
        threads: int = 0,
    ) -> list[list[str]]:
        """The words of each text.

        ``hybrid``: whether the dictionary decides where the chain is in doubt; by default if that helped on dev data.
        ``threshold``: another than the model's. ``likeliest``: each character's most probable label, not the best
        sequence.
        """
        read = self._read(texts)
        sequences = self._labeller.characters(read.plain)
        limit = self.model.threshold if threshold is None else threshold
        if hybrid is None:
            hybrid = limit > 0
        if hybrid and threshold is None and limit <= 0:
            raise ConfigError("this model has no threshold for the dictionary: dev data did not gain by it; give one")
        bonus = self._bonus(read)
        answer = self._labeller.label(
            sequences, likeliest=likeliest, label_probabilities=hybrid, bonus=bonus, threads=threads
        )
        numbers = answer.numbers[:, 0]
        if hybrid:
            numbers = self.backoff(limit)(
                sequences, answer.label_probabilities, self.fallback(read), bonus=bonus, threads=threads
            )
        return [
            split_text(plain, self.label_set.lengths(numbers[begin:end]))
            for plain, begin, end in zip(read.characters, read.starts[:-1], read.starts[1:], strict=True)
        ]

    def __reduce__(self) -> tuple[Any, ...]:
        return _segmenter, (self.model, self._given, self.mode, self.bonus)

    def __call__(self, text: str) -> list[str]:
        """The words of a text."""
        return self.segment([text])[0]

    def kbest(self, text: str, k: int) -> list[Ranked[tuple[str, ...]]]:
        """The k best segmentations of a text by the chain alone, best first; fewer when there are no more."""
        read = self._read([text])
        if not read.plain[0]:
            return [Ranked((), 0.0, 0.0)]
        ranked = self._labeller.kbest(self._labeller.characters(read.plain), 0, k, bonus=self._bonus(read))
        return [
            Ranked(
                tuple(split_text(read.characters[0], self.label_set.lengths(one.value[:, 0]))),
                one.score,
                one.log_probability,
            )
            for one in ranked
        ]

    def lattices(
        self, texts: Sequence[str], *, margin: float, threads: int = 0
    ) -> tuple[list[str], tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]]:
        """The characters of each text without blanks, and the words that the texts may have: where those of each text
        begin, their begins and ends, and their scores (log-odds), whose sums order segmentations.

        Words are left out if the best segmentation they are part of is worse than the best one by more than
        ``margin``. Only models that score words as wholes (``model=semi``) can tell.
        """
        read = self._read(texts)
        sequences = self._labeller.characters(read.plain)
        return read.characters, self._labeller.segments(sequences, margin, bonus=self._bonus(read), threads=threads)

    def backoff(self, threshold: float) -> ConfidenceBackoff:
        simple = self.model.config.repair == "simple"
        labels = self.label_set
        return ConfidenceBackoff(self._labeller, threshold, labels.legal, labels.repair if simple else None)

    def fallback(self, read: Texts) -> NDArray[np.int32]:
        """The labels of the dictionary's words; boundaries that are known are kept."""
        if self._dictionary is None:
            raise ConfigError("this model has no dictionary")
        lengths: list[int] = []
        for piece, whole in read.pieces():
            lengths.extend([len(piece)] if whole else (len(word) for word in self._dictionary.segment(piece)))
        return self.label_set.numbers(lengths)

    def probabilities(
        self, texts: Sequence[str], threads: int = 0
    ) -> tuple[_text.Sequences, NDArray[np.float64], Texts]:
        """The probabilities of the labels of the characters of texts."""
        read = self._read(texts)
        sequences = self._labeller.characters(read.plain)
        answer = self._labeller.label(sequences, label_probabilities=True, bonus=self._bonus(read), threads=threads)
        return sequences, answer.label_probabilities, read

    def posteriors(self, texts: Sequence[str], threads: int = 0) -> tuple[_text.Sequences, NDArray[np.float64], Texts]:
        """The older name of :meth:`probabilities`."""
        warnings.warn("Segmenter.posteriors is now Segmenter.probabilities", DeprecationWarning, stacklevel=2)
        return self.probabilities(texts, threads)

    def _read(self, texts: Sequence[str]) -> Texts:
        read = Texts(texts, self.model.config.width)
        if self._lexicon is not None and self.mode == "force":
            read.force(self._lexicon)
        return read

    def _bonus(self, read: Texts) -> NDArray[np.float64] | None:
        prefer = self._lexicon is not None and self.mode == "prefer"
        if not prefer and not read.constrained:
            return None
        table = np.where(self.label_set.allowed(read.boundaries), 0.0, -np.inf)
        if prefer:
            assert self._lexicon is not None
            table += read.preferred(self._lexicon, self.label_set) * self.bonus * self.model.chain.temperature
        return table


def _segmenter(model: SegmenterModel, lexicon: WordList | None, mode: str, bonus: float) -> Segmenter:
    return Segmenter(model, lexicon, mode=mode, bonus=bonus)


def _more_words(known: Lexicon, more: WordList) -> Lexicon:
    words = set(known.words.split("\n")) | more.words
    return dataclasses.replace(known, words="\n".join(sorted(words - {""})), matching=True)
