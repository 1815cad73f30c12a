# SPDX-License-Identifier: Apache-2.0
"""Rules on how many dependents a head has: at most one subject, at least one root, no more than four of anything.

Each is broken once for every head where it does not hold; an instance is a count over O(n) labelled arcs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.inference.logic import Formula, at_most, at_most_one, exists
from accord.inference.rules.atoms import TreeAtoms
from accord.inference.rules.domain import Domain
from accord.inference.rules.rule import (
    DEFAULT_COLUMN,
    CountLimit,
    CountRule,
    Exclusion,
    Instance,
    TreeRule,
    check_column,
    check_number,
    check_pattern,
)
from accord.inference.rules.syntax import Syntax


@dataclass(frozen=True, repr=False)
class _LabelCount(TreeRule):
    label: str
    of: str | None = None  # tags of the heads it speaks of
    column: str = DEFAULT_COLUMN

    def __post_init__(self) -> None:
        super().__post_init__()
        check_pattern(self.label, "label")
        check_pattern(self.of, "of", optional=True)
        check_column(self.column)

    @property
    def label_pattern(self) -> str | None:
        return self.label

    def instances(self, domain: Domain) -> Iterator[Instance]:
        domain.labelled(self.label)  # there are such labels
        return _heads(domain, self.of, self.column)


@dataclass(frozen=True, repr=False)
class AtMostOne(_LabelCount, CountRule):
    """No head (with one of the tags) has two dependents with the labels. The root is a head, too.

    >>> str(AtMostOne("nsubj*,csubj*", of="VERB"))
    'at-most-one nsubj*,csubj* of VERB'
    """

    syntax: ClassVar[Syntax] = Syntax("at-most-one {label} [of {of}] [in {column}]")

    def suspects(self, domain: Domain, heads: NDArray[np.int32], labels: NDArray[np.int32]) -> Iterator[Instance]:
        return _crowded(domain, heads[domain.has_label(self.label, labels)], 1, self.of, self.column)

    def formulas(self, domain: Domain, atoms: TreeAtoms, instance: Instance) -> Iterator[Formula]:
        yield at_most_one(_labelled_arcs(domain, atoms, instance[0], self.label))

    def ways_out(
        self, domain: Domain, heads: NDArray[np.int32], labels: NDArray[np.int32], instance: Instance
    ) -> list[Exclusion] | None:
        """The first of the dependents has another label or head, or all others have."""
        (head,) = instance
        chosen = np.array(sorted(domain.labelled(self.label)))
        first = int(np.flatnonzero((heads == head) & domain.has_label(self.label, labels))[0])
        others = np.delete(np.arange(domain.words + 1), first)
        return [(head, first, chosen), (head, others[:, None], chosen)]

    def count_limit(self, domain: Domain, instance: Instance) -> CountLimit:
        return CountLimit(instance[0], np.array(sorted(domain.labelled(self.label))), 1)


@dataclass(frozen=True, repr=False)
class AtLeastOne(_LabelCount):
    """Every word with one of the tags has a dependent with one of the labels.

    Without tags it speaks of the words that have dependents at all: leaves could never keep it.
    """

    syntax: ClassVar[Syntax] = Syntax("at-least-one {label} [of {of}] [in {column}]")

    def formulas(self, domain: Domain, atoms: TreeAtoms, instance: Instance) -> Iterator[Formula]:
        (head,) = instance
        found = exists(_labelled_arcs(domain, atoms, head, self.label))
        if self.of is not None:
            yield found
        elif head > 0:
            yield exists(_arcs(domain, atoms, head)) >> found


@dataclass(frozen=True, repr=False)
class MaxDependents(CountRule):
    """No head (with one of the tags) has more dependents than this.

    >>> str(MaxDependents(0, of="PUNCT", weight=2))
    'max-dependents 0 of PUNCT @ 2'
    """

    count: int
    of: str | None = None
    column: str = DEFAULT_COLUMN

    syntax: ClassVar[Syntax] = Syntax("max-dependents {count:number} [of {of}] [in {column}]")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.count, "count", least=0)
        check_pattern(self.of, "of", optional=True)
        check_column(self.column)

    def instances(self, domain: Domain) -> Iterator[Instance]:
        return _heads(domain, self.of, self.column)

    def suspects(self, domain: Domain, heads: NDArray[np.int32], labels: NDArray[np.int32]) -> Iterator[Instance]:
        return _crowded(domain, heads[1:], self.count, self.of, self.column)

    def formulas(self, domain: Domain, atoms: TreeAtoms, instance: Instance) -> Iterator[Formula]:
        yield at_most(self.count, _arcs(domain, atoms, instance[0]))

    def ways_out(
        self, domain: Domain, heads: NDArray[np.int32], labels: NDArray[np.int32], instance: Instance
    ) -> list[Exclusion] | None:
        """One of the first dependents, of which there is one too many, has another head."""
        (head,) = instance
        dependents = np.flatnonzero(heads == head)[: self.count + 1].tolist()
        return [(head, dependent, slice(None)) for dependent in dependents]

    def count_limit(self, domain: Domain, instance: Instance) -> CountLimit:
        return CountLimit(instance[0], np.arange(domain.shape[2]), self.count)

    def impossible_arcs(self, domain: Domain) -> NDArray[np.bool_] | None:
        if self.count > 0:
            return None
        return np.repeat(domain.tagged(self.of, self.column)[:, None], domain.words + 1, axis=1)


def _heads(domain: Domain, tags: str | None, column: str) -> Iterator[Instance]:
    return ((head,) for head in np.flatnonzero(domain.tagged(tags, column)).tolist())


def _crowded(domain: Domain, heads: NDArray[np.int32], most: int, tags: str | None, column: str) -> Iterator[Instance]:
    """The heads, of those with such tags, that stand more often than they may."""
    if len(heads) <= most:
        return iter(())
    crowded = domain.tagged(tags, column) & (np.bincount(heads, minlength=domain.words + 1) > most)
    return ((head,) for head in np.flatnonzero(crowded).tolist())


def _arcs(domain: Domain, atoms: TreeAtoms, head: int) -> list[Formula]:
    return [atoms.arc(head, dependent) for dependent in range(1, domain.words + 1) if dependent != head]


def _labelled_arcs(domain: Domain, atoms: TreeAtoms, head: int, label: str) -> list[Formula]:
    labels = domain.labelled(label)
    dependents = (dependent for dependent in range(1, domain.words + 1) if dependent != head)
    return [atom for dependent in dependents for atom in atoms.labelled(head, dependent, labels)]
