# SPDX-License-Identifier: Apache-2.0
"""Training of neural parsers on a CPU: it learns, repeats itself, resumes, and says no."""

from __future__ import annotations

import dataclasses
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from accord import Document, Parser, Sentence  # noqa: E402
from accord.app.cli import main  # noqa: E402
from accord.errors import ConfigError, FormatError  # noqa: E402
from accord.inference import trees  # noqa: E402
from accord.settings import make_settings  # noqa: E402
from accord.tasks.parser import ParserConfig, ParserModel  # noqa: E402
from accord.tasks.parser.training import parser_task, train_parser  # noqa: E402
from accord.tasks.parser.treebank import attachment_scores  # noqa: E402
from accord.torch.task import NeuralTask  # noqa: E402
from tests.conftest import toy_document  # noqa: E402

SMALL = {
    "word_size": 16,
    "character_size": 4,
    "filters": 8,
    "units": 16,
    "arc_size": 16,
    "label_size": 12,
    "tag_hidden": 12,
    "rank": 8,
    "epochs": 25,
    "batch_words": 80,
    "rate": 0.01,
    "averaging": 0.9,
    "dropout": 0.1,
    "word_dropout": 0.05,
    "input_dropout": 0.05,
}


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """40 sentences to learn from and 30 others."""
    folder = tmp_path_factory.mktemp("neural")
    toy_document(40, 1).write(folder / "train.conllu")
    toy_document(30, 2).write(folder / "dev.conllu")
    return folder


