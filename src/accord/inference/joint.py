# SPDX-License-Identifier: Apache-2.0
"""Two layers of labels decided together: segment boundaries and tags (Qian et al. 2010, virtual nodes).

Each of l elements has a label s of the first layer and a label t of the second. The layers are interleaved into one
chain s_1 t_1 s_2 t_2 ... of second order, whose cliques are scored by

    phi[s_{i-1}, t_{i-1}, s_i]    and    psi[t_{i-1}, s_i, t_i].

The set is the same as that of one chain over pairs (s, t), at (|S| + |T|) |S| |T| operations an element instead of
(|S| |T|)^2; every answer is exact.

>>> phi = np.zeros((2, 3, 2))
>>> phi[0, :, 1] = 1.0
>>> chain = JointChain([2, 3], phi, np.zeros((3, 2, 3)), length=4)
>>> chain.argmax().score, chain.operations
(2.0, 96)
>>> chain.marginals()[0].round(3)[0]
array([0.624, 0.376])
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.inference.chain import Chain

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LayeredLabelling:
    """The labels of both layers, one row a layer, and the score."""

    layers: NDArray[np.int32]
    score: float


class JointChain:
    """A chain over two layers of labels.

    Parameters
    ----------
    layers:
        The numbers of labels of the two layers, (|S|, |T|).
    phi:
        ``(S, T, S)`` for all elements, or ``(l-1, S, T, S)``: the label of the first layer after a pair.
    psi:
        ``(T, S, T)`` or ``(l-1, T, S, T)``: the label of the second layer after that.
    unary:
        Scores of single labels, ``((l, S), (l, T))``; either may be None.
    joint:
        ``(l, S, T)`` scores of an element's two labels. The start's cliques belong here and in ``unary``.
    length:
        l, where no array tells it.

    ``-inf`` forbids. Methods raise :class:`~accord.errors.ConstraintError` when no labelling is possible.
    """

    def __init__(
        self,
        layers: Sequence[int],
        phi: ArrayLike,
        psi: ArrayLike,
        *,
        unary: tuple[ArrayLike | None, ArrayLike | None] = (None, None),
        joint: ArrayLike | None = None,
        length: int | None = None,
    ) -> None:
        if len(layers) != 2 or min(layers) < 1:
            raise ValueError(f"layers must be two numbers of labels, not {list(layers)}")
        first, second = (int(size) for size in layers)
        cliques = [("phi", phi, (first, second, first)), ("psi", psi, (second, first, second))]
        tables = [_array(value, name, shape) for name, value, shape in cliques]
        rows = [
            None if value is None else _array(value, f"unary[{layer}]", (size,), each=True)
            for layer, (value, size) in enumerate(zip(unary, (first, second), strict=True))
        ]
        pairs = None if joint is None else _array(joint, "joint", (first, second), each=True)
        lengths = {len(array) for array in (*rows, pairs) if array is not None}
        lengths |= {len(table) + 1 for table in tables if table.ndim == 4}
        lengths |= set() if length is None else {length}
        if len(lengths) != 1 or min(lengths) < 0:
            told = f"tell different lengths: {sorted(lengths)}" if lengths else "do not tell the length: give length="
            raise ValueError(f"the scores {told}")
        self.layers = (first, second)
        self.length = lengths.pop()
        self._chain = Chain(
            self._interleaved(rows[0], rows[1]),
            None if pairs is None else [pairs[i // 2] if i % 2 == 0 else None for i in range(2 * self.length - 1)],
            second=[_at(tables[i % 2], i // 2) for i in range(2 * self.length - 2)],
        )

    def _interleaved(self, *rows: Floats | None) -> list[Floats]:
        zeros = [np.zeros(size) for size in self.layers]
        return [
            zeros[layer] if (row := rows[layer]) is None else row[element]
            for element in range(self.length)
            for layer in (0, 1)
        ]

    @property
    def chain(self) -> Chain:
        """The second-order chain s_1 t_1 s_2 t_2 ... with all its methods."""
        return self._chain

    @property
    def operations(self) -> int:
        """How many products one pass forms: (|S| + |T|) |S| |T| an element after the first, which needs |S| |T|."""
        return self._chain.operations

    def argmax(self) -> LayeredLabelling:
        """The best labelling of both layers."""
        best = self._chain.argmax()
        return LayeredLabelling(_by_layer(best.labels), best.score)

    def kbest(self, k: int) -> list[LayeredLabelling]:
        """The k best distinct labellings, best first; fewer only if fewer exist."""
        return [LayeredLabelling(_by_layer(each.labels), each.score) for each in self._chain.kbest(k)]

    def log_partition(self) -> float:
        """log of the sum of exp(score) over all labellings."""
        return self._chain.log_partition()

    def marginals(self) -> tuple[Floats, Floats]:
        """Probability of each label: ``(l, S)`` and ``(l, T)``."""
        rows = list(self._chain.marginals())
        return self._stacked(rows[0::2], (self.layers[0],)), self._stacked(rows[1::2], (self.layers[1],))

    def joint_marginals(self) -> Floats:
        """Probability of each pair of labels of an element: ``(l, S, T)``."""
        return self._stacked(list(self._chain.pair_marginals())[0::2], self.layers)

    def clique_marginals(self) -> tuple[Floats, Floats]:
        """Probability of the cliques: like ``phi``, ``(l-1, S, T, S)``, and like ``psi``, ``(l-1, T, S, T)``."""
        first, second = self.layers
        tables = list(self._chain.triple_marginals())
        return self._stacked(tables[0::2], (first, second, first)), self._stacked(tables[1::2], (second, first, second))

    def sample(self, count: int, *, seed: int = 0) -> NDArray[np.int32]:
        """Exact independent samples: ``(count, 2, l)`` labels. The i-th depends on the seed and i alone."""
        labels = self._chain.sample(count, seed=seed)
        return np.ascontiguousarray(labels.reshape(count, self.length, 2).transpose(0, 2, 1))

    def entropy(self) -> float:
        """Shannon entropy in nats."""
        return self._chain.entropy()

    def score(self, layers: ArrayLike) -> float:
        """The score of labels of both layers, ``(2, l)``."""
        return self._chain.score(self._joined(layers))

    def probability(self, layers: ArrayLike) -> float:
        """P(labelling)."""
        return self._chain.probability(self._joined(layers))

    def _joined(self, layers: ArrayLike) -> NDArray[np.int64]:
        array = np.asarray(layers)
        if array.shape != (2, self.length) or not (np.issubdtype(array.dtype, np.integer) or array.size == 0):
            raise ValueError(f"labels must be integers of shape (2, {self.length}), not {array.shape}")
        return array.astype(np.int64).T.ravel()

    def _stacked(self, tables: list[Floats], shape: tuple[int, ...]) -> Floats:
        return np.stack(tables) if tables else np.zeros((0, *shape))


def _array(value: ArrayLike, name: str, shape: tuple[int, ...], *, each: bool = False) -> Floats:
    """Of the shape, or with one more axis; with `each`, with one more axis only."""
    array = np.asarray(value, dtype=np.float64)
    if array.shape[-len(shape) :] != shape or array.ndim not in (
        {len(shape) + 1} if each else {len(shape), len(shape) + 1}
    ):
        wanted = f"one {shape} an element" if each else f"{shape}, or one such table an element after the first"
        raise ValueError(f"{name} must be {wanted}, not {array.shape}")
    return array


def _at(table: Floats, element: int) -> Floats:
    return table if table.ndim == 3 else table[element]


def _by_layer(labels: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.ascontiguousarray(labels.reshape(-1, 2).T)


def __getattr__(name: str) -> Any:
    if name == "InterleavedChain":
        warnings.warn("InterleavedChain is now JointChain", DeprecationWarning, stacklevel=2)
        return JointChain
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
