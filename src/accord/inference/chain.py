# SPDX-License-Identifier: Apache-2.0
"""First- and second-order chains of labels; see :mod:`accord.inference.chains`."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import chains as _core
from accord.errors import ConstraintError
from accord.inference import _chain_tables as _tables
from accord.inference.schemes import Scheme

NO_LABELLING = "no labelling satisfies the forbidden and required labels"

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Labelling:
    """One label a position, and the score."""

    labels: NDArray[np.int32]
    score: float


class Chain:
    """A first- or second-order chain.

    Parameters
    ----------
    unary:
        ``(n, L)`` scores, or a list of n arrays where positions have different numbers of labels. NaN and +inf are a
        ValueError.
    transitions:
        ``(L, L)`` for all neighbours, ``(n-1, L, L)``, or a list of n-1 tables (None: zeros); row = the label before.
    second:
        ``(L, L, L)``, ``(n-2, L, L, L)`` or a list of n-2 tables: makes the chain a second-order one.
    allowed:
        Boolean, like ``unary``: False labels may not be used.
    scheme:
        A :class:`Scheme` over the L labels: pairs, starts and ends that it does not know may not be used.
    start, end:
        Scores of the first and the last label, added to ``unary``.

    Methods raise :class:`~accord.errors.ConstraintError` when no labelling is possible.
    """

    def __init__(
        self,
        unary: ArrayLike | Sequence[ArrayLike],
        transitions: ArrayLike | Sequence[ArrayLike | None] | None = None,
        *,
        second: ArrayLike | Sequence[ArrayLike | None] | None = None,
        allowed: ArrayLike | Sequence[ArrayLike] | None = None,
        scheme: Scheme | None = None,
        start: ArrayLike | None = None,
        end: ArrayLike | None = None,
    ) -> None:
        self._sizes, scores = _tables.unary_scores(unary)
        if scheme is not None:
            transitions = self._within(scheme, transitions)
        self._pairs = _tables.neighbour_tables(transitions, self._sizes, 1, "transitions")
        self._triples = _tables.neighbour_tables(second, self._sizes, 2, "second")
        self._order = 1 if second is None else 2
        if len(self):
            self._add_ends(scores := scores.copy(), scheme, start, end)
        if allowed is not None:
            scores = np.where(_tables.allowed_mask(allowed, self._sizes), scores, -np.inf)
        self._set_unary(scores)

    def _within(self, scheme: Scheme, transitions: ArrayLike | Sequence[ArrayLike | None] | None) -> Floats:
        labels = len(scheme.labels)
        if (self._sizes != labels).any():
            raise ValueError(f"the scheme has {labels} labels: every position must have as many unary scores")
        table = np.zeros((labels, labels)) if transitions is None else np.asarray(transitions, dtype=np.float64)
        if table.shape[-2:] != (labels, labels):
            raise ValueError(f"transitions must end with {(labels, labels)}, not {table.shape}")
        return np.where(scheme.follows, table, -np.inf)

    def _add_ends(self, scores: Floats, scheme: Scheme | None, start: ArrayLike | None, end: ArrayLike | None) -> None:
        first, last = scores[: self._sizes[0]], scores[-self._sizes[-1] :]
        if start is not None:
            first += _tables.label_row(start, len(first), "start")
        if end is not None:
            last += _tables.label_row(end, len(last), "end")
        if scheme is not None:
            first[~scheme.starts] = -np.inf
            last[~scheme.ends] = -np.inf

    def _set_unary(self, scores: Floats) -> None:
        self._unary = scores
        self.native = _core.Chain(self._sizes, scores, self._order, *self._pairs, *self._triples)

    @classmethod
    def of_order(
        cls,
        order: int,
        unary: Sequence[ArrayLike],
        memory: Sequence[ArrayLike | None],
        cliques: Sequence[ArrayLike | None],
    ) -> Chain:
        """A chain of any order: scores of labels, of ``order`` labels in a row, and of one more.

        Lists have one table for each position that has as many before it; None: zeros. The methods that speak of pairs
        and triples are for orders 1 and 2; ``table_marginals`` has those of the tables of every order.

        >>> tables = [np.zeros((2, 2, 2, 2))] * 3
        >>> round(math.exp(Chain.of_order(3, np.zeros((6, 2)), [None] * 4, tables).log_partition()))
        64
        """
        if order < 1:
            raise ValueError(f"the order of a chain is at least 1, not {order}")
        chain = cls.__new__(cls)
        chain._sizes, scores = _tables.unary_scores(list(unary))
        chain._order = order
        pairs, triples = (list(cliques), None) if order == 1 else (list(memory), list(cliques))
        chain._pairs = _tables.neighbour_tables(pairs, chain._sizes, max(order - 1, 1), "memory")
        chain._triples = _tables.neighbour_tables(triples, chain._sizes, max(order, 2), "cliques")
        chain._set_unary(scores)
        return chain

    def table_marginals(self, labels: int) -> list[Floats]:
        """Probability of so many labels in a row, as one table a position: 1, the order of the chain, or one more."""
        return _tables.split_tables(self._expectations(labels - 1), self._sizes, labels - 1)

    def __len__(self) -> int:
        return len(self._sizes)

    @property
    def sizes(self) -> list[int]:
        """The number of labels of each position."""
        return [int(size) for size in self._sizes]

    @property
    def operations(self) -> int:
        """How many (history, label) products one pass over the chain forms.

        >>> Chain(np.zeros((5, 3)), np.zeros((3, 3))).operations  # four steps of 3 x 3
        36
        """
        return int(self.native.operations())

    def argmax(self) -> Labelling:
        """The best labelling; of equal ones, always the same.

        >>> Chain([[0.0, 1.0], [3.0, 0.0]], scheme=Scheme("BI", ["B", "I"])).argmax().labels
        array([0, 0], dtype=int32)
        """
        value, labels = self.native.argmax()
        if np.isneginf(value):
            raise ConstraintError(NO_LABELLING)
        return Labelling(labels, value)

    def kbest(self, k: int) -> list[Labelling]:
        """The k best distinct labellings, best first; fewer only if fewer exist.

        >>> [labelling.score for labelling in Chain([[0.0, 1.0], [3.0, 0.0]]).kbest(3)]
        [4.0, 3.0, 1.0]
        """
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        values, labels = self.native.kbest(min(k, 2**31 - 1))
        if len(values) == 0:
            raise ConstraintError(NO_LABELLING)
        return [Labelling(row, float(value)) for value, row in zip(values, labels, strict=True)]

    def log_partition(self) -> float:
        """log of the sum of exp(score) over all labellings.

        >>> round(math.exp(Chain(np.zeros((4, 3))).log_partition()))
        81
        """
        return self._log_partition

    def marginals(self) -> Floats | list[Floats]:
        """Probability of each label, like ``unary``.

        >>> Chain([[0.0, 0.0], [0.0, 0.0, 0.0]]).marginals()[1].round(3)
        array([0.333, 0.333, 0.333])
        """
        return self.shaped(self._expectations(0), 0)

    def pair_marginals(self) -> Floats | list[Floats]:
        """Probability of each pair of neighbouring labels: ``(n-1, L, L)``, or a list of tables.

        >>> Chain(np.zeros((3, 2)), [[0.0, -np.inf], [0.0, 0.0]]).pair_marginals()[0]
        array([[0.25, 0.  ],
               [0.25, 0.5 ]])
        """
        return self.shaped(self._expectations(1), 1)

    def triple_marginals(self) -> Floats | list[Floats]:
        """Probability of three labels in a row, of a second-order chain: ``(n-2, L, L, L)``, or a list of tables."""
        return self.shaped(self._expectations(2), 2)

    def max_marginals(self) -> Floats | list[Floats]:
        """The score of the best labelling that has each label, like ``unary``.

        >>> Chain([[0.0, 1.0], [3.0, 0.0]]).max_marginals()
        array([[3., 4.],
               [4., 1.]])
        """
        self.log_partition()
        return self.shaped(self.native.max_marginals(), 0)

    def posterior(self) -> NDArray[np.int32]:
        """The label of largest marginal at each position. Together they may be a forbidden labelling.

        >>> chain = Chain(np.zeros((2, 2)), [[np.log(4), -np.inf], [np.log(3), np.log(3)]])  # P = .4, 0, .3, .3
        >>> chain.posterior(), chain.argmax().labels
        (array([1, 0], dtype=int32), array([0, 0], dtype=int32))
        """
        self.log_partition()
        labels: NDArray[np.int32] = self.native.posterior()
        return labels

    def sample(self, count: int, *, seed: int = 0) -> NDArray[np.int32]:
        """Exact independent samples: ``(count, n)`` labels. The i-th row depends on the seed and i alone.

        >>> Chain(np.zeros((4, 3))).sample(100, seed=1).shape
        (100, 4)
        """
        self.log_partition()
        labels: NDArray[np.int32] = self.native.sample(count, seed % 2**64)
        return labels

    def entropy(self) -> float:
        """Shannon entropy in nats.

        >>> round(math.exp(Chain(np.zeros((4, 3))).entropy()), 6)
        81.0
        """
        self.log_partition()
        return float(self.native.entropy())

    def expected_score(self) -> float:
        """The mean score of a labelling.

        >>> round(Chain([[0.0, 4.0], [2.0, 2.0]], scheme=Scheme("BI", ["B", "I"])).expected_score(), 6)
        2.0
        """
        self.log_partition()
        return float(self.native.expected_score())

    def score(self, labels: ArrayLike) -> float:
        """The score of a labelling.

        >>> Chain([[0.0, 1.0], [3.0, 0.0]], [[0.0, 0.0], [0.5, 0.0]]).score([1, 0])
        4.5
        """
        return float(self.native.score(_as_labels(labels)))

    def log_probability(self, labels: ArrayLike) -> float:
        """log P(labelling)."""
        return self.score(labels) - self.log_partition()

    def probability(self, labels: ArrayLike) -> float:
        """P(labelling).

        >>> Chain(np.zeros((2, 2))).probability([0, 1])
        0.25
        """
        return math.exp(min(self.log_probability(labels), 0.0))

    def span_probability(self, begin: int, labels: ArrayLike) -> float:
        """P(positions begin, begin+1, ... have these labels): how sure one can be of a segment.

        >>> chain = Chain(np.zeros((4, 3)), scheme=Scheme("BIO", ["B-X", "I-X", "O"]))
        >>> round(chain.span_probability(1, [0, 1]), 3)  # 6 of 34 labellings
        0.176
        """
        self.log_partition()
        return math.exp(self.native.log_span_probability(begin, _as_labels(labels)))

    def constrain(self, known: _tables.Known) -> Chain:
        """The chain given, a position, a label or a set of labels; -1 or None where nothing is known.

        >>> Chain([[0.0, 1.0], [3.0, 0.0]]).constrain([-1, 1]).argmax().labels
        array([1, 1], dtype=int32)
        """
        given = copy.copy(self)
        given.__dict__.pop("_log_partition", None)
        given._set_unary(np.where(_tables.known_mask(known, self._sizes), self._unary, -np.inf))
        given.argmax()
        return given

    def with_bonus(self, bonus: ArrayLike) -> Chain:
        """The chain with numbers of the shape of its unary scores added to them; ``-inf`` forbids a label.

        >>> Chain([[0.0, 1.0], [3.0, 0.0]]).with_bonus([[2.0, 0.0], [0.0, 0.0]]).argmax()
        Labelling(labels=array([0, 0], dtype=int32), score=5.0)
        """
        given = copy.copy(self)
        given.__dict__.pop("_log_partition", None)
        given._set_unary(self._unary + np.asarray(bonus, np.float64).reshape(-1))
        return given

    @cached_property
    def _log_partition(self) -> float:
        value = float(self.native.log_partition())
        if np.isneginf(value):
            raise ConstraintError(NO_LABELLING)
        return value

    def _expectations(self, reach: int) -> Floats:
        value, flat = self.native.expectations(reach)
        if np.isneginf(value):
            raise ConstraintError(NO_LABELLING)
        expected: Floats = flat
        return expected

    def shaped(self, flat: Floats, reach: int) -> Floats | list[Floats]:
        """The core's row of numbers as one array, or as one a position."""
        labels = int(self._sizes[0]) if len(self) else 1
        if (self._sizes == labels).all():
            return flat.reshape(max(len(self) - reach, 0), *(labels,) * (reach + 1))
        return _tables.split_tables(flat, self._sizes, reach)


def _as_labels(labels: ArrayLike) -> NDArray[np.int32]:
    array = np.asarray(labels)
    if array.size == 0:
        return np.zeros(0, dtype=np.int32)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise ValueError("labels must be a row of integers")
    return np.ascontiguousarray(np.clip(array, -1, 2**31 - 1), dtype=np.int32)
