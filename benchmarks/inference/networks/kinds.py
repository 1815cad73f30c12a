# SPDX-License-Identifier: Apache-2.0
"""All kinds of instances, each in three sizes: ``instance(kind, size, seed)`` always gives the same problem.

Solvers are tuned on ``DEV_SEEDS``. Figures are reported for ``TEST_SEEDS``, which nothing is tuned on.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.inference.networks import bayes, constraints, grids, selections, spins
from benchmarks.inference.networks.problem import Problem

SIZES = ("small", "medium", "large")
DEV_SEEDS = (0, 1, 2)
TEST_SEEDS = (101, 102)


@dataclass(frozen=True)
class Kind:
    about: str
    makers: tuple[Callable[[np.random.Generator], Problem], ...]  # by size


def _kind(about: str, make: Callable[..., Problem], *sizes: tuple[float, ...]) -> Kind:
    return Kind(about, tuple(partial(_call, make, size) for size in sizes))


def _call(make: Callable[..., Problem], size: tuple[float, ...], random: np.random.Generator) -> Problem:
    return make(random, *size)


KINDS = {
    "segmentation": _kind("grid, Potts, noisy regions", grids.segmentation, (10, 3), (30, 5), (60, 8)),
    "stereo": _kind("grid, truncated distances", grids.stereo, (8, 8), (20, 16), (36, 21)),
    "random_grid": _kind("grid, random pair scores", grids.random_grid, (6, 4), (10, 5), (20, 10)),
    "spins_square": _kind("spin glass on a square", spins.square, (8,), (16,), (40,)),
    "spins_cube": _kind("spin glass in a cube", spins.cube, (4,), (5,), (8,)),
    "spins_dense": _kind("spin glass, all pairs", spins.dense, (16,), (28,), (60,)),
    "diagnosis": _kind("noisy-OR network", bayes.diagnosis, (15, 30, 3), (40, 80, 5), (120, 250, 7)),
    "pedigree": _kind("linkage of genes", bayes.pedigree, (4, 6, 2, 3), (8, 20, 4, 4), (14, 60, 6, 4)),
    "conflicts": _kind(
        "colouring, least conflicts", constraints.least_conflicts, (20, 3, 6), (40, 3, 6.5), (80, 4, 11)
    ),
    "colouring": _kind(
        "colouring, none in conflict", constraints.hard_colouring, (30, 3, 4.4), (80, 3, 4.5), (150, 4, 8.4)
    ),
    "radio": _kind("frequencies of links", constraints.radio_links, (16, 12, 0.35), (40, 24, 0.25), (100, 40, 0.18)),
    "side_chains": _kind("side chains of proteins", constraints.side_chains, (12, 8), (40, 20), (100, 40)),
    "knapsack": _kind("items in several budgets", selections.knapsack, (30, 2), (80, 3), (200, 5)),
    "coverage": _kind("units that cover concepts", selections.coverage, (30, 60), (100, 200), (400, 800)),
}


def instance(kind: str, size: str, seed: int) -> Problem:
    """The problem of this kind, size (small, medium or large) and seed."""
    random = np.random.default_rng([seed, zlib.crc32(f"{kind} {size}".encode())])
    return KINDS[kind].makers[SIZES.index(size)](random)
