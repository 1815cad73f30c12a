# SPDX-License-Identifier: Apache-2.0
"""Trees of sentences that are too long to look at as a whole: window by window, under a budget.

A sentence of n words has n² arcs, so that one of a hundred thousand words needs more memory than there is. Under a
budget of time such a sentence is cut into windows of at most ``LONGEST`` words, behind a punctuation mark where there
is one in the second half of a window. Each window gets its best tree; the roots of later windows hang from the root of
the first one. The status of such a sentence is ``budget``: nothing is proved of its tree.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Document, Sentence
from accord.tasks.parser.answers import Trees
from accord.tasks.parser.options import STATUSES

LONGEST = 1000  # words that are looked at together
_LABELS = ("parataxis", "dep")  # of arcs between windows: the first one that the parser knows
_MARKS = frozenset(".!?;:,…。！？；：，、")


def cuts(forms: Sequence[str], longest: int) -> list[int]:
    """Where the windows of a sentence end.

    >>> cuts(["a", "b", ";", "c", "d", "e"], 4)
    [3, 6]
    """
    ends = []
    begin = 0
    while len(forms) - begin > longest:
        tail = range(begin + longest, begin + longest // 2, -1)
        begin = next((end for end in tail if forms[end - 1] in _MARKS), begin + longest)
        ends.append(begin)
    return [*ends, len(forms)]


class Windows:
    """A document whose long sentences are cut, and the way back from trees of windows to trees of sentences."""

    def __init__(self, document: Document, too_long: int, longest: int = LONGEST) -> None:
        """Sentences of more than ``too_long`` words are cut."""
        self._counts: list[int] = []  # windows of each sentence
        pieces: list[Sentence] = []
        for sentence in document.sentences:
            ends = cuts(sentence.forms, longest) if len(sentence) > too_long else [len(sentence)]
            self._counts.append(len(ends))
            pieces += [sentence] if len(ends) == 1 else _pieces(sentence, ends)
        self.document = Document.from_sentences(pieces)

    def joined(self, trees: Trees, labels: Sequence[str]) -> Trees:
        """Trees of the sentences, from trees of the windows."""
        heads, numbers = trees.heads.copy(), trees.labels.copy()
        arcs, with_labels = trees.arc_probability.copy(), trees.label_probability.copy()
        between = next((labels.index(label) for label in _LABELS if label in labels), -1)
        firsts = np.cumsum([0, *self._counts])[:-1]
        statuses, bounds = trees.statuses[firsts].copy(), trees.bounds[firsts].copy()
        words = np.cumsum([0, *self.document.lengths.tolist()])
        for index, (first, count) in enumerate(zip(firsts.tolist(), self._counts, strict=True)):
            if count == 1:
                continue
            statuses[index], bounds[index] = STATUSES.index("budget"), np.inf
            start = words[first]
            top = _root(heads[start : words[first + 1]])
            for window in range(first + 1, first + count):
                here = slice(words[window], words[window + 1])
                roots = heads[here] == 0
                heads[here] = np.where(roots, top, heads[here] + (words[window] - start))
                places = np.flatnonzero(roots) + words[window]
                if between >= 0 and numbers.size:
                    numbers[places] = between
                for probabilities in (arcs, with_labels):
                    if probabilities.size:
                        probabilities[places] = 0.0  # of an arc that no model looked at
        return dataclasses.replace(
            trees,
            heads=heads,
            labels=numbers,
            arc_probability=arcs,
            label_probability=with_labels,
            scores=_sums(trees.scores, firsts),
            tree_log_probability=_sums(trees.tree_log_probability, firsts),
            bounds=bounds,
            statuses=statuses,
            iterations=_sums(trees.iterations, firsts),
        )


def _pieces(sentence: Sentence, ends: Sequence[int]) -> list[Sentence]:
    words = sentence.words
    return [
        Sentence.from_words(
            [word.form for word in words[a:b]],
            lemmas=[word.lemma for word in words[a:b]],
            upos=[word.upos for word in words[a:b]],
            xpos=[word.xpos for word in words[a:b]],
            feats=[word.feats for word in words[a:b]],
        )
        for a, b in zip([0, *ends[:-1]], ends, strict=True)
    ]


def _root(heads: NDArray[np.int32]) -> int:
    """The first word, counted from one, that hangs from nothing."""
    return int(np.argmax(heads == 0)) + 1


def _sums(values: NDArray[Any], firsts: NDArray[np.int64]) -> NDArray[Any]:
    return np.add.reduceat(values, firsts).astype(values.dtype) if values.size else values
