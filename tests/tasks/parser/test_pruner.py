# SPDX-License-Identifier: Apache-2.0
"""The stages of a pruner, as settings, weights and checkpoints of a parser have them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord import Parser
from accord.data import Document
from accord.errors import AccordWarning
from accord.learning import Reporter
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig
from accord.tasks.parser.linear_task import ParserTask
from accord.tasks.parser.training import parser_task, train_parser

SMALL = {"order": 2, "arc_bits": 14, "label_bits": 10, "part_bits": 14, "pruner_bits": 12, "second_pruner_bits": 14}
BLIND = """
[arc]
head.upos dependent.upos
head.form dependent.form
head.upos dependent.upos distance
[label]
dependent.form
[pruner]
head.upos
[sibling]
head.upos dependent.upos sibling.upos
[grandparent]
head.upos dependent.upos grandparent.upos
"""


def task_of(training: Document, **values: Any) -> ParserTask:
    return ParserTask(training, None, make_settings(ParserConfig, {**SMALL, "threads": 1, **values}))


def recall(training: Document, dev: Document, **values: Any) -> tuple[float, float]:
    task = task_of(training, **values)
    task.prepare_pruner()
    found = Parser(task.snapshot()).pruning(dev)
    return found.recall, found.heads_per_word


def test_a_second_stage_sees_what_a_first_one_does_not(toy_train: Document, toy_dev: Document, tmp_path: Path) -> None:
    templates = tmp_path / "blind.txt"
    templates.write_text(BLIND)
    settings = {"templates": str(templates), "tree_labels": "false", "pruner_heads": 3, "pruner_threshold": 0.05}
    first, _ = recall(toy_train, toy_dev, **settings, pruner_stages=1)
    both, heads = recall(toy_train, toy_dev, **settings, pruner_stages=2)
    assert both > 0.97 > 0.9 > first and heads < 4


@pytest.mark.filterwarnings("ignore::accord.errors.AccordWarning")
def test_training_and_parsing_prune_alike_and_see_what_is_around_an_arc(toy_train: Document) -> None:
    task = task_of(toy_train, pruner_folds=0, pruner_heads=3, pruner_threshold=0.2)
    in_training = task.prepare_pruner()
    model = task.snapshot()
    assert Parser(model).pruning(toy_train) == in_training
    head, _, tail = model.templates.partition("[surroundings]")
    blind = dataclasses.replace(model, templates=head + tail[tail.index("\n[") :])
    assert Parser(blind).pruning(toy_train) != in_training


def test_weights_of_a_second_stage_are_there_if_there_is_one(toy_train: Document, toy_dev: Document) -> None:
    for stages in (1, 2):
        task = task_of(toy_train, pruner_stages=stages)
        task.prepare_pruner()
        model = task.snapshot()
        assert ("second_pruner" in model.tables) == (stages == 2)
    # Files that were written before there were stages have one.
    without = {name: table for name, table in model.tables.items() if name != "second_pruner"}
    plain = Parser(dataclasses.replace(model, tables=without)).pruning(toy_dev)
    assert plain.recall > 0.95 and plain != Parser(model).pruning(toy_dev)


@pytest.mark.parametrize("folds", [0, 2])
@pytest.mark.parametrize("stages", [1, 2])
@pytest.mark.filterwarnings("ignore::accord.errors.AccordWarning")
def test_training_goes_on_from_a_checkpoint(toy_train: Document, stages: int, folds: int) -> None:
    settings = {"pruner_stages": stages, "pruner_folds": folds, "pruner_epochs": 2}
    order = np.arange(60, dtype=np.int64)
    whole, resumed = task_of(toy_train, **settings), task_of(toy_train, **settings)
    whole.update(order)
    resumed.load_state(whole.save_state())
    for task in (whole, resumed):
        task.update(order[::-1].copy())
    one, other = whole.snapshot().tables, resumed.snapshot().tables
    assert one.keys() == other.keys() and len(one) == 5 + stages
    for name in one:
        assert np.array_equal(one[name].values, other[name].values) and one[name].scale == other[name].scale


def test_a_threshold_is_chosen_by_the_gold_heads_that_folds_keep(toy_train: Document) -> None:
    found = []
    for share in (0.8, 0.999):
        task = task_of(toy_train, pruner_recall=share)
        pruning = task.prepare_pruner()
        model = task.snapshot()
        assert pruning.recall >= share and 0 < model.config.pruner_threshold == model.config.threshold() <= 0.05
        found.append((model.config.pruner_threshold, pruning.heads_per_word))
    assert found[0][0] >= found[1][0] and found[0][1] <= found[1][1]
    for values in ({"pruner_threshold": 0.03}, {"pruner_threshold": 0.03, "pruner_recall": 1.0}):
        task = task_of(toy_train, **values)
        task.prepare_pruner()
        assert task.snapshot().config.pruner_threshold == 0.03
    assert ParserConfig().threshold() == 0.005


def test_the_models_pruner_begins_with_the_mean_of_the_folds(toy_train: Document, toy_dev: Document) -> None:
    settings = {"pruner_threshold": 0.02, "pruner_stages": 1}
    for epochs in (0, 2):
        task = task_of(toy_train, **settings, pruner_final_epochs=epochs)
        task.prepare_pruner()
        assert Parser(task.snapshot()).pruning(toy_dev).recall > 0.95
    with pytest.raises(ValueError, match="not been trained"):
        task_of(toy_train)._trainer.start_pruner(0, 0, np.array([1], dtype=np.int64))


def test_training_tells_what_the_pruner_leaves_and_when_it_has_seen_the_sentences(toy_train: Document) -> None:
    class Notes(Reporter):
        def __init__(self) -> None:
            self.notes: list[str] = []
            self.warnings: list[str] = []

        def note(self, message: str) -> None:
            self.notes.append(message)

        def warn(self, message: str) -> None:
            self.warnings.append(message)

    few = Document.from_sentences(toy_train.sentences[:30])
    values = {"order": 2, "epochs": 1, "pruner_epochs": 2, "arc_bits": 12, "part_bits": 12, "threads": 1}
    told = Notes()
    card = train_parser(few, few, make_settings(ParserConfig, values), reporter=told).model.card
    assert told.notes[0].startswith("pruner: ") and "% of gold heads kept" in told.notes[0]
    assert told.notes[-1] == "fitting the temperature on 30 sentences"
    assert 0 < card["pruner"]["recall"] <= 100 and card["pruner"]["heads_per_word"] >= 1
    assert not told.warnings
    for folds, stages, warned in ((0, 2, True), (1, 2, True), (0, 1, False)):
        told = Notes()
        config = make_settings(ParserConfig, {**values, "pruner_folds": folds, "pruner_stages": stages})
        parser_task(few, None, config, told)
        assert bool(told.warnings) == warned
    with pytest.warns(AccordWarning, match="pruner_folds = 0"):
        parser_task(few, None, make_settings(ParserConfig, {**values, "pruner_folds": 0}))
