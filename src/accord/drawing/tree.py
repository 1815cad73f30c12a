# SPDX-License-Identifier: Apache-2.0
"""The tree to draw, checked once and with every text ready to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accord.data.constituents.tree import Constituents
from accord.data.heads import defect_of_heads
from accord.drawing.characters import printable
from accord.errors import FormatError


@dataclass(frozen=True, slots=True)
class DrawnTree:
    """Columns of one sentence; word numbers count from 1, head 0 is the root, head None is left open.

    ``tags`` are shown with the words, ``confidences`` with the labels. ``gold_heads`` and ``gold_labels`` are another
    tree over the same words, to which the first is compared. ``constituents`` are drawn above the words, and the arcs
    then below them. ``caption`` stands above the tree on a page; without one the forms do. ``tokens`` stand below their
    words, ``more_arcs`` below all. Any sequences will do; unequal lengths or heads that are no tree are a FormatError.
    """

    forms: Sequence[str]
    heads: Sequence[int | None]
    labels: Sequence[str]
    tags: Sequence[str] | None = None
    confidences: Sequence[float | None] | None = None
    gold_heads: Sequence[int | None] | None = None
    gold_labels: Sequence[str] | None = None
    caption: str | None = None
    tokens: Sequence[tuple[int, int, str]] = ()  # multiword tokens: first and last word, form
    more_arcs: Sequence[tuple[int, int, str]] = ()  # of an enhanced graph: head (0: the root), dependent, label
    empty: frozenset[int] = frozenset()  # words that are empty nodes
    constituents: Constituents | None = None

    def __post_init__(self) -> None:
        for name in ("heads", "labels", "tags", "confidences", "gold_heads", "gold_labels"):
            column = getattr(self, name)
            if column is not None and len(column) != len(self.forms):
                reason = f"{len(self.forms)} forms but {len(column)} {name.replace('_', ' ')}"
                raise FormatError(reason, file="<tree>")
        if self.constituents is not None and self.constituents.words != len(self.forms):
            raise FormatError(f"{len(self.forms)} forms but constituents over {self.constituents.words}", file="<tree>")
        for title, tree in (("", self.heads), ("gold: ", self.gold_heads)):
            if tree is not None and (defect := defect_of_heads(tree)):
                raise FormatError(title + defect, file="<tree>")
        for name in ("forms", "labels", "tags", "gold_labels"):
            texts = getattr(self, name)
            object.__setattr__(self, name, None if texts is None else tuple(map(printable, texts)))

    def __len__(self) -> int:
        return len(self.forms)

    def number(self, word: int) -> str:
        """The number of a word in its file: empty nodes stand between the words, and do not count as words."""
        before = sum(node < word for node in self.empty)
        if word not in self.empty:
            return str(word - before)
        first = next(node for node in range(word, 0, -1) if node - 1 not in self.empty)
        return f"{word - 1 - before}.{word - first + 1}"

    def label_with_confidence(self, word: int) -> str:
        """The label of the arc to ``word`` as shown: ``nsubj`` or ``nsubj 0.97``."""
        confidence = self.confidence(word)
        label = self.labels[word - 1]
        return label if confidence is None else f"{label} {confidence:.2f}"

    def confidence(self, word: int) -> float | None:
        """How sure the arc to ``word`` is, where that is known."""
        return None if self.confidences is None else self.confidences[word - 1]

    def differs_from_gold(self, word: int) -> bool:
        if self.gold_heads is None:
            return False
        if self.heads[word - 1] != self.gold_heads[word - 1]:
            return True
        return self.gold_labels is not None and self.labels[word - 1] != self.gold_labels[word - 1]

    def gold_label(self, word: int) -> str:
        return self.labels[word - 1] if self.gold_labels is None else self.gold_labels[word - 1]
