# SPDX-License-Identifier: Apache-2.0
"""Spin glasses: two-valued variables with random couplings, on square lattices, cubes and complete graphs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from benchmarks.inference.networks.grids import neighbours
from benchmarks.inference.networks.problem import Problem, rounded

AGREE = np.array([[1.0, -1.0], [-1.0, 1.0]])


def _spins(random: np.random.Generator, count: int, pairs: Iterable[tuple[int, int]], field: float) -> Problem:
    fields = random.normal(0.0, field, count)
    tables = [((spin,), rounded(np.array([-own, own]))) for spin, own in enumerate(fields)]
    couplings = [(pair, rounded(random.normal() * AGREE)) for pair in pairs]
    return Problem((2,) * count, (*tables, *couplings))


def square(random: np.random.Generator, side: int) -> Problem:
    return _spins(random, side * side, neighbours(side, side), 0.1)


def cube(random: np.random.Generator, side: int) -> Problem:
    places = list(itertools.product(range(side), repeat=3))
    numbers = {place: number for number, place in enumerate(places)}
    pairs = []
    for x, y, z in places:
        for other in ((x + 1, y, z), (x, y + 1, z), (x, y, z + 1)):
            if other in numbers:
                pairs.append((numbers[x, y, z], numbers[other]))
    return _spins(random, len(places), pairs, 0.1)


def dense(random: np.random.Generator, count: int) -> Problem:
    return _spins(random, count, itertools.combinations(range(count), 2), 0.5)
