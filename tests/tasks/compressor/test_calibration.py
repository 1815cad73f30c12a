# SPDX-License-Identifier: Apache-2.0
"""Compressions without a budget are as long as those of people."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from accord.tasks.compressor import Compressor, CompressorModel
from accord.tasks.compressor.budget import Budget
from accord.tasks.compressor.calibration import calibrated
from accord.tasks.compressor.preparing import Instance
from accord.tasks.compressor.task import TASK
from accord.tasks.compressor.training import prepared, train_compressor
from accord.tasks.pipeline import Pipeline

EXAMPLE = TASK.example()


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline.load("en")


def shares(model: CompressorModel, instances: list[Instance], pipeline: Pipeline) -> float:
    compressor = Compressor(model, pipeline)
    return float(np.concatenate([compressor.kept(one.analysis).kept for one in instances]).mean())


@pytest.mark.parametrize("method", ["relaxed", "bigram", "tree", "status", "status_bigram", "crf"])
@pytest.mark.parametrize("share", [0.3, 0.8])
def test_the_bonus_of_kept_words_meets_the_rate_of_people(
    method: str, share: float, pipeline: Pipeline, tmp_path: Path
) -> None:
    settings = dataclasses.replace(EXAMPLE.settings, method=method, epochs=3, folds=2, candidates=5)
    model = train_compressor(EXAMPLE.training, None, settings).model
    instances = [
        dataclasses.replace(one, kept=np.arange(len(one.kept)) < share * len(one.kept))
        for one in prepared(EXAMPLE.training, settings, pipeline).instances
    ]
    gold = float(np.concatenate([one.kept for one in instances]).mean())
    found = calibrated(model, instances)
    far, near = (abs(shares(one, instances, pipeline) - gold) for one in (model, found))
    words = sum(len(one.kept) for one in instances)
    assert near <= far and near < max(0.15, 3 / words)
    found.save(tmp_path / "model.accord")
    assert Compressor.load(tmp_path / "model.accord").model.length_bonus == found.length_bonus
    rate = [Compressor(one, pipeline).kept(instances[0].analysis, _half()).kept.sum() for one in (model, found)]
    assert rate[0] == rate[1], "a budget leaves no room for the bonus"


def _half() -> Budget:
    return Budget(rate=0.5)
