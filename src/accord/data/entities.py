# SPDX-License-Identifier: Apache-2.0
"""Named entities of a document: spans of words that labels in MISC (`NER=B-PER`, `I-PER`, ...) stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from accord.data.word import Word, misc_value

if TYPE_CHECKING:
    from accord.data.sentence import Sentence

KEY = "NER"


@dataclass(frozen=True)
class Entity:
    """A span of words with a label. ``start`` and ``end`` are characters of the document's text."""

    text: str
    label: str
    start: int
    end: int
    probability: float | None = None
    words: tuple[Word, ...] = field(default=(), repr=False)


def entities_of(sentence: Sentence, text: str, key: str = KEY) -> Iterator[Entity]:
    """The entities of a sentence, from left to right; ``text`` is that of its document."""
    run: list[Word] = []
    label = ""
    closed = True  # the run may not go on
    for word in sentence.words:
        place, _, kind = (misc_value(word.misc, key) or "O").partition("-")
        begins = place in ("B", "S", "U") or closed or kind != label
        if run and (not kind or begins):
            yield _entity(run, label, text, key)
            run = []
        if kind:
            run.append(word)
        label, closed = kind, not kind or place in ("E", "L", "S", "U")
    if run:
        yield _entity(run, label, text, key)


def _entity(words: list[Word], label: str, text: str, key: str) -> Entity:
    start, end = words[0].start, words[-1].end
    sure = misc_value(words[0].misc, f"{key}SpanConf")
    return Entity(text[start:end], label, start, end, None if sure is None else float(sure), tuple(words))
