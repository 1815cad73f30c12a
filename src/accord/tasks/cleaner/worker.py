# SPDX-License-Identifier: Apache-2.0
"""A cleaner at work: which words of utterances are fillers, which were edited, and what is left without them."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.models.stored import open_worker
from accord.tasks.cleaner.cleaned import EDIT, FILLER, NO_FIELDS, CleanedText, CleanedUtterance, CleanedWord
from accord.tasks.cleaner.features import EDITS, FILLERS, views_of
from accord.tasks.cleaner.lookahead import WINDOW, Prefixes
from accord.tasks.cleaner.model import CleanerModel
from accord.tasks.cleaner.neural import NetworkLabeller
from accord.tasks.cleaner.sources import text_utterances
from accord.tasks.cleaner.utterances import SourceUtterance
from accord.tasks.cleaner.words import Utterances
from accord.tasks.cleaner.written_words import cleaned_words, written_forms
from accord.tasks.stack import StackedLabeller

_LABELS = ("", FILLER, EDIT)
_MARK = attrgetter("label")
Flags = NDArray[np.bool_]
Probabilities = NDArray[np.float64]


@dataclass(frozen=True)
class WordLabels:
    """Of each word: whether it is a filler, whether it was edited, and how probable both are where that was asked."""

    fillers: Flags
    edits: Flags
    filler_probability: Probabilities
    edit_probability: Probabilities

    def answers(self, fillers: bool, edits: bool) -> tuple[list[str], list[float]]:
        """The label of each word, an edit before a filler, and its probability; of fillers and edits where asked."""
        edited, filling = self.edits & edits, self.fillers & fillers
        doubt = np.maximum(self.filler_probability * fillers, self.edit_probability * edits)
        sure = np.where(edited, self.edit_probability, np.where(filling, self.filler_probability, 1.0 - doubt))
        codes = np.where(edited, 2, filling.astype(np.int64)).tolist()
        return [_LABELS[code] for code in codes], sure.tolist()


class Cleaner:
    """Takes fillers and edits out of transcripts. Immutable, shared by any number of threads."""

    def __init__(self, model: CleanerModel) -> None:
        self.model = model
        self._stack: StackedLabeller | NetworkLabeller
        if model.config.scorer == "neural":
            self._stack = NetworkLabeller(model.levels)
        else:
            self._stack = StackedLabeller(model.levels, views_of(model.config))

    @staticmethod
    def load(path: str | Path) -> Cleaner:
        return open_worker(Cleaner, CleanerModel, path)

    def __reduce__(self) -> tuple[Any, ...]:
        return Cleaner, (self.model,)

    def __call__(
        self,
        text: str | Iterable[SourceUtterance],
        *,
        fillers: bool = True,
        edits: bool = True,
        lookahead: int | None = None,
        threads: int = 0,
    ) -> CleanedText:
        """Mark the fillers and edits of a text with one utterance in each line, or of utterances that were read.

        ``fillers``, ``edits``: what is marked. ``lookahead``: each word is decided on when so many words after it are
        known; None: when the utterance is.
        """
        sources = text if isinstance(text, Iterable) and not isinstance(text, str) else text_utterances(text)
        return CleanedText(tuple(self.clean(list(sources), fillers, edits, lookahead, threads)))

    def clean(
        self, sources: Sequence[SourceUtterance], fillers: bool, edits: bool, lookahead: int | None, threads: int
    ) -> Iterator[CleanedUtterance]:
        """The same for a list of utterances, one by one."""
        forms = [written_forms(source.words) for source in sources]
        kept = [[form for form in one if form] for one in forms]
        tags = None
        if self.model.config.tags == "given":
            tags = [
                [word.tag for word, form in zip(source.words, one, strict=True) if form]
                for source, one in zip(sources, forms, strict=True)
            ]
        found = self.label(Utterances.of(kept, tags), lookahead=lookahead, probabilities=True, threads=threads)
        labels, sure = found.answers(fillers, edits)
        asked = {FILLER: fillers, EDIT: edits}
        at = 0
        for source, one, seen in zip(sources, forms, kept, strict=True):
            rows = zip(labels[at : at + len(seen)], sure[at : at + len(seen)], strict=True)
            at += len(seen)
            if len(seen) == len(one):
                words = [
                    CleanedWord(word.text, label, probability, word.fields or NO_FIELDS, word.glued)
                    for word, (label, probability) in zip(source.words, rows, strict=True)
                ]
            else:
                words = cleaned_words(source.words, one, rows, edits)
            if any(map(_MARK, source.words)):  # by people
                for place, word in enumerate(source.words):
                    if asked.get(word.label):
                        words[place] = words[place]._replace(label=word.label, probability=1.0)
            yield CleanedUtterance(source, tuple(words))

    def label(
        self,
        utterances: Utterances,
        *,
        lookahead: int | None = None,
        probabilities: bool = False,
        threads: int = 0,
    ) -> WordLabels:
        """The fillers and edits among words in normal form."""
        if lookahead is None:
            return WordLabels(*self._columns(utterances, probabilities, threads))
        blocks = [
            [column[block.chosen] for column in self._columns(block.utterances, probabilities, threads)]
            for block in Prefixes.blocks(utterances, _words_of(lookahead))
        ]
        return WordLabels(*map(np.concatenate, zip(*blocks, strict=True)))

    def _columns(self, read: Utterances, probabilities: bool, threads: int) -> list[NDArray[Any]]:
        """The fields of the labels of words."""
        found = self._stack.label(read, probabilities=(FILLERS, EDITS) if probabilities else (), threads=threads)
        columns: list[NDArray[Any]] = [found.decisions[FILLERS] != 0, found.decisions[EDITS] != 0]
        for name in (FILLERS, EDITS):
            columns.append(1.0 - found.probabilities[name][:, 0] if probabilities else np.zeros(len(read.words)))
        return columns

    def stream(self, words: Iterable[str], *, lookahead: int = 2) -> Iterator[CleanedWord]:
        """The words of one utterance, each as soon as ``lookahead`` words after it are known."""
        known: deque[str] = deque(maxlen=min(WINDOW + _words_of(lookahead), sys.maxsize))
        count = 0
        for count, word in enumerate(words, start=1):
            known.append(word)
            if count > lookahead:
                yield self._decided(known, len(known) - lookahead - 1)
        for place in range(len(known) - min(lookahead, count), len(known)):
            yield self._decided(known, place)

    def _decided(self, known: Iterable[str], place: int) -> CleanedWord:
        source = SourceUtterance.of_words(list(known))
        return next(self.clean([source], True, True, None, 1)).words[place]


def _words_of(lookahead: int) -> int:
    if lookahead < 0:
        raise ConfigError(f"lookahead = {lookahead}: expected a number of words, 0 or more")
    return lookahead
