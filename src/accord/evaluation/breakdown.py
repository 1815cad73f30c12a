# SPDX-License-Identifier: Apache-2.0
"""Where a parser errs: by relation, by length of the arc, by length of the sentence.

An arc is right when its head and its relation are right. By relation and by distance, gold and system arcs fall into
classes of their own, so each class has a precision (of the system's arcs in it) and a recall (of gold's). By sentence
length both sides share the class, and the ordinary attachment scores are given. Same words on both sides; linear.

McDonald & Nivre 2007, Characterizing the Errors of Data-Driven Dependency Parsing Models.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from accord.evaluation.attachment import (
    Attachment,
    Punctuation,
    ScoredWord,
    attachment_of_words,
    scored_sentences,
)
from accord.evaluation.protocols import DocumentLike
from accord.evaluation.score import Score

_DISTANCE_CLASSES = ((1, "1"), (2, "2"), (3, "3"), (6, "4-6"), (10, "7-10"), (20, "11-20"))
_LONGEST_DISTANCES = "21+"


def by_relation(
    gold: DocumentLike, system: DocumentLike, *, punctuation: Punctuation = "include", subtypes: bool = True
) -> dict[str, Score]:
    """Labelled attachment for each relation, the most frequent in gold first."""

    def relation(word: ScoredWord) -> tuple[str, str]:
        return word.gold_label, word.system_label

    classes = _by_class(gold, system, relation, punctuation, subtypes)
    return dict(sorted(classes.items(), key=lambda item: (-item[1].gold_total, item[0])))


def by_distance(
    gold: DocumentLike, system: DocumentLike, *, punctuation: Punctuation = "include", subtypes: bool = True
) -> dict[str, Score]:
    """Labelled attachment by the number of steps between head and dependent; ``root`` is a class of its own."""

    def distance(word: ScoredWord) -> tuple[str, str]:
        return _distance_class(word.gold_head, word.number), _distance_class(word.system_head, word.number)

    classes = _by_class(gold, system, distance, punctuation, subtypes)
    order = ["root", *(name for _, name in _DISTANCE_CLASSES), _LONGEST_DISTANCES]
    return {name: classes[name] for name in order if name in classes}


def by_sentence_length(
    gold: DocumentLike,
    system: DocumentLike,
    *,
    step: int = 10,
    punctuation: Punctuation = "include",
    subtypes: bool = True,
) -> dict[str, Attachment]:
    """Attachment scores for sentences of 1-10, 11-20, ... scored words, ``step`` lengths to a class."""
    classes: dict[int, Attachment] = {}
    for scored in scored_sentences(gold, system, punctuation=punctuation, subtypes=subtypes):
        if scored:
            place = (len(scored) - 1) // step
            classes[place] = classes.get(place, Attachment()) + attachment_of_words(scored)
    return {f"{place * step + 1}-{(place + 1) * step}": classes[place] for place in sorted(classes)}


def label_confusion(
    gold: DocumentLike, system: DocumentLike, *, punctuation: Punctuation = "include", subtypes: bool = True
) -> Counter[tuple[str, str]]:
    """How often the gold relation (first) was answered by a system relation (second), right answers included."""
    return Counter(
        (word.gold_label, word.system_label)
        for scored in scored_sentences(gold, system, punctuation=punctuation, subtypes=subtypes)
        for word in scored
    )


def _by_class(
    gold: DocumentLike,
    system: DocumentLike,
    classify: Callable[[ScoredWord], tuple[str, str]],
    punctuation: Punctuation,
    subtypes: bool,
) -> dict[str, Score]:
    """Scores of the classes that ``classify`` gives to the gold and to the system arc of a word."""
    gold_total: Counter[str] = Counter()
    system_total: Counter[str] = Counter()
    correct: Counter[str] = Counter()
    for scored in scored_sentences(gold, system, punctuation=punctuation, subtypes=subtypes):
        for word in scored:
            gold_class, system_class = classify(word)
            gold_total[gold_class] += 1
            system_total[system_class] += 1
            correct[gold_class] += word.correct_arc
    names = sorted(gold_total.keys() | system_total.keys())
    return {name: Score(correct[name], gold_total[name], system_total[name]) for name in names}


def _distance_class(head: int, dependent: int) -> str:
    if head == 0:
        return "root"
    steps = abs(head - dependent)
    return next((name for longest, name in _DISTANCE_CLASSES if steps <= longest), _LONGEST_DISTANCES)
