# SPDX-License-Identifier: Apache-2.0
"""What the header and the blocks of a model file may hold.

A model file may come from anybody, so nothing of it reaches the core unchecked. :data:`BLOCK_KINDS` says which types
and how many dimensions the arrays of each name have; the writer, the reader and ``accord info`` ask it. The functions
below read one value of a header: they return the value, or raise a ValueError that says what it should have been.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST = 1e9  # of a number in a header, and of a weight: sums and products of many stay finite

DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64")


@dataclass(frozen=True)
class BlockKind:
    """Arrays of one kind: what they are, their types, and how many dimensions they may have."""

    title: str
    dtypes: tuple[str, ...]
    dimensions: tuple[int, ...] = (1,)
    finite: bool = True

    def problem(self, array: NDArray[Any]) -> str:
        """What is wrong with an array; nothing where it may be of this kind."""
        if array.dtype.name not in self.dtypes:
            return f"holds {array.dtype.name}, not {' or '.join(self.dtypes)}"
        if array.ndim not in self.dimensions:
            return f"has {array.ndim} dimensions"
        return number_problem(array) if self.finite else ""


# By the last part of a block's name, the first pattern that fits. Names of weight tables are free: see `weight_table`.
BLOCK_KINDS: Mapping[str, BlockKind] = {
    "*.scales": BlockKind("scales of rows of bytes", ("float32",)),
    "*fingerprints": BlockKind("fingerprints of features", ("uint32",)),
    "*mask.start": BlockKind("labels that may not start", ("uint8",)),
    "*mask.end": BlockKind("labels that may not end", ("uint8",)),
    "*mask.follow": BlockKind("labels that may not follow", ("uint8",), (1, 2)),
    **{
        name: BlockKind("text", ("uint8",))
        for name in (
            *("words", "characters.words", "names", "characters.names", "clusters", "characters.clusters"),
            *("rules", "multiword", "vocabulary", "templates", "language_model"),
        )
    },
    "counts": BlockKind("counts of words", ("int32",)),
    "alphabet": BlockKind("characters", ("uint32",)),
    "keys.*": BlockKind("hashes of known values", ("uint64",)),
    "keys": BlockKind("hashes of words", ("uint64",)),
    "known": BlockKind("hashes of known lemmas", ("uint64",)),
    "starts": BlockKind("places in a list", ("uint32",)),
    "endings": BlockKind("places in a list", ("uint32",)),
    "lexicon": BlockKind("rules of words", ("uint16",)),
    "candidates": BlockKind("candidates of words", ("int32", "uint16")),
    "weights/*": BlockKind("weights of a network", ("int8", "float16", "float32"), (1, 2, 3)),
    "*": BlockKind("weights", DTYPES, (0, 1, 2, 3), finite=False),
}


def block_kind(name: str) -> BlockKind:
    """The kind of a block, by its name in the file."""
    parts = name.split("/")
    last = parts[-1] if "weights" not in parts[:-1] else f"weights/{parts[-1]}"
    if last.startswith("weights/") and last.endswith(".scales"):
        return BLOCK_KINDS["*.scales"]
    return next(kind for pattern, kind in BLOCK_KINDS.items() if fnmatchcase(last, pattern))


def number_problem(array: NDArray[Any]) -> str:
    """What is wrong with the numbers of an array: floats must be finite and of a sensible size."""
    if array.dtype.kind != "f" or not array.size:
        return ""
    if not np.isfinite(array).all():
        return "holds numbers that are not finite"
    return f"holds numbers beyond {LARGEST:g}" if float(np.abs(array).max()) > LARGEST else ""


def row(arrays: Mapping[str, NDArray[Any]], name: str, kind: type[Any], size: int) -> NDArray[Any]:
    """An array of one dimension, of this type and size."""
    array = arrays[name]
    if array.dtype != kind or array.shape != (size,):
        raise ValueError(f"block {name!r} is not a row of {size} {np.dtype(kind).name}")
    return array


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{_shown(value)} where true or false belongs")
    return value


def text(value: Any) -> str:
    """A text that can be written: no halves of characters, no NUL."""
    if not isinstance(value, str):
        raise ValueError(f"{_shown(value)} where a text belongs")
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise ValueError(f"a text that cannot be written: {_shown(value)}")
    return value


def name(value: Any) -> str:
    """A name that may stand in a column of a table: not empty, without blanks that end lines or cells."""
    if not text(value) or any(ord(character) < 32 or character in "\x7f\x85\u2028\u2029" for character in value):
        raise ValueError(f"{_shown(value)} where a name belongs")
    return str(value)


def names(value: Any) -> tuple[str, ...]:
    """Different names."""
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{_shown(value)} where a list of names belongs")
    found = tuple(map(name, value))
    if len(set(found)) < len(found):
        raise ValueError(f"a name that stands twice among {len(found)}")
    return found


def whole(low: int, high: int) -> Callable[[Any], int]:
    """A reader of whole numbers in a range."""

    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"{_shown(value)} where a whole number from {low} to {high} belongs")
        return value

    return read


def number(low: float = -LARGEST, high: float = LARGEST) -> Callable[[Any], float]:
    """A reader of numbers in a range."""

    def read(value: Any) -> float:
        fits = isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high
        if not fits or not math.isfinite(value):
            raise ValueError(f"{_shown(value)} where a number from {low:g} to {high:g} belongs")
        return float(value)

    return read


temperature = number(1e-6, 1e6)


def _shown(value: Any) -> str:
    shown = ascii(value)
    return shown if len(shown) < 40 else f"{shown[:36]}..."
