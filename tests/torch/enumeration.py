# SPDX-License-Identifier: Apache-2.0
"""Structures one by one, as 0/1 vectors in tensors: what every layer is checked against."""

from __future__ import annotations

import itertools

import numpy as np
import torch
from numpy.typing import NDArray

from tests.inference.enumerated_trees import Space, all_trees


def tree_vectors(words: int, space: Space) -> torch.Tensor:
    """Every tree over so many words as an ``(n+1, n+1)`` table of its arcs; no words have one."""
    trees = all_trees(words, space) if words else ((-1,),)
    vectors = torch.zeros(len(trees), words + 1, words + 1, dtype=torch.float64)
    for row, heads in enumerate(trees):
        for word in range(1, words + 1):
            vectors[row, heads[word], word] = 1.0
    return vectors


def structure_scores(vectors: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    """The score of each structure, -inf where it uses what is forbidden."""
    forbidden = torch.isneginf(scores)
    sums = (vectors * torch.where(forbidden, 0.0, scores)).flatten(1).sum(dim=1)
    uses = (vectors * forbidden).flatten(1).sum(dim=1) > 0
    return torch.where(uses, -torch.inf, sums)


def sparse_projection(
    vectors: NDArray[np.float64], scores: NDArray[np.float64], own: NDArray[np.float64]
) -> NDArray[np.float64]:
    """argmax over mixtures b of the rows of vectors of b.(V s + own) - |V' b|^2 / 2, by trying every support.

    A solution exists whose support is affinely independent; on it the optimality conditions are a linear system, and
    any distribution that meets them with no better structure outside is a solution, whose V' b is unique.
    """
    linear = vectors @ scores + own
    count = len(vectors)
    for size in range(1, min(count, vectors.shape[1] + 1) + 1):
        for support in itertools.combinations(range(count), size):
            chosen = vectors[list(support)]
            system = np.zeros((size + 1, size + 1))
            system[0, 1:] = system[1:, 0] = 1.0
            system[1:, 1:] = chosen @ chosen.T
            if np.linalg.matrix_rank(system) < size + 1:
                continue
            solution = np.linalg.solve(system, np.concatenate([[1.0], linear[list(support)]]))
            if (solution[1:] < -1e-12).any():
                continue
            mixed: NDArray[np.float64] = chosen.T @ solution[1:]
            if (linear - vectors @ mixed <= solution[0] + 1e-9).all():
                return mixed
    raise AssertionError("no support meets the optimality conditions")
