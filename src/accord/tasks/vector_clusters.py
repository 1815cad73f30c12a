# SPDX-License-Identifier: Apache-2.0
"""Word clusters from word vectors: k-means that cuts the largest cluster in two until there are enough.

Each cut is a step of a path, so that prefixes of paths are coarser clusters, as those of Brown's algorithm are. Vectors
are taken at length one; a cut starts from the two ends of the direction in which the cluster is widest, and moves words
to the nearer of two means until nothing moves. The result depends on the vectors alone.
Complexity: O(words x size) for each round of a cut; K clusters take K - 1 cuts.
Paper: Steinbach, Karypis & Kumar (2000), "A comparison of document clustering techniques" (bisecting k-means).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.data.files import open_input, source_name
from accord.errors import ConfigError, FormatError

ROUNDS = 20  # of a cut at most
POWER_STEPS = 8  # to find the widest direction
Floats = NDArray[np.float32]
Places = NDArray[np.int64]


def vector_clusters(
    words: list[str],
    vectors: Floats,
    clusters: int,
    *,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, tuple[str, int]]:
    """The path of each word, with a count of 0, which a file of vectors does not tell."""
    if len(words) < 2 or clusters < 2:
        raise ConfigError("at least two words and two clusters")
    unit = np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), np.float32)
    everything = np.arange(len(words))
    waiting = [(-_spread(unit[everything]), "", 0)]
    members: dict[str, Places] = {"": everything}
    done = 1
    while done < clusters and waiting:
        _, path, _ = heapq.heappop(waiting)
        sides = _cut(unit, members[path])
        if sides is None:
            continue  # all its vectors are the same
        del members[path]
        for step, side in zip("01", sides, strict=True):
            members[path + step] = side
            if len(side) > 1:
                heapq.heappush(waiting, (-_spread(unit[side]), path + step, int(side[0])))
        done += 1
        report(done, clusters)
    return {words[place]: (path or "0", 0) for path, places in members.items() for place in places.tolist()}


def _spread(vectors: Floats) -> float:
    """The sum of squared distances to the mean."""
    return float(((vectors - vectors.mean(axis=0)) ** 2).sum())


def _cut(unit: Floats, places: Places) -> tuple[Places, Places] | None:
    """Two halves of a cluster, the one with its first word on the left; None where nothing tells words apart."""
    own = unit[places]
    centred = own - own.mean(axis=0)
    direction = centred[int(np.argmax((centred**2).sum(axis=1)))]
    for _ in range(POWER_STEPS):
        direction = centred.T @ (centred @ direction)
        size = float(np.linalg.norm(direction))
        if size < 1e-12:
            return None
        direction = direction / size
    right = centred @ direction > 0
    for _ in range(ROUNDS):
        if right.all() or not right.any():
            return None
        means = [own[side].mean(axis=0) for side in (~right, right)]
        border = (float(means[1] @ means[1]) - float(means[0] @ means[0])) / 2
        moved = own @ (means[1] - means[0]) > border
        if (moved == right).all():
            break
        right = moved
    if right.all() or not right.any():
        return None
    if right[0]:
        right = ~right
    return places[~right], places[right]


def read_word_vectors(path: str) -> tuple[list[str], Floats]:
    """The words and vectors of a file: ``word numbers...`` a line, perhaps after a line ``count size``."""
    if path != "-" and not Path(path).is_file():
        raise ConfigError(f"{path}: there is no such file")
    words: dict[str, None] = {}
    rows: list[Floats] = []
    for number, word, values in _rows(path):
        if rows and len(values) != len(rows[0]):
            raise FormatError(f"{len(values)} numbers, {len(rows[0])} before", file=source_name(path), line=number)
        if word not in words:
            words[word] = None
            rows.append(values)
    if not rows:
        raise FormatError("there are no vectors in it", file=source_name(path))
    return list(words), np.stack(rows)


def _rows(path: str) -> Iterator[tuple[int, str, Floats]]:
    with open_input(path) as file:
        for number, line in enumerate(file, 1):
            try:
                word, *numbers = line.decode("utf-8").split()
                values = np.array(numbers, np.float32)
            except (UnicodeDecodeError, ValueError):
                raise FormatError("expected a word and numbers", file=source_name(path), line=number) from None
            if number == 1 and len(values) == 1:
                continue  # how many vectors there are, and of which size
            if not len(values) or not np.isfinite(values).all():
                raise FormatError("expected a word and numbers", file=source_name(path), line=number)
            yield number, word, values
