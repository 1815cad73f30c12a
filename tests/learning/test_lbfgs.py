# SPDX-License-Identifier: Apache-2.0
"""L-BFGS on a function whose least point is known."""

from __future__ import annotations

import numpy as np
import pytest

from accord.learning.lbfgs import lbfgs


def test_lbfgs_finds_the_bottom_of_a_narrow_valley() -> None:
    def rosenbrock(x: np.ndarray) -> tuple[float, np.ndarray]:
        slope = np.array([-400 * x[0] * (x[1] - x[0] ** 2) - 2 * (1 - x[0]), 200 * (x[1] - x[0] ** 2)])
        return float(100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2), slope

    found = lbfgs(rosenbrock, np.array([-1.2, 1.0]), iterations=500, tolerance=1e-16)
    assert found == pytest.approx([1, 1], abs=1e-4)
