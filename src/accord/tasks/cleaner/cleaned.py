# SPDX-License-Identifier: Apache-2.0
"""What a cleaner gives: words with labels, and the text that is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from accord.tasks.cleaner.utterances import SourceUtterance

FILLER, EDIT = "filler", "edit"
NO_FIELDS: Mapping[str, Any] = {}  # of words of which the source says nothing else
_STOPS = (".", "?", "!")
_GLUED = attrgetter("glued")


class CleanedWord(NamedTuple):
    """A word of the source. ``label``: "filler", "edit" or ""; ``probability``: of this label.

    ``fields``: what the source says of the word, such as its times. ``glued``: no blank stands before it.
    """

    text: str
    label: str
    probability: float
    fields: Mapping[str, Any] = NO_FIELDS
    glued: bool = False

    def to_json(self) -> dict[str, Any]:
        """What the source says under one of these names, such as a recogniser's own probability, is ``source_...``."""
        found = {"word": self.text, "label": self.label, "probability": round(self.probability, 4)}
        return {f"source_{name}" if name in found else name: value for name, value in self.fields.items()} | found


@dataclass(frozen=True)
class CleanedUtterance:
    """An utterance with a label for each word."""

    source: SourceUtterance
    words: tuple[CleanedWord, ...]

    @cached_property
    def text(self) -> str:
        """What is left without fillers and edits, with the capital and the stop of the source."""
        return _text_left(self.words)

    @cached_property
    def marked(self) -> str:
        """All words, with spans in brackets: ``[EDIT 0.93 to Boston] to Denver``.

        The probability of a span is that of its least probable word.
        """
        parts: list[str] = []
        before = ""  # the label of the span before
        for label, run in self.runs():
            text = joined(run)
            sure = min(word.probability for word in run)
            parts += [" "] if parts and (label or before or not run[0].glued) else []
            parts.append(f"[{label.upper()} {sure:.2f} {text}]" if label else text)
            before = label
        return "".join(parts)

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


def joined(words: Iterable[CleanedWord]) -> str:
    """Words with the blanks that the source has between them."""
    told = [word for word in words if word.text]
    if not any(map(_GLUED, told)):
        return " ".join([word.text for word in told])
    return "".join([word.text if word.glued else f" {word.text}" for word in told]).lstrip()


def left_over(words: Iterable[CleanedWord]) -> Iterator[CleanedWord]:
    """The words without a label. One is glued to the one before where no blank was between them and what is gone."""
    glued = True
    for word in words:
        glued &= word.glued or not word.text
        if word.text and not word.label:
            yield word if word.glued == glued else word._replace(glued=glued)
            glued = True


def _text_left(words: Sequence[CleanedWord]) -> str:
    if not any(word.label for word in words):
        return joined(words)
    kept: list[CleanedWord] = []
    capital = False  # a word with a capital that began a sentence is gone, and no word after it stays yet
    for place, word in enumerate(words):
        if word.label:
            begins = not place or words[place - 1].text.endswith(_STOPS)
            capital |= begins and word.text[:1].isupper()
            kept.append(word)
            continue
        following = words[place + 1] if place + 1 < len(words) else None
        dangling = following is not None and bool(following.label) and word.text.endswith(",")
        if dangling or capital:
            text = word.text[:-1] if dangling else word.text
            word = word._replace(text=text[:1].upper() + text[1:] if capital else text)
        kept.append(word)
        capital = False
    text, last = joined(left_over(kept)), words[-1]
    if text and last.label and last.text.endswith(_STOPS) and not text.endswith(_STOPS):
        text = text.rstrip(",;") + last.text[-1]
    return text
