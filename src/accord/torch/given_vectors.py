# SPDX-License-Identifier: Apache-2.0
"""Word vectors that are given and not learnt, as one more summand of a word: W v, with W learnt.

The vectors are brought to entries of size one first, so that W starts alike whatever their scale. A finished model
holds the table of all W v, so ``core/neural`` reads it as it reads any other.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional


class GivenVectors(nn.Module):
    """A frozen table of word vectors and a learnt linear map of them; row 0, that of unknown words, is zero."""

    table: Tensor

    def __init__(self, vectors: NDArray[np.float32], width: int) -> None:
        super().__init__()
        scale = float(np.sqrt(np.mean(np.square(vectors, dtype=np.float64)))) or 1.0
        table = np.pad(vectors / np.float32(scale), ((1, 0), (0, 0)))
        self.register_buffer("table", torch.from_numpy(table), persistent=False)
        self.map = nn.Parameter(torch.randn(width, vectors.shape[1]) * 0.1 / vectors.shape[1] ** 0.5)

    def forward(self, numbers: Tensor, starts: Tensor) -> Tensor:
        return functional.linear(functional.embedding_bag(numbers, self.table, starts, mode="sum"), self.map)

    def mapped(self) -> Tensor:
        """The table that gives the same by look-ups alone."""
        return functional.linear(self.table, self.map)
