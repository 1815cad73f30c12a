# SPDX-License-Identifier: Apache-2.0
"""Guessing words of raw text: what is guessed, that guesses become right, and what training keeps of it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from accord.errors import ConfigError, FormatError  # noqa: E402
from accord.settings import make_settings  # noqa: E402
from accord.tasks.network.raw_text import document_of_words, read_words  # noqa: E402
from accord.tasks.parser import ParserConfig  # noqa: E402
from accord.torch.batches import IGNORED, Sentences  # noqa: E402
from accord.torch.network import Network  # noqa: E402
from accord.torch.pretraining import Guesser, Pretraining, guess_loss, pretrain, word_classes  # noqa: E402
from accord.torch.task import NeuralTask  # noqa: E402
from tests.tasks.parser.neural_cases import SMALL, treebank  # noqa: E402

LINES = ["the cat saw a dog", "a dog saw the cat", "cats sleep", "the dog sleeps here now"] * 6


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    path = tmp_path / "raw.txt"
    path.write_text("\n".join([*LINES, "", "   "]) + "\n", encoding="utf-8")
    return path


def task(raw: Path, **neural: object) -> NeuralTask:
    values = {**SMALL, "raw_text": str(raw), "raw_least_count": 2, "raw_epochs": 2.0, "raw_batch_words": 40, **neural}
    return NeuralTask(
        treebank(), None, make_settings(ParserConfig, {"scorer": "neural", "threads": 1, "neural": values})
    )


def test_words_of_the_text_have_rows_and_may_be_guessed(raw: Path) -> None:
    with_text = task(raw).trainer
    without = NeuralTask(
        treebank(), None, make_settings(ParserConfig, {"scorer": "neural", "threads": 1, "neural": SMALL})
    ).trainer
    assert len(with_text.vocabulary.fields[0].keys) > len(without.vocabulary.fields[0].keys)
    assert np.isin(without.vocabulary.fields[0].keys, with_text.vocabulary.fields[0].keys).all()
    assert with_text.raw is not None
    classes, words = word_classes(with_text.raw, with_text.vocabulary.reader.rows[0])
    forms = read_words(raw).column("form")
    mine = classes[with_text.raw.words]
    assert set(classes[~with_text.raw.words]) == {IGNORED}
    by_form: dict[str, set[int]] = {}
    for form, number in zip(forms, mine.tolist(), strict=True):
        by_form.setdefault(form.lower(), set()).add(number)
    assert all(len(numbers) == 1 for numbers in by_form.values())  # one class a word
    known = [next(iter(numbers)) for numbers in by_form.values() if numbers != {IGNORED}]
    assert sorted(known) == list(range(words))
    few, most = word_classes(with_text.raw, with_text.vocabulary.reader.rows[0], most=2)
    assert most == 2 and set(few.tolist()) == {IGNORED, 0, 1}


def test_neighbours_stand_where_they_are_guessed_from() -> None:
    """Scores that name a word's true neighbour have no loss, and those that name another a large one."""
    from accord.torch.pretraining import _neighbour

    table = torch.tensor([[IGNORED, 4, 5, 6], [IGNORED, 7, IGNORED, IGNORED]])
    places = torch.tensor([0, 1, 2, 3, 4, 5])
    assert _neighbour(places, table, 1).tolist() == [4, 5, 6, IGNORED, 7, IGNORED]
    assert _neighbour(places, table, -1).tolist() == [IGNORED, IGNORED, 4, 5, IGNORED, IGNORED]


def test_hidden_words_do_not_show(raw: Path) -> None:
    """What the top layer says of a hidden word depends on its neighbours alone."""
    trainer = task(raw).trainer
    network = trainer.network.eval()
    one, other = (document_of_words([["the", word, "saw", "a", "dog"]]) for word in ("cat", "sleeps"))
    hidden = torch.tensor([False, False, True, False, False, False])
    tops = []
    for document in (one, other):
        batch = Sentences(document, trainer.vocabulary.reader, trainer.device).batch(np.array([0]))
        tops.append((network.encode(batch, hidden).top, network.encode(batch).top))
    assert torch.equal(tops[0][0], tops[1][0]) and not torch.equal(tops[0][1], tops[1][1])


