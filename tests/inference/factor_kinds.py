# SPDX-License-Identifier: Apache-2.0
"""Every kind of factor: how it is drawn and added to a graph, and what it means, written out in plain Python."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.inference.graph import FactorGraph

Bits = Sequence[bool]
FORBIDDEN = float("-inf")


@dataclass(frozen=True)
class Kind:
    """One way to add a factor: how many variables it takes, how it is drawn, added and understood."""

    sizes: tuple[int, int]
    draw: Callable[[np.random.Generator, int], Any]  # parameters of a factor over so many variables
    add: Callable[[FactorGraph, list[int], Any], None]
    score: Callable[[Bits, Any], float]
    negatable: bool = True
    relaxes: bool = True  # rows, projection and dual describe the same relaxation
    beliefs: bool = True  # belief propagation can pass messages through it
    scaled: Callable[[Any, float], Any] = lambda parameters, factor: parameters  # with all own scores multiplied


def _logic(name: str, holds: Callable[[Bits], bool], sizes: tuple[int, int], output: bool = False) -> Kind:
    def add(graph: FactorGraph, variables: list[int], _: Any) -> None:
        if output:
            getattr(graph, name)(variables[:-1], variables[-1])
        else:
            getattr(graph, name)(variables)

    return Kind(sizes, lambda random, size: None, add, lambda bits, _: 0.0 if holds(bits) else FORBIDDEN)


def _multiplied(parameters: Any, factor: float) -> Any:
    """Scores, or lists of them, times a number."""
    if isinstance(parameters, (list, tuple)):
        return type(parameters)(_multiplied(each, factor) for each in parameters)
    return parameters * factor


def _some_forbidden(random: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Scores, a few of them forbidden; the first entry never is."""
    scores = np.where(random.random(shape) < 0.15, FORBIDDEN, random.normal(size=shape))
    scores.flat[0] = random.normal()
    return scores


def _counts(random: np.random.Generator, size: int) -> NDArray[np.float64]:
    return _some_forbidden(random, (size + 1,))


def _interval(random: np.random.Generator, size: int) -> tuple[str, int]:
    return str(random.choice(["at_most", "at_least", "exactly"])), int(random.integers(0, size + 1))


def _in_interval(bits: Bits, parameters: tuple[str, int]) -> float:
    name, count = parameters
    holds = {"at_most": sum(bits) <= count, "at_least": sum(bits) >= count, "exactly": sum(bits) == count}[name]
    return 0.0 if holds else FORBIDDEN


def _budget(random: np.random.Generator, size: int) -> tuple[NDArray[np.float64], float]:
    costs = random.integers(0, 6, size).astype(float)
    return costs, float(random.integers(0, 1 + int(costs.sum())))


TREE_ARCS = ((0, 1), (0, 2), (1, 2), (2, 1))  # all arcs of two words


def _add_tree(graph: FactorGraph, variables: list[int], parameters: dict[str, Any]) -> None:
    table = np.full((3, 3), -1)
    for (head, dependent), variable in zip(TREE_ARCS, variables, strict=True):
        table[head, dependent] = variable
    graph.tree(table, **parameters)


def _tree_score(bits: Bits, parameters: dict[str, bool]) -> float:
    chosen = [arc for arc, on in zip(TREE_ARCS, bits, strict=True) if on]
    heads = sorted(dependent for _, dependent in chosen)
    roots = sum(head == 0 for head, _ in chosen)
    # Two words: one head each, and not in a circle. All such trees are projective.
    return 0.0 if heads == [1, 2] and (roots == 1 or (roots == 2 and not parameters["single_root"])) else FORBIDDEN


def _draw_subtree(random: np.random.Generator, size: int) -> tuple[list[int], list[bool]]:
    """Parents in any order, some roots and some nodes that are tied to their parents."""
    names = random.permutation(size).tolist()
    parents, tied = [-1] * size, [False] * size
    for place, node in enumerate(names[1:], start=1):
        if random.random() < 0.8:
            parents[node] = names[int(random.integers(0, place))]
            tied[node] = bool(random.random() < 0.2)
    return parents, tied


def _add_subtree(graph: FactorGraph, variables: list[int], parameters: tuple[list[int], list[bool]]) -> None:
    graph.subtree(parameters[0], variables, tied=parameters[1])


def _subtree(bits: Bits, parameters: tuple[list[int], list[bool]]) -> float:
    arcs = [
        (bits[node], bits[parent], tied)
        for node, (parent, tied) in enumerate(zip(*parameters, strict=True))
        if parent >= 0
    ]
    return 0.0 if all(on == above if tied else on <= above for on, above, tied in arcs) else FORBIDDEN


def _outwards(bits: Bits) -> list[int]:
    """START, the modifiers that are on, END, as positions."""
    return [0, *(place for place, on in enumerate(bits, start=1) if on), len(bits) + 1]


def _siblings(bits: Bits, table: NDArray[np.float64]) -> float:
    return float(sum(table[a, b] for a, b in itertools.pairwise(_outwards(bits))))


