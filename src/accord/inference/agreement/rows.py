# SPDX-License-Identifier: Apache-2.0
"""Sums that all answers that agree keep below a limit, and the prices of breaking them.

A row counts phrases, arcs that come into words from outside of a span, and tags of a word. Rows are made where answers
that were found alone break them:

heads       (|W| - 1) [s is a phrase] + how many of the words W in s have their heads outside of s      <= |W|
head's tag  [s is a phrase of labels M] + [word w has its head outside of s] + [w has a tag of T]       <= 2
bare word   [s is a phrase of labels M] + [w has a tag of T] - how many phrases inside of s hold word w <= 1

In the last two, no label of M allows a tag of T at that place. A price moves along the subgradient of its row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError

__all__ = ["PhraseTags", "Row", "Trio", "broken_rows", "outside_words"]

Numbers = NDArray[np.int32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PhraseTags:
    """Which tags go with phrases: boolean [label, tag], of a phrase's head and of its bare words.

    The head of a phrase is its word whose own head is outside of it. A bare word of a phrase is in no smaller phrase.
    """

    head: Mask
    bare: Mask

    def __post_init__(self) -> None:
        if self.head.ndim != 2 or self.head.shape != self.bare.shape:
            raise ConfigError("rules about tags are two tables of the same labels and tags")


@dataclass(frozen=True)
class Trio:
    """One answer of each party. ``heads``: with an entry for the root first; ``tags``: empty where none take part."""

    spans: tuple[tuple[int, int, int], ...]
    heads: Numbers
    tags: Numbers


@dataclass
class Row:
    """One sum with its price. Words are numbered from 1; ``labels`` and ``tags``: sets M and T, None: all labels."""

    begin: int
    end: int
    words: tuple[int, ...]  # whose arcs from outside count, or whose tags
    limit: int
    span_weight: int = 1
    labels: Mask | None = None
    tags: Mask | None = None
    bare: bool = False
    price: float = field(default=0.0, compare=False)

    def excess(self, answer: Trio) -> int:
        """By how much answers break the row; negative where there is room."""
        total = -self.limit
        for begin, end, label in answer.spans:
            if (begin, end) == (self.begin, self.end):
                total += self.span_weight * (self.labels is None or bool(self.labels[label]))
            elif self.bare and self.begin <= begin < self.words[0] <= end <= self.end:
                total -= 1
        if self.tags is not None:
            total += bool(self.tags[answer.tags[self.words[0] - 1]])
        if not self.bare:
            total += sum(not self.begin < int(answer.heads[word]) <= self.end for word in self.words)
        return total

    def charge(self, spans: NDArray[np.float64], arcs: NDArray[np.float64], tags: NDArray[np.float64]) -> float:
        """Take the price from the scores of what the row counts; returns what the bound grows by."""
        chosen = slice(None) if self.labels is None else self.labels
        spans[self.begin, self.end, chosen] -= self.price * self.span_weight
        if self.bare:
            word = self.words[0]
            spans[self.begin : word, word : self.end + 1] += self.price
            spans[self.begin, self.end] -= self.price
        else:
            outside = np.r_[0 : self.begin + 1, self.end + 1 : len(arcs)]
            arcs[np.ix_(outside, self.words)] -= self.price
        if self.tags is not None:
            tags[self.words[0] - 1, self.tags] -= self.price
        return self.price * self.limit


def outside_words(heads: Numbers, begin: int, end: int) -> tuple[int, ...]:
    """The words of a span whose heads are outside; ``heads`` has an entry for the root first.

    >>> outside_words(np.array([-1, 2, 0, 2]), 0, 2), outside_words(np.array([-1, 2, 0, 2]), 0, 1)
    ((2,), (1,))
    """
    return tuple(word for word in range(begin + 1, end + 1) if not begin < int(heads[word]) <= end)


def smallest_phrases(spans: tuple[tuple[int, int, int], ...], words: int) -> list[tuple[int, int, int] | None]:
    """The smallest phrase of each word. ``spans``: a phrase before those inside it."""
    found: list[tuple[int, int, int] | None] = [None] * words
    for span in spans:
        found[span[0] : span[1]] = [span] * (span[1] - span[0])
    return found


def broken_rows(answer: Trio, rules: PhraseTags | None) -> Iterator[tuple[object, Row]]:
    """The rows that answers break, each with a key of its own."""
    for begin, end, label in answer.spans:
        words = outside_words(answer.heads, begin, end)
        if len(words) > 1:
            yield (begin, end, words), Row(begin, end, words, len(words), span_weight=len(words) - 1)
        if rules is not None:
            for word in words:
                if not rules.head[label, answer.tags[word - 1]]:
                    yield _clash(rules.head, label, begin, end, word, bare=False)
    if rules is None:
        return
    for place, phrase in enumerate(smallest_phrases(answer.spans, len(answer.tags))):
        if phrase is not None and not rules.bare[phrase[2], answer.tags[place]]:
            yield _clash(rules.bare, phrase[2], phrase[0], phrase[1], place + 1, bare=True)


def _clash(allowed: Mask, label: int, begin: int, end: int, word: int, *, bare: bool) -> tuple[object, Row]:
    """The row of all tags that a label forbids, and of all labels that forbid all of these."""
    tags = ~allowed[label]
    labels: Mask = np.logical_not(allowed[:, tags].any(axis=1))
    row = Row(begin, end, (word,), 1 if bare else 2, labels=labels, tags=tags, bare=bare)
    return (bare, begin, end, word, tags.tobytes()), row
