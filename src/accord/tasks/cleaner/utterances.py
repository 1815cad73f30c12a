# SPDX-License-Identifier: Apache-2.0
"""Utterances as their source has them: words, with what else the source says of each and of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from accord.data import Sentence


class SourceWord(NamedTuple):
    """A word as it was written.

    ``fields``: what else the source says of it. ``label``: "filler" or "edit" where people marked it. ``glued``: no
    blank stands before it. ``part``: it goes on with the word before it, as "n't" does with "do".
    """

    text: str
    tag: str = "_"
    fields: dict[str, Any] | None = None
    label: str = ""
    glued: bool = False
    part: bool = False


@dataclass(frozen=True)
class SourceUtterance:
    """An utterance before it is cleaned. ``sentence``: where it comes from CoNLL-U."""

    words: tuple[SourceWord, ...]
    fields: dict[str, Any] = field(default_factory=dict)
    sentence: Sentence | None = None

    @staticmethod
    def of_words(words: Sequence[str]) -> SourceUtterance:
        return SourceUtterance(tuple(map(SourceWord, words)))
