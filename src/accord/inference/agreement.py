# SPDX-License-Identifier: Apache-2.0
"""A tree of phrases and a dependency tree that agree: every phrase holds exactly one word whose head is outside of it.

Set:     pairs of a tree of phrases (:class:`~accord.inference.constituents.Spans`) and a dependency tree with one word
         under the root (:mod:`accord.inference.trees`), such that each phrase has one word whose head is outside. Trees
         of phrases with head rules and their dependencies are such pairs, whatever the rules are.
Score:   the sum of the two scores, that of the dependency tree times a weight.
Method:  Lagrangian relaxation. Each tree is found alone, under prices. A price belongs to a phrase s and words W inside
         that had their heads outside at the same time: for a pair that agrees,
         (|W| - 1) [s is a phrase] + (how many of W have their heads outside of s) <= |W|.
         Prices are added where two answers break such a sum, and move along its subgradient. The value of the relaxed
         problem bounds every pair. Each dependency tree met is paired with the best tree of phrases that agrees with
         it, so an answer always agrees; where it meets the bound, it is proved to be the best pair.
Papers:  Rush, Sontag, Collins and Jaakkola (2010), who share words with their heads; the sums over sets of words are
         rows added on demand, as in relax-and-cut (Lucena 2005).

>>> import numpy as np
>>> phrases, arcs = np.zeros((4, 4)), np.zeros((4, 4))
>>> phrases[0, 2], arcs[0, 2], arcs[3, 1] = 1.0, 2.0, 1.5  # words 1 and 2 want to be a phrase, and to have other heads
>>> found = agree(Spans(phrases), Projective(arcs, single_root=True))
>>> found.heads.tolist(), [span[:2] for span in found.spans], found.certified
([2, 0, 2], [(0, 3), (0, 2)], True)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError, ConstraintError
from accord.inference.constituents import Spans, SpanTree
from accord.inference.trees import NonProjective, Projective, TreeDistribution

__all__ = ["Agreement", "agree", "outside_words"]


@dataclass(frozen=True)
class Agreement:
    """A pair that agrees. No pair scores more than ``bound``; ``certified``: none scores more than this one.

    ``spans``: (begin, end, label), a phrase before those inside it. ``heads``: of each word, 0 for the root.
    """

    spans: tuple[tuple[int, int, int], ...]
    heads: NDArray[np.int32]
    score: float
    bound: float
    certified: bool
    rounds: int


@dataclass
class _Price:
    """The multiplier of one sum: a phrase, and words inside."""

    begin: int
    end: int
    words: tuple[int, ...]
    value: float = 0.0

    def excess(self, phrases: set[tuple[int, int]], heads: NDArray[np.int32]) -> int:
        """By how much two answers break the sum; negative where there is room."""
        outside = sum(not self.begin < int(heads[word]) <= self.end for word in self.words)
        return (len(self.words) - 1) * ((self.begin, self.end) in phrases) + outside - len(self.words)


def outside_words(heads: NDArray[np.int32], begin: int, end: int) -> tuple[int, ...]:
    """The words of a span whose heads are outside; ``heads`` has an entry for the root first.

    >>> outside_words(np.array([-1, 2, 0, 2]), 0, 2), outside_words(np.array([-1, 2, 0, 2]), 0, 1)
    ((2,), (1,))
    """
    return tuple(word for word in range(begin + 1, end + 1) if not begin < int(heads[word]) <= end)


def _outside_counts(heads: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many words of each span (begin, end) have their heads outside."""
    begins, ends = np.indices((len(heads), len(heads)))
    counts = np.zeros((len(heads), len(heads)), np.int64)
    for word, head in enumerate(heads.tolist()[1:], start=1):
        counts += (begins < word) & (word <= ends) & ~((begins < head) & (head <= ends))
    return counts


