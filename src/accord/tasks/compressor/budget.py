# SPDX-License-Identifier: Apache-2.0
"""How long a compression may be, and which words must stay or go.

``rate`` is the share of words that is kept, rounded, at least one word. ``words`` and ``characters`` are limits of each
sentence. Punctuation marks count as words. A character limit counts the text that is written, blanks included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError, ConstraintError
from accord.inference.compression import DeletionRule, conditions
from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.writing import STOPS

COLUMNS = ("upos", "xpos", "deprel")
_RULE_COLUMNS = ("form", *COLUMNS)


@dataclass(frozen=True)
class Budget:
    """At most one of rate, words and characters; none leaves the length to the model."""

    rate: float | None = None
    words: int | None = None
    characters: int | None = None

    def __post_init__(self) -> None:
        given = [name for name in ("rate", "words", "characters") if getattr(self, name) is not None]
        if len(given) > 1:
            raise ConfigError(f"a compression has one budget, not both {given[0]} and {given[1]}")
        if self.rate is not None and not (isinstance(self.rate, Real) and 0 < self.rate <= 1):
            raise ConfigError(f"rate = {self.rate}: expected a share of words above 0 and at most 1")
        for name in ("words", "characters"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, Integral):
                raise ConfigError(f"{name} = {value}: expected a whole number")
            if value is not None and value < 1:
                raise ConfigError(f"{name} = {value}: expected at least 1")

    def window(self, costs: NDArray[np.int32], stops: int) -> tuple[int, int] | None:
        """The least and the largest total cost of the kept words; None leaves it free.

        ``stops``: characters that the mended end of the sentence may need.
        """
        if self.rate is not None:
            target = max(1, int(self.rate * len(costs) + 0.5))
            return target, target
        if self.words is not None:
            return 1, min(self.words, len(costs))
        if self.characters is not None:
            return 1, min(self.characters + 1 - stops, int(costs.sum()))
        return None

    def costs(self, words: Sequence[str]) -> NDArray[np.int32]:
        """What each word costs: itself, or its characters and a blank."""
        if self.characters is None:
            return np.ones(len(words), np.int32)
        return np.array([len(word) + 1 for word in words], np.int32)


def stop_length(words: Sequence[str]) -> int:
    """The characters of the stop that is mended where the last word of a sentence is deleted."""
    return len(words[-1]) if words and words[-1] in STOPS else 0


@dataclass(frozen=True)
class Fates:
    """Words that must stay, words that must go, and rules about what may be deleted.

    An entry is a form, without regard to case, or ``upos=PROPN``, ``xpos=...``, ``deprel=...``.
    """

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    rules: tuple[str | DeletionRule, ...] = ()

    def of(self, analysis: Analysis) -> tuple[NDArray[np.bool_], NDArray[np.bool_], tuple[tuple[int, int], ...]]:
        """By word whether it must stay and whether it must go, and pairs of words of which one needs the other."""
        keep, drop = (_named(analysis, entries) for entries in (self.keep, self.drop))
        pairs: tuple[tuple[int, int], ...] = ()
        if self.rules:
            columns = {name: getattr(analysis, name + "s" * (name in ("form", "deprel"))) for name in _RULE_COLUMNS}
            found = conditions(self.rules, columns, [-1, *analysis.heads])
            keep, drop, pairs = keep | found.keep, drop | found.drop, found.rules
        both = np.flatnonzero(keep & drop)
        if len(both):
            raise ConstraintError(f"the word {analysis.forms[both[0]]!r} must both stay and go")
        return keep, drop, pairs


def _named(analysis: Analysis, entries: Sequence[str]) -> NDArray[np.bool_]:
    found = np.zeros(len(analysis), np.bool_)
    for entry in entries:
        column, equals, value = entry.partition("=")
        if equals and column in COLUMNS:
            values: Sequence[str] = getattr(analysis, "deprels" if column == "deprel" else column)
            found |= np.array([one == value for one in values], np.bool_)
        else:
            found |= np.array([form.lower() == entry.lower() for form in analysis.forms], np.bool_)
    return found


def check_fits(keep: NDArray[np.bool_], costs: NDArray[np.int32], high: int, words: Sequence[str], unit: str) -> None:
    """Refuse a budget that the words that must stay exceed."""
    needed = int(costs[keep].sum())
    if needed > high:
        some = " ".join(word for word, one in zip(words, keep, strict=True) if one)
        shown = some if len(some) <= 60 else some[:57] + "..."
        raise ConstraintError(f"the words to keep ({shown}) need {needed} {unit} where the budget has {high}")
