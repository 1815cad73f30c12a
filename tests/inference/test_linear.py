# SPDX-License-Identifier: Apache-2.0
"""Programs through HiGHS: optima equal enumeration, bounds bound, budgets and refusals are told apart."""

from __future__ import annotations

import importlib
import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError
from accord.inference import linear


def program(matrix: Any, row_low: Any, row_high: Any, scores: Any, **changes: Any) -> linear.Arrays:
    dense = np.array(matrix, dtype=np.float64).reshape(len(row_low), len(scores))
    rows, columns = np.nonzero(dense)
    arrays: dict[str, Any] = {
        "scores": np.array(scores, dtype=np.float64),
        "low": np.zeros(len(scores)),
        "high": np.ones(len(scores)),
        "integral": np.ones(len(scores), dtype=np.uint8),
        "row_starts": np.searchsorted(rows, np.arange(len(dense) + 1)),
        "columns": columns,
        "coefficients": dense[rows, columns],
        "row_low": np.array(row_low, dtype=np.float64),
        "row_high": np.array(row_high, dtype=np.float64),
    }
    return linear.Arrays(**{**arrays, **changes})


def knapsacks(seed: int, columns: int = 40) -> linear.Arrays:
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 50, size=(5, columns))
    return program(weights, np.full(5, -np.inf), weights.sum(axis=1) / 3, rng.integers(1, 50, size=columns))


def test_without_highs_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ConfigError, match=r"pip install 'accord\[ilp\]'"):
        linear.solve(knapsacks(0), integral=True)


