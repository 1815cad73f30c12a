# SPDX-License-Identifier: Apache-2.0
"""Weights that change in few places at a time, and their average over all steps.

With weights w = s v, the sum of all w so far is kept as beta v + u. A step that shrinks w changes s alone, and a step
that adds something to some entries changes v and u there alone, so that no step touches all entries.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError

Index = NDArray[np.uint32]


class AveragedWeights:
    """A vector of weights that is changed in few places at a time, and its average over all steps."""

    def __init__(self, size: int) -> None:
        self.values = np.zeros(size)  # v
        self._offset = np.zeros(size)  # u
        self._scale = 1.0  # s
        self._summed = 0.0  # beta
        self._steps = 0

    @property
    def scale(self) -> float:
        return self._scale

    def step(self, index: Index, amounts: NDArray[np.float64], shrink: float = 1.0) -> None:
        """w := shrink · w + the amounts; then count w into the average."""
        self._scale *= shrink
        if self._scale < 1e-9:
            self._rescale()
        if len(index):
            change = amounts / self._scale
            np.add.at(self.values, index, change)
            np.add.at(self._offset, index, -self._summed * change)
        self._summed += self._scale
        self._steps += 1

    def average(self) -> NDArray[np.float64]:
        return (self._summed * self.values + self._offset) / max(self._steps, 1)

    def current(self) -> NDArray[np.float64]:
        """The weights after the last step."""
        return self.values * self._scale

    def _rescale(self) -> None:
        total = self._summed * self.values + self._offset
        self.values *= self._scale
        self._offset = total
        self._scale, self._summed = 1.0, 0.0

    def save(self) -> list[NDArray[np.uint8]]:
        state = np.array([self._scale, self._summed, float(self._steps)])
        return [array.view(np.uint8).copy() for array in (self.values, self._offset, state)]

    def load(self, blocks: Sequence[NDArray[np.uint8]]) -> None:
        if len(blocks) != 3 or blocks[0].nbytes != self.values.nbytes:
            raise ConfigError("cannot resume: the checkpoint is of another size")
        self.values, self._offset, state = (np.array(block).view(np.float64).copy() for block in blocks)
        self._scale, self._summed, self._steps = float(state[0]), float(state[1]), int(state[2])
