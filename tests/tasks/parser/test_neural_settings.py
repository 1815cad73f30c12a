# SPDX-License-Identifier: Apache-2.0
"""Settings of networks among those of the parser, and what happens where PyTorch is not installed."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from accord.errors import ConfigError, MissingDependencyError
from accord.settings import make_settings, read_settings, to_toml
from accord.tasks.network.config import NeuralConfig
from accord.tasks.parser import Parser, ParserConfig
from accord.tasks.parser.training import parser_task
from tests.app.test_cli import accord
from tests.conftest import toy_document
from tests.tasks.parser.neural_cases import random_model

# The command line where nothing can import PyTorch.
WITHOUT = "import sys; sys.modules['torch'] = None; from accord.app.cli import main; main()"


def accord_without_torch(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-W", "error", "-c", WITHOUT, *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=120)


def test_pairs_and_tables_reach_the_network(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text('scorer = "neural"\norder = 2\n[neural]\nunits = 7\nrate = 1\nencoder = "convolution"\n')
    config = read_settings(ParserConfig, file, ["neural.units=10", "neural.loss=crf", "seed=3"])
    assert (config.scorer, config.order, config.seed) == ("neural", 2, 3)
    assert (config.neural.units, config.neural.rate, config.neural.encoder) == (10, 1.0, "convolution")
    assert config.neural.loss == "crf" and config.neural.layers == NeuralConfig().layers


def test_a_written_file_reads_back_as_the_same_settings(tmp_path: Path) -> None:
    neural = {"units": 10, "inputs": 'lower,"shape"', "dropout": 0.125, "vectors": "a\\b.txt"}
    config = make_settings(ParserConfig, {"scorer": "neural", "neural": neural, "epochs": 3})
    file = tmp_path / "c.toml"
    file.write_text(to_toml(config))
    assert read_settings(ParserConfig, file) == config
    assert "\n[neural]\n" in to_toml(config)
    assert make_settings(ParserConfig, dataclasses.asdict(config)) == config


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        ("neural.unit=3", r"unknown setting 'neural\.unit', perhaps 'neural\.units'; there are: .*neural\.units"),
        ("neural.=3", r"unknown setting 'neural\.'"),
        ("neural=3", r"unknown setting 'neural'.*; .*neural\.\*"),
        ("neutral.units=3", r"unknown setting 'neutral\.units'"),
        ("neural.units=ten", r"neural\.units = 'ten': expected int"),
        ("neural.units=0", r"neural\.units = 0: expected a value in"),
        ("neural.dropout=nan", r"neural\.dropout = nan: expected a value in"),
        ("neural.encoder=transformer", r"neural\.encoder = 'transformer': expected one of lstm, convolution"),
        ("neural.loss=hinge", r"neural\.loss = 'hinge'"),
        ("scorer=deep", r"scorer = 'deep': expected one of linear, neural"),
    ],
)
def test_a_wrong_setting_is_named_in_full(pair: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        read_settings(ParserConfig, None, [pair])


def test_settings_of_groups_are_checked_in_files_too(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[neural]\nunits = 4.5\n")
    with pytest.raises(ConfigError, match=r"neural\.units = 4\.5: expected int"):
        read_settings(ParserConfig, file)


def test_without_pytorch_training_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'accord\[neural\]'"):
        parser_task(toy_document(3, 1), None, make_settings(ParserConfig, {"scorer": "neural"}))


def test_without_pytorch_the_command_line_says_so_in_one_line_and_parses(tmp_path: Path) -> None:
    document = toy_document(10, 1)
    document.write(tmp_path / "train.conllu")
    done = accord_without_torch(
        *("train", "parser", str(tmp_path / "train.conllu"), "--output", str(tmp_path / "m.accord")),
        *("--set", "scorer=neural", "--set", "neural.units=10"),
    )
    message = done.stderr.decode().strip()
    assert done.returncode == 1 and done.stdout == b"" and len(message.splitlines()) == 1
    assert "pip install 'accord[neural]'" in message and "Traceback" not in message
    assert not (tmp_path / "m.accord").exists()
    model = random_model(1)
    model.save(tmp_path / "m.accord")
    parsed = accord_without_torch(
        *("parse", str(tmp_path / "train.conllu"), "--model", str(tmp_path / "m.accord"), "--tags", "keep")
    )
    assert parsed.returncode == 0, parsed.stderr.decode()
    assert parsed.stdout == Parser(model).parse(document).to_bytes()


def test_a_wrong_setting_on_the_command_line_is_one_line(tmp_path: Path) -> None:
    toy_document(3, 1).write(tmp_path / "train.conllu")
    done = accord(
        *("train", "parser", str(tmp_path / "train.conllu"), "--output", str(tmp_path / "m.accord")),
        *("--set", "scorer=neural", "--set", "neural.unit=10"),
    )
    message = done.stderr.decode().strip()
    assert done.returncode == 1 and len(message.splitlines()) == 1 and "'neural.unit'" in message