class TestWithHighs:
    @pytest.fixture(autouse=True)
    def highs(self) -> None:
        pytest.importorskip("highspy")

    @settings(max_examples=60, deadline=None)
    @given(seed=st.integers(0, 2**32 - 1))
    def test_optima_equal_enumeration(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        columns, rows = int(rng.integers(1, 7)), int(rng.integers(0, 5))
        matrix = rng.integers(-2, 3, size=(rows, columns))
        row_low = rng.choice([-np.inf, -1.0, 0.0, 1.0], size=rows)
        row_high = np.maximum(row_low, rng.choice([np.inf, 0.0, 1.0, 2.0], size=rows))
        low = (rng.random(columns) < 0.1).astype(np.float64)
        scores = np.round(rng.normal(size=columns), 2)
        p = program(matrix, row_low, row_high, scores, constant=0.5, low=low)
        values = [
            float(scores @ x) + 0.5
            for x in map(np.array, itertools.product((0, 1), repeat=columns))
            if (x >= low).all() and (matrix @ x >= row_low).all() and (matrix @ x <= row_high).all()
        ]
        best = linear.solve(p, integral=True)
        relaxed = linear.solve(p, integral=False)
        if not values:
            assert best.status == "infeasible" and best.value == best.bound == -math.inf and len(best.columns) == 0
            return
        assert best.status == "optimal"
        assert best.value == pytest.approx(max(values), abs=1e-6) and best.bound >= best.value
        assert set(best.columns) <= {0.0, 1.0}
        assert relaxed.value >= best.value - 1e-6 and relaxed.bound >= relaxed.value
        fractional = bool((np.abs(relaxed.columns - np.round(relaxed.columns)) > 1e-6).any())
        assert relaxed.status == ("fractional" if fractional else "optimal")
        if relaxed.status == "optimal":
            assert relaxed.value == pytest.approx(best.value, abs=1e-6)

    @pytest.mark.parametrize("power", [-40, -20, 20, 40])
    def test_scores_of_any_scale_and_constants_change_no_answer(self, power: int) -> None:
        plain = knapsacks(3, 20)
        scaled = linear.Arrays(**{**vars(plain), "scores": plain.scores * 2.0**power, "constant": 2.0**50})
        for integral in (False, True):
            first, other = linear.solve(plain, integral=integral), linear.solve(scaled, integral=integral)
            assert other.status == first.status and other.columns.tolist() == first.columns.tolist()
            assert other.distance == first.distance * 2.0**power
            assert other.bound == pytest.approx(first.bound * 2.0**power + 2.0**50, rel=1e-15)

    def test_a_fractional_vertex_is_called_so(self) -> None:
        # Three variables of which no two may be on together: the relaxation takes half of each.
        pairs = program([[1, 1, 0], [1, 0, 1], [0, 1, 1]], [-np.inf] * 3, [1] * 3, [1, 1, 1])
        relaxed = linear.solve(pairs, integral=False)
        assert relaxed.status == "fractional" and relaxed.value == pytest.approx(1.5)
        np.testing.assert_allclose(relaxed.columns, 0.5)
        assert linear.solve(pairs, integral=True).value == 1.0

    def test_columns_not_marked_stay_continuous(self) -> None:
        half = program([[1, 1]], [-np.inf], [1.5], [1, 1], integral=np.array([1, 0]))
        best = linear.solve(half, integral=True)
        assert best.status == "optimal" and best.value == pytest.approx(1.5)
        np.testing.assert_allclose(best.columns, [1.0, 0.5])

    @pytest.mark.parametrize("integral", [False, True])
    def test_contradictions_are_infeasible(self, integral: bool) -> None:
        for p in (
            program([[1, 1]], [3], [4], [1, 1]),
            program([[1, 1]], [0], [1], [1, 1], low=np.array([1.0, 0.0]), high=np.array([0.0, 1.0])),
            program(np.empty((1, 0)), [1], [1], []),
        ):
            assert linear.solve(p, integral=integral).status == "infeasible"

    def test_no_rows_and_no_columns(self) -> None:
        free = linear.solve(program([], [], [], [2, -1], constant=1.0), integral=True)
        assert (free.status, free.value, free.columns.tolist()) == ("optimal", 3.0, [1.0, 0.0])
        assert linear.solve(program([], [], [], [], constant=1.0), integral=True).value == 1.0

    def test_time_leaves_a_true_bound(self) -> None:
        full = linear.solve(knapsacks(0), integral=True)
        assert full.status == "optimal" and full.value == full.bound
        for integral in (False, True):
            cut = linear.solve(knapsacks(0), integral=integral, time_limit=0.0)
            assert cut.status == "budget" and math.isfinite(cut.bound)
            assert cut.value <= full.value <= cut.bound

    def test_an_allowed_gap_is_used_and_told(self) -> None:
        full = linear.solve(knapsacks(0), integral=True)
        spread = knapsacks(0).scores.sum()
        near = linear.solve(knapsacks(0), integral=True, gap=0.05)
        assert near.status == "optimal" and near.value <= full.value <= near.bound
        assert near.distance == pytest.approx(near.bound - near.value) and near.distance <= 0.05 * spread
        assert near.nodes <= full.nodes

    def test_the_same_program_has_the_same_answer(self) -> None:
        for integral in (False, True):
            first, again = (linear.solve(knapsacks(1), integral=integral) for _ in range(2))
            assert first.columns.tolist() == again.columns.tolist() and first.nodes == again.nodes

    def test_threads_that_somebody_else_started_do_no_harm(self) -> None:
        highspy = importlib.import_module("highspy")
        highspy.Highs.resetGlobalScheduler(True)
        other = highspy.Highs()
        for name, value in {"output_flag": False, "threads": 2}.items():
            other.setOptionValue(name, value)
        other.addVar(0.0, 1.0)
        other.run()
        assert linear.solve(knapsacks(2, 20), integral=True).status == "optimal"
        highspy.Highs.resetGlobalScheduler(True)

    def test_wrong_programs_are_refused(self) -> None:
        good: dict[str, Any] = {"matrix": [[1, 1]], "row_low": [0], "row_high": [1], "scores": [1, 1]}
        for changes, message in (
            ({"low": np.zeros(3)}, "one entry a column"),
            ({"row_starts": np.array([0, 3])}, "row_starts"),
            ({"row_starts": np.array([0])}, "row_low"),
            ({"columns": np.array([0, 2])}, "0..1"),
            ({"columns": np.array([-1, 0])}, "0..1"),
            ({"columns": np.array([1, 1])}, "twice"),
            ({"coefficients": np.array([1.0, np.nan])}, "finite"),
            ({"high": np.array([1.0, np.nan])}, "NaN"),
        ):
            with pytest.raises(ValueError, match=message):
                linear.solve(program(**good, **changes), integral=True)
        with pytest.raises(ValueError, match="unbounded"):
            linear.solve(program(**{**good, "matrix": [[1, 0]]}, high=np.array([1.0, np.inf])), integral=False)
        for wrong in ({"gap": -1.0}, {"gap": math.nan}, {"time_limit": -1.0}, {"time_limit": math.nan}):
            with pytest.raises(ValueError, match=next(iter(wrong))):
                linear.solve(program(**good), integral=True, **wrong)
