# SPDX-License-Identifier: Apache-2.0
"""Features of template values seen less often than ``least_count`` are left out of training."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord._core import text as native
from accord.models.stored import Weights
from accord.tasks.labeller import LabellerConfig, Problem, train_labeller

TEXTS = st.lists(st.text(alphabet="abcd", min_size=1, max_size=12), min_size=1, max_size=8)


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("templates") / "forms.txt"
    file.write_text("[state]\nhere.form\n[pair]\nbias\n")
    return file


@given(texts=TEXTS, least=st.integers(1, 12))
@settings(max_examples=25, deadline=None)
def test_no_feature_is_rarer_than_the_least_count(templates: Path, texts: list[str], least: int) -> None:
    values = Counter(character for text in texts for character in text)
    numbers = np.array([int(character in "ab") for text in texts for character in text], np.int32)

    def features(count: int) -> int:
        sequences = native.CharacterSequences([text.encode() for text in texts])
        config = LabellerConfig(
            templates=str(templates), method="lbfgs", iterations=1, least_count=count, bits=4, threads=1
        )
        result = train_labeller(Problem(sequences, numbers, ("x", "y")), config)
        return int(result.log[-1]["figures"]["features"])

    kept = sum(count >= least for count in values.values())
    total = features(least)
    assert total - features(1) == kept - len(values)


@pytest.mark.parametrize("method", ["perceptron", "mira", "crf", "m3n"])
@given(texts=TEXTS, least=st.integers(1, 12))
@settings(max_examples=10, deadline=None)
def test_rare_values_never_learn_step_by_step(templates: Path, method: str, texts: list[str], least: int) -> None:
    values = Counter(character for text in texts for character in text)
    numbers = np.array([int(character in "ab") for text in texts for character in text], np.int32)

    def table(count: int) -> Weights:
        config = LabellerConfig(
            templates=str(templates), method=method, table="dictionary", least_count=count, bits=4, epochs=2, threads=1
        )
        sequences = native.CharacterSequences([text.encode() for text in texts])
        return train_labeller(Problem(sequences, numbers, ("x", "y")), config).model.tables["state"]

    kept = sum(count >= least for count in values.values())
    assert np.count_nonzero(table(least).fingerprints) <= kept
    if kept == len(values):  # nothing is rare
        assert table(least).values.tobytes() == table(1).values.tobytes()
