# SPDX-License-Identifier: Apache-2.0
"""Distributions over label sequences on numpy arrays.

A chain of n positions gives each position one of its labels. Its score is the sum of ``unary[i, y_i]``,
``transitions[y_{i-1}, y_i]`` and, at second order, ``second[y_{i-2}, y_{i-1}, y_i]``; ``-inf`` forbids. The
probability of a labelling is proportional to exp(score):

>>> import numpy as np
>>> unary = np.array([[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
>>> chain = Chain(unary, transitions=[[1.0, 0.0], [0.0, 1.0]])
>>> chain.argmax()
Labelling(labels=array([0, 0, 0], dtype=int32), score=4.0)
>>> chain.marginals().round(3)
array([[0.827, 0.173],
       [0.434, 0.566],
       [0.47 , 0.53 ]])

Everything is exact. Best labelling, sums and marginals cost O(n L^2), at second order O(n L^3); sums keep their digits
whatever the size of the scores. See :class:`~accord.inference.lattices.Lattice` for segments and
:class:`~accord.inference.joint.JointChain` for layers of labels.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import chains as _core
from accord.errors import ConstraintError
from accord.inference.chain import NO_LABELLING, Chain, Labelling
from accord.inference.joint import JointChain, LayeredLabelling
from accord.inference.lattices import Lattice, Path, UnigramSegmenter
from accord.inference.schemes import SCHEMES, Scheme

__all__ = [
    "SCHEMES",
    "Chain",
    "JointChain",
    "Labelling",
    "Lattice",
    "LayeredLabelling",
    "Path",
    "Scheme",
    "UnigramSegmenter",
    "argmax_batch",
    "log_partition_batch",
    "marginals_batch",
]

Floats = NDArray[np.float64]


def argmax_batch(batch: Iterable[Chain], *, threads: int = 0) -> list[Labelling]:
    """The best labelling of each chain, on ``threads`` threads (0: one per processor); see :meth:`Chain.argmax`.

    >>> [found.labels.tolist() for found in argmax_batch([Chain([[0.0, 1.0]]), Chain([[1.0], [1.0]])])]
    [[1], [0, 0]]
    """
    values, labels = _core.argmax_batch([chain.native for chain in batch], threads)
    _check_batch(values)
    return [Labelling(row, float(value)) for value, row in zip(values, labels, strict=True)]


def log_partition_batch(batch: Iterable[Chain], *, threads: int = 0) -> Floats:
    """The log-partition of each chain; see :func:`argmax_batch`."""
    values: Floats = _core.log_partition_batch([chain.native for chain in batch], threads)
    _check_batch(values)
    return values


def marginals_batch(batch: Iterable[Chain], *, threads: int = 0) -> list[Floats | list[Floats]]:
    """The marginals of each chain; see :func:`argmax_batch`."""
    chains = list(batch)
    values, tables = _core.expectations_batch([chain.native for chain in chains], 0, threads)
    _check_batch(values)
    return [chain.shaped(table, 0) for chain, table in zip(chains, tables, strict=True)]


def _check_batch(values: Floats) -> None:
    impossible = np.flatnonzero(np.isneginf(values))
    if len(impossible):
        raise ConstraintError(f"chain {impossible[0]}: {NO_LABELLING}")


def __getattr__(name: str) -> Any:
    if name == "InterleavedChain":
        warnings.warn("InterleavedChain is now JointChain", DeprecationWarning, stacklevel=2)
        return JointChain
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
