# SPDX-License-Identifier: Apache-2.0
"""Averages that are kept lazily equal those of plain vectors."""

from __future__ import annotations

import numpy as np
import pytest

from accord.errors import ConfigError
from accord.tasks.compressor.averaged import AveragedWeights


@pytest.mark.parametrize("shrink", [1.0, 0.9, 1e-4])
def test_the_average_is_the_mean_of_all_vectors(shrink: float) -> None:
    draw = np.random.default_rng(0)
    lazy, plain, total = AveragedWeights(8), np.zeros(8), np.zeros(8)
    for _ in range(40):
        index = draw.integers(0, 8, 3).astype(np.uint32)
        amounts = draw.normal(size=3)
        lazy.step(index, amounts, shrink)
        plain = shrink * plain
        np.add.at(plain, index, amounts)
        total += plain
    assert lazy.current() == pytest.approx(plain)
    assert lazy.average() == pytest.approx(total / 40)
    again = AveragedWeights(8)
    again.load(lazy.save())
    assert again.average().tolist() == lazy.average().tolist()
    with pytest.raises(ConfigError, match="another size"):
        AveragedWeights(4).load(lazy.save())
