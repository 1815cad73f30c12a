# SPDX-License-Identifier: Apache-2.0
"""What a parser answers: the trees of a document, the k best trees of a sentence, what its pruner leaves."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from accord.ranked import Ranked
from accord.tasks.parser.options import STATUSES

if TYPE_CHECKING:
    from accord.inference.rules import Rule
    from accord.tasks.parser.ruled import Unkept


@dataclass(frozen=True)
class Trees:
    """Parses of the words of a document, sentences concatenated."""

    heads: NDArray[np.int32]
    labels: NDArray[np.int32]
    scores: NDArray[np.float64]
    arc_probability: NDArray[np.float64]
    label_probability: NDArray[np.float64]
    tree_log_probability: NDArray[np.float64]
    bounds: NDArray[np.float64]  # by sentence: no tree of the candidates scores more
    statuses: NDArray[np.int32]  # by sentence: number in STATUSES
    iterations: NDArray[np.int32]
    broken: Mapping[int, Mapping[Rule, int]] = dataclasses.field(default_factory=dict)  # soft rules, by sentence
    unkept: Mapping[int, tuple[Unkept, ...]] = dataclasses.field(default_factory=dict)  # hard rules, by sentence
    ruled_probabilities: Mapping[int, str] = dataclasses.field(default_factory=dict)  # by sentence: exact, estimate
    tags: Mapping[str, NDArray[np.int32]] = dataclasses.field(default_factory=dict)  # by column: classes, if asked for

    @property
    def status(self) -> tuple[str, ...]:
        """How each sentence's search ended.

        ``optimal``: the tree is proved best among the trees of the candidate arcs; ``fractional``: the relaxation is
        solved and has no tree, this is its rounding; ``budget``: rounds, time or nodes ran out; ``estimate``: beliefs.
        """
        return tuple(STATUSES[number] for number in self.statuses.tolist())


@dataclass(frozen=True)
class Pruning:
    """Words, candidate arcs, and words whose gold head is among the candidates."""

    words: int
    arcs: int
    gold: int

    @property
    def heads_per_word(self) -> float:
        return self.arcs / max(self.words, 1)

    @property
    def recall(self) -> float:
        return self.gold / max(self.words, 1)


@dataclass(frozen=True)
class Tree:
    """A tree of a sentence: heads and deprels of words 1..n.

    Under rules ``broken`` are the soft ones that the tree breaks, and ``unkept`` hard ones that the sentence had to do
    without.
    """

    heads: tuple[int, ...]
    deprels: tuple[str, ...]
    broken: Mapping[Rule, int] = dataclasses.field(default_factory=dict)
    unkept: tuple[Unkept, ...] = ()


@dataclass(frozen=True)
class RankedTree(Ranked[Tree]):
    """One of the k best trees of a sentence, ``value``, with the model's score, less the costs of soft rules it breaks.

    ``certified``: this tree and those before it in the list are proved the best.
    """

    @property
    def heads(self) -> tuple[int, ...]:
        return self.value.heads

    @property
    def deprels(self) -> tuple[str, ...]:
        return self.value.deprels

    @property
    def broken(self) -> Mapping[Rule, int]:
        return self.value.broken

    @property
    def unkept(self) -> tuple[Unkept, ...]:
        return self.value.unkept
