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
    "segmentation": _kind("grid, Potts, noisy regions", grids.segmentation, (20, 4), (40, 6), (70, 10)),
    "stereo": _kind("grid, truncated distances", grids.stereo, (12, 10), (20, 16), (28, 21)),
    "random_grid": _kind("grid, random pair scores", grids.random_grid, (8, 5), (11, 6), (15, 8)),
    "spins_square": _kind("spin glass on a square", spins.square, (10,), (13,), (20,)),
    "spins_cube": _kind("spin glass in a cube", spins.cube, (4,), (5,), (6,)),
    "spins_dense": _kind("spin glass, all pairs", spins.dense, (20,), (30,), (45,)),
    "diagnosis": _kind("noisy-OR network", bayes.diagnosis, (40, 80, 4), (80, 160, 5), (120, 250, 6)),
    "pedigree": _kind("linkage of genes", bayes.pedigree, (6, 14, 3, 3), (8, 24, 4, 4), (12, 40, 5, 4)),
    "conflicts": _kind(
        "colouring, least conflicts", constraints.least_conflicts, (30, 3, 6), (50, 3, 6.5), (60, 4, 9.5)
    ),
    "colouring": _kind(
        "colouring, none in conflict", constraints.hard_colouring, (80, 3, 4.5), (100, 4, 8.2), (140, 4, 8.4)
    ),
    "radio": _kind("frequencies of links", constraints.radio_links, (24, 16, 0.3), (40, 24, 0.25), (60, 30, 0.22)),
    "side_chains": _kind("side chains of proteins", constraints.side_chains, (16, 10), (24, 14), (36, 20)),
    "knapsack": _kind("items in several budgets", selections.knapsack, (40, 2), (70, 3), (120, 5)),
    "coverage": _kind("units that cover concepts", selections.coverage, (60, 120), (150, 300), (400, 800)),
}


def instance(kind: str, size: str, seed: int) -> Problem:
    """The problem of this kind, size (small, medium or large) and seed."""
    random = np.random.default_rng([seed, zlib.crc32(f"{kind} {size}".encode())])
    return KINDS[kind].makers[SIZES.index(size)](random)
