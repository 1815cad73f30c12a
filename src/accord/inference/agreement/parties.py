# SPDX-License-Identifier: Apache-2.0
"""What the search asks of those who must agree with the phrases: their best answer under prices.

A party is asked for the best answer by its own score plus a bonus for each piece. It says what the answer scores
without bonuses, and how much any answer scores at most with them: for an exact search the bonuses are all that these
differ by.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.inference.chain import Chain
from accord.inference.charts import HigherOrder
from accord.inference.trees import TreeDistribution

Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[np.int32]


class Heads(Protocol):
    """Dependency trees with one word under the root."""

    @property
    def words(self) -> int: ...

    def best(self, bonus: Floats) -> tuple[Numbers, float, float]:
        """Heads with an entry for the root first, their own score, and the bound; ``bonus``: [head, dependent]."""
        ...


class Tags(Protocol):
    """Sequences of tags. ConstraintError where a bonus of ``-inf`` leaves none."""

    @property
    def words(self) -> int: ...

    @property
    def labels(self) -> int:
        """How many tags there are."""
        ...

    def best(self, bonus: Floats) -> tuple[Numbers, float, float]:
        """The tag of each word, their own score, and the bound; ``bonus``: [word, tag]."""
        ...


class DistributionOfHeads:
    """Trees of first order or of a chart of higher order, exactly."""

    def __init__(self, trees: TreeDistribution | HigherOrder) -> None:
        if not trees.single_root or (isinstance(trees, TreeDistribution) and trees.labelled):
            raise ConfigError("agreement needs dependency trees without labels and with one word under the root")
        self._trees = trees

    @property
    def words(self) -> int:
        return self._trees.words

    def best(self, bonus: Floats) -> tuple[Numbers, float, float]:
        trees = self._trees
        if isinstance(trees, HigherOrder):
            found = trees.with_bonus(bonus).argmax()
            return found.heads, trees.score(found.heads), found.score
        found = type(trees)(trees.scores + bonus, single_root=True).argmax()
        own = float(trees.scores[found.heads[1:], np.arange(1, trees.words + 1)].sum())
        return found.heads, own, found.score


class ChainOfTags:
    """A chain whose positions all have the same tags, exactly."""

    def __init__(self, chain: Chain) -> None:
        if len(set(chain.sizes)) > 1:
            raise ConfigError("agreement needs a chain with the same tags at each word")
        self._chain = chain

    @property
    def words(self) -> int:
        return len(self._chain)

    @property
    def labels(self) -> int:
        return self._chain.sizes[0]

    def best(self, bonus: Floats) -> tuple[Numbers, float, float]:
        found = self._chain.with_bonus(bonus).argmax()
        return found.labels, self._chain.score(found.labels), found.score


class Known:
    """Tags of which some are known: a number for each word, -1 where there is none."""

    def __init__(self, tags: Tags, known: Sequence[int]) -> None:
        self._tags = tags
        self._closed = np.zeros((tags.words, tags.labels))
        for word, number in enumerate(known):
            if number >= 0:
                self._closed[word] = -np.inf
                self._closed[word, number] = 0.0

    @property
    def words(self) -> int:
        return self._tags.words

    @property
    def labels(self) -> int:
        return self._tags.labels

    def best(self, bonus: Floats) -> tuple[Numbers, float, float]:
        return self._tags.best(bonus + self._closed)
