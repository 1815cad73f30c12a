# SPDX-License-Identifier: Apache-2.0
"""The best phrases, heads and tags that agree, with a bound on what any others score.

Set:     pairs of a tree of phrases (:class:`~accord.inference.constituents.Spans`) and a dependency tree with one word
         under the root, such that each phrase has one word whose head is outside. Trees of phrases with head rules and
         their dependencies are such pairs, whatever the rules are. Where tags take part: triples whose tags fit the
         labels of the phrases, as :class:`~accord.inference.agreement.rows.PhraseTags` says.
Score:   the sum of the scores, those of dependencies and of tags times weights.
Method:  Lagrangian relaxation. Each party answers alone, under prices. A price belongs to a sum that all answers that
         agree keep below a limit (:mod:`accord.inference.agreement.rows`). Prices are added where answers break such
         a sum, and move along its subgradient. The value of the relaxed problem bounds every pair. Each dependency tree
         met is paired with the best tree of phrases that agrees with it, and tags with both, so an answer always
         agrees; where it meets the bound, it is proved to be the best.
Papers:  Rush, Sontag, Collins and Jaakkola (2010), who share words with their heads, and tags of a parser and a tagger;
         the sums over sets of words are rows added on demand, as in relax-and-cut (Lucena 2005).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError, ConstraintError
from accord.inference.agreement.parties import ChainOfTags, DistributionOfHeads, Heads, Tags
from accord.inference.agreement.rows import PhraseTags, Row, Trio, broken_rows, smallest_phrases
from accord.inference.chain import Chain
from accord.inference.charts import HigherOrder
from accord.inference.constituents import Spans, SpanTree
from accord.inference.trees import TreeDistribution

__all__ = ["Agreement", "agree"]

Numbers = NDArray[np.int32]
NO_TAGS = np.zeros(0, np.int32)


@dataclass(frozen=True)
class Agreement:
    """Answers that agree. None score more than ``bound``; ``certified``: none score more than these.

    ``spans``: (begin, end, label), a phrase before those inside it. ``heads``: of each word, 0 for the root. ``tags``:
    of each word, None where tags took no part.
    """

    spans: tuple[tuple[int, int, int], ...]
    heads: Numbers
    score: float
    bound: float
    certified: bool
    rounds: int
    tags: Numbers | None = None


def agree(
    spans: Spans,
    trees: TreeDistribution | HigherOrder | Heads,
    tags: Chain | Tags | None = None,
    *,
    rules: PhraseTags | None = None,
    weight: float = 1.0,
    tag_weight: float = 1.0,
    rounds: int = 200,
    gap: float = 1e-9,
) -> Agreement:
    """The best answers that agree, or the best that were met in so many rounds.

    Parameters
    ----------
    trees: dependency trees: a distribution of first order, a chart of higher order, or any search that has a bound.
    tags, rules: a third party, and which tags go with phrases; both or neither.
    weight, tag_weight: what the scores of dependencies and of tags count beside that of the phrases.
    gap: how far score and bound may lie apart in a certificate, as a share of the largest score.
    """
    heads = DistributionOfHeads(trees) if isinstance(trees, (TreeDistribution, HigherOrder)) else trees
    chain = ChainOfTags(tags) if isinstance(tags, Chain) else tags
    if spans.words != heads.words:
        raise ConfigError(f"phrases over {spans.words} words, dependencies over {heads.words}")
    if (chain is None) != (rules is None):
        raise ConfigError("tags and rules about them belong together")
    if chain is not None and rules is not None:
        if chain.words != spans.words:
            raise ConfigError(f"phrases over {spans.words} words, tags of {chain.words}")
        if rules.head.shape != (spans.labels, chain.labels):
            raise ConfigError(f"rules for {rules.head.shape} labels and tags, not {(spans.labels, chain.labels)}")
    if not weight > 0 or not tag_weight > 0 or rounds < 1:
        raise ConfigError("agreement needs weights of more than 0 and a round")
    search = _Search(spans, heads, chain, rules, (weight, tag_weight))
    while search.round < rounds and not search.proved(gap):
        search.step()
    if search.best is None:
        raise ConstraintError(f"nothing that agrees and obeys the rules about spans was met in {rounds} rounds")
    best = search.best
    found = best.tags if chain is not None else None
    return Agreement(best.spans, best.heads[1:], search.value, search.bound, search.proved(gap), search.round, found)


class _Search:
    """Prices, the best answers so far, and the least bound so far."""

    def __init__(
        self, spans: Spans, heads: Heads, tags: Tags | None, rules: PhraseTags | None, weights: tuple[float, float]
    ) -> None:
        self.spans, self.heads, self.tags, self.rules, self.weights = spans, heads, tags, rules, weights
        self.rows: dict[object, Row] = {}
        self.best: Trio | None = None
        self.value, self.bound, self.round = -math.inf, math.inf, 0
        self.patience = 0  # rounds since the bound last fell
        self.share = 1.0  # of the step that would close the gap if the subgradient pointed at the best prices
        self.seen: set[bytes] = set()
        self.size = 1.0

    def proved(self, gap: float) -> bool:
        return self.bound - self.value <= gap * self.size

    def step(self) -> None:
        """One round: all answers under the prices, what they make together, and new prices."""
        self.round += 1
        words = self.spans.words
        spans = self.spans.scores.copy()
        arcs = np.zeros((words + 1, words + 1))
        bonus = np.zeros((words, 0 if self.tags is None else self.tags.labels))
        constant = sum(row.charge(spans, arcs, bonus) for row in self.rows.values() if row.price)
        phrases = self.spans.rescored(spans).argmax()
        heads, own, bound = self._headed(arcs)
        parts = [phrases.score, bound]
        tags = NO_TAGS
        if self.tags is not None:
            tags, _, most = self._tagged(bonus)
            parts.append(most)
        relaxed = sum(parts) + constant
        self.size = max(self.size, *map(abs, parts))
        if relaxed < self.bound:
            self.patience = 0 if relaxed < self.bound - 1e-6 * self.size else self.patience + 1
            self.bound = relaxed
        else:
            self.patience += 1
        if self.patience >= 5:
            self.share, self.patience = self.share / 2, 0
        self._combine(heads, own, tags)
        self._move(Trio(phrases.spans, heads, tags))

    def _headed(self, bonus: NDArray[np.float64]) -> tuple[Numbers, float, float]:
        weight = self.weights[0]
        heads, own, bound = self.heads.best(bonus / weight)
        return heads, weight * own, weight * bound

    def _tagged(self, bonus: NDArray[np.float64]) -> tuple[Numbers, float, float]:
        assert self.tags is not None
        weight = self.weights[1]
        tags, own, bound = self.tags.best(bonus / weight)
        return tags, weight * own, weight * bound

    def _combine(self, heads: Numbers, own: float, tags: Numbers) -> None:
        """What a dependency tree and tags make with phrases. Without tags, nothing better has this tree."""
        key = heads.tobytes() + tags.tobytes()
        if key in self.seen:
            return
        self.seen.add(key)
        counts, places = _outside(heads)
        allowed = np.repeat((counts <= 1)[:, :, None], self.spans.labels, axis=2)
        if self.rules is None:
            self._keep(heads, own, self._phrases(allowed))
            return
        fitting = self.rules.head.T[tags[np.clip(places - 1, 0, len(tags) - 1)]]
        for mask in (allowed & fitting, allowed):
            self._keep(heads, own, self._phrases(mask))

    def _phrases(self, allowed: NDArray[np.bool_]) -> SpanTree | None:
        try:
            return self.spans.rescored(np.where(allowed, self.spans.scores, -np.inf)).argmax()
        except ConstraintError:  # the rules about spans allow none
            return None

    def _keep(self, heads: Numbers, own: float, phrases: SpanTree | None) -> None:
        """The better of the best answers so far, and of these heads and phrases with the best tags that fit them."""
        if phrases is None or (self.tags is None and phrases.score + own <= self.value):
            return
        value, tags = phrases.score + own, NO_TAGS
        if self.rules is not None:
            try:
                tags, scored, _ = self._tagged(np.where(self._fitting(phrases.spans, heads), 0.0, -np.inf))
            except ConstraintError:  # a word has no tag that fits
                return
            value += scored
        if value > self.value:
            self.value, self.best = value, Trio(phrases.spans, heads.copy(), tags)

    def _fitting(self, spans: tuple[tuple[int, int, int], ...], heads: Numbers) -> NDArray[np.bool_]:
        """The tags that words may have under phrases."""
        assert self.rules is not None
        words = self.spans.words
        allowed = np.ones((words, self.rules.head.shape[1]), bool)
        _, places = _outside(heads)
        for begin, end, label in spans:
            allowed[places[begin, end] - 1] &= self.rules.head[label]
        for word, phrase in enumerate(smallest_phrases(spans, words)):
            if phrase is not None:
                allowed[word] &= self.rules.bare[phrase[2]]
        return allowed

    def _move(self, answer: Trio) -> None:
        for key, row in broken_rows(answer, self.rules):
            self.rows.setdefault(key, row)
        excess = {key: row.excess(answer) for key, row in self.rows.items()}
        moving = {key: x for key, x in excess.items() if x > 0 or (x < 0 and self.rows[key].price > 0)}
        length = sum(x * x for x in moving.values())
        if not length:
            return
        # Polyak's step towards the best answers known, and never none.
        known = self.bound - self.value if math.isfinite(self.value) else self.size
        step = self.share * max(known, 1e-6 * self.size) / length
        for key, x in moving.items():
            self.rows[key].price = max(0.0, self.rows[key].price + step * x)


def _outside(heads: Numbers) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of each span (begin, end): how many words have their heads outside, and the sum of their places."""
    begins, ends = np.indices((len(heads), len(heads)))
    words = np.arange(1, len(heads))
    headed = heads[1:] > 0
    first, last = (other(words, heads[1:])[headed] for other in (np.minimum, np.maximum))
    found = []
    for weights, whole in ((np.ones_like(words), ends - begins), (words, (ends**2 + ends - begins**2 - begins) // 2)):
        inside = np.zeros_like(begins)  # arcs by the smallest span that holds them, then within each span
        np.add.at(inside, (first - 1, last), weights[headed])
        inside = inside[::-1].cumsum(axis=0)[::-1].cumsum(axis=1)
        found.append(np.where(ends > begins, whole - inside, 0))
    return found[0], found[1]
