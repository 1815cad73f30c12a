# SPDX-License-Identifier: Apache-2.0
"""Dependency parsing as a concise linear program: Martins, Smith & Xing (2009), every part a switch.

>>> import numpy as np
>>> scores = np.zeros((3, 3))
>>> scores[0, 2], scores[2, 1] = 2.0, 1.0
>>> program = parser_program(scores, siblings={((0, 1), (0, 2)): 0.5})
>>> program.variables  # one column an arc; flows and indicators come behind them
4

Solve it with :func:`accord.inference.linear.solve`, as LP or ILP.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from accord._core import graph as _core

Arc: TypeAlias = tuple[int, int]
"""Head and dependent; the root is 0."""


def parser_program(
    scores: ArrayLike,
    *,
    flow: str = "multi",
    projective: bool = False,
    single_root: bool = False,
    siblings: Mapping[tuple[Arc, Arc], float] | None = None,
    grandparents: Mapping[tuple[Arc, Arc], float] | None = None,
    next_siblings: Mapping[tuple[Arc, Arc], float] | None = None,
    first_children: Mapping[Arc, float] | None = None,
    last_children: Mapping[Arc, float] | None = None,
    valency: Sequence[Sequence[float]] = (),
    nonprojective: Mapping[Arc, float] | None = None,
    paths: Mapping[tuple[int, int], float] | None = None,
) -> _core.LinearProgram:
    """The program of the best tree under these scores.

    Parameters
    ----------
    scores: ``(n+1, n+1)`` by [head, dependent]; arcs with -inf do not exist.
    flow: ``multi`` (one commodity a word: tight for arc scores) or ``single`` (smaller and looser).
    siblings: two arcs with one head, both on. grandparents: the second leaves the word that the first enters.
    next_siblings: one head, one side, the first nearer, no dependent of that head between them.
    first_children, last_children: nearest and farthest dependent of its head on its side.
    valency: for each of the nodes 0..n, scores of having 0, 1, ... dependents; an empty row scores nothing.
    nonprojective: an arc over a word that does not descend from its head. paths: one word descends from the other.
    """
    if flow not in ("multi", "single"):
        raise ValueError(f"flow is 'multi' or 'single', not {flow!r}")
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise ValueError(f"scores must be (n+1, n+1), not {table.shape}")
    exists = np.isfinite(table)
    exists[:, 0] = False
    np.fill_diagonal(exists, False)
    arcs = [(int(head), int(dependent)) for head, dependent in zip(*np.nonzero(exists), strict=True)]
    number = {arc: index for index, arc in enumerate(arcs)}

    def pairs(parts: Mapping[tuple[Arc, Arc], float] | None) -> list[tuple[int, int, float]]:
        return [(_of(number, a), _of(number, b), float(score)) for (a, b), score in (parts or {}).items()]

    def singles(parts: Mapping[Arc, float] | None) -> list[tuple[int, float]]:
        return [(_of(number, arc), float(score)) for arc, score in (parts or {}).items()]

    return _core.parser_program(
        table.shape[0] - 1,
        arcs,
        [float(table[arc]) for arc in arcs],
        flow == "single",
        projective,
        single_root,
        pairs(siblings),
        pairs(grandparents),
        pairs(next_siblings),
        singles(first_children),
        singles(last_children),
        [list(row) for row in valency],
        singles(nonprojective),
        [(a, d, float(score)) for (a, d), score in (paths or {}).items()],
    )


def _of(number: Mapping[Arc, int], arc: Arc) -> int:
    try:
        return number[arc]
    except KeyError:
        raise ValueError(f"there is no arc {arc}") from None
