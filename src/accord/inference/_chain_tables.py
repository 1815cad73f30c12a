# SPDX-License-Identifier: Apache-2.0
"""Scores of a chain as they come in: checked, and laid out as the core wants them.

Unary scores stand one position after another. Tables over neighbouring positions stand anywhere in one array; an
offset a position says where (-1: no table), so that positions may share one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Labels = NDArray[np.int32]


class Tables(NamedTuple):
    scores: Floats
    offsets: NDArray[np.int64]


def unary_scores(unary: ArrayLike | Sequence[ArrayLike]) -> tuple[Labels, Floats]:
    """The number of labels of each position, and all scores."""
    if not isinstance(unary, (list, tuple)) or len({np.shape(row) for row in unary}) == 1:
        array = np.asarray(unary, dtype=np.float64)
        if array.ndim != 2 or array.shape[1] == 0:
            raise ValueError(
                f"unary must be (positions, labels) or a list with one array a position, not {array.shape}"
            )
        return np.full(len(array), array.shape[1], dtype=np.int32), np.ascontiguousarray(array).ravel()
    rows = [np.asarray(row, dtype=np.float64) for row in unary]
    for position, row in enumerate(rows):
        if row.ndim != 1 or len(row) == 0:
            raise ValueError(f"unary[{position}] must hold one score a label, not {row.shape}")
    sizes = np.array([len(row) for row in rows], dtype=np.int32)
    return sizes, np.concatenate(rows) if rows else np.zeros(0)


def shape_at(sizes: Labels, position: int, reach: int) -> tuple[int, ...]:
    """The shape of the table over a position and as many before it as reach says."""
    return tuple(int(size) for size in sizes[position - reach : position + 1])


def neighbour_tables(
    tables: ArrayLike | Sequence[ArrayLike | None] | None, sizes: Labels, reach: int, name: str
) -> Tables:
    """Tables over reach + 1 neighbouring positions: one for all, an array of one each, or a list (None: zeros)."""
    offsets = np.full(len(sizes), -1, dtype=np.int64)
    count = max(len(sizes) - reach, 0)
    if tables is None:
        return Tables(np.zeros(0), offsets)
    if isinstance(tables, (list, tuple)) and all(table is None or np.ndim(table) == reach + 1 for table in tables):
        return _listed(tables, sizes, reach, name)
    array = np.ascontiguousarray(tables, dtype=np.float64)
    labels = int(sizes[0]) if len(sizes) else array.shape[-1] if array.ndim else 0
    shared = (labels,) * (reach + 1)
    if (sizes != labels).any():
        raise ValueError(f"positions have different labels: {name} must be a list of {count} arrays")
    if array.shape == shared:
        offsets[reach:] = 0
    elif array.shape == (count, *shared):
        offsets[reach:] = np.arange(count) * labels ** (reach + 1)
    else:
        raise ValueError(f"{name} must be {shared} or {(count, *shared)}, not {array.shape}")
    return Tables(array.ravel(), offsets)


def _listed(tables: Sequence[ArrayLike | None], sizes: Labels, reach: int, name: str) -> Tables:
    count = max(len(sizes) - reach, 0)
    if len(tables) != count:
        raise ValueError(f"{name} must be a list of {count} arrays, not {len(tables)}")
    offsets = np.full(len(sizes), -1, dtype=np.int64)
    places: dict[int, int] = {}  # the same object is laid out once
    flat: list[Floats] = []
    size = 0
    for number, table in enumerate(tables):
        if table is None:
            continue
        position = number + reach
        if np.shape(table) != shape_at(sizes, position, reach):
            raise ValueError(f"{name}[{number}] must be {shape_at(sizes, position, reach)}, not {np.shape(table)}")
        if id(table) not in places:
            places[id(table)] = size
            flat.append(np.asarray(table, dtype=np.float64).ravel())
            size += flat[-1].size
        offsets[position] = places[id(table)]
    return Tables(np.concatenate(flat) if flat else np.zeros(0), offsets)


def split_tables(flat: Floats, sizes: Labels, reach: int) -> list[Floats]:
    """One array a position from the core's one after another."""
    shapes = [shape_at(sizes, position, reach) for position in range(reach, len(sizes))]
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    return (
        [part.reshape(shape) for part, shape in zip(np.split(flat, ends[:-1]), shapes, strict=True)] if shapes else []
    )


def label_row(values: ArrayLike, size: int, name: str) -> Floats:
    row = np.asarray(values, dtype=np.float64)
    if row.shape != (size,):
        raise ValueError(f"{name} must hold {size} scores, not {row.shape}")
    return row


def allowed_mask(allowed: ArrayLike | Sequence[ArrayLike], sizes: Labels) -> NDArray[np.bool_]:
    """A boolean a label, one position after another."""
    ragged = isinstance(allowed, (list, tuple)) and len({np.shape(row) for row in allowed}) > 1
    rows = [np.asarray(row) for row in allowed] if ragged else list(np.asarray(allowed))  # type: ignore[union-attr]
    if [np.shape(row) for row in rows] != [(int(size),) for size in sizes] or any(
        row.dtype != np.bool_ for row in rows
    ):
        raise ValueError("allowed must be boolean and have the shape of unary")
    return np.concatenate(rows) if rows else np.zeros(0, dtype=np.bool_)


Known = Sequence[int | Collection[int] | None]


def known_mask(known: Known, sizes: Labels) -> NDArray[np.bool_]:
    """Where a position is known (a label, or a set of labels): True for those; elsewhere (-1, None) for all."""
    if len(known) != len(sizes):
        raise ValueError(f"there must be one entry a position, {len(sizes)}, not {len(known)}")
    rows = [np.zeros(size, dtype=np.bool_) for size in sizes]
    for position, (entry, row) in enumerate(zip(known, rows, strict=True)):
        if entry is None or (not isinstance(entry, Collection) and entry == -1):
            row[:] = True
            continue
        labels = list(entry) if isinstance(entry, Collection) else [entry]
        if not all(isinstance(label, (int, np.integer)) and 0 <= label < len(row) for label in labels):
            raise ValueError(f"position {position} has labels 0..{len(row) - 1} (-1: unknown), not {entry}")
        row[labels] = True
    return np.concatenate(rows) if rows else np.zeros(0, dtype=np.bool_)
