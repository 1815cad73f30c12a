# SPDX-License-Identifier: Apache-2.0
"""Layers of labels decided together: segment boundaries and tags, for example (Qian et al. 2010, virtual nodes).

Each of l elements has a label of every layer. The m layers are interleaved into one chain of order m. For two layers
s and t this is s_1 t_1 s_2 t_2 ..., whose cliques are scored by

    phi[s_{i-1}, t_{i-1}, s_i]    and    psi[t_{i-1}, s_i, t_i].

In general the clique of a layer is over m + 1 labels that are neighbours in the chain, and ends with one of the layer.
The set is the same as that of one chain over all m labels of an element, at (L_1 + ... + L_m) L_1 ... L_m operations an
element instead of (L_1 ... L_m)^2; every answer is exact.

>>> phi = np.zeros((2, 3, 2))
>>> phi[0, :, 1] = 1.0
>>> chain = JointChain([2, 3], phi, np.zeros((3, 2, 3)), length=4)
>>> chain.argmax().score, chain.operations
(2.0, 96)
>>> chain.marginals()[0].round(3)[0]
array([0.624, 0.376])
>>> three = JointChain([2, 3, 2], *(np.zeros(clique_shape([2, 3, 2], layer)) for layer in range(3)), length=4)
>>> three.argmax().layers.shape, round(np.exp(three.log_partition())) == (2 * 3 * 2) ** 4
((3, 4), True)
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
    """The labels of all layers, one row a layer, and the score."""

    layers: NDArray[np.int32]
    score: float


def clique_shape(layers: Sequence[int], layer: int) -> tuple[int, ...]:
    """The shape of the table over the labels that a layer's clique has.

    >>> clique_shape([2, 3, 4], 1)
    (3, 4, 2, 3)
    """
    return (*layers[layer:], *layers[: layer + 1])


class JointChain:
    """A chain over several layers of labels.

    Parameters
    ----------
    layers:
        The numbers of labels of the layers, for example (|S|, |T|).
    cliques:
        One table a layer, of :func:`clique_shape`, or one such table for each element after the first. For two layers
        they are phi, ``(S, T, S)`` or ``(l-1, S, T, S)``: the label of the first layer after a pair; and psi,
        ``(T, S, T)`` or ``(l-1, T, S, T)``: the label of the second layer after that.
    unary:
        Scores of single labels, ``((l, S), (l, T))``; each may be None.
    joint:
        ``(l, S, T)`` scores of all labels of an element. The start's cliques belong here and in ``unary``.
    length:
        l, where no array tells it.

    ``-inf`` forbids. Methods raise :class:`~accord.errors.ConstraintError` when no labelling is possible.
    """

    def __init__(
        self,
        layers: Sequence[int],
        *cliques: ArrayLike,
        unary: Sequence[ArrayLike | None] | None = None,
        joint: ArrayLike | None = None,
        length: int | None = None,
    ) -> None:
        if not layers or min(layers) < 1:
            raise ValueError(f"layers must be numbers of labels, not {list(layers)}")
        self.layers = tuple(int(size) for size in layers)
        self._count = len(self.layers)
        if len(cliques) != self._count:
            raise ValueError(f"{self._count} layers have as many cliques, not {len(cliques)}")
        given = [None] * self._count if unary is None else list(unary)
        if len(given) != self._count:
            raise ValueError(f"unary must have one entry a layer, {self._count}, not {len(given)}")
        tables = [
            _array(value, f"cliques[{layer}]", clique_shape(self.layers, layer)) for layer, value in enumerate(cliques)
        ]
        rows = [
            None if value is None else _array(value, f"unary[{layer}]", (size,), each=True)
            for layer, (value, size) in enumerate(zip(given, self.layers, strict=True))
        ]
        together = None if joint is None else _array(joint, "joint", self.layers, each=True)
        lengths = {len(array) for array in (*rows, together) if array is not None}
        lengths |= {len(table) + 1 for table in tables if table.ndim == self._count + 2}
        lengths |= set() if length is None else {length}
        if len(lengths) != 1 or min(lengths) < 0:
            told = f"tell different lengths: {sorted(lengths)}" if lengths else "do not tell the length: give length="
            raise ValueError(f"the scores {told}")
        self.length = lengths.pop()
        self._chain = self._wired(tables, rows, together)

    def _wired(self, tables: list[Floats], rows: list[Floats | None], together: Floats | None) -> Chain:
        count, positions = self._count, self._count * self.length
        if count == 1 and together is not None:  # all labels of an element are its one label
            rows = [together if rows[0] is None else rows[0] + together]
            together = None
        zeros = [np.zeros(size) for size in self.layers]
        unary = [
            zeros[layer] if (row := rows[layer]) is None else row[element]
            for element in range(self.length)
            for layer in range(count)
        ]
        # By position: the last layer of an element remembers all its labels.
        memory = [
            None if together is None or at % count != count - 1 else together[at // count]
            for at in range(count - 1, positions)
        ]
        cliques = [_at(tables[at % count], at // count - 1, count) for at in range(count, positions)]
        return Chain.of_order(count, unary, memory, cliques)

    @property
    def chain(self) -> Chain:
        """The chain of the interleaved layers, with all its methods."""
        return self._chain

    @property
    def operations(self) -> int:
        """How many products one pass forms; for two layers (|S| + |T|) |S| |T| an element after the first."""
        return self._chain.operations

    def argmax(self) -> LayeredLabelling:
        """The best labelling of all layers."""
        best = self._chain.argmax()
        return LayeredLabelling(self._by_layer(best.labels), best.score)

    def kbest(self, k: int) -> list[LayeredLabelling]:
        """The k best distinct labellings, best first; fewer only if fewer exist."""
        return [LayeredLabelling(self._by_layer(each.labels), each.score) for each in self._chain.kbest(k)]

    def log_partition(self) -> float:
        """log of the sum of exp(score) over all labellings."""
        return self._chain.log_partition()

    def marginals(self) -> tuple[Floats, ...]:
        """Probability of each label, one array a layer: ``(l, S)`` and ``(l, T)``."""
        rows = self._chain.table_marginals(1)
        return tuple(_stacked(rows[layer :: self._count], (size,)) for layer, size in enumerate(self.layers))

    def joint_marginals(self) -> Floats:
        """Probability of all labels of an element together: ``(l, S, T)``."""
        return _stacked(self._chain.table_marginals(self._count)[:: self._count], self.layers)

    def clique_marginals(self) -> tuple[Floats, ...]:
        """Probability of the cliques, one array a layer: like phi, ``(l-1, S, T, S)``, and like psi."""
        tables = self._chain.table_marginals(self._count + 1)
        return tuple(
            _stacked(tables[layer :: self._count], clique_shape(self.layers, layer)) for layer in range(self._count)
        )

    def sample(self, count: int, *, seed: int = 0) -> NDArray[np.int32]:
        """Exact independent samples: ``(count, m, l)`` labels. The i-th depends on the seed and i alone."""
        labels = self._chain.sample(count, seed=seed)
        return np.ascontiguousarray(labels.reshape(count, self.length, self._count).transpose(0, 2, 1))

    def entropy(self) -> float:
        """Shannon entropy in nats."""
        return self._chain.entropy()

    def score(self, layers: ArrayLike) -> float:
        """The score of labels of all layers, ``(m, l)``."""
        return self._chain.score(self._joined(layers))

    def probability(self, layers: ArrayLike) -> float:
        """P(labelling)."""
        return self._chain.probability(self._joined(layers))

    def _joined(self, layers: ArrayLike) -> NDArray[np.int64]:
        array = np.asarray(layers)
        wanted = (self._count, self.length)
        if array.shape != wanted or not (np.issubdtype(array.dtype, np.integer) or array.size == 0):
            raise ValueError(f"labels must be integers of shape {wanted}, not {array.shape}")
        return array.astype(np.int64).T.ravel()

    def _by_layer(self, labels: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.ascontiguousarray(labels.reshape(-1, self._count).T)


def _stacked(tables: list[Floats], shape: tuple[int, ...]) -> Floats:
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


def _at(table: Floats, element: int, layers: int) -> Floats:
    return table if table.ndim == layers + 1 else table[element]


def __getattr__(name: str) -> Any:
    if name == "InterleavedChain":
        warnings.warn("InterleavedChain is now JointChain", DeprecationWarning, stacklevel=2)
        return JointChain
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
