# SPDX-License-Identifier: Apache-2.0
"""The cards of the packaged models say what the models are."""

from __future__ import annotations

import dataclasses

import pytest

from accord.models import model_path, packaged_models
from accord.models.file import ModelFile
from accord.tasks.pipeline.card import card_text
from accord.tasks.pipeline.model import PipelineModel


@pytest.mark.parametrize("name", ["en", "zh"])
def test_the_card_beside_a_model_is_its_own(name: str) -> None:
    path = model_path(name)
    card = path.with_suffix(".md").read_text(encoding="utf-8")
    assert card == card_text(PipelineModel.load(path), path.stat().st_size)


def test_the_card_of_phrases_has_the_scores_of_its_model() -> None:
    path = model_path("en-phrases")
    told, card = path.with_suffix(".md").read_text(encoding="utf-8"), ModelFile(path).header["card"]
    assert f"- size: {path.stat().st_size / 1e6:.1f} MB" in told
    assert all(f"- {key}: {card[key]}" in told for key in ("language", "licence", "sentences", "words"))
    figures = [*card["scores"].values(), *card["test_scores"].values()]
    assert all(f"| {figure:.2f} |" in told for figure in figures)


def test_every_packaged_model_has_a_card() -> None:
    for name in packaged_models():
        assert model_path(name).with_suffix(".md").read_text(encoding="utf-8").startswith("# ")


def test_labels_of_the_first_universal_dependencies_are_named() -> None:
    cards = {name: model_path(name).with_suffix(".md").read_text(encoding="utf-8") for name in ("en", "zh")}
    assert "labels: UD 2" in cards["zh"] and not any("labels: UD 1" in card for card in cards.values())
    chinese = PipelineModel.load(model_path("zh"))
    assert chinese.parser is not None
    old = dataclasses.replace(chinese.parser, labels=("dobj", *chinese.parser.labels[1:]))
    assert "labels: UD 1" in card_text(dataclasses.replace(chinese, parser=old, card={}), 0)
