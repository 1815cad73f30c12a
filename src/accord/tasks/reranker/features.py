# SPDX-License-Identifier: Apache-2.0
"""Lists as numbers: the features of each candidate, and a few real numbers that are true of any kind of candidate.

Numbers: the base model's score; the quality to be expected if the right answer is drawn as the base model says
(consensus), at two temperatures; how many parts the candidate has; for trees, how long the rightmost branch is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data.constituents.head_rules import HeadRules
from accord.tasks.reranker import sequence_places, tree_places
from accord.tasks.reranker.headed import HeadedTree, PhraseHeads, headed_dependencies
from accord.tasks.reranker.kinds import Kind, kind_of, plain_tree
from accord.tasks.reranker.lists import CandidateList, Counts, count_parts
from accord.tasks.reranker.templates import Templates, read_templates

NUMBERS = ("score", "consensus", "sharp consensus", "parts", "right branch")
_AGAIN = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0x3C6EF372FE94F82A))  # what is added to the keys of "once"
_TEMPERATURES = (1.0, 0.5)
Floats = NDArray[np.float64]
_Entries = tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.uint64]]  # candidates and features; all features


@dataclass(frozen=True)
class ListFeatures:
    """One list: pairs (candidate, feature) of features that tell candidates apart, and numbers.

    ``counts``: what is right of each candidate, where gold is known. ``present``: all features, telling or not.
    """

    size: int
    candidates: NDArray[np.int32]
    keys: NDArray[np.uint64]
    numbers: Floats
    counts: tuple[Counts, ...] | None
    present: NDArray[np.uint64]

    @property
    def costs(self) -> Floats:
        """How much worse each candidate is than the best."""
        assert self.counts is not None
        return costs_of(self.counts)

    @property
    def target(self) -> int:
        """The best candidate; of equally good ones the one that the base model likes best."""
        best = np.flatnonzero(self.costs == 0)
        return int(best[np.argmax(self.numbers[best, 0])])


def costs_of(counts: Sequence[Counts]) -> Floats:
    """How much worse each candidate is than the best of them."""
    quality = np.array([one.quality for one in counts])
    costs: Floats = quality.max() - quality
    return np.where(costs < 1e-9, 0.0, costs)


def _head_rules(given: str) -> HeadRules:
    """Head rules of a packaged name, of a file, or of their text, which has several lines."""
    return HeadRules.parse(given) if "\n" in given else HeadRules.load(given)


class Extractor:
    """Makes features of lists of one kind; ``scale`` makes the base model's scores logarithms of probabilities.

    ``head_rules``: a packaged name, a file or the text of head rules for trees of phrases.
    """

    def __init__(self, kind: str, templates: str, head_rules: str, scale: float = 1.0, file: str = "") -> None:
        self.kind: Kind = kind_of(kind)
        self.scale = scale
        room = tree_places if self.kind.view == "tree" else sequence_places
        self.templates: Templates = read_templates(templates, tuple(room.PLACES.items()), file or "templates")
        self.heads = PhraseHeads(_head_rules(head_rules)) if kind == "phrases" else None

    def __call__(self, one: CandidateList[Any]) -> ListFeatures:
        values = [candidate.value for candidate in one.ranked]
        parts = [self.kind.parts(value, one) for value in values]
        trees = [self.headed(value, one) for value in values] if self.kind.view == "tree" else []
        owners, keys, present = self._tree_keys(one, values, trees) if trees else self._unit_keys(one, values)
        gold = None if one.gold is None else self.gold_parts(one)
        counts = None if gold is None else tuple(count_parts(each, gold) for each in parts)
        numbers = self._numbers(one, parts, trees)
        return ListFeatures(len(values), owners, keys, numbers, counts, present)

    def gold_parts(self, one: CandidateList[Any]) -> Sequence[Hashable]:
        """The parts of the gold answer."""
        return self.kind.parts(plain_tree(one.gold) if self.kind.name == "phrases" else one.gold, one)

    def costs(self, one: CandidateList[Any], gold: Sequence[Hashable]) -> Floats:
        """How much worse each candidate is than the best."""
        return costs_of([count_parts(self.kind.parts(each.value, one), gold) for each in one.ranked])

    def headed(self, value: Any, one: CandidateList[Any]) -> HeadedTree:
        """The headed tree of a candidate."""
        if self.heads is not None:
            return self.heads(value)
        return headed_dependencies(value.heads, value.deprels, one.tags)

    def _tree_keys(self, one: CandidateList[Any], values: Sequence[Any], trees: Sequence[HeadedTree]) -> _Entries:
        tags = one.tags if self.kind.name == "dependencies" else values[0].tags
        return tree_places.TreeFeatures(self.templates, one.words, tags).keys(trees)

    def _unit_keys(self, one: CandidateList[Any], values: Sequence[Any]) -> _Entries:
        made = sequence_places.SequenceFeatures(self.kind.name, self.templates, one.words, one.tags)
        found = [_indicators(made.keys(value)) for value in values]
        every = np.concatenate(found)
        owners = np.repeat(np.arange(len(values), dtype=np.int32), [len(keys) for keys in found])
        present, which, owned = np.unique(every, return_inverse=True, return_counts=True)
        telling = (owned != len(values))[which]  # what all candidates have tells nothing
        return owners[telling], every[telling], present

    def _numbers(
        self, one: CandidateList[Any], parts: Sequence[Sequence[Hashable]], trees: Sequence[HeadedTree]
    ) -> Floats:
        scores = one.scores * self.scale
        scores = scores - scores.max()
        columns = [scores, *(consensus(parts, scores / temperature) for temperature in _TEMPERATURES)]
        columns.append(np.array([len(each) for each in parts], np.float64))
        columns.append(np.array([_right_branch(tree) for tree in trees] if trees else np.zeros(len(parts))))
        return np.stack(columns, axis=1)


def _indicators(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Features as indicators, sorted: that a feature occurs, that it occurs twice at least, three times at least."""
    once, counts = np.unique(keys, return_counts=True)
    found = [once, *(once[counts > more] + added for more, added in enumerate(_AGAIN, start=1))]
    return np.sort(np.concatenate(found))


def consensus(parts: Sequence[Sequence[Hashable]], scores: Floats) -> Floats:
    """The quality of each candidate to be expected if another one is right as often as its score says."""
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    expected: Counter[Hashable] = Counter()
    for each, share in zip(parts, shares.tolist(), strict=True):
        for part in each:
            expected[part] += share
    length = float(shares @ np.array([len(each) for each in parts]))
    return np.array([2 * sum(expected[part] for part in each) / max(len(each) + length, 1) * length for each in parts])


def _right_branch(tree: HeadedTree) -> int:
    """Nodes that end with the sentence, but for punctuation at its end."""
    last = max(tree.ends)
    for node, heads in enumerate(tree.heads):
        if heads < 0 and tree.ends[node] == last and not any(one.isalpha() for one in tree.labels[node]):
            last -= 1
            break
    return sum(end >= last for end in tree.ends)
