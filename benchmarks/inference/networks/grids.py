# SPDX-License-Identifier: Apache-2.0
"""Grids of pixels: segmentation (Potts), stereo (truncated distances of disparities) and random pair scores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.inference.networks.problem import Problem, Scores, rounded


def neighbours(height: int, width: int) -> Iterator[tuple[int, int]]:
    """Pairs of pixels side by side and one above the other, row by row."""
    for place in range(height * width):
        if (place + 1) % width:
            yield place, place + 1
        if place + width < height * width:
            yield place, place + width


def _regions(random: np.random.Generator, height: int, width: int, labels: int) -> np.ndarray:
    """A picture of flat regions: each pixel has the label of the nearest of a few centres."""
    centres = random.random((2 * labels, 2)) * [height, width]
    kinds = random.integers(0, labels, 2 * labels)
    rows, columns = np.mgrid[:height, :width]
    distances = (rows[..., None] - centres[:, 0]) ** 2 + (columns[..., None] - centres[:, 1]) ** 2
    return kinds[distances.argmin(-1)]


def _pixels(unary: Scores, pairs: list[tuple[tuple[int, int], Scores]], labels: int) -> Problem:
    tables = [((place,), rounded(row)) for place, row in enumerate(unary)]
    return Problem((labels,) * len(unary), (*tables, *((scope, rounded(table)) for scope, table in pairs)))


def segmentation(random: np.random.Generator, side: int, labels: int) -> Problem:
    """A noisy picture of flat regions; neighbours earn a reward for one label, less across a visible edge."""
    truth = _regions(random, side, side, labels)
    unary = random.normal(0.0, 1.0, (side * side, labels))
    unary[np.arange(side * side), truth.reshape(-1)] += 1.2
    shade = truth.reshape(-1) + random.normal(0.0, 0.6, side * side)
    pairs = []
    for first, second in neighbours(side, side):
        reward = 0.2 + 0.9 * np.exp(-((shade[first] - shade[second]) ** 2))
        pairs.append(((first, second), reward * np.eye(labels)))
    return _pixels(unary, pairs, labels)


def stereo(random: np.random.Generator, side: int, labels: int) -> Problem:
    """Disparities of two pictures: absolute differences of shades, and truncated distances between neighbours."""
    depth = _regions(random, side, side, max(3, labels // 3)) * 3 % labels
    texture = random.normal(0.0, 1.0, (side, side + labels))
    columns = np.arange(side)
    left = texture[:, :side]
    right = np.zeros((side, side + labels))
    for row in range(side):
        right[row] = texture[row]
        right[row, columns + depth[row]] = left[row] + random.normal(0.0, 0.4, side)
    shifted = np.stack([right[:, columns + label] for label in range(labels)], -1)
    unary = -np.minimum(np.abs(left[..., None] - shifted), 1.5).reshape(-1, labels)
    apart = np.abs(np.subtract.outer(np.arange(labels), np.arange(labels)))
    pairs = []
    for first, second in neighbours(side, side):
        contrast = abs(left.reshape(-1)[first] - left.reshape(-1)[second])
        pairs.append(((first, second), -(0.15 if contrast > 1.0 else 0.35) * np.minimum(apart, 3.0)))
    return _pixels(unary, pairs, labels)


def random_grid(random: np.random.Generator, side: int, labels: int) -> Problem:
    """Independent normal scores of all pixels and all pairs of labels: no structure but the grid."""
    unary = random.normal(0.0, 1.0, (side * side, labels))
    pairs = [(pair, random.normal(0.0, 1.0, (labels, labels))) for pair in neighbours(side, side)]
    return _pixels(unary, pairs, labels)
