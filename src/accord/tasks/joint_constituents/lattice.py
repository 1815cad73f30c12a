# SPDX-License-Identifier: Apache-2.0
"""Words that a text may have, and their way into the core."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.errors import ConfigError


@dataclass(frozen=True)
class LatticeWord:
    """A word between two places of a text, with the log-odds of being there, and its tag where that is known."""

    begin: int
    end: int
    form: str
    score: float = 0.0
    tag: str | None = None


@dataclass(frozen=True)
class Lattice:
    """Words between the places 0 to ``length``; every path from 0 to ``length`` is a segmentation.

    Places need not be characters: any alternative analyses of a text may stand between them.
    """

    length: int
    words: tuple[LatticeWord, ...]

    @staticmethod
    def of_words(forms: Sequence[str], tags: Sequence[str | None] | None = None) -> Lattice:
        """One path: these words, and their tags where they are given."""
        known = [None] * len(forms) if tags is None else tags
        words = (LatticeWord(k, k + 1, form, 0.0, tag) for k, (form, tag) in enumerate(zip(forms, known, strict=True)))
        return Lattice(len(forms), tuple(words))


class Choices:
    """Lattices as the core takes them: flat arrays. ``starts``: where the words of each begin."""

    def __init__(
        self,
        lengths: Sequence[int],
        starts: NDArray[np.int64],
        begins: NDArray[np.int32],
        ends: NDArray[np.int32],
        scores: NDArray[np.float64],
        forms: list[str],
        tags: NDArray[np.int32] | None = None,
    ) -> None:
        self.lengths = lengths
        self.starts = starts
        self.begins = begins
        self.ends = ends
        self.scores = scores
        self.forms = forms
        try:
            self.native = _tasks.WordChoices(
                lengths=np.array(lengths, np.int64),
                starts=starts,
                begins=begins,
                ends=ends,
                scores=scores,
                forms=forms,
                tags=np.full(len(forms), -1, np.int32) if tags is None else tags,
            )
        except ValueError as error:
            raise ConfigError(str(error)) from None

    @staticmethod
    def of_lattices(lattices: Iterable[Lattice], tags: Sequence[str]) -> Choices:
        """Lattices whose tags, where they are known, are among these."""
        numbers = {name: number for number, name in enumerate(tags)}
        given = list(lattices)
        words = [word for lattice in given for word in lattice.words]
        for word in words:
            if word.tag is not None and word.tag not in numbers:
                raise ConfigError(f"word {word.form!r}: this model does not know the tag {word.tag!r}")
        return Choices(
            [lattice.length for lattice in given],
            np.cumsum([0, *(len(lattice.words) for lattice in given)], dtype=np.int64),
            np.array([word.begin for word in words], np.int32),
            np.array([word.end for word in words], np.int32),
            np.array([word.score for word in words], np.float64),
            [word.form for word in words],
            np.array([-1 if word.tag is None else numbers[word.tag] for word in words], np.int32),
        )
