# SPDX-License-Identifier: Apache-2.0
"""What rules can speak of in one sentence: positions 0..n (0 the root), their tags, and the names of labels.

Labels and tags are chosen by patterns: names separated by commas, a name that ends in ``*`` standing for every name
that begins so. The root has the tag ``ROOT``, and no other pattern matches it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError

ROOT = "ROOT"
Words: TypeAlias = "Sequence[str] | Mapping[str, Sequence[str]] | Iterable[Any]"


def matches(pattern: str, name: str) -> bool:
    """Whether a pattern chooses a name.

    >>> matches("nsubj*,csubj", "nsubj:pass"), matches("nsubj", "nsubj:pass")
    (True, False)
    """
    return any(
        name.startswith(choice[:-1]) if choice.endswith("*") else name == choice for choice in pattern.split(",")
    )


@dataclass(frozen=True, eq=False)
class Domain:
    """The positions, tags and labels of one sentence."""

    words: int
    labels: tuple[str, ...] | None  # None: arcs have no labels
    tags: Any = None  # whatever was given as words

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of an array over labelled arcs (head, dependent, label); arcs without labels have one that is nameless."""
        return self.words + 1, self.words + 1, 1 if self.labels is None else len(self.labels)

    def position(self, number: int) -> int:
        """The number, if the sentence has such a word (or it is the root)."""
        if number > self.words:
            raise ConfigError(f"there is no word {number}: the sentence has {self.words}")
        return number

    def labelled(self, pattern: str | None) -> frozenset[int]:
        """The labels that a pattern chooses; all of them without a pattern."""
        if pattern is None or pattern == "*":
            return frozenset(range(self.shape[2]))
        if self.labels is None:
            raise ConfigError(f"label {pattern}: the scores have no labels")
        return _chosen(pattern, self.labels)

    def has_label(self, pattern: str, labels: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Which labels a pattern chooses; -1, no label, is none of them."""
        if pattern == "*":
            return labels >= 0
        if self.labels is None:
            raise ConfigError(f"label {pattern}: the scores have no labels")
        found: NDArray[np.bool_] = _table(pattern, self.labels)[labels]
        return found

    def tagged(self, pattern: str | None, column: str) -> NDArray[np.bool_]:
        """Which positions have a tag that the pattern chooses; all of them, root included, without a pattern."""
        if pattern is None:
            return np.ones(self.words + 1, np.bool_)
        chosen = [ROOT in pattern.split(",")]
        if self.words:
            chosen += [matches(pattern, tag) for tag in self._column(column)]
        return np.array(chosen)

    def _column(self, column: str) -> list[str]:
        """The values of one column, word by word."""
        tags = self.tags
        if tags is None:
            raise ConfigError(f"needs the {column} of the words, which were not given")
        if isinstance(tags, Mapping):
            if column not in tags:
                raise ConfigError(f"the words have no column {column}; they have: {', '.join(tags)}")
            values = list(tags[column])
        else:
            values = [_value(word, column) for word in tags]
        if len(values) != self.words:
            raise ValueError(f"the scores are for {self.words} words, the words given are {len(values)}")
        return values


@lru_cache(maxsize=1000)
def _chosen(pattern: str, labels: tuple[str, ...]) -> frozenset[int]:
    """The places of the names that a pattern chooses."""
    for choice in pattern.split(","):
        if not any(matches(choice, name) for name in labels):
            raise ConfigError(f"there is no label {choice}")
    return frozenset(index for index, name in enumerate(labels) if matches(pattern, name))


@lru_cache(maxsize=1000)
def _table(pattern: str, labels: tuple[str, ...]) -> NDArray[np.bool_]:
    """Whether a pattern chooses each label, and at the end, where -1 points, that it does not choose none."""
    table = np.zeros(len(labels) + 1, np.bool_)
    table[[*_chosen(pattern, labels)]] = True
    return table


def _value(word: object, column: str) -> str:
    """A column of one word; plain strings are tags of the first column that rules ask for by default."""
    if isinstance(word, str):
        if column != "upos":
            raise ConfigError(f"the words have no column {column}, only one tag each")
        return word
    value = getattr(word, column, None)
    if not isinstance(value, str):
        raise ConfigError(f"the words have no column {column}")
    return value
