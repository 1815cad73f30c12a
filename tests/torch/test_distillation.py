# SPDX-License-Identifier: Apache-2.0
"""Pipelines whose parser learns from text that teachers annotated."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import torch

from accord.data import Document
from accord.errors import ConfigError, FormatError
from accord.learning import Checkpoint, Reporter
from accord.tasks.examples import tiny_treebank
from accord.tasks.parser import Parser, ParserModel
from accord.tasks.parser.training import train_parser
from accord.tasks.pipeline import Pipeline
from accord.tasks.pipeline.task import TASK
from accord.tasks.pipeline.training import StepConfigs, train_pipeline
from accord.torch.ensemble import Ensemble
from tests.app.test_cli import accord as command
from tests.tasks.parser.neural_cases import SMALL

TEXT = "the cat saw a dog. Ana liked Rio.\n\nBo found the cats in Oslo.\nx\n"
NEURAL = {**SMALL, "device": "cpu", "epochs": 2}


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    path = tmp_path / "raw.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def configs(raw: Path, **more: Any) -> StepConfigs:
    network: Mapping[str, Any] = {f"neural.{name}": value for name, value in NEURAL.items()}
    values: dict[str, Any] = {
        "distil": str(raw), "teachers": "2", "distil_times": 2, "tokenizer.epochs": 2, "tokenizer.bits": 12,
        "parser.threads": 1, **{f"parser.{name}": value for name, value in network.items()},
        **{f"teacher.{name}": value for name, value in {**network, "neural.units": 7}.items()},
    }  # fmt: skip
    return StepConfigs.read({**values, **more})


def test_the_student_learns_from_the_treebank_and_from_what_teachers_say(raw: Path) -> None:
    known, held = tiny_treebank(30), tiny_treebank(8, 30)
    own = configs(raw)
    assert own.parser.scorer == "neural" and own.teacher.neural.units == 7 and own.teacher.neural.layers != 0
    model = train_pipeline([known], held, own).model
    assert model.tagger is None and model.parser is not None and model.tokenizer is not None
    assert model.card["besides"].startswith("words of raw.txt")

    teachers = []
    for seed in (1, 2):
        config = StepConfigs.read({})
        config = configs(raw, **{"teacher.seed": seed})
        teachers.append(train_parser(known, held, config.teacher).model)
    text = Pipeline(model).tokenize("\n\n".join(line for line in TEXT.split("\n") if line))
    kept = Document.from_sentences([one for one in text.sentences if len(one) >= 3])
    silver = Ensemble(teachers, torch.device("cpu")).annotate(kept)
    both = Document.from_sentences([*known.sentences, *known.sentences, *silver.sentences])
    expected = train_parser(both, held, own.parser).model
    answers = [
        Parser(one).parse(held, tags="predict", probabilities=True).to_bytes() for one in (model.parser, expected)
    ]
    assert answers[0] == answers[1]


def test_given_teachers_are_asked_and_none_is_trained(raw: Path, tmp_path: Path) -> None:
    known = tiny_treebank(30)
    teacher = train_parser(known, None, configs(raw).teacher).model
    teacher.save(tmp_path / "t.accord")
    notes: list[str] = []

    class Notes(Reporter):
        def note(self, message: str) -> None:
            notes.append(message)

    model = train_pipeline([known], None, configs(raw, teachers=str(tmp_path / "t.accord")), reporter=Notes()).model
    assert model.parser is not None
    assert [note for note in notes if "teachers annotate" in note] == ["1 teachers annotate 3 sentences, 17 words"]


def test_an_interrupted_run_goes_on_behind_the_teachers_it_has(raw: Path, tmp_path: Path, monkeypatch: Any) -> None:
    import accord.tasks.pipeline.training as module

    known, own = tiny_treebank(30), configs(raw)
    expected = train_pipeline([known], None, own).model
    trained: list[int] = []
    whole = train_parser

    def limited(training: Document, dev: Any, config: Any, **more: Any) -> Any:
        if len(trained) == 1:
            raise KeyboardInterrupt
        trained.append(config.seed)
        return whole(training, dev, config, **more)

    output = tmp_path / "m.accord"
    monkeypatch.setattr(module, "train_parser", limited)
    with pytest.raises(KeyboardInterrupt):
        train_pipeline([known], None, own, checkpoint=Checkpoint.beside(output, "pipeline", own, free=TASK.free))
    seen: list[int] = []

    def counted(training: Document, dev: Any, config: Any, **more: Any) -> Any:
        seen.append(config.neural.units)
        return whole(training, dev, config, **more)

    monkeypatch.setattr(module, "train_parser", counted)
    resumed = Checkpoint.beside(output, "pipeline", own, resume=True, free=TASK.free)
    model = train_pipeline([known], None, own, checkpoint=resumed).model
    assert seen == [own.teacher.neural.units, own.parser.neural.units]  # the second teacher, and the student
    assert isinstance(model.parser, ParserModel) and isinstance(expected.parser, ParserModel)
    answers = [Parser(one.parser).parse(known, tags="predict").to_bytes() for one in (model, expected)]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"distil": "missing.txt"}, "no such file"),
        ({"teachers": "0"}, "at least one"),
        ({"teachers": ","}, "files of parsers"),
        ({"parser.scorer": "linear"}, "network that predicts tags"),
        ({"teacher.neural.tags": "none"}, "teachers are networks"),
        ({"distil_lemmas": "missing.txt"}, "no such file"),
    ],
)
def test_settings_that_cannot_be_meant(raw: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        train_pipeline([tiny_treebank(5)], None, configs(raw, **change))


def test_a_text_without_sentences_is_refused(raw: Path) -> None:
    raw.write_text("x\n\ny\n")
    with pytest.raises(FormatError, match="no sentence"):
        train_pipeline([tiny_treebank(30)], None, configs(raw))


def test_the_command_line(raw: Path, tmp_path: Path) -> None:
    folder = tmp_path / "UD"
    folder.mkdir()
    (folder / "x-ud-train.conllu").write_bytes(tiny_treebank(30).to_bytes("conllu"))
    sets = [f"{step}.neural.{name}={value}" for step in ("parser", "teacher") for name, value in NEURAL.items()]
    sets += ["tokenizer.epochs=2", "tokenizer.bits=12", "parser.threads=1"]
    options = [part for one in sets for part in ("--set", one)]
    output = str(tmp_path / "m.accord")
    found = command("train", "pipeline", str(folder), "-o", output, "--distil", str(raw), "--teachers", "1", *options)
    assert found.returncode == 0, found.stderr
    assert "1 teachers annotate 3 sentences" in found.stderr.decode() and Path(output).is_file()
    alone = command("train", "pipeline", str(folder), "-o", output, "--teachers", "1")
    assert alone.returncode != 0 and "--teachers goes with --distil" in alone.stderr.decode()
