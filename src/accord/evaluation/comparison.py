# SPDX-License-Identifier: Apache-2.0
"""Two systems on the same gold trees: confusions of labels, and where the two differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data import Document
from accord.evaluation.attachment import ScoredWord, scored_sentences


@dataclass(frozen=True)
class Difference:
    """A sentence that one system gets more right than the other: its number, and right words of both."""

    index: int
    first: int
    second: int
    words: int


class Comparison:
    """Two systems beside gold, word by word."""

    def __init__(self, gold: Document, first: Document, second: Document) -> None:
        self.gold, self.first, self.second = gold, first, second
        self._words = [[list(words) for words in scored_sentences(gold, one)] for one in (first, second)]

    def counts(self, part: str) -> list[NDArray[np.int64]]:
        """Right and all words of each sentence, of both systems; ``part``: "correct_head" or "correct_arc"."""
        return [
            np.array([(sum(bool(getattr(word, part)) for word in words), len(words)) for words in each], np.int64)
            for each in self._words
        ]

    def right(self, part: str) -> list[list[bool]]:
        """Whether each word is right, of both systems."""
        return [[bool(getattr(word, part)) for words in each for word in words] for each in self._words]

    def confusions(self, system: int, most: int = 20) -> list[tuple[str, str, int]]:
        """Gold label, answered label and how often, the most frequent first; only where they differ."""
        pairs = Counter(
            (word.gold_label, word.system_label)
            for words in self._words[system]
            for word in words
            if word.gold_label != word.system_label
        )
        ranked = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
        return [(gold, found, count) for (gold, found), count in ranked[:most]]

    def breakdown(self, by: Callable[[int, ScoredWord], str]) -> dict[str, tuple[float, float, int]]:
        """LAS of both systems and the number of words, by a class of words; classes come as they are met."""
        totals: dict[str, list[int]] = {}
        for index, pair in enumerate(zip(*self._words, strict=True)):
            for one, two in zip(*pair, strict=True):
                found = totals.setdefault(by(index, one), [0, 0, 0])
                found[0] += bool(one.correct_arc)
                found[1] += bool(two.correct_arc)
                found[2] += 1
        return {name: (100 * a / n, 100 * b / n, n) for name, (a, b, n) in totals.items()}

    def breakdowns(self) -> dict[str, dict[str, tuple[float, float, int]]]:
        """By label, distance of the head, length of the sentence, and whether the gold tree is projective."""
        lengths = self.gold.lengths.tolist()
        projective = [is_projective(sentence.heads) for sentence in self.gold.sentences]
        return {
            "label": _sorted(self.breakdown(lambda _, word: word.gold_label), by_size=True),
            "distance": _sorted(self.breakdown(lambda _, word: _distance(word.gold_head, word.number))),
            "sentence length": _sorted(self.breakdown(lambda index, _: _decade(lengths[index]))),
            "tree": self.breakdown(lambda index, _: "projective" if projective[index] else "non-projective"),
        }

    def differences(self) -> list[Difference]:
        """Sentences in which the systems' labelled arcs differ, the largest gains of the second first."""
        found = []
        for index, (one, two) in enumerate(zip(*self._words, strict=True)):
            answers = [[(word.system_head, word.system_label) for word in words] for words in (one, two)]
            if answers[0] != answers[1]:
                right = [sum(bool(word.correct_arc) for word in words) for words in (one, two)]
                found.append(Difference(index, right[0], right[1], len(one)))
        return sorted(found, key=lambda one: (one.first - one.second, one.index))


def is_projective(heads: Sequence[int | None]) -> bool:
    """Whether no two arcs cross; the arc from the root counts."""
    arcs = [(min(head, word), max(head, word)) for word, head in enumerate(heads, 1) if head is not None]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def _distance(head: int, word: int) -> str:
    if head == 0:
        return "root"
    size = abs(head - word)
    return str(size) if size <= 3 else "4-6" if size <= 6 else "7-10" if size <= 10 else "11+"


def _decade(length: int) -> str:
    first = (length - 1) // 10 * 10 + 1
    return f"{first}-{first + 9}"


def _sorted(rows: dict[str, tuple[float, float, int]], by_size: bool = False) -> dict[str, tuple[float, float, int]]:
    if by_size:
        return dict(sorted(rows.items(), key=lambda item: (-item[1][2], item[0])))
    return dict(
        sorted(
            rows.items(),
            key=lambda item: (item[0] != "root", int(item[0].split("-")[0].rstrip("+")) if item[0] != "root" else 0),
        )
    )
