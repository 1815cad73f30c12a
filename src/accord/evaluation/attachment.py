# SPDX-License-Identifier: Apache-2.0
"""Attachment scores over identical words, as parsing papers report them.

For each scored word the head and the relation are right or wrong: UAS counts right heads, LAS right heads with the
right relation, label accuracy right relations; UEM and LEM count the sentences where all scored words are right.
Relations are compared with their subtypes unless told otherwise. Linear in the number of words.

Which words are scored is a convention that moves the figures by a point or more:

- ``include``: all words (CoNLL 2017/18);
- ``exclude``: all but those whose gold UPOS is PUNCT;
- ``exclude-by-form``: all but those made only of Unicode punctuation characters (Buchholz & Marsi 2006, CoNLL-X
  shared task; the convention of the older literature).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import zip_longest
from typing import Literal, get_args

from accord.errors import ConfigError, FormatError
from accord.evaluation.corpus import universal_relation
from accord.evaluation.protocols import DocumentLike, SentenceLike, WordLike
from accord.evaluation.score import percentage

Punctuation = Literal["include", "exclude", "exclude-by-form"]


@dataclass(frozen=True, slots=True)
class Attachment:
    """Counts over scored words and over sentences that have at least one scored word; figures in percent."""

    words: int = 0
    correct_heads: int = 0
    correct_labels: int = 0
    correct_arcs: int = 0  # head and relation
    sentences: int = 0
    unlabelled_matches: int = 0  # sentences with all heads right
    labelled_matches: int = 0  # sentences with all heads and relations right

    @property
    def uas(self) -> float:
        return percentage(self.correct_heads, self.words)

    @property
    def las(self) -> float:
        return percentage(self.correct_arcs, self.words)

    @property
    def label_accuracy(self) -> float:
        return percentage(self.correct_labels, self.words)

    @property
    def uem(self) -> float:
        return percentage(self.unlabelled_matches, self.sentences)

    @property
    def lem(self) -> float:
        return percentage(self.labelled_matches, self.sentences)

    def __add__(self, other: Attachment) -> Attachment:
        return Attachment(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    def to_json(self) -> dict[str, float | int]:
        return {
            "UAS": self.uas,
            "LAS": self.las,
            "label_accuracy": self.label_accuracy,
            "UEM": self.uem,
            "LEM": self.lem,
            "words": self.words,
            "sentences": self.sentences,
        }


@dataclass(frozen=True, slots=True)
class ScoredWord:
    """One word with the gold and the system answer; ``number`` counts from 1 in its sentence."""

    number: int
    gold_head: int
    system_head: int
    gold_label: str
    system_label: str

    @property
    def correct_head(self) -> bool:
        return self.gold_head == self.system_head

    @property
    def correct_label(self) -> bool:
        return self.gold_label == self.system_label

    @property
    def correct_arc(self) -> bool:
        return self.correct_head and self.correct_label


def attachment(
    gold: DocumentLike, system: DocumentLike, *, punctuation: Punctuation = "include", subtypes: bool = True
) -> Attachment:
    """Attachment scores of ``system`` against ``gold``, which must have the same sentences and words.

    ``subtypes=False`` compares ``nsubj:pass`` as ``nsubj``. A difference in words, or a missing head on either side,
    raises a FormatError that names the sentence.
    """
    total = Attachment()
    for scored in scored_sentences(gold, system, punctuation=punctuation, subtypes=subtypes):
        total += attachment_of_words(scored)
    return total


def attachment_of_words(scored: list[ScoredWord]) -> Attachment:
    """The scores of one sentence; a sentence without scored words counts for nothing."""
    if not scored:
        return Attachment()
    heads = sum(word.correct_head for word in scored)
    labels = sum(word.correct_label for word in scored)
    arcs = sum(word.correct_arc for word in scored)
    return Attachment(len(scored), heads, labels, arcs, 1, int(heads == len(scored)), int(arcs == len(scored)))


def scored_sentences(
    gold: DocumentLike, system: DocumentLike, *, punctuation: Punctuation = "include", subtypes: bool = True
) -> Iterator[list[ScoredWord]]:
    """For each sentence, the words that count."""
    if punctuation not in get_args(Punctuation):
        choices = ", ".join(get_args(Punctuation))
        raise ConfigError(f"punctuation is {punctuation!r}; expected one of: {choices}")
    for number, (expected, found) in enumerate(zip_longest(gold, system), start=1):
        if expected is None or found is None:
            raise FormatError(f"there is no sentence {number}", file="gold" if expected is None else "system")
        _require_same_words(expected, found, number)
        yield [
            _scored_word(position, word, answer, number, subtypes)
            for position, (word, answer) in enumerate(zip(expected.words, found.words, strict=True), start=1)
            if not _is_left_out(word, punctuation)
        ]


def _require_same_words(gold: SentenceLike, system: SentenceLike, number: int) -> None:
    if len(gold.words) != len(system.words):
        counts = f"{len(system.words)} words where gold has {len(gold.words)}"
        raise FormatError(f"sentence {number}: {counts}; attachment needs the same words", file="system")
    for position, (word, answer) in enumerate(zip(gold.words, system.words, strict=True), start=1):
        if word.form != answer.form:
            reason = f"word {position} is {answer.form!r} where gold has {word.form!r}; attachment needs the same words"
            raise FormatError(f"sentence {number}: {reason}", file="system")


def _scored_word(position: int, gold: WordLike, system: WordLike, number: int, subtypes: bool) -> ScoredWord:
    if gold.head is None or system.head is None:
        side = "gold" if gold.head is None else "system"
        raise FormatError(f"sentence {number}: word {position} ({gold.form!r}) has no head", file=side)
    gold_label, system_label = gold.deprel, system.deprel
    if not subtypes:
        gold_label, system_label = universal_relation(gold_label), universal_relation(system_label)
    return ScoredWord(position, gold.head, system.head, gold_label, system_label)


def _is_left_out(word: WordLike, punctuation: Punctuation) -> bool:
    if punctuation == "exclude":
        return word.upos == "PUNCT"
    if punctuation == "exclude-by-form":
        return all(unicodedata.category(character).startswith("P") for character in word.form)
    return False
