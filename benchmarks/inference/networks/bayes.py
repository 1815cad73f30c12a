# SPDX-License-Identifier: Apache-2.0
"""Bayes networks with evidence: noisy-OR diagnosis and pedigrees. Evidence is a table that forbids all other values."""

from __future__ import annotations

import itertools

import numpy as np

from benchmarks.inference.networks.problem import Problem, Scores, logarithms

Tables = list[tuple[tuple[int, ...], Scores]]


def observed(variable: int, value: int, values: int = 2) -> tuple[tuple[int, ...], Scores]:
    scores = np.full(values, -np.inf)
    scores[value] = 0.0
    return (variable,), scores


def diagnosis(random: np.random.Generator, diseases: int, findings: int, parents: int) -> Problem:
    """Diseases cause findings, each cause independently of the others; half of the findings are seen.

    A disease is rare. Each finding has up to so many parents and a leak. The seen values are those of a patient drawn
    from the network who has several diseases.
    """
    prior = random.uniform(0.02, 0.2, diseases)
    sick = random.random(diseases) < np.maximum(prior, 0.3)
    tables: Tables = [((disease,), logarithms([1 - chance, chance])) for disease, chance in enumerate(prior)]
    for finding in range(findings):
        causes = np.sort(random.choice(diseases, int(random.integers(2, parents + 1)), replace=False))
        fails = random.uniform(0.1, 0.8, causes.size)
        leak = random.uniform(0.001, 0.05)
        absent = np.array(
            [(1 - leak) * np.prod(np.where(on, fails, 1.0)) for on in itertools.product((0, 1), repeat=causes.size)]
        ).reshape((2,) * causes.size)
        tables.append(((*causes.tolist(), diseases + finding), logarithms(np.stack([absent, 1 - absent], -1))))
        if random.random() < 0.5:
            positive = random.random() > absent[tuple(sick[causes].astype(int))]
            tables.append(observed(diseases + finding, int(positive)))
    return Problem((2,) * (diseases + findings), tuple(tables))


def _family(random: np.random.Generator, founders: int, children: int) -> list[tuple[int, int] | None]:
    """Parents of each person; founders have none. Children have parents among the younger people so far."""
    parents: list[tuple[int, int] | None] = [None] * founders
    for _ in range(children):
        known = np.arange(max(0, len(parents) - 8), len(parents))
        father, mother = random.choice(known, 2, replace=False)
        parents.append((int(father), int(mother)))
    return parents


def pedigree(random: np.random.Generator, founders: int, children: int, loci: int, alleles: int) -> Problem:
    """Which alleles did each person get from whom? The network of linkage analysis.

    For each person and locus there are the alleles from the father and from the mother. For each child, parent and
    locus a selector says which of the parent's two alleles was passed on; selectors of neighbouring loci differ by
    recombination. The unordered pair of alleles is seen for most people.
    """
    parents = _family(random, founders, children)
    people = len(parents)
    inherits = np.zeros((alleles, alleles, 2, alleles))  # parent's two alleles, selector, child's allele
    for first, second in itertools.product(range(alleles), repeat=2):
        inherits[first, second, 0, first] = inherits[first, second, 1, second] = 1.0
    inherits = 0.999 * inherits + 0.001 / alleles  # mutations keep everything possible
    values: list[int] = []
    tables: Tables = []

    def new(count: int) -> int:
        values.append(count)
        return len(values) - 1

    genes = [[(new(alleles), new(alleles)) for _ in range(people)] for _ in range(loci)]
    selectors: dict[tuple[int, int], int] = {}  # of the locus before, by child and parent
    for locus in range(loci):
        frequency = random.dirichlet(np.full(alleles, 2.0))
        truth: list[tuple[int, int]] = []
        recombination = random.uniform(0.02, 0.2)
        now: dict[tuple[int, int], int] = {}
        for person, two in enumerate(parents):
            if two is None:
                for gene in genes[locus][person]:
                    tables.append(((gene,), logarithms(frequency)))
                own = tuple(int(allele) for allele in random.choice(alleles, 2, p=frequency))
            else:
                own = tuple(truth[parent][int(random.random() < 0.5)] for parent in two)
                for side, parent in enumerate(two):
                    now[person, side] = selector = new(2)
                    scope = (*genes[locus][parent], selector, genes[locus][person][side])
                    tables.append((scope, logarithms(inherits)))
                    if (person, side) in selectors:
                        turn = np.array([[1 - recombination, recombination], [recombination, 1 - recombination]])
                        tables.append(((selectors[person, side], selector), logarithms(turn)))
            truth.append((own[0], own[1]))
            if random.random() < 0.7:
                pair = np.full((alleles, alleles), -np.inf)
                pair[own] = pair[own[::-1]] = 0.0
                tables.append((genes[locus][person], pair))
        selectors = now
    return Problem(tuple(values), tuple(tables))
