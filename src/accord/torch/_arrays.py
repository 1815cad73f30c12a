# SPDX-License-Identifier: Apache-2.0
"""Tensors as the core reads them, and its answers as tensors; checks of shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from accord.errors import ConstraintError

Doubles: TypeAlias = NDArray[np.float64]
#: Words of each sentence: a tensor of integers, or any sequence of them.
Lengths: TypeAlias = "torch.Tensor | Sequence[int]"


def checked(scores: torch.Tensor, dimensions: int, shape: str) -> torch.Tensor:
    """The scores, if they are a floating-point tensor of so many dimensions."""
    if not isinstance(scores, torch.Tensor) or not scores.is_floating_point():
        raise ValueError("scores must be a tensor of floating-point numbers")
    if scores.ndim != dimensions:
        raise ValueError(f"scores must have the shape {shape}, not {tuple(scores.shape)}")
    return scores


def to_numpy(tensor: torch.Tensor) -> Doubles:
    """A tensor in double precision on the CPU; no copy if it is that already."""
    array: Doubles = tensor.detach().to("cpu", torch.float64).contiguous().numpy()
    return array


def like(array: Doubles, tensor: torch.Tensor) -> torch.Tensor:
    """An answer of the core on the device and in the precision of a tensor."""
    return torch.from_numpy(array).to(tensor)


def checked_lengths(lengths: Lengths | None, sentences: int, longest: int) -> NDArray[np.int64]:
    """The number of words of each sentence; none given: all are as long as the array allows."""
    if lengths is None:
        return np.full(sentences, longest, dtype=np.int64)
    given = lengths.detach().cpu().numpy() if isinstance(lengths, torch.Tensor) else np.asarray(lengths)
    if given.shape != (sentences,) or (given.size and not np.issubdtype(given.dtype, np.integer)):
        raise ValueError(f"lengths must be {sentences} integers, one a sentence")
    if given.size and (given.min() < 0 or given.max() > longest):
        raise ValueError(f"lengths must lie in 0..{longest}")
    return np.ascontiguousarray(given, dtype=np.int64)


def check_possible(values: Doubles, what: str) -> Doubles:
    """The values, unless one says that its sentence has no structure at all."""
    impossible = np.flatnonzero(np.isneginf(values))
    if len(impossible):
        raise ConstraintError(f"sentence {impossible[0]} of the batch: {what}")
    return values
