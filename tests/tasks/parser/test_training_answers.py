# SPDX-License-Identifier: Apache-2.0
"""Training from larger sets of answers than trees, and with the features of gold trees alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accord import Document, Parser
from accord.errors import ConfigError
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig, ParserModel
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores

SMALL = {
    "order": 3,
    "arc_bits": 14,
    "label_bits": 10,
    "part_bits": 14,
    "pruner_bits": 14,
    "epochs": 4,
    "threads": 1,
    "parts": "sibling,grandparent,grand_sibling,tri_sibling",
}


def small_config(**values: Any) -> ParserConfig:
    return make_settings(ParserConfig, {**SMALL, **values})


def las(model: ParserModel, document: Document) -> float:
    parsed = Parser(model).parse(document, threads=1)
    return attachment_scores(document, parsed.heads, parsed.column("deprel")).las


@pytest.mark.parametrize("answers", ["heads", "relaxed"])
@pytest.mark.parametrize("rule", ["perceptron", "mira"])
@pytest.mark.parametrize("labels", ["joint", "separate"])
def test_answers_that_are_no_trees_teach_the_toy_language(
    toy_train: Document, toy_dev: Document, answers: str, rule: str, labels: str
) -> None:
    config = small_config(answers=answers, rule=rule, labels=labels, tree_labels="false")
    assert las(train_parser(toy_train, toy_dev, config).snapshot, toy_dev) > 97


def test_parts_that_are_not_of_one_head_have_no_answers_by_head(toy_train: Document) -> None:
    with pytest.raises(ConfigError, match="answers = heads"):
        train_parser(toy_train, None, small_config(answers="heads", parts="sibling,head_bigram"))


def test_relaxed_answers_are_for_non_projective_models(toy_train: Document) -> None:
    with pytest.raises(ConfigError, match="answers = relaxed"):
        train_parser(toy_train, None, small_config(answers="relaxed", projective=True))


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("table", ["hash", "dictionary"])
def test_without_unsupported_features_fewer_weights_learn(
    toy_train: Document, toy_dev: Document, order: int, table: str
) -> None:
    def weights(unsupported: bool) -> int:
        config = small_config(order=order, parts="auto", arc_bits=18, table=table, unsupported=unsupported)
        model = train_parser(toy_train, toy_dev, config).snapshot
        assert las(model, toy_dev) > 97
        return int(np.count_nonzero(model.tables["arcs"].values))

    assert 0 < weights(False) < weights(True)


def test_dual_rules_need_unsupported_features(toy_train: Document) -> None:
    config = small_config(order=1, parts="auto", rule="eg_crf", labels="separate", unsupported=False)
    with pytest.raises(ConfigError, match="unsupported"):
        train_parser(toy_train, None, config)
