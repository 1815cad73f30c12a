# SPDX-License-Identifier: Apache-2.0
"""All derivations of a sentence by plain enumeration, and the parts of each: what charts of spines must agree with."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from accord._core import constituents as _constituents
from accord.data.constituents.spines import Adjunction, Derivation
from accord.errors import FormatError

PartKey = tuple[str, int, int, int, bool, int]


@dataclass(frozen=True)
class Problem:
    """A small grammar and the candidates of one sentence. Symbols: labels, then tags, then the root."""

    labels: int
    tags: int
    spines: list[list[int]]
    relations: list[tuple[int, int, int, bool]]
    word_tags: list[int]
    word_spines: list[list[int]]
    arcs: dict[tuple[int, int], list[int]]

    @property
    def grammar(self) -> _constituents.SpineGrammar:
        known = [list(range(len(self.spines)))] * (self.tags + 1)
        return _constituents.SpineGrammar(self.labels, self.tags, self.spines, known, self.relations)

    def chart(self, *, order: int, nearest: bool = False, boundaries: bool = True) -> _constituents.SpineDerivations:
        arcs = [(head, word, relations) for (head, word), relations in self.arcs.items()]
        return _constituents.SpineDerivations(
            self.grammar,
            self.word_tags,
            self.word_spines,
            arcs,
            order=order,
            nearest=nearest,
            boundaries=boundaries,
        )


def all_relations(labels: int, tags: int, spines: Sequence[Sequence[int]]) -> list[tuple[int, int, int, bool]]:
    """Every relation that some spine of some tag makes possible."""
    root = labels + tags
    tops = sorted({spine[-1] for spine in spines if spine} | set(range(labels, root)))
    places = {(spine[p], spine[p - 1]) for spine in spines for p in range(1, len(spine))}
    places |= {(spine[0], tag) for spine in spines if spine for tag in range(labels, root)}
    found = {(node, below, top, False) for node, below in places for top in tops}
    found |= {(node, node, top, regular) for node, _ in places for top in tops for regular in (True, False)}
    return sorted(found | {(root, root, top, False) for top in tops})


def random_problem(seed: int, words: int, *, pruned: bool) -> Problem:
    draw = np.random.default_rng(seed)
    labels, tags = int(draw.integers(1, 4)), int(draw.integers(1, 3))
    pool = [list(chain) for size in range(4) for chain in itertools.product(range(labels), repeat=size)]
    pool = [chain for chain in pool if all(a != b for a, b in itertools.pairwise(chain))]
    spines = [pool[k] for k in sorted(draw.choice(len(pool), min(len(pool), 4), replace=False))]
    relations = all_relations(labels, tags, spines)
    word_spines = [
        sorted(draw.choice(len(spines), int(draw.integers(1, min(3, len(spines)) + 1)), replace=False).tolist())
        for _ in range(words)
    ]
    root = labels + tags
    arcs = {}
    for head in range(words + 1):
        for word in range(1, words + 1):
            fitting = [k for k, one in enumerate(relations) if (one[0] == root) == (head == 0)]
            kept = [k for k in fitting if not pruned or draw.random() < 0.7]
            if head != word and kept and not (pruned and draw.random() < 0.2):
                arcs[head, word] = kept
    return Problem(labels, tags, spines, relations, draw.integers(0, tags, words).tolist(), word_spines, arcs)


def derivations(problem: Problem) -> Iterator[tuple[Derivation, list[int]]]:
    """Every derivation among the candidates, with the spine of each word by its number."""
    words = len(problem.word_tags)
    for spines in itertools.product(*problem.word_spines):
        for heads in itertools.product(range(words + 1), repeat=words):
            if any((head, word) not in problem.arcs for word, head in enumerate(heads, start=1)):
                continue
            if heads.count(0) != 1 or not is_projective(heads):
                continue
            choices = [
                [(0, False)]
                if head == 0
                else list(itertools.product(range(len(problem.spines[spines[head - 1]])), (False, True)))
                for head in heads
            ]
            for chosen in itertools.product(*choices):
                adjunctions = tuple(Adjunction(head, *how) for head, how in zip(heads, chosen, strict=True))
                names = tuple(tuple(f"L{label}" for label in problem.spines[spine]) for spine in spines)
                try:
                    made = Derivation(tuple(f"T{tag}" for tag in problem.word_tags), names, adjunctions)
                except FormatError:
                    continue
                numbers = [relation_number(problem, made, word) for word in range(1, words + 1)]
                allowed = (problem.arcs[head, word] for word, head in enumerate(heads, start=1))
                if all(number in known for number, known in zip(numbers, allowed, strict=True)):
                    yield made, list(spines)


def relation_number(problem: Problem, derivation: Derivation, word: int) -> int:
    """The relation that the Python derivation names, as a number of the grammar; -1: the grammar has none."""
    one = derivation.relation(word)

    def symbol(name: str) -> int:
        if name == "*":
            return problem.labels + problem.tags
        return int(name[1:]) + (problem.labels if name[0] == "T" else 0)

    wanted = (symbol(one.node), symbol(one.below), symbol(one.modifier), one.regular)
    return problem.relations.index(wanted) if wanted in problem.relations else -1


def is_projective(heads: Sequence[int]) -> bool:
    for word, head in enumerate(heads, start=1):
        for between in range(min(word, head) + 1, max(word, head)):
            above = between
            for _ in heads:
                if above in (0, head):
                    break
                above = heads[above - 1]
            if above != head or (head == 0 and above == 0 and not _below(between, word, heads)):
                if head == 0 and _below(between, word, heads):
                    continue
                return False
    return all(_below(word, 0, heads) for word in range(1, len(heads) + 1))


def _below(word: int, above: int, heads: Sequence[int]) -> bool:
    for _ in range(len(heads) + 1):
        if word == above:
            return True
        if word == 0:
            return False
        word = heads[word - 1]
    return False


def parts_of(
    problem: Problem, derivation: Derivation, spines: Sequence[int], *, order: int, nearest: bool, boundaries: bool
) -> list[PartKey]:
    """The parts of a derivation by the definitions, not by a chart."""
    words = len(spines)
    segments = problem.grammar.segments
    parts: list[PartKey] = [("spine", word, 0, 0, False, spines[word - 1]) for word in range(1, words + 1)]
    for word, adjunction in enumerate(derivation.adjunctions, start=1):
        head, relation = adjunction.head, relation_number(problem, derivation, word)
        parts.append(("adjunction", head, word, 0, False, relation))
        if order == 2:
            if head:
                side = derivation.modifiers(head, left=word < head)
                place = side.index(word)
                parts.append(("sibling", head, word, side[place - 1] if place else 0, False, relation))
            for right in (False, True):
                below = derivation.modifiers(word, left=not right)
                child = 0 if not below else below[0] if nearest else below[-1]
                parts.append(("grandchild", head, word, child, right, relation))
        if not boundaries:
            continue
        spine = problem.spines[spines[word - 1]]
        for right in (False, True):
            node, last = 0, word
            for modifier in [*derivation.modifiers(word, left=not right), None]:
                new = len(spine) if modifier is None else derivation.adjunctions[modifier - 1].node
                if new > node:
                    parts.append(("boundary", word, 0, last, right, segments.index(spine[node:new])))
                    node = new
                if modifier is not None:
                    reached = [m for m in range(1, words + 1) if _below(m, modifier, derivation.heads)]
                    last = max(reached) if right else min(reached)
    return parts
