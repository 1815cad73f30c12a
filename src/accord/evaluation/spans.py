# SPDX-License-Identifier: Apache-2.0
"""Labelled spans of words (entities, chunks) hidden in labels, counted as the script conlleval counts them.

A label is `O`, or a prefix and a type (`B-LOC`; without a type just `B`). Prefixes say where in its span a word stands:
B begins, I or M is inside, E or L ends, S, W or U is a span of one word. A span of type t begins at a word of type t
whose prefix is B or S, or that comes after an O, an E, an S, another type or nothing; it ends before the next beginning
or O, or after an E or S. This one rule is the script's for IOB1, IOB2 (BIO) and IOE, which are all that it knows, and
reads BIOES, BMES, BMEWO and BILOU too; every sequence of labels has a meaning, inconsistent ones as well. A span is
right when gold has one with the same words and type. Spans do not cross sentences. Linear in the number of words.

Tjong Kim Sang and Buchholz: Introduction to the CoNLL-2000 shared task: chunking, CoNLL 2000.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from accord.errors import FormatError
from accord.evaluation.score import Score, percentage

_PLACES = {"B": "B", "I": "I", "M": "I", "E": "E", "L": "E", "S": "S", "W": "S", "U": "S"}


@dataclass(frozen=True, slots=True, order=True)
class LabelledSpan:
    """Words ``start`` up to, not including, ``end``, counted from 0 over all sentences."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class SpanEvaluation:
    """Scores of all spans and of each type that occurs, and how many words have the right label."""

    spans: Score
    by_type: dict[str, Score]
    words: int
    correct_words: int

    @property
    def accuracy(self) -> float:
        return percentage(self.correct_words, self.words)

    def to_json(self) -> dict[str, object]:
        return {
            "spans": self.spans.to_json(),
            "by_type": {name: score.to_json() for name, score in self.by_type.items()},
            "words": self.words,
            "accuracy": self.accuracy,
        }

    def table(self) -> str:
        """All spans and each type, one a line, with their number in the system's answer.

        >>> print(evaluate_spans(["B-LOC", "O", "B-PER"], ["B-LOC", "O", "O"]).table())
        accuracy  66.67
                 Precision  Recall      F1  Found
        all         100.00   50.00   66.67      1
        LOC         100.00  100.00  100.00      1
        PER           0.00    0.00    0.00      0
        """
        width = max(8, *(len(name) for name in self.by_type)) if self.by_type else 8
        lines = [f"accuracy  {self.accuracy:.2f}", f"{'':<{width}} Precision  Recall      F1  Found"]
        for name, score in {"all": self.spans, **self.by_type}.items():
            figures = f"{score.precision:>9.2f} {score.recall:>7.2f} {score.f1:>7.2f} {score.system_total:>6}"
            lines.append(f"{name:<{width}} {figures}")
        return "\n".join(lines)


def spans_of_labels(labels: Sequence[str], lengths: Sequence[int] | None = None) -> list[LabelledSpan]:
    """The spans of a sequence of labels; ``lengths`` cuts it into sentences.

    >>> spans_of_labels(["I-PER", "I-PER", "B-PER", "O", "S-LOC"])
    [LabelledSpan(start=0, end=2, type='PER'), LabelledSpan(start=2, end=3, type='PER'), \
LabelledSpan(start=4, end=5, type='LOC')]
    """
    found: list[LabelledSpan] = []
    for first, last in _sentences(len(labels), lengths):
        start: int | None = None
        before, before_type = "O", ""
        for position in range(first, last):
            place, type_ = read_label(labels[position], position)
            begins = place in "BS" or before in "OES" or type_ != before_type
            if start is not None and (place == "O" or begins):
                found.append(LabelledSpan(start, position, before_type))
                start = None
            if place != "O" and begins:
                start = position
            before, before_type = place, type_
        if start is not None:
            found.append(LabelledSpan(start, last, before_type))
    return found


def evaluate_spans(gold: Sequence[str], system: Sequence[str], lengths: Sequence[int] | None = None) -> SpanEvaluation:
    """Precision, recall and F1 of the spans in ``system``, in all and by type, and the accuracy of its labels.

    Both hold one label per word, sentences one after another; ``lengths`` are the words of each sentence.
    """
    if len(gold) != len(system):
        raise FormatError(f"{len(system)} labels where gold has {len(gold)}", file="system")
    expected, answered = set(spans_of_labels(gold, lengths)), set(spans_of_labels(system, lengths))
    wanted, given, right = (Counter(span.type for span in spans) for spans in (expected, answered, expected & answered))
    types = sorted({*wanted, *given})
    by_type = {type_: Score(right[type_], wanted[type_], given[type_]) for type_ in types}
    correct = sum(read_label(a, i) == read_label(b, i) for i, (a, b) in enumerate(zip(gold, system, strict=True)))
    return SpanEvaluation(Score(right.total(), wanted.total(), given.total()), by_type, len(gold), correct)


def read_label(label: str, position: int) -> tuple[str, str]:
    """Place (B, I, E, S or O) and type of the label of a word."""
    prefix, _, type_ = label.partition("-")
    if prefix == "O" and not type_:
        return "O", ""
    if prefix not in _PLACES:
        raise FormatError(f"word {position + 1}: label {label!r} is neither O nor a prefix such as B- with a type")
    return _PLACES[prefix], type_


def _sentences(count: int, lengths: Sequence[int] | None) -> Iterator[tuple[int, int]]:
    known = [count] if lengths is None else [int(length) for length in lengths]
    if sum(known) != count:
        raise FormatError(f"{count} labels for sentences of {sum(known)} words in all")
    start = 0
    for length in known:
        yield start, start + length
        start += length
