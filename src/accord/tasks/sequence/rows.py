# SPDX-License-Identifier: Apache-2.0
"""From users' features to numbered sparse rows.

A token is a dictionary (``{"word": "cat", "length": 3, "tags": ["a", "b"]}``), a list of strings, or a row of numbers.
Dictionaries are read as python-crfsuite reads them: a text or a truth value is a feature of its own, a number is the
value of its feature, lists and dictionaries inside are spread out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.errors import AccordError, described

UNKNOWN = -1


@dataclass(frozen=True)
class Rows:
    """Sequences of tokens: ``sequences`` and ``tokens`` say where each begins, and where the last one ends."""

    sequences: NDArray[np.int64]
    tokens: NDArray[np.int64]
    features: NDArray[np.int32]
    values: NDArray[np.float64]  # empty: all are one

    def native(self) -> _tasks.SparseRows:
        return _tasks.SparseRows(self.sequences, self.tokens, self.features, self.values)

    @property
    def lengths(self) -> list[int]:
        found: list[int] = np.diff(self.sequences).tolist()
        return found

    def without_unknown(self) -> Rows:
        """The rows without features that have no number."""
        kept = self.features != UNKNOWN
        sums = np.concatenate([[0], np.cumsum(kept)])
        values = self.values if self.values.size == 0 else self.values[kept]
        return Rows(self.sequences, sums[self.tokens], self.features[kept], values)


def is_table(X: Any) -> bool:
    """Whether X is one matrix, of numpy, pandas or scipy: each row of it is a sequence of one token."""
    if not hasattr(X, "shape") and not hasattr(X, "__array__"):
        return False
    listed = len(getattr(X, "shape", (0, 0))) == 1 and str(getattr(X, "dtype", "")) == "object"
    return not listed  # a column of lists is a list of sequences


def table_rows(X: Any) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], int]:
    """Starts, columns and values of the rows of a matrix, and how many columns it has."""
    if hasattr(X, "tocsr"):
        found = X.tocsr()
        found.sort_indices()
        values = np.asarray(found.data, np.float64)
        _check_finite(values)
        return found.indptr.astype(np.int64), found.indices.astype(np.int32), values, int(found.shape[1])
    array = np.asarray(X)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: features are real numbers")
    array = array.astype(np.float64)
    if array.ndim != 2:
        raise ValueError(f"Expected 2D array, got {array.ndim}D array instead. Reshape your data: a row is a token")
    _check_finite(array)
    kept = array != 0
    starts = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(np.int64)
    return starts, np.nonzero(kept)[1].astype(np.int32), array[kept], int(array.shape[1])


def _check_finite(values: NDArray[np.float64]) -> None:
    if not np.isfinite(values).all():
        raise ValueError("Input X contains NaN or infinity: features are finite numbers")


def numeric_rows(X: Sequence[Any]) -> tuple[Rows, int]:
    """Sequences that are matrices, one row a token."""
    starts, columns, values, width = [np.zeros(1, np.int64)], [], [], 0
    lengths = [0]
    for one in X:
        begin, places, numbers, width = table_rows(one)
        starts.append(begin[1:] + starts[-1][-1])
        columns.append(places)
        values.append(numbers)
        lengths.append(len(begin) - 1)
    joined = np.concatenate(columns) if columns else np.zeros(0, np.int32)
    numbers = np.concatenate(values) if values else np.zeros(0)
    return Rows(np.cumsum(lengths, dtype=np.int64), np.concatenate(starts), joined, numbers), width


class Vocabulary:
    """The numbers of named features, in the order in which they came."""

    def __init__(self, names: Iterable[str]) -> None:
        self._native = _tasks.FeatureNames(list(names))

    @staticmethod
    def learn(X: Sequence[Any], least: float = 0) -> tuple[Vocabulary, Rows]:
        """The features that occur at least so often, and the rows of the sequences, without other features."""
        vocabulary = Vocabulary(())
        rows = Rows(*vocabulary._native.learn(list(X), features_of))
        counts = np.bincount(rows.features, minlength=len(vocabulary))
        kept = counts >= least
        if kept.all():
            return vocabulary, rows
        numbers = np.where(kept, np.cumsum(kept) - 1, UNKNOWN).astype(np.int32)
        names = [name for name, keep in zip(vocabulary.names, kept.tolist(), strict=True) if keep]
        known = Rows(rows.sequences, rows.tokens, numbers[rows.features], rows.values)
        return Vocabulary(names), known.without_unknown()

    def __len__(self) -> int:
        return len(self._native)

    @property
    def names(self) -> list[str]:
        return self._native.names()

    def rows(self, X: Sequence[Any]) -> Rows:
        """Sequences of tokens as rows; features that are not known have the number -1."""
        return Rows(*self._native.read(list(X), features_of))

    def __getstate__(self) -> dict[str, Any]:
        return {"names": self.names}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._native = _tasks.FeatureNames(list(state["names"]))


def features_of(token: Any) -> Iterable[tuple[str, float]]:
    """Names and values of the features of a token."""
    if isinstance(token, Mapping):
        for name, value in token.items():
            yield from _spread(str(name), value)
    elif isinstance(token, (list, tuple, set, frozenset)):
        for name in token:
            yield str(name), 1.0
    else:
        raise AccordError(
            f"a token is a dictionary of features or a list of names, not {described(token)}: "
            "X is a list of sequences, each a list of tokens (predict_single takes one sequence)"
        )


def _spread(name: str, value: Any) -> Iterable[tuple[str, float]]:
    if isinstance(value, str):
        yield f"{name}:{value}", 1.0
    elif isinstance(value, (bool, np.bool_)):
        yield name, float(value)
    elif isinstance(value, (int, float, np.number)):
        try:
            number = float(value)
        except OverflowError:  # a whole number beyond all floating-point numbers
            number = math.inf
        if not math.isfinite(number):
            raise AccordError(f"feature {name!r} is {number}: features are finite numbers")
        yield name, number
    elif isinstance(value, Mapping):
        for inner, one in value.items():
            yield from _spread(f"{name}:{inner}", one)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            yield f"{name}:{one}", 1.0
    elif value is not None:
        raise AccordError(f"feature {name!r} is {described(value)}: expected a text, a number, a list or a dictionary")