def agree(
    spans: Spans, trees: TreeDistribution, *, weight: float = 1.0, rounds: int = 200, gap: float = 1e-9
) -> Agreement:
    """The best pair that agrees, or the best that was met in so many rounds.

    Parameters
    ----------
    weight: what the score of the dependency tree counts beside that of the phrases.
    gap: how far score and bound may lie apart in a certificate, as a share of the largest score.
    """
    if spans.words != trees.words:
        raise ConfigError(f"phrases over {spans.words} words, dependencies over {trees.words}")
    if trees.labelled or not trees.single_root:
        raise ConfigError("agreement needs dependency trees without labels and with one word under the root")
    if not weight > 0 or rounds < 1:
        raise ConfigError("agreement needs a weight of more than 0 and a round")
    kind = type(trees)
    assert kind in (Projective, NonProjective)
    search = _Search(spans, weight * trees.scores, kind)
    while search.round < rounds and not search.proved(gap):
        search.step()
    if search.best is None:
        raise ConstraintError(f"no trees that agree and obey the rules about spans were met in {rounds} rounds")
    tree, heads = search.best
    return Agreement(tree.spans, heads[1:], search.value, search.bound, search.proved(gap), search.round)


class _Search:
    """Prices, the best pair so far, and the least bound so far."""

    def __init__(self, spans: Spans, arcs: NDArray[np.float64], kind: type[TreeDistribution]) -> None:
        self.spans, self.arcs, self.kind = spans, arcs, kind
        self.prices: dict[tuple[int, int, tuple[int, ...]], _Price] = {}
        self.best: tuple[SpanTree, NDArray[np.int32]] | None = None
        self.value, self.bound, self.round = -math.inf, math.inf, 0
        self.patience = 0  # rounds since the bound last fell
        self.share = 1.0  # of the step that would close the gap if the subgradient pointed at the best prices
        self.seen: set[bytes] = set()
        self.size = 1.0

    def proved(self, gap: float) -> bool:
        return self.bound - self.value <= gap * self.size

    def step(self) -> None:
        """One round: both answers under the prices, the pair that they make, and new prices."""
        self.round += 1
        priced_spans, priced_arcs = self.spans.scores.copy(), self.arcs.copy()
        constant = 0.0
        for price in self.prices.values():
            if price.value == 0:
                continue
            constant += price.value * len(price.words)
            priced_spans[price.begin, price.end] -= price.value * (len(price.words) - 1)
            rows = [head for head in range(len(self.arcs)) if not price.begin < head <= price.end]
            priced_arcs[np.ix_(rows, list(price.words))] -= price.value
        phrases = self.spans.rescored(priced_spans).argmax()
        tree = self.kind(priced_arcs, single_root=True).argmax()
        relaxed = phrases.score + tree.score + constant
        self.size = max(self.size, abs(phrases.score), abs(tree.score))
        if relaxed < self.bound:
            self.patience = 0 if relaxed < self.bound - 1e-6 * self.size else self.patience + 1
            self.bound = relaxed
        else:
            self.patience += 1
        if self.patience >= 5:
            self.share, self.patience = self.share / 2, 0
        self._pair(tree.heads)
        self._move({span[:2] for span in phrases.spans}, tree.heads)

    def _pair(self, heads: NDArray[np.int32]) -> None:
        """The best tree of phrases that agrees with a dependency tree: no other can be better with it."""
        if heads.tobytes() in self.seen:
            return
        self.seen.add(heads.tobytes())
        words = self.spans.words
        forbid = _outside_counts(heads) > 1
        try:
            phrases = self.spans.rescored(np.where(forbid[:, :, None], -np.inf, self.spans.scores)).argmax()
        except ConstraintError:  # the rules about spans allow none
            return
        value = phrases.score + float(self.arcs[heads[1:], np.arange(1, words + 1)].sum())
        if value > self.value:
            self.value, self.best = value, (phrases, heads.copy())

    def _move(self, phrases: set[tuple[int, int]], heads: NDArray[np.int32]) -> None:
        for begin, end in phrases:
            words = outside_words(heads, begin, end)
            if len(words) > 1:
                self.prices.setdefault((begin, end, words), _Price(begin, end, words))
        excess = {key: price.excess(phrases, heads) for key, price in self.prices.items()}
        moving = {key: x for key, x in excess.items() if x > 0 or (x < 0 and self.prices[key].value > 0)}
        length = sum(x * x for x in moving.values())
        if not length:
            return
        # Polyak's step towards the best pair known, and never none.
        step = self.share * max(self.bound - self.value, 1e-6 * self.size) / length
        for key, x in moving.items():
            self.prices[key].value = max(0.0, self.prices[key].value + step * x)
