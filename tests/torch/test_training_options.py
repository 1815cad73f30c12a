# SPDX-License-Identifier: Apache-2.0
"""Options of neural training: 16-bit arithmetic, threads, devices, precision; in Python and on the command line."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch")

import accord  # noqa: E402
from accord.app.options import with_device  # noqa: E402
from accord.errors import ConfigError  # noqa: E402
from accord.learning import UpdateReport  # noqa: E402
from accord.settings import read_table  # noqa: E402
from accord.tasks.network.config import NeuralConfig  # noqa: E402
from accord.tasks.parser import Parser  # noqa: E402
from accord.tasks.parser.config import ParserConfig  # noqa: E402
from accord.tasks.parser.training import parser_task, train_parser  # noqa: E402
from accord.tasks.pipeline.training import StepConfigs  # noqa: E402
from accord.torch.learnable import torch_threads  # noqa: E402
from accord.torch.task import NeuralTask  # noqa: E402
from tests.app.test_cli import accord as command  # noqa: E402
from tests.torch.test_network import CONFIGS, model_of, trained, treebank  # noqa: E402

SMALL = NeuralConfig(
    units=8, word_size=8, character_size=4, filters=4, arc_size=8, label_size=8, tag_hidden=8, epochs=1, device="cpu"
)


@pytest.mark.parametrize("loss", ["local", "crf"])
@pytest.mark.parametrize("encoder", ["lstm", "convolution"])
@pytest.mark.parametrize("mixed", ["auto", "true"])
def test_mixed_precision_trains_where_it_is_asked_for(loss: str, encoder: str, mixed: str) -> None:
    config = dataclasses.replace(
        SMALL, loss=loss, encoder=encoder, mixed_precision=mixed, local_start=0.0, warm_up=0.0, dropout=0.0
    )
    trainer, document = trained(config)
    kinds = set()
    trainer.network.arc_form.register_forward_hook(lambda *values: kinds.add(values[2].dtype))
    before = [parameter.detach().clone() for parameter in trainer.parameters]
    report = trainer.update(np.arange(len(document)))
    assert kinds == {torch.bfloat16 if mixed == "true" else torch.float32}
    assert np.isfinite(report.objective)
    assert all(parameter.dtype == torch.float32 and parameter.isfinite().all() for parameter in trainer.parameters)
    assert any(not torch.equal(*pair) for pair in zip(trainer.parameters, before, strict=True))


def test_threads_are_set_and_given_back() -> None:
    before = torch.get_num_threads()
    cores = len(os.sched_getaffinity(0))
    for asked, got in ((1, 1), (3, 3), (0, cores)):
        with torch_threads(asked):
            assert torch.get_num_threads() == got
        assert torch.get_num_threads() == before
    with pytest.raises(KeyError), torch_threads(before + 1):
        raise KeyError
    assert torch.get_num_threads() == before


def test_training_works_on_the_threads_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    before = torch.get_num_threads()
    task = parser_task(treebank(1, (3, 4)), None, ParserConfig(scorer="neural", threads=before + 1, neural=SMALL))
    assert isinstance(task, NeuralTask)
    learn, seen = task.trainer.update, []

    def watched(order: NDArray[np.int64]) -> UpdateReport:
        seen.append(torch.get_num_threads())
        return learn(order)

    monkeypatch.setattr(task.trainer, "update", watched)
    train_parser(treebank(1, (3, 4)), None, task.config, task=task)
    assert seen == [before + 1] and torch.get_num_threads() == before


def test_precision_reaches_the_network(tmp_path: Path) -> None:
    trainer, document = trained(CONFIGS["lstm"])
    path = tmp_path / "m.accord"
    model_of(trainer).save(path)
    sentence = document.sentences[3]
    own = Parser.load(path).arc_scores(sentence)
    for precision, same in (("float32", True), ("int8", False), (None, True)):
        parser = accord.load(path, precision=precision).parser
        assert parser is not None and np.array_equal(parser.arc_scores(sentence), own) == same
    with pytest.raises(ConfigError, match="expected one of float32, int8"):
        accord.load(path, precision="int4")
    document.write(tmp_path / "d.conllu")
    for precision in ("float32", "int8"):
        done = command("parse", str(tmp_path / "d.conllu"), "--model", str(path), "--precision", precision)
        expected = Parser.load(path, precision=precision).parse(document)
        assert done.returncode == 0 and done.stdout == expected.to_bytes(), done.stderr.decode()


def test_device_and_more_data_on_the_command_line(tmp_path: Path) -> None:
    train, more, model = (str(tmp_path / name) for name in ("t.conllu", "u.conllu", "m.accord"))
    treebank(1, (3, 7, 4)).write(train)
    treebank(2, (5, 2)).write(more)
    config = tmp_path / "c.toml"
    sizes = "\n".join(
        f"{name} = {getattr(SMALL, name)}" for name in ("units", "word_size", "filters", "arc_size", "epochs")
    )
    config.write_text(f'scorer = "neural"\n[neural]\ndevice = "auto"\n{sizes}\n')
    done = command(
        *("train", "parser", train, "--also", more, "--also", more, "--device", "cpu", "--output", model),
        *("--config", str(config)),
    )
    assert done.returncode == 0, done.stderr.decode()
    about = json.loads(command("info", model, "--json").stdout)
    assert about["config"]["neural"]["device"] == "cpu" and about["config"]["neural"]["units"] == 8
    assert about["card"]["sentences"] == 7 and about["card"]["also"] == ["u.conllu", "u.conllu"]


def test_device_of_a_pipeline_is_that_of_its_parser(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('[parser]\nscorer = "neural"\n[parser.neural]\ndevice = "cuda"\nunits = 8\n')
    for file, pairs in ((config, []), (None, ["parser.scorer=neural", "parser.neural.device=cuda"])):
        settings = StepConfigs.read(read_table(file, with_device(pairs, "cpu", "parser.neural.device")))
        assert settings.parser.neural.device == "cpu" and settings.parser.scorer == "neural"
        assert settings.parser.neural.units == (8 if file else NeuralConfig.units)
