# SPDX-License-Identifier: Apache-2.0
"""The sizes of a network that the data decide."""

from __future__ import annotations

from dataclasses import dataclass

from accord.tasks.network.model import Vocabulary


@dataclass(frozen=True)
class Sizes:
    """What the data decide about a network."""

    words: tuple[int, ...]  # rows of each attribute of words
    tags: tuple[int, ...]  # rows of each attribute of given tags
    characters: int
    labels: int
    tasks: dict[str, int]  # classes of each predicted tag
    parts: tuple[str, ...] = ()  # sibling, grandparent

    @staticmethod
    def of(vocabulary: Vocabulary, labels: int, parts: tuple[str, ...] = ()) -> Sizes:
        """Those of a network with this vocabulary."""
        rows = vocabulary.reader.rows
        return Sizes(
            words=tuple(rows[: vocabulary.words]),
            tags=tuple(rows[vocabulary.words :]),
            characters=vocabulary.reader.character_rows,
            labels=labels,
            tasks={task: len(names) for task, names in vocabulary.classes.items()},
            parts=parts,
        )
