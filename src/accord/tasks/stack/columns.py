# SPDX-License-Identifier: Apache-2.0
"""What a chain knows of each token, as named columns of numbers, and templates that call columns by their names.

A column has one value for each token: the hash of a word, of a tag, of the next word in a view. A mark is true of some
tokens only: "the word two places on is the same". The core reads columns by number (``here.column3``) and all marks of
a token together (``here.marks``); :func:`numbered_templates` turns names into numbers. Templates keep the names in
their first line, so that a model file says by itself which columns it reads, and in which order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.errors import ModelError

Values = NDArray[np.uint64]
_HEADING = "# columns:"
_UNIT = re.compile(r"\b(here(?:[+-]\d+)?)\.([a-z_0-9]+)")


@lru_cache(maxsize=1 << 18)
def number_of(text: str) -> int:
    """A number of 64 bits for a text; the same on every machine."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def numbers_of(texts: Sequence[str]) -> Values:
    """The numbers of many texts."""
    return np.fromiter(map(number_of, texts), np.uint64, len(texts))


@dataclass(frozen=True)
class Columns:
    """Columns and marks of all tokens of some sequences."""

    lengths: NDArray[np.int64]
    values: Mapping[str, Values]
    marks: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)

    def sequences(self, names: Sequence[str]) -> _text.Sequences:
        """The sequences as the core reads them, with these columns in this order."""
        missing = [name for name in names if name not in self.values]
        if missing:
            raise ModelError(f"templates read columns that are not there: {', '.join(missing)}")
        total = int(self.lengths.sum())
        grid = np.empty((total, len(names)), np.uint64)
        for place, name in enumerate(names):
            grid[:, place] = self.values[name]
        marks, starts = self._marks(total)
        return _text.ColumnSequences(np.ascontiguousarray(self.lengths, np.int64), grid, marks, starts)

    def _marks(self, total: int) -> tuple[Values, NDArray[np.int64]]:
        if not self.marks or not total:
            return np.zeros(0, np.uint64), np.zeros(total + 1, np.int64)
        table = np.empty((total, len(self.marks)), np.bool_)
        for place, true in enumerate(self.marks.values()):
            table[:, place] = true
        which = np.flatnonzero(table)
        counts = np.bincount(which // len(self.marks), minlength=total)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return numbers_of(list(self.marks))[which % len(self.marks)], starts

    def some(self, sequences: NDArray[np.int64]) -> Columns:
        """The columns of some sequences, in their order."""
        tokens = tokens_of(self.lengths, sequences)
        return Columns(
            self.lengths[sequences],
            {name: values[tokens] for name, values in self.values.items()},
            {name: true[tokens] for name, true in self.marks.items()},
        )


def tokens_of(lengths: NDArray[np.int64], sequences: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of the tokens of some sequences."""
    sizes = lengths[sequences]
    firsts = (np.cumsum(lengths) - lengths)[sequences]
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.asarray(np.repeat(firsts, sizes) + within, np.int64)


def numbered_templates(text: str, names: Sequence[str]) -> str:
    """Templates that call columns by number, of templates that call them by name.

    >>> print(numbered_templates("[state]\\nhere-1.word here.tag\\nhere.marks", ["word", "tag"]))
    # columns: word tag
    [state]
    here-1.column1 here.column2
    here.marks
    """
    place = {name: number for number, name in enumerate(names, 1)}

    def unit(found: re.Match[str]) -> str:
        anchor, name = found.groups()
        return f"{anchor}.column{place[name]}" if name in place else found.group()

    return f"{_HEADING} {' '.join(names)}\n" + _UNIT.sub(unit, text)


def used_columns(text: str, names: Sequence[str]) -> list[str]:
    """Those of the columns that a text of templates reads."""
    used = {name for _, name in _UNIT.findall(text)}
    return [name for name in names if name in used]


def column_names(templates: str) -> list[str]:
    """The names in the first line of numbered templates."""
    first = templates.split("\n", 1)[0]
    if not first.startswith(_HEADING):
        raise ModelError("templates do not name their columns")
    return first.removeprefix(_HEADING).split()
