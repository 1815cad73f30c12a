# SPDX-License-Identifier: Apache-2.0
"""McNemar's test: published figures, enumeration of all outcomes, and what symmetry demands."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import FormatError
from accord.evaluation import McNemar, mcnemar


def test_a_worked_example() -> None:
    test = McNemar(only_first=121, only_second=59)
    assert test.chi_square == pytest.approx(61**2 / 180)
    assert test.approximate == pytest.approx(5.45e-6, rel=0.01)
    assert test.exact == pytest.approx(4.43e-6, rel=0.01)


def test_answers_are_compared_question_by_question() -> None:
    test = mcnemar([True, True, False, False, True], [True, False, True, False, False])
    assert test == McNemar(2, 1)
    assert test.to_json()["exact"] == 1.0


def test_systems_that_never_differ_are_not_told_apart() -> None:
    assert (McNemar(0, 0).exact, McNemar(0, 0).chi_square, McNemar(0, 0).approximate) == (1.0, 0.0, 1.0)
    assert McNemar(1, 1).chi_square == 0.0


def test_many_questions_are_no_trouble() -> None:
    assert McNemar(3000, 2000).exact < 1e-40
    assert McNemar(2500, 2500).exact == 1.0


def test_different_numbers_of_answers_are_refused() -> None:
    with pytest.raises(FormatError, match="same number of questions"):
        mcnemar([True], [True, False])


@given(st.integers(0, 5), st.integers(0, 5))
def test_exact_is_the_share_of_outcomes_at_least_as_uneven(first: int, second: int) -> None:
    trials = first + second
    outcomes = [sum(outcome) for outcome in product((0, 1), repeat=trials)]
    uneven = [heads for heads in outcomes if abs(2 * heads - trials) >= abs(first - second)]
    assert McNemar(first, second).exact == pytest.approx(len(uneven) / len(outcomes))


@given(st.integers(0, 300), st.integers(0, 300))
def test_the_order_of_the_systems_does_not_matter(first: int, second: int) -> None:
    one, other = McNemar(first, second), McNemar(second, first)
    assert (one.exact, one.chi_square, one.approximate) == (other.exact, other.chi_square, other.approximate)
    assert 0 <= one.exact <= 1
    if first + second >= 50:
        assert one.approximate == pytest.approx(one.exact, abs=0.02)
