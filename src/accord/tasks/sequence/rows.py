# SPDX-License-Identifier: Apache-2.0
"""From users' features to numbered sparse rows.

A token is a dictionary (``{"word": "cat", "length": 3, "tags": ["a", "b"]}``), a list of strings, or a row of numbers.
Dictionaries are read as python-crfsuite reads them: a text or a truth value is a feature of its own, a number is the
value of its feature, lists and dictionaries inside are spread out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
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
    """The numbers of named features."""

    def __init__(self, names: Mapping[str, int]) -> None:
        self.names = dict(names)

    @staticmethod
    def of(X: Sequence[Sequence[Any]], least: float = 0) -> Vocabulary:
        """The features that occur at least so often, numbered as they come."""
        counts: Counter[str] = Counter()
        for sequence in X:
            for token in sequence:
                counts.update(token if _is_names(token) else (name for name, _ in features_of(token)))
        return Vocabulary({name: number for number, name in enumerate(n for n in counts if counts[n] >= least)})

    def rows(self, X: Sequence[Sequence[Any]]) -> Rows:
        """Sequences of tokens as rows; features that are not known have the number -1."""
        lengths = np.array([0, *map(len, X)], np.int64)
        tokens = list(chain.from_iterable(X))
        if all(map(_is_names, tokens)):
            flat = list(chain.from_iterable(tokens))
            starts = np.array([0, *map(len, tokens)], np.int64)
            numbers = np.fromiter(map(self.names.get, flat, (UNKNOWN,) * len(flat)), np.int32, len(flat))
            return Rows(np.cumsum(lengths), np.cumsum(starts), numbers, np.zeros(0))
        pairs = [list(features_of(token)) for token in tokens]
        get = self.names.get
        features = np.array([get(name, UNKNOWN) for pair in pairs for name, _ in pair], np.int32)
        values = np.array([value for pair in pairs for _, value in pair], np.float64)
        starts = np.array([0, *map(len, pairs)], np.int64)
        plain = np.zeros(0) if (values == 1).all() else values
        return Rows(np.cumsum(lengths), np.cumsum(starts), features, plain)


def _is_names(token: Any) -> bool:
    """Whether a token is a list, whose items are names."""
    return type(token) is list


def features_of(token: Any) -> Iterable[tuple[str, float]]:
    """Names and values of the features of a token."""
    if isinstance(token, Mapping):
        for name, value in token.items():
            yield from _spread(str(name), value)
    elif isinstance(token, (list, tuple, set, frozenset)):
        for name in token:
            yield str(name), 1.0
    else:
        raise AccordError(f"a token is a dictionary of features or a list of names, not {described(token)}")


def _spread(name: str, value: Any) -> Iterable[tuple[str, float]]:
    if isinstance(value, str):
        yield f"{name}:{value}", 1.0
    elif isinstance(value, (bool, np.bool_)):
        yield name, float(value)
    elif isinstance(value, (int, float, np.number)):
        if not np.isfinite(value):
            raise AccordError(f"feature {name!r} is {value}: features are finite numbers")
        yield name, float(value)
    elif isinstance(value, Mapping):
        for inner, one in value.items():
            yield from _spread(f"{name}:{inner}", one)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            yield f"{name}:{one}", 1.0
    elif value is not None:
        raise AccordError(f"feature {name!r} is {described(value)}: expected a text, a number, a list or a dictionary")