def settings(neural: dict[str, Any], **values: Any) -> ParserConfig:
    return make_settings(
        ParserConfig, {"scorer": "neural", "threads": 1, "neural": {**SMALL, "device": "cpu", **neural}, **values}
    )


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The command line inside this process, which has PyTorch already; returns its status."""
    monkeypatch.setattr(sys, "argv", ["accord", *arguments])
    try:
        main()
    except SystemExit as done:
        return int(done.code or 0)
    return 0


def train(monkeypatch: pytest.MonkeyPatch, treebank: Path, output: Path, *extra: str, **neural: Any) -> int:
    pairs = {
        **{f"neural.{name}": value for name, value in {**SMALL, **neural}.items()},
        "scorer": "neural",
        "threads": 1,
    }
    sets = [part for name, value in pairs.items() for part in ("--set", f"{name}={value}")]
    files = (str(treebank / "train.conllu"), "--dev", str(treebank / "dev.conllu"), "--output", str(output))
    return run(monkeypatch, "train", "parser", *files, *sets, *extra)


def scores(model: ParserModel, document: Document) -> tuple[float, float]:
    parsed = Parser(model).parse(document, threads=1)
    found = attachment_scores(document, parsed.heads, parsed.column("deprel"))
    return found.uas, found.las


def same(one: ParserModel, other: ParserModel) -> bool:
    """All but the times in the log."""
    header, arrays = one.to_blocks()
    other_header, other_arrays = other.to_blocks()
    return (
        {**header, "card": None} == {**other_header, "card": None}
        and arrays.keys() == other_arrays.keys()
        and all(np.array_equal(arrays[name], other_arrays[name]) for name in arrays)
    )


def test_the_command_line_trains_a_parser_that_tags_and_parses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], treebank: Path, tmp_path: Path
) -> None:
    assert train(monkeypatch, treebank, tmp_path / "m.accord") == 0
    said = capsys.readouterr()
    assert said.out == "" and "dev LAS" in said.err and "dev UPOS" in said.err and "heads loss" in said.err
    assert not (tmp_path / "m.accord.checkpoint").exists()
    parser, dev = Parser.load(tmp_path / "m.accord"), toy_document(30, 2)
    uas, las = scores(parser.model, dev)
    assert uas > 85 and las > 80  # heads at random: 13
    assert parser.model.card["scores"]["LAS"] == pytest.approx(las)
    bare = dev.replace(**{name: ["_"] * len(dev.heads) for name in ("upos", "xpos", "lemmas", "deprels")})  # type: ignore[arg-type]
    tagged = parser.parse(bare, tags="auto")
    right = [a == b for a, b in zip(tagged.column("upos"), dev.column("upos"), strict=True)]
    assert np.mean(right) > 0.9
    assert run(monkeypatch, "info", str(tmp_path / "m.accord")) == 0
    assert "neural" in capsys.readouterr().out


def test_sentences_without_a_tree_are_left_out_and_counted() -> None:
    train = toy_document(6, 0)
    circle = Sentence.from_words(["a", "b"], heads=[1, 0], deprels=["x", "root"])
    task = NeuralTask(Document.from_sentences([*train.sentences, circle]), None, settings(SMALL, single_root="true"))
    assert task.left_out == 1 and len(task) == len(train)


def test_the_seed_decides_everything(treebank: Path) -> None:
    training, dev = toy_document(40, 1), toy_document(30, 2)
    first, again, other = (
        train_parser(training, dev, settings({"epochs": 2}, seed=seed)).snapshot for seed in (1, 1, 2)
    )
    assert same(first, again)
    header, arrays = first.to_blocks()
    other_arrays = other.to_blocks()[1]
    weights = [name for name in arrays if "/weights/" in name]
    assert weights and not any(np.array_equal(arrays[name], other_arrays[name]) for name in weights)
    assert header["network"]["vocabulary"] == other.to_blocks()[0]["network"]["vocabulary"]


@pytest.mark.parametrize(
    ("neural", "extra"),
    [({}, ()), ({"loss": "crf", "local_start": 0.5}, ("--set", "order=2"))],
    ids=["local", "parts, interrupted before they were learnt"],
)
def test_an_interrupted_run_goes_on_as_if_nothing_had_happened(
    monkeypatch: pytest.MonkeyPatch, treebank: Path, tmp_path: Path, neural: dict[str, Any], extra: tuple[str, ...]
) -> None:
    def trained(output: Path, *more: str) -> int:
        return train(monkeypatch, treebank, output, *extra, *more, **{"epochs": 5, **neural})

    assert trained(tmp_path / "whole.accord") == 0
    parts, calls = tmp_path / "parts.accord", 0
    update = NeuralTask.update

    def interrupted(self: NeuralTask, order: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 3:
            update(self, order)  # what the third pass did is lost
            raise KeyboardInterrupt
        return update(self, order)

    with monkeypatch.context() as patched:
        patched.setattr(NeuralTask, "update", interrupted)
        assert trained(parts) == 130
    assert parts.exists() and parts.with_name("parts.accord.checkpoint").exists()
    assert trained(parts, "--resume") == 0
    assert same(ParserModel.load(parts), ParserModel.load(tmp_path / "whole.accord"))


def test_an_interrupt_in_the_first_pass_writes_no_model(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], treebank: Path, tmp_path: Path
) -> None:
    def interrupted(self: NeuralTask, order: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(NeuralTask, "update", interrupted)
    assert train(monkeypatch, treebank, tmp_path / "m.accord", epochs=2) == 130
    assert "none was written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_checkpoint_belongs_to_its_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], treebank: Path, tmp_path: Path
) -> None:
    output = tmp_path / "m.accord"
    assert train(monkeypatch, treebank, output, "--keep-checkpoint", epochs=1) == 0
    capsys.readouterr()
    assert train(monkeypatch, treebank, output, "--resume", epochs=1, units=17) == 1
    assert "cannot resume with another neural.units" in capsys.readouterr().err
    assert train(monkeypatch, treebank, output, "--resume", epochs=1, patience=3) == 0
    with pytest.raises(ConfigError, match="cannot resume"):
        task = parser_task(toy_document(3, 1), None, settings({}))
        task.load_state(parser_task(toy_document(3, 1), None, settings({"units": 17})).save_state())


def with_gaps(document: Document, every: int) -> Document:
    """Two words in five lose head and label, the first always, in one of ``every`` sentences."""
    random, heads, labels = np.random.default_rng(5), [], []
    for index, sentence in enumerate(document.sentences):
        for place, word in enumerate(sentence.words):
            gap = index % every == 0 and (place == 0 or random.random() < 0.4)
            heads.append(None if gap else word.head)
            labels.append("_" if gap else word.deprel)
    return document.replace(heads=heads, deprels=labels)


@pytest.mark.parametrize(("loss", "every"), [("local", 1), ("crf", 2)], ids=["all partial", "half of them, by trees"])
def test_trees_with_unknown_heads_are_learnt_from(loss: str, every: int) -> None:
    partial, dev = with_gaps(toy_document(40, 1), every), toy_document(30, 2)
    config = settings({"loss": loss, "tags": "none", "local_start": 0.3})
    model = train_parser(partial, dev, config).snapshot
    assert "_" not in model.labels and scores(model, dev)[1] > 65
    whole = [s for s in partial.sentences if all(word.head is not None for word in s.words)]
    assert len(whole) == (0 if every == 1 else 20)
    if whole:  # what is partial counts, and what is whole counts as trees
        short = {"tags": "none", "epochs": 3, "local_start": 0.0}
        by_trees, by_whole_ones, by_words = (
            train_parser(document, None, settings({**short, "loss": loss})).snapshot.network
            for document, loss in ((partial, "crf"), (Document.from_sentences(whole), "crf"), (partial, "local"))
        )
        assert by_trees is not None and by_whole_ones is not None and by_words is not None
        for other in (by_whole_ones, by_words):
            assert not np.array_equal(by_trees.weights["arc_form"], other.weights["arc_form"])


def test_a_treebank_without_heads_is_refused() -> None:
    training = toy_document(5, 1)
    with pytest.raises(FormatError, match="no sentence with a tree"):
        parser_task(training.replace(heads=[None] * len(training.heads)), None, settings({}))


def test_heads_only() -> None:
    dev = toy_document(30, 2)
    result = train_parser(toy_document(40, 1), dev, settings({"tags": "none"}, labels="none"))
    model = result.snapshot
    assert model.labels == () and model.network is not None and model.network.labels == 0
    assert not any(name.startswith(("label", "class")) for name in model.network.weights)
    assert list(result.log[0]["scores"]) == ["UAS"]
    parsed = Parser(model).parse(dev)
    assert parsed.column("deprel") == dev.column("deprel") and (parsed.heads == dev.heads).mean() > 0.7


def test_projective_parsers_by_every_loss() -> None:
    dev = toy_document(30, 2)
    found: list[ParserModel] = []
    for loss in ("local", "crf", "margin", "sparsemap"):
        config = settings({"tags": "none", "loss": loss}, projective=True)
        found.append(train_parser(toy_document(40, 1), dev, config).snapshot)
        assert scores(found[-1], dev)[1] > 75
        for sentence in Parser(found[-1]).parse(toy_document(20, 3)).sentences:
            assert trees.is_projective(np.array([-1, *sentence.heads], np.int32))
    for one, other in itertools.combinations(found, 2):  # each loss has its own way
        assert one.network is not None and other.network is not None
        assert not np.array_equal(one.network.weights["arc_form"], other.network.weights["arc_form"])


@pytest.mark.parametrize("loss", ["crf", "margin"])
def test_parts_of_two_arcs_are_learnt(loss: str) -> None:
    dev = toy_document(30, 2)
    config = settings({"tags": "none", "loss": loss, "epochs": 20}, order=2)
    model = train_parser(toy_document(40, 1), dev, config).snapshot
    assert model.network is not None and model.network.parts == ("sibling", "grandparent")
    assert scores(model, dev)[1] > 65
    silent = {
        name: np.zeros_like(array) if name.startswith(("part", "nowhere")) else array
        for name, array in model.network.weights.items()
    }
    without = dataclasses.replace(model, network=dataclasses.replace(model.network, weights=silent))
    assert not np.allclose(Parser(model).trees(dev).scores, Parser(without).trees(dev).scores)


@pytest.mark.parametrize(
    ("values", "neural", "message"),
    [
        ({"order": 2}, {}, "loss = 'local': parts are learnt with loss=crf or loss=margin"),
        ({"order": 2}, {"loss": "sparsemap"}, "loss = 'sparsemap': parts are learnt"),
        ({"order": 3}, {"loss": "crf"}, "siblings and grandparents, no other parts"),
        ({}, {"tags": "given"}, "the treebank has no tags"),
        ({}, {"inputs": "colour"}, "inputs = 'colour': there is no attribute 'colour'"),
    ],
)
def test_what_cannot_be_learnt_is_refused(values: dict[str, Any], neural: dict[str, Any], message: str) -> None:
    training = toy_document(5, 1)
    training = training.replace(upos=["_"] * len(training.heads), xpos=["_"] * len(training.heads))
    with pytest.raises(ConfigError, match=message):
        parser_task(training, None, settings(neural, **values))


def test_a_gpu_that_is_not_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], treebank: Path, tmp_path: Path
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert train(monkeypatch, treebank, tmp_path / "m.accord", device="cuda") == 1
    message = capsys.readouterr().err.strip()
    assert len(message.splitlines()) == 1 and "device = 'cuda': PyTorch finds no GPU here" in message
    assert not (tmp_path / "m.accord").exists()
