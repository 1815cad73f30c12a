# SPDX-License-Identifier: Apache-2.0
"""A trigram language model with interpolated Kneser-Ney smoothing (Chen & Goodman 1999), for features.

    p(w | u v) = (c(u v w) - D)⁺ / c(u v ·) + D · N(u v ·) / c(u v ·) · p(w | v)

N(u v ·) is the number of different words after u v. Lower orders count in how many contexts a word occurs instead of
how often, and the lowest one is mixed with a uniform distribution over the known words and an unknown one. D = 0.75.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

_DISCOUNT = 0.75
_BEGIN, _END = "<s>", "</s>"

Gram = tuple[str, ...]


@dataclass(frozen=True)
class LanguageModel:
    """Counts of trigrams; everything else follows from them."""

    trigrams: dict[Gram, int]

    @staticmethod
    def train(sentences: Iterable[Sequence[str]]) -> LanguageModel:
        """The model of sentences, without regard to case.

        >>> model = LanguageModel.train([["a", "b"], ["a", "c"], ["a", "b"]])
        >>> model.log10("b", "<s>", "a") > model.log10("c", "<s>", "a") > model.log10("z", "<s>", "a")
        True
        """
        counts: Counter[Gram] = Counter()
        for words in sentences:
            line = [_BEGIN, _BEGIN, *map(_plain, words), _END]
            counts.update(zip(line, line[1:], line[2:], strict=False))
        return LanguageModel(dict(counts))

    def log10(self, word: str, *before: str) -> float:
        """log10 p(word | the words before), of which at most two count."""
        context = tuple(map(_plain, before[-2:]))
        return math.log10(self._probability((*context, _plain(word))))

    def sentence_log10(self, words: Sequence[str]) -> float:
        """The log-likelihood of a sentence with its end."""
        line = [_BEGIN, _BEGIN, *words, _END]
        return sum(self.log10(line[k], line[k - 2], line[k - 1]) for k in range(2, len(line)))

    def _probability(self, gram: Gram) -> float:
        if not gram:
            return 1.0 / (self._words + 1)
        counts, totals, kinds = self._orders[len(gram) - 1]
        lower = self._probability(gram[1:])
        context = gram[:-1]
        total = totals.get(context, 0)
        if total == 0:
            return lower
        own = max(counts.get(gram, 0) - _DISCOUNT, 0.0)
        return (own + _DISCOUNT * kinds[context] * lower) / total

    @cached_property
    def _words(self) -> int:
        return len({gram[2] for gram in self.trigrams})

    @cached_property
    def _orders(self) -> list[tuple[dict[Gram, int], Counter[Gram], Counter[Gram]]]:
        """By order: counts, their sums by context, and the number of different words by context."""
        counts: dict[Gram, int] = self.trigrams
        orders = []
        for _ in range(3):
            totals: Counter[Gram] = Counter()
            kinds: Counter[Gram] = Counter()
            for gram, count in counts.items():
                totals[gram[:-1]] += count
                kinds[gram[:-1]] += 1
            orders.append((counts, totals, kinds))
            counts = dict(Counter(gram[1:] for gram in counts))
        return orders[::-1]

    def to_text(self) -> str:
        """A trigram and its count in each line."""
        return "\n".join(f"{count}\t" + "\t".join(gram) for gram, count in sorted(self.trigrams.items()))

    @staticmethod
    def from_text(text: str) -> LanguageModel:
        rows = [line.split("\t") for line in text.split("\n") if line]
        if not all(len(row) == 4 for row in rows):
            raise ValueError("a language model is made of trigrams and their counts")
        return LanguageModel({tuple(gram): _count(count) for count, *gram in rows})


def _count(text: str) -> int:
    count = int(text) if text.isdecimal() and len(text) < 10 else 0
    if count < 1:
        raise ValueError(f"{text[:20]!a} where the count of a trigram belongs")
    return count


def _plain(word: str) -> str:
    return " ".join(word.lower().split())
