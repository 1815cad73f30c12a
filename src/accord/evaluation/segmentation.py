# SPDX-License-Identifier: Apache-2.0
"""Word segmentation as the SIGHAN bakeoffs score it.

A word is a stretch of characters; it is right when gold has the same stretch. Precision, recall and F1 count words;
given the words of the training text, R_oov is the recall of gold words that are not among them and R_iv that of those
that are. Linear in the number of characters.

Emerson: The second international Chinese word segmentation bakeoff, SIGHAN 2005.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from accord.errors import FormatError
from accord.evaluation.score import Score, percentage


@dataclass(frozen=True, slots=True)
class SegmentationEvaluation:
    """Scores of words; recalls of unseen and seen words are None where no vocabulary was given."""

    words: Score
    unseen_total: int | None = None
    unseen_correct: int | None = None

    @property
    def recall_unseen(self) -> float | None:
        """R_oov: recall of gold words outside the vocabulary."""
        if self.unseen_total is None or self.unseen_correct is None:
            return None
        return percentage(self.unseen_correct, self.unseen_total)

    @property
    def recall_seen(self) -> float | None:
        """R_iv: recall of gold words inside the vocabulary."""
        if self.unseen_total is None or self.unseen_correct is None:
            return None
        return percentage(self.words.correct - self.unseen_correct, self.words.gold_total - self.unseen_total)

    @property
    def unseen_rate(self) -> float | None:
        """How many of the gold words are outside the vocabulary, in percent."""
        return None if self.unseen_total is None else percentage(self.unseen_total, self.words.gold_total)

    def to_json(self) -> dict[str, object]:
        return {
            "words": self.words.to_json(),
            "recall_unseen": self.recall_unseen,
            "recall_seen": self.recall_seen,
            "unseen_rate": self.unseen_rate,
        }


def evaluate_segmentation(
    gold: Iterable[Sequence[str]], system: Iterable[Sequence[str]], vocabulary: Container[str] | None = None
) -> SegmentationEvaluation:
    """Scores of ``system`` against ``gold``, sentence by sentence; other characters than gold's raise FormatError.

    >>> result = evaluate_segmentation([["ab", "c"]], [["a", "b", "c"]], {"c"})
    >>> result.words.precision, result.words.recall, result.recall_unseen, result.recall_seen
    (33.333333333333336, 50.0, 0.0, 100.0)
    """
    correct = gold_total = system_total = unseen = unseen_correct = 0
    for number, (expected, answer) in enumerate(zip_longest(gold, system), start=1):
        if expected is None or answer is None:
            raise FormatError(f"there is no sentence {number}", file="gold" if expected is None else "system")
        if "".join(expected) != "".join(answer):
            raise FormatError(f"sentence {number} has other characters than gold's", file="system")
        answered = set(_stretches(answer))
        for stretch, word in zip(_stretches(expected), expected, strict=True):
            right = stretch in answered
            correct += right
            if vocabulary is not None and word not in vocabulary:
                unseen += 1
                unseen_correct += right
        gold_total += len(expected)
        system_total += len(answer)
    words = Score(correct, gold_total, system_total)
    return (
        SegmentationEvaluation(words) if vocabulary is None else SegmentationEvaluation(words, unseen, unseen_correct)
    )


def _stretches(words: Sequence[str]) -> list[tuple[int, int]]:
    ends = [0]
    for word in words:
        ends.append(ends[-1] + len(word))
    return list(pairwise(ends))
