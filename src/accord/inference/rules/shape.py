# SPDX-License-Identifier: Apache-2.0
"""Rules on the shape of the tree: a span that is a subtree, and arcs that do not cross."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.inference.logic import FALSE, Formula, exactly_one, forall
from accord.inference.rules.atoms import TreeAtoms
from accord.inference.rules.domain import Domain
from accord.inference.rules.rule import Exclusion, Instance, TreeRule, check_number
from accord.inference.rules.syntax import Syntax


@dataclass(frozen=True, repr=False)
class Subtree(TreeRule):
    """The words first..last are one word and all its descendants.

    In a tree that is so exactly when one arc enters the span and none leaves it: every other word of the span has its
    head inside, hence descends from the one, and no word outside descends from any.
    """

    first: int
    last: int

    syntax: ClassVar[Syntax] = Syntax("subtree {first:number}..{last:number}")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.first, "first", least=1)
        check_number(self.last, "last", least=1)
        if self.last < self.first:
            raise ConfigError(f"a span's last word comes after its first: not {self.first}..{self.last}")

    @property
    def last_word(self) -> int:
        return self.last

    def instances(self, domain: Domain) -> Iterator[Instance]:
        yield self.first, self.last

    def formulas(self, domain: Domain, atoms: TreeAtoms, instance: Instance) -> Iterator[Formula]:
        inside, outside = self._inside(domain), ~self._inside(domain)
        entering = np.argwhere(np.outer(outside, inside)).tolist()
        leaving = np.argwhere(np.outer(inside, outside)).tolist()
        yield forall(
            exactly_one(atoms.arc(head, dependent) for head, dependent in entering),
            (~atoms.arc(head, dependent) for head, dependent in leaving if dependent > 0),
        )

    def impossible_arcs(self, domain: Domain) -> NDArray[np.bool_] | None:
        inside = self._inside(domain)
        return np.outer(inside, ~inside)

    def ways_out(
        self, domain: Domain, heads: NDArray[np.int32], labels: NDArray[np.int32], instance: Instance
    ) -> list[Exclusion] | None:
        """The arc that enters the span goes to the first of the words that have one now, or to another word.

        No arc leaves the span: those are impossible from the start.
        """
        inside, words = self._inside(domain), np.arange(domain.words + 1)
        entered = words[inside & ~inside[heads]]
        others = words[inside & (words != entered[0])]
        outside = words[~inside]
        return [(outside, entered[0], slice(None)), (outside[:, None], others, slice(None))]

    def _inside(self, domain: Domain) -> NDArray[np.bool_]:
        positions = np.arange(domain.words + 1)
        inside: NDArray[np.bool_] = (positions >= self.first) & (positions <= domain.position(self.last))
        return inside


@dataclass(frozen=True, repr=False)
class NoCrossing(TreeRule):
    """No two arcs cross; the root stands left of the first word.

    Hard, it chooses the projective decoder. Soft, it costs its weight for each pair of crossing arcs, of which there
    are O(n^4) candidates: meant for short sentences.
    """

    syntax: ClassVar[Syntax] = Syntax("no-crossing")

    def instances(self, domain: Domain) -> Iterator[Instance]:
        """Pairs of positions, the first to begin of the two that cross."""
        return itertools.combinations(range(domain.words + 1), 2)

    def suspects(self, domain: Domain, heads: NDArray[np.int32], labels: NDArray[np.int32]) -> Iterator[Instance]:
        pairs = {(min(head, word), max(head, word)) for word, head in enumerate(heads.tolist()) if word > 0}
        return iter(sorted(pairs))

    def formulas(self, domain: Domain, atoms: TreeAtoms, instance: Instance) -> Iterator[Formula]:
        first, last = instance
        one = atoms.linked(first, last)
        if one == FALSE:
            return
        for begin, end in itertools.product(range(first + 1, last), range(last + 1, domain.words + 1)):
            if (other := atoms.linked(begin, end)) != FALSE:
                yield ~(one & other)
