# SPDX-License-Identifier: Apache-2.0
"""Random coverage problems, small or of the size of a topic, and one check of answers against enumeration."""

from __future__ import annotations

import numpy as np
import pytest

from accord.inference.coverage import CoverageProblem, solve


def random_problem(seed: int, *, scale: float = 1.0, plain: bool = False) -> CoverageProblem:
    """Up to nine units; with caps, counts, scores, pairs and two budgets unless plain."""
    random = np.random.default_rng(seed)
    units, concepts = int(random.integers(1, 10)), int(random.integers(0, 12))
    many = int(random.integers(0, 4 * units)) if concepts else 0
    pairs = np.stack([random.integers(0, max(concepts, 1), many), random.integers(0, units, many)], axis=1)
    weights = random.integers(0, 6, concepts) * scale  # whole numbers: ties, and concepts worth nothing
    costs = random.integers(0, 9, units).astype(float)
    limit = float(random.integers(0, 20))
    if plain:
        unique = np.unique(pairs, axis=0)
        return CoverageProblem(weights, unique, costs, limit)
    many_pairs = int(random.integers(0, 4)) if units > 1 else 0
    chosen = [random.choice(units, 2, replace=False) for _ in range(many_pairs)]
    return CoverageProblem(
        weights,
        pairs,
        np.stack([costs, np.ones(units)]),
        [limit, float(random.integers(1, 5))],
        caps=random.choice([0.5, 1.0, 2.0, 2.5], concepts),
        counts=random.integers(1, 3, many),
        scores=random.integers(-2, 3, units) * scale,
        redundancy=[(u, v, float(random.integers(0, 3)) * scale) for u, v in chosen],
    )


def random_words(seed: int, *, scale: float = 1.0, tangled: bool = False) -> CoverageProblem:
    """Up to eleven words in up to three trees, with cuts that are forbidden and concepts of one to three words.

    ``tangled``: words may require several others, which need not be in the same tree.
    """
    random = np.random.default_rng(seed)
    units, sentences = int(random.integers(1, 12)), int(random.integers(1, 4))
    sentence = np.sort(random.integers(0, sentences, units))
    requires, together, roots = [], [], np.zeros(units)
    for unit in range(units):
        before = np.flatnonzero(sentence[:unit] == sentence[unit])
        if not len(before):
            roots[unit] = 1
            continue
        requires.append((unit, int(random.choice(before))))
        if random.random() < 0.2:
            together.append(requires[-1][::-1])
        elif tangled and random.random() < 0.3:
            requires.append((unit, int(random.integers(0, unit))))
    concepts = int(random.integers(0, 10))
    rows = []
    for _ in range(int(random.integers(0, 3 * units)) if concepts else 0):
        same = np.flatnonzero(sentence == random.integers(0, sentences))
        if len(same):
            rows.append((int(random.integers(0, concepts)), *random.choice(same, int(random.integers(1, 4))).tolist()))
    return CoverageProblem(
        random.integers(0, 6, concepts) * scale,
        rows,
        np.stack([random.integers(0, 4, units), roots]),
        [float(random.integers(0, 12)), float(random.integers(1, 4))],
        caps=random.choice([0.5, 1.0, 2.0], concepts),
        scores=random.integers(-2, 2, units) * scale,
        requires=requires,
        together=together,
    )


def compressive_topic(seed: int, words: int, *, length: int = 25, limit: int = 100) -> CoverageProblem:
    """Sentences of words with random trees, a third of the cuts forbidden, and pairs of neighbours as concepts.

    Pairs are drawn as in text: a few stand in many sentences, and most in one.
    """
    random = np.random.default_rng(seed)
    types = max(20, words // 4)
    word = random.zipf(1.3, words) % types
    requires, together, roots, rows, scores = [], [], np.zeros(words), [], np.zeros(words)
    number: dict[tuple[int, int], int] = {}
    for begin in range(0, words, length):
        end = min(begin + length, words)
        root = int(random.integers(begin, end))
        roots[root] = 1
        done = [root]
        for unit in sorted(range(begin, end), key=lambda unit: abs(unit - root))[1:]:
            near = min(done, key=lambda other: abs(other - unit) + 3 * random.random())
            requires.append((unit, near))
            if random.random() < 0.35:
                together.append((unit, near))
            else:  # a cut costs a little
                cut = -random.exponential(0.3)
                scores[near] += cut
                scores[unit] -= cut
            done.append(unit)
        for unit in range(begin, end - 1):
            pair = (int(word[unit]), int(word[unit + 1]))
            rows.append((number.setdefault(pair, len(number)), unit, unit + 1))
    often = np.bincount([row[0] for row in rows])
    kept = np.flatnonzero(often >= 2)
    place = np.full(len(often), -1)
    place[kept] = np.arange(len(kept))
    return CoverageProblem(
        np.minimum(often[kept], 10).astype(float),
        [(int(place[row[0]]), *row[1:]) for row in rows if place[row[0]] >= 0],
        np.stack([np.ones(words), roots]),
        [float(limit), 6.0],
        scores=scores,
        requires=requires,
        together=together,
    )


def check_against_enumeration(problem: CoverageProblem, method: str) -> None:
    """The answer is feasible, no better than the best one, and its bound is not below the best one."""
    best = solve(problem, "enumerate")
    found = solve(problem, method)
    assert found.assignment is not None and problem.is_feasible(found.assignment)
    assert found.value == pytest.approx(problem.value(found.assignment))
    tolerance = 1e-6 * (1 + abs(best.value))
    assert found.value <= best.value + tolerance
    assert found.bound >= best.value - tolerance
    if found.status == "optimal":
        assert found.value == pytest.approx(best.value, abs=tolerance)
    if method in ("search", "ilp"):
        assert found.status == "optimal"
