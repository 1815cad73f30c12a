# SPDX-License-Identifier: Apache-2.0
"""Counts of right answers and the percentages made of them.

With c right answers among g gold and s system items, precision = c / s, recall = c / g and F1 = 2c / (g + s), the
harmonic mean of the two. Where items are aligned before they are judged, aligned accuracy = c / (aligned items): the
quality of the judgement when the tokenisation is not held against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


def percentage(part: int, whole: int) -> float:
    """``part`` of ``whole`` in percent; of an empty whole, nothing is right."""
    return 100.0 * part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Score:
    """One metric. Counts are kept, so that scores of several files can be added.

    >>> score = Score(correct=3, gold_total=4, system_total=6, aligned_total=4)
    >>> score.precision, score.recall, score.f1, score.aligned_accuracy
    (50.0, 75.0, 60.0, 75.0)
    """

    correct: int
    gold_total: int
    system_total: int
    aligned_total: int | None = None  # None where the items are themselves the alignment: Tokens, Sentences, Words

    @property
    def precision(self) -> float:
        return percentage(self.correct, self.system_total)

    @property
    def recall(self) -> float:
        return percentage(self.correct, self.gold_total)

    @property
    def f1(self) -> float:
        return percentage(2 * self.correct, self.gold_total + self.system_total)

    @property
    def aligned_accuracy(self) -> float | None:
        return None if self.aligned_total is None else percentage(self.correct, self.aligned_total)

    def __add__(self, other: Score) -> Score:
        aligned: int | None = None
        if self.aligned_total is not None and other.aligned_total is not None:
            aligned = self.aligned_total + other.aligned_total
        return Score(
            self.correct + other.correct,
            self.gold_total + other.gold_total,
            self.system_total + other.system_total,
            aligned,
        )

    def to_json(self) -> dict[str, float | int | None]:
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "aligned_accuracy": self.aligned_accuracy,
            "correct": self.correct,
            "gold_total": self.gold_total,
            "system_total": self.system_total,
            "aligned_total": self.aligned_total,
        }


class Evaluation(Mapping[str, Score]):
    """Scores under their official names, in the official order."""

    def __init__(self, scores: Mapping[str, Score]) -> None:
        self._scores = dict(scores)

    def __getitem__(self, name: str) -> Score:
        return self._scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __repr__(self) -> str:
        return f"Evaluation({', '.join(f'{name} {score.f1:.2f}' for name, score in self.items())})"

    def __add__(self, other: Evaluation) -> Evaluation:
        """The scores of two files seen as one (micro-average)."""
        return Evaluation({name: score + other[name] for name, score in self.items()})

    def to_json(self) -> dict[str, dict[str, float | int | None]]:
        return {name: score.to_json() for name, score in self.items()}

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """The table as cells: metric, precision, recall, F1, aligned accuracy (empty where it has no meaning)."""
        return [(name, *_cells(score)) for name, score in self.items()]

    def table(self) -> str:
        """The table as text, one metric a line.

        >>> print(Evaluation({"LAS": Score(3, 4, 6, 4)}).table())
        Metric     | Precision |    Recall |  F1 Score | AligndAcc
        -----------+-----------+-----------+-----------+-----------
        LAS        |     50.00 |     75.00 |     60.00 |     75.00
        """
        header = f"{'Metric':<10} | Precision |    Recall |  F1 Score | AligndAcc"
        lines = [header, "-----------+" * 4 + "-----------"]
        for name, *cells in self.rows():
            lines.append(" | ".join([f"{name:<10}", *(f"{cell:>9}" for cell in cells)]).rstrip())
        return "\n".join(lines)


def _cells(score: Score) -> tuple[str, str, str, str]:
    accuracy = "" if score.aligned_accuracy is None else f"{score.aligned_accuracy:.2f}"
    return f"{score.precision:.2f}", f"{score.recall:.2f}", f"{score.f1:.2f}", accuracy
