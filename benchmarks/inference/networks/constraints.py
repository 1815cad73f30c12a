# SPDX-License-Identifier: Apache-2.0
"""Problems of conflicts: graph colouring, frequencies of radio links, side chains of proteins."""

from __future__ import annotations

import itertools

import numpy as np

from benchmarks.inference.networks.problem import Problem, Scores, rounded

Tables = list[tuple[tuple[int, ...], Scores]]


def _random_edges(random: np.random.Generator, nodes: int, degree: float) -> list[tuple[int, int]]:
    pairs = np.array(list(itertools.combinations(range(nodes), 2)))
    chosen = random.choice(len(pairs), int(nodes * degree / 2), replace=False)
    return [(int(first), int(second)) for first, second in pairs[np.sort(chosen)]]


def least_conflicts(random: np.random.Generator, nodes: int, colours: int, degree: float) -> Problem:
    """Colour a graph that has more edges than it can bear: each edge within one colour costs one."""
    edges = _random_edges(random, nodes, degree)
    return Problem((colours,) * nodes, tuple((edge, -np.eye(colours)) for edge in edges))


def hard_colouring(random: np.random.Generator, nodes: int, colours: int, degree: float) -> Problem:
    """Colour a graph near the threshold without any conflict, and please the nodes, which prefer some colours.

    A colouring is planted, so there is one: edges are drawn between nodes of different planted colours.
    """
    planted = random.permutation(np.arange(nodes) % colours)
    pairs = np.array([pair for pair in itertools.combinations(range(nodes), 2) if planted[pair[0]] != planted[pair[1]]])
    chosen = random.choice(len(pairs), int(nodes * degree / 2), replace=False)
    forbidden = np.where(np.eye(colours, dtype=bool), -np.inf, 0.0)
    tables: Tables = [((node,), random.integers(0, 10, colours).astype(float)) for node in range(nodes)]
    tables += [((int(first), int(second)), forbidden) for first, second in pairs[np.sort(chosen)]]
    return Problem((colours,) * nodes, tuple(tables))


def radio_links(random: np.random.Generator, links: int, frequencies: int, reach: float) -> Problem:
    """Frequencies of pairs of links: two directions a fixed distance apart, and far links from near ones.

    The two directions of a link must be exactly half of the band apart. Links that stand near each other should be
    some frequencies apart; the nearer they stand, the wider the gap and the higher the price of breaking it.
    """
    values = tuple(int(frequencies - random.integers(0, frequencies // 4)) for _ in range(links))
    places = random.random((links, 2))
    apart = np.abs(np.subtract.outer(np.arange(frequencies), np.arange(frequencies)))
    duplex = frequencies // 2 - 1
    tables: Tables = []
    for link in range(0, links - 1, 2):
        shape = (values[link], values[link + 1])
        tables.append(((link, link + 1), np.where(apart[: shape[0], : shape[1]] == duplex, 0.0, -np.inf)))
    for first, second in itertools.combinations(range(links), 2):
        distance = float(np.hypot(*(places[first] - places[second])))
        if distance < reach and first // 2 != second // 2:
            gap = 1 + int((1 - distance / reach) * frequencies / 6)
            price = float(random.choice([1, 10, 100, 1000], p=[0.1, 0.2, 0.5, 0.2]))
            table = np.where(apart[: values[first], : values[second]] <= gap, -price, 0.0)
            tables.append(((first, second), table))
    for link in range(links):  # a few links have a frequency already and would rather keep it
        if random.random() < 0.2:
            scores = np.full(values[link], -float(random.integers(1, 5)))
            scores[random.integers(values[link])] = 0.0
            tables.append(((link,), scores))
    return Problem(values, tuple(tables))


def side_chains(random: np.random.Generator, residues: int, rotamers: int) -> Problem:
    """Positions of the side chains of a protein: energies of each and of near pairs, with clashes of any size.

    Residues follow each other on a walk in space. Each rotamer points its chain somewhere; chains that come too near
    clash, with the twelfth power of the distance, and near ones attract each other a little.
    """
    steps = random.normal(size=(residues, 3))
    steps *= 3.0 / np.linalg.norm(steps, axis=1, keepdims=True)
    spine = np.zeros((residues, 3))
    for place in range(1, residues):  # a walk that is drawn back to the middle, so that the chain is folded
        spine[place] = 0.97 * spine[place - 1] + steps[place]
    values = tuple(int(random.integers(2, rotamers + 1)) for _ in range(residues))
    tips = []
    for place, count in enumerate(values):
        directions = random.normal(size=(count, 3))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        tips.append(spine[place] + random.uniform(1.5, 4.0, (count, 1)) * directions)
    tables: Tables = [((place,), rounded(-random.gamma(1.5, 1.2, count))) for place, count in enumerate(values)]
    for first, second in itertools.combinations(range(residues), 2):
        distances = np.linalg.norm(tips[first][:, None] - tips[second][None], axis=-1) / 3.0
        if distances.min() < 2.0:
            energies = np.maximum(distances, 0.55) ** -12 - 2 * np.maximum(distances, 0.55) ** -6
            tables.append(((first, second), rounded(-np.minimum(energies, 1000.0))))
    return Problem(values, tuple(tables))
