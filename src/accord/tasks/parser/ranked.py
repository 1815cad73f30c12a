"""The k best trees of a sentence, as a user sees them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from accord.data import Sentence
from accord.tasks.parser.answers import RankedTree


def ranked_trees(found: Iterable[Any], labels: Sequence[str], kept: Sentence | None) -> list[RankedTree]:
    """Trees of the core (score, heads, labels, certified); those that the model does not know are ``kept``."""
    ranked = []
    for score, heads, numbers, certified in found:
        names = ["_"] * (len(heads) - 1) if kept is None else kept.deprels
        deprels = (
            labels[number] if number >= 0 else name for number, name in zip(numbers[1:].tolist(), names, strict=True)
        )
        ranked.append(RankedTree(tuple(heads[1:].tolist()), tuple(deprels), score, certified))
    return ranked
