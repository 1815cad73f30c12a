# SPDX-License-Identifier: Apache-2.0
"""Accuracy of tags over the same words, in all and for the words that make a tagger's life easy or hard.

Given the tags that each form has in the training text, words are known (the form was seen), unknown (it was not) or
ambiguous (it was seen with two tags or more; these are known words too). Linear in the number of words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from accord.errors import FormatError
from accord.evaluation.score import percentage


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Right answers among words.

    >>> Accuracy(3, 4).percent
    75.0
    """

    correct: int = 0
    words: int = 0

    @property
    def percent(self) -> float:
        return percentage(self.correct, self.words)

    def __add__(self, other: Accuracy) -> Accuracy:
        return Accuracy(self.correct + other.correct, self.words + other.words)


@dataclass(frozen=True, slots=True)
class TaggingEvaluation:
    """Accuracies; those by the training text are None where it was not given, sentences where lengths were not."""

    all: Accuracy
    known: Accuracy | None = None
    unknown: Accuracy | None = None
    ambiguous: Accuracy | None = None
    sentences: Accuracy | None = None  # with all tags right

    def to_json(self) -> dict[str, dict[str, float | int]]:
        named = {name: getattr(self, name) for name in ("all", "known", "unknown", "ambiguous", "sentences")}
        return {
            name: {"accuracy": accuracy.percent, "correct": accuracy.correct, "total": accuracy.words}
            for name, accuracy in named.items()
            if accuracy is not None
        }


def tags_of_forms(forms: Iterable[str], tags: Iterable[str]) -> dict[str, set[str]]:
    """The tags that each form of a training text has.

    >>> tags_of_forms(["can", "can"], ["AUX", "NOUN"]) == {"can": {"AUX", "NOUN"}}
    True
    """
    seen: dict[str, set[str]] = {}
    for form, tag in zip(forms, tags, strict=True):
        seen.setdefault(form, set()).add(tag)
    return seen


def evaluate_tagging(
    gold: Sequence[str],
    system: Sequence[str],
    *,
    forms: Sequence[str] | None = None,
    training: Mapping[str, Collection[str]] | None = None,
    lengths: Iterable[int] | None = None,
) -> TaggingEvaluation:
    """Compare one tag per word, sentences one after another.

    ``training``, from ``tags_of_forms``, needs the ``forms`` of the words; ``lengths`` are the words of each sentence.
    """
    if len(gold) != len(system):
        raise FormatError(f"{len(system)} tags where gold has {len(gold)}", file="system")
    right = [expected == answer for expected, answer in zip(gold, system, strict=True)]
    everything = Accuracy(sum(right), len(right))
    sentences = None if lengths is None else _whole_sentences(right, lengths)
    if training is None:
        return TaggingEvaluation(everything, sentences=sentences)
    if forms is None or len(forms) != len(gold):
        raise FormatError(f"{0 if forms is None else len(forms)} forms for {len(gold)} tags", file="gold")
    tags = [len(training.get(form, ())) for form in forms]
    known = _count(right, [count > 0 for count in tags])
    unknown = _count(right, [count == 0 for count in tags])
    return TaggingEvaluation(everything, known, unknown, _count(right, [count > 1 for count in tags]), sentences)


def _count(right: Sequence[bool], counted: Sequence[bool]) -> Accuracy:
    return Accuracy(sum(a and b for a, b in zip(right, counted, strict=True)), sum(counted))


def _whole_sentences(right: Sequence[bool], lengths: Iterable[int]) -> Accuracy:
    start = correct = count = 0
    for length in lengths:
        if length > 0:
            correct += all(right[start : start + length])
            count += 1
        start += length
    if start != len(right):
        raise FormatError(f"{len(right)} tags for sentences of {start} words in all")
    return Accuracy(correct, count)
