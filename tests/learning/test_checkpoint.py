# SPDX-License-Identifier: Apache-2.0
"""Checkpoints: what they hold, and which runs may go on from one."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from accord.errors import ConfigError
from accord.learning import Checkpoint
from accord.models.writing import write_model
from accord.tasks.tokenizer import TokenizerConfig
from tests.tasks.toy_task import TruecaserConfig, TruecaserModel

SETTINGS = TokenizerConfig(epochs=3)


def resumed(checkpoint: Checkpoint, **changes: object) -> Checkpoint:
    settings = dataclasses.replace(checkpoint.settings, **changes)
    return dataclasses.replace(checkpoint, settings=settings, resume=True)


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    checkpoint = Checkpoint.beside(tmp_path / "m.accord", "toy", SETTINGS)
    assert checkpoint.load() is None, "a run that does not resume starts anew"
    weights, model = np.arange(3.0), TruecaserModel(TruecaserConfig(), ("Ana", "Bo"))
    checkpoint.save({"epoch": 2}, {"weights": weights}, {"best": model}, best=model)
    saved = resumed(checkpoint).load()
    assert saved is not None and saved.state == {"epoch": 2}
    assert np.array_equal(saved.arrays["weights"], weights) and list(saved.arrays) == ["weights"]
    found = saved.model("best", TruecaserModel)
    assert found is not None and found.spellings == model.spellings
    assert saved.model("other", TruecaserModel) is None
    assert TruecaserModel.load(tmp_path / "m.accord").spellings == model.spellings
    checkpoint.remove()
    assert not checkpoint.exists()


def test_only_the_length_of_training_and_the_threads_may_change(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "c", "tokenizer", SETTINGS)
    checkpoint.save({}, {})
    assert resumed(checkpoint, epochs=9, patience=1, threads=2).load() is not None
    with pytest.raises(ConfigError, match="cannot resume with another order, seed"):
        resumed(checkpoint, seed=2, order=2).load()


def test_files_that_are_no_checkpoint_of_this_task_are_refused(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "c", "tokenizer", SETTINGS, resume=True)
    with pytest.raises(ConfigError, match="no checkpoint to resume from"):
        checkpoint.load()
    write_model(tmp_path / "c", {"kind": "checkpoint", "config": {}, "state": {}}, {})
    with pytest.raises(ConfigError, match="not a checkpoint of this version"):
        checkpoint.load()
    Checkpoint(tmp_path / "c", "tagger", SETTINGS).save({}, {})
    with pytest.raises(ConfigError, match="a checkpoint of a tagger, not of a tokenizer"):
        checkpoint.load()


def test_a_step_of_a_pipeline_has_a_checkpoint_of_its_own(tmp_path: Path) -> None:
    whole = Checkpoint(tmp_path / "c", "pipeline", None, resume=True, free=("pipeline.threads", "tagger.epochs"))
    step = whole.of_step("tagger", SETTINGS)
    assert step.path.name == "c-tagger" and step.free == ("epochs",)
    assert not step.resume, "there is nothing to go on from"
    step.save({}, {})
    assert whole.of_step("tagger", SETTINGS).resume
