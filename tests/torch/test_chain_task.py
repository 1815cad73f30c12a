# SPDX-License-Identifier: Apache-2.0
"""Chains over a network: PyTorch and the core agree, and all that chains can do works."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from accord._core import text as _text  # noqa: E402
from accord.errors import ConfigError  # noqa: E402
from accord.tasks.cleaner import Cleaner, CleanerConfig  # noqa: E402
from accord.tasks.cleaner.gold import GoldTranscript  # noqa: E402
from accord.tasks.cleaner.model import CleanerModel  # noqa: E402
from accord.tasks.cleaner.scoring import label_scores  # noqa: E402
from accord.tasks.cleaner.training import train_cleaner  # noqa: E402
from accord.tasks.cleaner.words import Utterances  # noqa: E402
from accord.tasks.labeller import Labeller, LabelRun  # noqa: E402
from accord.tasks.labeller.problem import Problem  # noqa: E402
from accord.tasks.network.config import ChainNeuralConfig  # noqa: E402
from accord.tasks.spans import SpanLabeller, SpansConfig, SpansModel, train_spans  # noqa: E402
from accord.tasks.spans.labels import LabelTable, label_spans  # noqa: E402
from accord.torch.chain_task import NeuralChainTask  # noqa: E402
from tests.tasks.labeller.test_spans import made  # noqa: E402

SMALL = ChainNeuralConfig(
    epochs=12, units=24, word_size=24, least_count=1, batch_words=60, rate=0.01, dropout=0.1, storage="float32"
)
CONFIG = SpansConfig(scorer="neural", threads=1, neural=SMALL)


@pytest.fixture(scope="module")
def model() -> SpansModel:
    return train_spans(made(120, 1), made(20, 2), CONFIG).model


def test_a_network_learns_spans_and_comes_back_from_its_file(model: SpansModel, tmp_path: Path) -> None:
    test = made(30, 3)
    model.save(tmp_path / "model.accord")
    labeller = SpanLabeller(SpansModel.load(tmp_path / "model.accord"))
    assert labeller.label(test.document).labels == SpanLabeller(model).label(test.document).labels
    right = np.mean([a == b for a, b in zip(labeller.label(test.document).labels, test.labels, strict=True)])
    assert right > 0.95
    sentence = test.document.sentences[0]
    ranked = labeller.kbest(sentence, 3)
    assert ranked[0].value.labels == tuple(labeller.label(test.document.from_sentences([sentence])).labels)


def test_the_core_gives_gold_labels_the_probability_that_pytorch_does() -> None:
    file = made(25, 4)
    table = LabelTable.of_types("BIOES", ["LOC", "PER"])
    from accord.evaluation.spans import spans_of_labels

    spans = spans_of_labels(file.labels, file.lengths)
    numbers = table.numbers(label_spans(spans, len(file.labels), "BIOES"))
    sequences = _text.DocumentSequences(file.document.native)
    problem = Problem(
        sequences, numbers, table.labels, masks=table.masks, neural=dataclasses.replace(SMALL, averaging=0.0),
        document=file.document,
    )  # fmt: skip
    task = NeuralChainTask(problem, CONFIG.labeller(), None)
    task.update(np.arange(25))
    trainer = task.trainer
    trainer.use_mean()
    trainer.network.eval()
    batch = trainer.sentences.batch(np.arange(25))
    with torch.no_grad():
        loss = float(trainer.loss(batch)[0]) * len(numbers)
    labeller = Labeller(task.snapshot())
    starts = np.concatenate([[0], np.cumsum(file.lengths)]).tolist()
    runs = [LabelRun(k, 0, tuple(numbers[a:b].tolist())) for k, (a, b) in enumerate(pairwise(starts))]
    logs = np.log(labeller.run_probabilities(labeller.words(file.document), runs))
    assert -float(logs.sum()) == pytest.approx(loss, rel=2e-3)


def test_what_a_network_cannot_score_is_refused() -> None:
    with pytest.raises(ConfigError, match="labels words, by a chain"):
        train_spans(made(10, 1), None, dataclasses.replace(CONFIG, model="semi"))


def test_a_cleaner_over_networks(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    words, fillers, edits = [], [], []
    for _ in range(150):
        fluent = random.choice(["we", "saw", "the", "cat", "it", "ran"], 4).tolist()
        at = int(random.integers(0, 4))
        said = [*fluent[:at], "uh", "zap", *fluent[at:]]
        words.append(said)
        fillers += [word == "uh" for word in said]
        edits += [word == "zap" for word in said]
    gold = GoldTranscript(Utterances.of(words), np.array(fillers), np.array(edits), "made")
    config = CleanerConfig(scorer="neural", neural=SMALL, threads=1, tags="none")
    model = train_cleaner(gold, gold, config).model
    assert label_scores(Cleaner(model), gold)["edit F1"] > 90
    model.save(tmp_path / "cleaner.accord")
    assert Cleaner(CleanerModel.load(tmp_path / "cleaner.accord"))("we uh saw zap the cat").text == "we saw the cat"