def _tri_siblings(bits: Bits, table: NDArray[np.float64]) -> float:
    places = _outwards(bits)
    return float(sum(table[a, b, c] for a, b, c in zip(places, places[1:], places[2:], strict=False)))


def _grand_siblings(bits: Bits, tables: tuple[NDArray[np.float64], ...]) -> float:
    siblings, grandparents, both = tables
    heads, modifiers = bits[: len(grandparents)], bits[len(grandparents) :]
    if sum(heads) != 1:
        return FORBIDDEN
    g = list(heads).index(True)
    steps = itertools.pairwise(_outwards(modifiers))
    return float(sum(siblings[a, b] + grandparents[g, b] + both[g, a, b] for a, b in steps))


def _draw_grand_siblings(random: np.random.Generator, size: int) -> tuple[NDArray[np.float64], ...]:
    heads = int(random.integers(1, size))
    shape = (size - heads + 1, size - heads + 2)
    return random.normal(size=shape), random.normal(size=(heads, shape[1])), random.normal(size=(heads, *shape))


def _add_grand_siblings(graph: FactorGraph, variables: list[int], tables: tuple[NDArray[np.float64], ...]) -> None:
    heads = len(tables[1])
    siblings, grandparents, both = tables
    graph.grand_sibling_automaton(variables[:heads], variables[heads:], siblings, grandparents, both)


def _grandparents(bits: Bits, table: NDArray[np.float64]) -> float:
    heads, modifiers = bits[: len(table)], bits[len(table) :]
    if sum(heads) != 1:
        return FORBIDDEN
    row = table[list(heads).index(True)]
    return float(row[-1] + sum(row[place] for place, on in enumerate(modifiers, start=1) if on))


def _draw_grandparents(random: np.random.Generator, size: int) -> NDArray[np.float64]:
    heads = int(random.integers(1, size))
    return random.normal(size=(heads, size - heads + 2))


