# SPDX-License-Identifier: Apache-2.0
"""What a summarizer gives: sentences in the order of the sources, and how good the choice is known to be."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from accord.tasks.summarizer.concepts import Concept
from accord.tasks.summarizer.mending import mended
from accord.tasks.summarizer.sources import Source, SourceSentence

_WITHOUT_BLANK = tuple("。！？：；，」』”）")


@dataclass(frozen=True)
class SummarySentence:
    """A sentence of a summary: where it comes from, the concepts that it covers, and the tokens that are kept of it."""

    source: str
    number: int  # in the source, from 1
    sentence: SourceSentence
    concepts: tuple[Concept, ...]
    kept: tuple[int, ...]
    mentions: tuple[int, ...] = ()  # tokens of the concepts that it covers

    @property
    def is_whole(self) -> bool:
        return len(self.kept) == len(self.sentence.tokens)

    @cached_property
    def text(self) -> str:
        """The sentence as it stands in the summary: shortened, with capital and final stop."""
        pieces = self.sentence.pieces
        if pieces is None or self.is_whole:
            return self.sentence.text
        return mended(self.sentence.text, [pieces.stretches[token] for token in self.kept])

    @property
    def words(self) -> int:
        if self.is_whole:
            return self.sentence.words
        kept = sum(any(map(str.isalnum, self.sentence.tokens[token])) for token in self.kept)
        return max(len(self.text.split()), kept)

    def to_json(self) -> dict[str, Any]:
        covered = [{"text": one.text, "weight": one.weight} for one in self.concepts]
        where = {"file": self.source, "sentence": self.number, "begin": self.sentence.begin, "end": self.sentence.end}
        found = {**where, "text": self.text, "words": self.words, "concepts": covered}
        if not self.is_whole:
            tokens = self.sentence.tokens
            kept = set(self.kept)
            found["whole"] = self.sentence.text
            found["kept"] = [tokens[token] for token in self.kept]
            found["deleted"] = [token for k, token in enumerate(tokens) if k not in kept]
        return found


@dataclass(frozen=True)
class Summary:
    """A summary: its sentences in the order of the sources, and how good the choice is known to be.

    ``value`` is the worth of the concepts that it covers and the scores of its sentences, less the price of cuts;
    ``bound`` is a number that no summary within the budget exceeds. ``status`` is "optimal" where the two meet.
    ``note`` says what could not be done.
    """

    sentences: tuple[SummarySentence, ...]
    value: float
    bound: float
    status: str
    seconds: float = dataclasses.field(compare=False)
    note: str = ""
    sources: tuple[Source, ...] = dataclasses.field(default=(), compare=False, repr=False)

    @property
    def text(self) -> str:
        """The sentences as one line of running text."""
        text = ""
        for sentence in self.sentences:
            text += ("" if not text or text.endswith(_WITHOUT_BLANK) else " ") + sentence.text
        return text

    @property
    def words(self) -> int:
        return sum(sentence.words for sentence in self.sentences)

    def to_json(self) -> dict[str, Any]:
        """All that is known, as a JSON object."""
        told = {"note": self.note} if self.note else {}
        return {
            "text": self.text,
            "words": self.words,
            "value": self.value,
            "bound": self.bound,
            "status": self.status,
            "seconds": self.seconds,
            **told,
            "sentences": [sentence.to_json() for sentence in self.sentences],
        }
