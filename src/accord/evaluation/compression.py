# SPDX-License-Identifier: Apache-2.0
"""Sentence compression: which words a system kept, and which dependency relations survived.

With the words that an annotator kept as gold: precision, recall and F1 of kept words over the corpus (micro), the mean
of F1 over sentences (macro), F1 of deleted words and the accuracy of all decisions (Wang et al. 2012), and the rate,
which is the share of words kept. A relation is a dependent, its head and the label in a tree of the compressed
sentence; F1 over the corpus compares the relations of the system's compression with those of gold (Riezler et al. 2003,
Clarke & Lapata 2006). Words are compared by their places in the source, so that repeated words are not confused.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.errors import FormatError
from accord.evaluation.score import Score, percentage

Relation = tuple[int, int, str]  # dependent and head, in places of the source (head -1: root), and label


@dataclass(frozen=True)
class CompressionEvaluation:
    """Figures of a system's compressions, in percent.

    ``kept`` and ``deleted`` count words, ``relations`` counts relations where trees are known. ``macro_f1`` is the mean
    over sentences of F1 of kept words.
    """

    kept: Score
    deleted: Score
    macro_f1: float
    correct: int
    words: int
    exact: int
    sentences: int
    relations: Score | None = None

    @property
    def accuracy(self) -> float:
        return percentage(self.correct, self.words)

    @property
    def rate(self) -> float:
        """The share of words that the system kept."""
        return percentage(self.kept.system_total, self.words)

    @property
    def gold_rate(self) -> float:
        return percentage(self.kept.gold_total, self.words)

    def figures(self) -> dict[str, float]:
        """All figures by name."""
        found = {
            "micro_f1": self.kept.f1,
            "macro_f1": self.macro_f1,
            "deleted_f1": self.deleted.f1,
            "accuracy": self.accuracy,
            "exact": percentage(self.exact, self.sentences),
            "rate": self.rate,
            "gold_rate": self.gold_rate,
        }
        return found if self.relations is None else {**found, "relation_f1": self.relations.f1}

    def to_json(self) -> dict[str, object]:
        scores = {"kept": self.kept.to_json(), "deleted": self.deleted.to_json()}
        if self.relations is not None:
            scores["relations"] = self.relations.to_json()
        return {**self.figures(), "sentences": self.sentences, "words": self.words, "details": scores}


def evaluate_compression(
    gold: Sequence[Sequence[bool]],
    system: Sequence[Sequence[bool]],
    *,
    gold_relations: Sequence[Collection[Hashable]] | None = None,
    system_relations: Sequence[Collection[Hashable]] | None = None,
) -> CompressionEvaluation:
    """Compare which words of each sentence are kept, and the relations where both sides are given.

    >>> found = evaluate_compression([[1, 1, 0, 1]], [[1, 0, 0, 1]])
    >>> found.kept.f1, found.rate, found.accuracy
    (80.0, 50.0, 75.0)
    """
    counts = kept_counts(gold, system)
    each = [Score(*row[:3]).f1 for row in counts.tolist()]
    correct, kept_gold, kept_system, words = counts.sum(axis=0).tolist() if len(counts) else (0, 0, 0, 0)
    left = words - kept_gold - kept_system + correct  # deleted by both
    relations = None
    if gold_relations is not None and system_relations is not None:
        relations = Score(*relation_counts(gold_relations, system_relations).sum(axis=0).tolist())
    return CompressionEvaluation(
        kept=Score(correct, kept_gold, kept_system),
        deleted=Score(left, words - kept_gold, words - kept_system),
        macro_f1=sum(each) / max(len(each), 1),
        correct=correct + left,
        words=words,
        exact=sum(list(map(bool, one)) == list(map(bool, other)) for one, other in zip(gold, system, strict=True)),
        sentences=len(counts),
        relations=relations,
    )


def kept_counts(gold: Sequence[Sequence[bool]], system: Sequence[Sequence[bool]]) -> NDArray[np.int64]:
    """For each sentence: words kept by both, by gold, by the system, and all words."""
    _require_same_number(gold, system)
    rows = []
    for number, (expected, found) in enumerate(zip(gold, system, strict=True), start=1):
        if len(expected) != len(found):
            reason = f"sentence {number}: {len(found)} words where gold has {len(expected)}"
            raise FormatError(reason, file="system")
        both = sum(bool(one) and bool(other) for one, other in zip(expected, found, strict=True))
        rows.append((both, sum(map(bool, expected)), sum(map(bool, found)), len(expected)))
    return np.array(rows, np.int64).reshape(-1, 4)


def relation_counts(gold: Sequence[Collection[Hashable]], system: Sequence[Collection[Hashable]]) -> NDArray[np.int64]:
    """For each sentence: relations of both, of gold, of the system."""
    _require_same_number(gold, system)
    rows = [(len(set(a) & set(b)), len(set(a)), len(set(b))) for a, b in zip(gold, system, strict=True)]
    return np.array(rows, np.int64).reshape(-1, 3)


def kept_relations(kept: Sequence[bool], heads: Sequence[int], labels: Sequence[str]) -> set[Relation]:
    """The relations of a compressed sentence, in places of the source.

    ``heads`` and ``labels`` are those of the kept words alone, as a parser of the compressed sentence gives them:
    0 for the root, otherwise the number of a kept word from 1.
    """
    places = [place for place, one in enumerate(kept) if one]
    if not len(places) == len(heads) == len(labels):
        raise FormatError(f"a tree of {len(heads)} words for {len(places)} kept words")
    ends = [-1, *places]
    return {(place, ends[head], label) for place, head, label in zip(places, heads, labels, strict=True)}


def _require_same_number(gold: Sequence[object], system: Sequence[object]) -> None:
    if len(gold) != len(system):
        raise FormatError(f"{len(system)} sentences where gold has {len(gold)}", file="system")