def _chain_states(size: int) -> list[int]:
    """Two states a position, and what is left over at the last."""
    return [2] * (size // 2 - 1) + [2 + size % 2]


def _split(items: Sequence[Any], sizes: Sequence[int]) -> list[list[Any]]:
    ends = np.cumsum(sizes).tolist()
    return [list(items[end - size : end]) for end, size in zip(ends, sizes, strict=True)]


def _draw_chain(random: np.random.Generator, size: int) -> list[NDArray[np.float64]]:
    return [_some_forbidden(random, shape) for shape in itertools.pairwise(_chain_states(size))]


def _chain(bits: Bits, transitions: list[NDArray[np.float64]]) -> float:
    rows = _split(bits, _chain_states(len(bits)))
    if any(sum(row) != 1 for row in rows):
        return FORBIDDEN
    path = [row.index(True) for row in rows]
    return float(sum(table[step] for table, step in zip(transitions, itertools.pairwise(path), strict=True)))


def _categorical_table(bits: Bits, scores: NDArray[np.float64]) -> float:
    rows = _split(bits, _chain_states(len(bits)))
    if any(sum(row) != 1 for row in rows):
        return FORBIDDEN
    return float(scores[tuple(row.index(True) for row in rows)])


def _draw_sparse_table(random: np.random.Generator, size: int) -> tuple[list[tuple[int, ...]], Any, float]:
    tuples = list(itertools.product(*(range(count) for count in _chain_states(size))))
    listed = [tuples[place] for place in random.permutation(len(tuples))[: int(random.integers(1, len(tuples) + 1))]]
    otherwise = FORBIDDEN if random.random() < 0.4 else float(random.normal())
    return listed, _some_forbidden(random, (len(listed),)), otherwise


def _sparse_table(bits: Bits, drawn: tuple[list[tuple[int, ...]], Any, float]) -> float:
    rows = _split(bits, _chain_states(len(bits)))
    if any(sum(row) != 1 for row in rows):
        return FORBIDDEN
    listed, scores, otherwise = drawn
    chosen = tuple(row.index(True) for row in rows)
    return float(scores[listed.index(chosen)]) if chosen in listed else otherwise


def _draw_linear(random: np.random.Generator, size: int) -> tuple[NDArray[np.float64], float, float]:
    """Coefficients of both signs, and limits between which some assignment lies."""
    coefficients = random.integers(-4, 5, size).astype(float)
    inside = float(coefficients @ random.integers(0, 2, size))
    low, high = inside - float(random.integers(0, 3)), inside + float(random.integers(0, 3))
    side = random.integers(0, 3)
    return coefficients, -np.inf if side == 1 else low, np.inf if side == 2 else high


class Alternating:
    """A custom factor: neighbours differ. Two configurations, so maximising is comparing two sums."""

    def maximize(self, scores: NDArray[np.float64]) -> tuple[list[int], float]:
        odd = float(scores[1::2].sum())
        even = float(scores[0::2].sum())
        first = int(even >= odd)
        return [(first + place) % 2 for place in range(len(scores))], max(even, odd)


def _alternates(bits: Bits, _: Any) -> float:
    return 0.0 if all(a != b for a, b in itertools.pairwise(bits)) else FORBIDDEN


KINDS: dict[str, Kind] = {
    "exactly_one": _logic("exactly_one", lambda bits: sum(bits) == 1, (1, 4)),
    "at_most_one": _logic("at_most_one", lambda bits: sum(bits) <= 1, (1, 4)),
    "at_least_one": _logic("at_least_one", lambda bits: sum(bits) >= 1, (1, 4)),
    "implies": _logic("implies", lambda bits: not all(bits[:-1]) or bits[-1], (2, 4), output=True),
    "or_output": _logic("or_output", lambda bits: any(bits[:-1]) == bits[-1], (2, 4), output=True),
    "and_output": _logic("and_output", lambda bits: all(bits[:-1]) == bits[-1], (2, 4), output=True),
    "xor_output": _logic("xor_output", lambda bits: sum(bits[:-1]) == bits[-1], (2, 4), output=True),
    "pair": Kind(
        (2, 2),
        lambda random, size: random.normal(),
        lambda graph, variables, score: graph.pair(variables[0], variables[1], score),
        lambda bits, score: score if all(bits) else 0.0,
        scaled=_multiplied,
    ),
    "table": Kind(
        (1, 3),
        lambda random, size: _some_forbidden(random, (2,) * size),
        lambda graph, variables, scores: graph.table(variables, scores),
        lambda bits, scores: float(scores[tuple(int(bit) for bit in bits)]),
        scaled=_multiplied,
    ),
    "cardinality": Kind(
        (1, 5),
        _counts,
        lambda graph, variables, scores: graph.cardinality(variables, scores),
        lambda bits, scores: float(scores[sum(bits)]),
        relaxes=False,
        scaled=_multiplied,
    ),
    "interval": Kind(
        (1, 5),
        _interval,
        lambda graph, variables, chosen: getattr(graph, chosen[0])(chosen[1], variables),
        _in_interval,
    ),
    "budget": Kind(
        (1, 5),
        _budget,
        lambda graph, variables, drawn: graph.budget(variables, *drawn),
        lambda bits, drawn: 0.0 if float(np.dot(drawn[0], bits)) <= drawn[1] else FORBIDDEN,
        relaxes=False,
    ),
    "tree": Kind(
        (4, 4),
        lambda random, size: {"projective": bool(random.random() < 0.3), "single_root": bool(random.random() < 0.5)},
        _add_tree,
        _tree_score,
        negatable=False,
        relaxes=False,
    ),
    "subtree": Kind((1, 6), _draw_subtree, _add_subtree, _subtree),
    "sibling_automaton": Kind(
        (1, 4),
        lambda random, size: random.normal(size=(size + 1, size + 2)),
        lambda graph, variables, table: graph.sibling_automaton(variables, table),
        _siblings,
        scaled=_multiplied,
    ),
    "tri_sibling_automaton": Kind(
        (1, 4),
        lambda random, size: random.normal(size=(size + 1, size + 1, size + 2)),
        lambda graph, variables, table: graph.tri_sibling_automaton(variables, table),
        _tri_siblings,
        scaled=_multiplied,
    ),
    "grand_sibling_automaton": Kind(
        (2, 5), _draw_grand_siblings, _add_grand_siblings, _grand_siblings, scaled=_multiplied
    ),
    "grandparent_automaton": Kind(
        (2, 5),
        _draw_grandparents,
        lambda graph, variables, table: graph.grandparent_automaton(
            variables[: len(table)], variables[len(table) :], table
        ),
        _grandparents,
        scaled=_multiplied,
    ),
    "chain": Kind(
        (2, 6),
        _draw_chain,
        lambda graph, variables, tables: graph.chain(_split(variables, _chain_states(len(variables))), tables),
        _chain,
        scaled=_multiplied,
    ),
    "categorical_table": Kind(
        (2, 6),
        lambda random, size: _some_forbidden(random, tuple(_chain_states(size))),
        lambda graph, variables, scores: graph.categorical_table(
            _split(variables, _chain_states(len(variables))), scores
        ),
        _categorical_table,
        negatable=False,
        scaled=_multiplied,
    ),
    "sparse_table": Kind(
        (2, 6),
        _draw_sparse_table,
        lambda graph, variables, drawn: graph.sparse_table(_split(variables, _chain_states(len(variables))), *drawn),
        _sparse_table,
        negatable=False,
        scaled=lambda drawn, factor: (drawn[0], drawn[1] * factor, drawn[2] * factor),
    ),
    "linear": Kind(
        (1, 5),
        _draw_linear,
        lambda graph, variables, drawn: graph.linear(variables, drawn[0], at_least=drawn[1], at_most=drawn[2]),
        lambda bits, drawn: 0.0 if drawn[1] <= float(np.dot(drawn[0], bits)) <= drawn[2] else FORBIDDEN,
        relaxes=False,
    ),
    "custom": Kind(
        (2, 4),
        lambda random, size: None,
        lambda graph, variables, _: graph.factor(Alternating(), variables),
        _alternates,
        relaxes=False,
        beliefs=False,
    ),
}
