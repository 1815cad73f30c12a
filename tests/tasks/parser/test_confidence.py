# SPDX-License-Identifier: Apache-2.0
"""Confidences of arcs: the slope and shift that dev data fit, what they do to probabilities, how files keep them."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import ModelError
from accord.evaluation.calibration import calibration
from accord.tasks.parser import Parser, ParserConfig, ParserModel
from accord.tasks.parser.confidence import LEAST_SLOPE, Confidence, fit_confidence
from accord.tasks.parser.training import train_parser
from tests.conftest import toy_document

SLOPES = st.floats(LEAST_SLOPE, 100)
SHIFTS = st.floats(-50, 50)


@pytest.fixture(scope="module")
def model() -> ParserModel:
    config = ParserConfig(order=1, epochs=2, arc_bits=12, label_bits=10, threads=1)
    return train_parser(toy_document(60, 1), toy_document(30, 2), config).model


@given(SLOPES, SHIFTS, st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_the_order_of_arcs_stays(slope: float, shift: float, given: list[float]) -> None:
    probability = np.sort(np.array([0.0, *given, 1.0]))
    found = Confidence(slope, shift).of(probability)
    assert np.isfinite(found).all() and found[0] == 0 and found[-1] == 1
    assert (np.diff(found) >= -1e-12).all()


@given(st.floats(0.1, 10), st.floats(-5, 5), st.floats(1e-6, 1 - 1e-6))
def test_the_logarithm_of_the_odds_is_a_line(slope: float, shift: float, p: float) -> None:
    odds = slope * math.log(p / (1 - p)) + shift
    assert Confidence(slope, shift).of(np.array([p]))[0] == pytest.approx(1 / (1 + math.exp(-odds)), rel=1e-6)


def test_one_and_zero_change_nothing() -> None:
    probability = np.linspace(0, 1, 101)
    assert Confidence().of(probability) == pytest.approx(probability)


@pytest.mark.parametrize("truth", [Confidence(0.6, 0.3), Confidence(1.0, 0.0), Confidence(1.7, -0.8)])
def test_the_fit_finds_what_made_the_answers(truth: Confidence) -> None:
    chance = np.random.default_rng(5)
    probability = chance.beta(3, 1, 40_000)
    right = chance.random(40_000) < truth.of(probability)
    found = fit_confidence(probability, right)
    assert found.slope == pytest.approx(truth.slope, abs=0.05) and found.shift == pytest.approx(truth.shift, abs=0.05)
    assert calibration(found.of(probability), right).ece < 0.01


@pytest.mark.parametrize("right", [True, False])
def test_answers_that_are_all_alike_leave_finite_numbers(right: bool) -> None:
    probability = np.array([1.0, 0.9, 0.5, 0.0])
    found = fit_confidence(probability, np.full(4, right))
    assert found.slope >= LEAST_SLOPE and math.isfinite(found.shift) and (found.shift > 0) == right


def test_no_other_numbers_near_are_more_probable() -> None:
    chance = np.random.default_rng(8)
    probability, right = chance.random(300), chance.random(300) < 0.6
    found = fit_confidence(probability, right)

    def loss(one: Confidence) -> float:
        q = one.of(np.clip(probability, 1e-6, 1 - 1e-6))
        return -float(np.log(np.where(right, q, 1 - q)).sum()) + ((one.slope - 1) ** 2 + one.shift**2) / 2

    for slope, shift in ((0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01)):
        assert loss(found) < loss(Confidence(max(found.slope + slope, LEAST_SLOPE / 2), found.shift + shift))


def test_training_fits_them_and_they_are_written(model: ParserModel) -> None:
    assert len(model.confidences) == 2
    bent = dataclasses.replace(model, confidences=(Confidence(0.5, 0.2), Confidence(0.4, 3.0)))
    document = toy_document(5, 3)
    trees = Parser(bent).trees(document, probabilities=True)
    plain = Parser(dataclasses.replace(model, confidences=())).trees(document, probabilities=True)
    assert (trees.arc_probability == plain.arc_probability).all()  # those of the model stay exact
    heads, arcs = Parser(bent).arc_confidences(trees)
    assert heads == pytest.approx(Confidence(0.5, 0.2).of(trees.arc_probability)) and (arcs <= heads).all()
    words = [word for sentence in Parser(bent).parse(document, probabilities=True).sentences for word in sentence.words]
    written = [dict(part.split("=") for part in word.misc.split("|") if "Conf" in part) for word in words]
    assert [float(one["ArcConf"]) for one in written] == pytest.approx(heads.tolist(), abs=1e-4)
    assert [float(one["LabelConf"]) for one in written] == pytest.approx(arcs.tolist(), abs=1e-4)


def test_a_file_keeps_them(model: ParserModel, tmp_path: Path) -> None:
    model.save(tmp_path / "m.accord")
    assert ParserModel.load(tmp_path / "m.accord").confidences == model.confidences


@pytest.mark.parametrize(
    "wrong", [[], 3, [[1.0]], [[1.0, 0.0]] * 3, [[0.0, 0.0]], [[1.0, 1e9]], [["1", 0.0]], [[True, 0.0]], [None]]
)
def test_confidences_that_are_none_are_refused(wrong: Any, model: ParserModel) -> None:
    header, arrays = model.to_blocks()
    with pytest.raises(ModelError, match=r"confidence|a number from"):
        ParserModel.from_blocks({**header, "confidences": wrong}, arrays, "m.accord")
