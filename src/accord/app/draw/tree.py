# SPDX-License-Identifier: Apache-2.0
"""The tree to draw, checked once and with every text ready to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accord.app.draw.characters import printable
from accord.errors import FormatError
from accord.evaluation.trees import defect_of_heads


@dataclass(frozen=True, slots=True)
class DrawnTree:
    """Columns of one sentence; word numbers count from 1, head 0 is the root, head None is left open."""

    forms: tuple[str, ...]
    heads: tuple[int | None, ...]
    labels: tuple[str, ...]
    tags: tuple[str, ...] | None
    confidences: tuple[float | None, ...]
    gold_heads: tuple[int | None, ...] | None
    gold_labels: tuple[str, ...] | None

    def __len__(self) -> int:
        return len(self.forms)

    def label_with_confidence(self, word: int) -> str:
        """The label of the arc to ``word`` as shown: ``nsubj`` or ``nsubj 0.97``."""
        label, confidence = self.labels[word - 1], self.confidences[word - 1]
        return label if confidence is None else f"{label} {confidence:.2f}"

    def differs_from_gold(self, word: int) -> bool:
        if self.gold_heads is None:
            return False
        if self.heads[word - 1] != self.gold_heads[word - 1]:
            return True
        return self.gold_labels is not None and self.labels[word - 1] != self.gold_labels[word - 1]

    def gold_label(self, word: int) -> str:
        return self.labels[word - 1] if self.gold_labels is None else self.gold_labels[word - 1]


def drawn_tree(
    forms: Sequence[str],
    heads: Sequence[int | None],
    labels: Sequence[str],
    tags: Sequence[str] | None = None,
    confidences: Sequence[float | None] | None = None,
    gold_heads: Sequence[int | None] | None = None,
    gold_labels: Sequence[str] | None = None,
) -> DrawnTree:
    """Check the columns; unequal lengths or heads that are no tree raise a FormatError."""
    columns = {
        "heads": heads,
        "labels": labels,
        "tags": tags,
        "confidences": confidences,
        "gold heads": gold_heads,
        "gold labels": gold_labels,
    }
    for name, column in columns.items():
        if column is not None and len(column) != len(forms):
            raise FormatError(f"{len(forms)} forms but {len(column)} {name}", file="<tree>")
    for name, tree in (("", heads), ("gold: ", gold_heads)):
        if tree is not None and (defect := defect_of_heads(tree)):
            raise FormatError(name + defect, file="<tree>")
    return DrawnTree(
        forms=tuple(map(printable, forms)),
        heads=tuple(heads),
        labels=tuple(map(printable, labels)),
        tags=None if tags is None else tuple(map(printable, tags)),
        confidences=(None,) * len(forms) if confidences is None else tuple(confidences),
        gold_heads=None if gold_heads is None else tuple(gold_heads),
        gold_labels=None if gold_labels is None else tuple(map(printable, gold_labels)),
    )
