# SPDX-License-Identifier: Apache-2.0
"""What a cleaner gives: words with labels, and the text that is left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from accord.tasks.cleaner.sources import SourceUtterance

FILLER, EDIT = "filler", "edit"
NO_FIELDS: Mapping[str, Any] = {}  # of words of which the source says nothing else
_STOPS = (".", "?", "!")


class CleanedWord(NamedTuple):
    """A word of the source. ``label``: "filler", "edit" or ""; ``probability``: of this label.

    ``fields``: what the source says of the word, such as its times.
    """

    text: str
    label: str
    probability: float
    fields: Mapping[str, Any] = NO_FIELDS

    def to_json(self) -> dict[str, Any]:
        return {**self.fields, "word": self.text, "label": self.label, "probability": round(self.probability, 4)}


@dataclass(frozen=True)
class CleanedUtterance:
    """An utterance with a label for each word."""

    source: SourceUtterance
    words: tuple[CleanedWord, ...]

    @cached_property
    def text(self) -> str:
        """What is left without fillers and edits, with the capital and the stop of the source."""
        return _left_over(self.words)

    @cached_property
    def marked(self) -> str:
        """All words, with spans in brackets: ``[EDIT 0.93 to Boston] to Denver``.

        The probability of a span is that of its least probable word.
        """
        parts = []
        for label, run in self.runs():
            text = " ".join(word.text for word in run)
            sure = min(word.probability for word in run)
            parts.append(f"[{label.upper()} {sure:.2f} {text}]" if label else text)
        return " ".join(parts)

    def runs(self) -> Iterator[tuple[str, list[CleanedWord]]]:
        """Neighbouring words of one label."""
        for label, run in groupby(self.words, key=lambda word: word.label):
            yield label, list(run)

    def to_json(self, *, remove: bool = False) -> dict[str, Any]:
        """``remove``: only the words that are left."""
        words = [word.to_json() for word in self.words if not (remove and word.label)]
        return {**self.source.fields, "text": self.text, "words": words}


@dataclass(frozen=True)
class CleanedText:
    """Utterances with a label for each word."""

    utterances: tuple[CleanedUtterance, ...]

    @property
    def text(self) -> str:
        """What is left, one utterance in each line."""
        return "\n".join(one.text for one in self.utterances)

    @property
    def marked(self) -> str:
        return "\n".join(one.marked for one in self.utterances)

    def to_json(self) -> dict[str, Any]:
        return {"utterances": [one.to_json() for one in self.utterances]}


def _left_over(words: Sequence[CleanedWord]) -> str:
    if not any(word.label for word in words):
        return " ".join([word.text for word in words])
    kept: list[str] = []
    capital = False  # a word with a capital that began a sentence is gone, and no word after it stays yet
    for place, word in enumerate(words):
        if word.label:
            begins = not place or words[place - 1].text.endswith(_STOPS)
            capital |= begins and word.text[:1].isupper()
            continue
        following = words[place + 1] if place + 1 < len(words) else None
        dangling = following is not None and bool(following.label) and word.text.endswith(",") and len(word.text) > 1
        text = word.text[:-1] if dangling else word.text
        kept.append(text[:1].upper() + text[1:] if capital else text)
        capital = False
    if not kept:
        return ""
    last = words[-1]
    if last.label and last.text.endswith(_STOPS) and not kept[-1].endswith(_STOPS):
        kept[-1] = kept[-1].rstrip(",;") + last.text[-1]
    return " ".join(kept)