def test_guesses_become_right(raw: Path) -> None:
    trainer = task(raw, dropout=0.0, input_dropout=0.0, units=32, word_size=32).trainer
    assert trainer.raw is not None
    losses: list[float] = []
    before = [parameter.detach().clone() for parameter in trainer.network.encoder.parameters()]
    settings = Pretraining(epochs=60.0, words=60, rate=0.01)
    pretrain(
        trainer.network,
        trainer.raw,
        trainer.vocabulary.reader.rows[0],
        settings,
        lambda share, loss: losses.append(loss),
    )
    assert np.mean(losses[-10:]) < 0.6 * np.mean(losses[:3])
    assert not torch.equal(before[0], next(trainer.network.encoder.parameters()))
    assert trainer.network.word_dropout == trainer.config.word_dropout


def test_a_clock_ends_pretraining(raw: Path) -> None:
    trainer = task(raw).trainer
    assert trainer.raw is not None
    calls = iter([0.0, 0.4, 0.8, 1.0])
    made: list[float] = []
    pretrain(trainer.network, trainer.raw, trainer.vocabulary.reader.rows[0], Pretraining(words=30),
             lambda share, loss: made.append(share), clock=lambda: next(calls))  # fmt: skip
    assert made == [0.0, 0.4, 0.8]


def test_training_begins_with_it_once_and_the_same_seed_gives_the_same(raw: Path) -> None:
    both = []
    for _ in range(2):
        one = task(raw)  # which sets the seed
        order = np.arange(len(one))
        one.update(order)
        assert one.trainer.raw is None
        both.append(one)
    first, second = both
    for a, b in zip(first.trainer.parameters, second.trainer.parameters, strict=True):
        assert torch.equal(a, b)
    plain = task(raw, raw_epochs=0.0)
    plain.update(order)
    assert not torch.equal(plain.trainer.parameters[0], first.trainer.parameters[0])


def test_the_loss_is_finite_where_nothing_may_be_guessed(raw: Path) -> None:
    trainer = task(raw).trainer
    batch = Sentences(document_of_words([["x"]]), trainer.vocabulary.reader, trainer.device).batch(np.array([0]))
    none = torch.full((2,), IGNORED)
    network: Network = trainer.network
    loss = guess_loss(network, Guesser(network.config.units, 3), batch, none, torch.Generator().manual_seed(1))
    assert float(loss) == 0.0


def test_broken_texts_are_refused(tmp_path: Path, raw: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        task(tmp_path / "missing.txt")
    (tmp_path / "empty.txt").write_text("\n \n")
    with pytest.raises(FormatError, match="no words"):
        read_words(tmp_path / "empty.txt")
    (tmp_path / "bytes.txt").write_bytes(b"good\n\xff\xfe\n")
    with pytest.raises(FormatError, match="not UTF-8") as caught:
        read_words(tmp_path / "bytes.txt")
    assert caught.value.line == 2


def test_a_network_keeps_the_words_of_the_one_it_begins_with(tmp_path: Path, raw: Path) -> None:
    first = task(raw)
    first.update(np.arange(len(first)))
    first.snapshot().save(tmp_path / "first.accord")
    neural = {**SMALL, "start": str(tmp_path / "first.accord"), "keep_vocabulary": True, "storage": "float32"}
    config = make_settings(ParserConfig, {"scorer": "neural", "threads": 1, "neural": neural})
    second = NeuralTask(treebank(), None, config)
    assert second.started == pytest.approx(1.0) and second.labels == first.labels
    for own, other in zip(second.trainer.vocabulary.fields, first.trainer.vocabulary.fields, strict=True):
        np.testing.assert_array_equal(own.keys, other.keys)
    second.update(np.arange(len(second)))
    for change, message in (({"start": ""}, "goes with neural.start"), ({"raw_text": str(raw)}, "does not go with")):
        broken = dataclasses.replace(config, neural=dataclasses.replace(config.neural, **change))
        with pytest.raises(ConfigError, match=message):
            NeuralTask(treebank(), None, broken)
