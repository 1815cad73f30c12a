# SPDX-License-Identifier: Apache-2.0
"""The command line with a model of higher order: confidences and lists of trees."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from accord.data import Document
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig
from accord.tasks.parser.training import train_parser
from tests.conftest import toy_document
from tests.tasks.parser.test_parser_beliefs import SMALL


def parse(folder: Path, *arguments: str, file: str = "dev.conllu") -> bytes:
    command = [sys.executable, "-m", "accord.app.cli", "parse", str(folder / file), "--model"]
    command += [str(folder / "m.accord"), *arguments]
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("higher_order")
    toy_document(8, 2).write(here / "dev.conllu")
    config = make_settings(ParserConfig, {**SMALL, "order": 2})
    train_parser(toy_document(100, 1), toy_document(20, 3), config).snapshot.save(here / "m.accord")
    return here


def test_confidences_stand_in_misc_and_in_json(folder: Path) -> None:
    document = Document.from_conllu(parse(folder, "--probabilities"))
    assert all("ArcConf=" in misc and "LabelConf=" in misc for misc in document.column("misc"))
    lines = parse(folder, "--probabilities", "--output", "json").splitlines()
    assert len(lines) == 8
    assert all("ArcConf=" in word["misc"] for line in lines for word in json.loads(line)["words"])


def test_nbest_repeats_sentences_in_conllu_and_makes_lists_in_json(folder: Path) -> None:
    document = Document.from_conllu(parse(folder, "--nbest", "3"))
    assert [s.comment("nbest") for s in document.sentences] == ["1", "2", "3"] * 8
    lists = [json.loads(line) for line in parse(folder, "--nbest", "3", "--output", "json").splitlines()]
    assert [len(trees) for trees in lists] == [3] * 8
    flat = [tree for trees in lists for tree in trees]
    for tree, sentence in zip(flat, document.sentences, strict=True):
        assert [word["head"] for word in tree["words"]] == list(sentence.heads)
        assert tree["comments"] == list(sentence.comments)
    scores = [[float(s.comment("score") or "nan") for s in document.sentences[i : i + 3]] for i in range(0, 24, 3)]
    assert all(a >= b for three in scores for a, b in pairwise(three))


def test_a_list_of_lists_is_renewed_not_doubled(folder: Path) -> None:
    (folder / "again.conllu").write_bytes(parse(folder, "--nbest", "2"))
    sentences = Document.from_conllu(parse(folder, "--nbest", "2", file="again.conllu")).sentences
    assert len(sentences) == 32
    assert all(sum(comment.startswith("# nbest =") for comment in s.comments) == 1 for s in sentences)


def test_paths_are_parts_like_others(tmp_path: Path) -> None:
    def accord(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "accord.app.cli", *arguments]
        return subprocess.run(command, capture_output=True, check=False, timeout=120)

    toy_document(40, 1).write(tmp_path / "train.conllu")
    files = (str(tmp_path / "train.conllu"), str(tmp_path / "m.accord"))
    wanted = {**SMALL, "parts": "path,nonprojective", "rule": "crf"}
    small = [f"--set={name}={value}" for name, value in wanted.items()]
    done = accord("train", "parser", files[0], "--dev", files[0], "--output", files[1], *small)
    assert done.returncode == 0, done.stderr.decode()
    parsed = Document.from_conllu(parse(tmp_path, "--exact", file="train.conllu"))
    assert all(sentence.problem() is None for sentence in parsed.sentences)
    sure = parse(tmp_path, "--probabilities", "--solver", "bp", file="train.conllu")
    assert all("ArcConf=" in misc for misc in Document.from_conllu(sure).column("misc"))
    lines = parse(tmp_path, "--probabilities", "--output", "json", file="train.conllu").splitlines()
    assert all("LabelConf=" in word["misc"] for line in lines for word in json.loads(line)["words"])
    (tmp_path / "sure.conllu").write_bytes(sure)
    measured = accord("evaluate", files[0], str(tmp_path / "sure.conllu"), "--calibration")
    assert measured.returncode == 0 and b"ECE" in measured.stdout, measured.stderr.decode()


def test_info_tells_what_the_pruner_left(folder: Path) -> None:
    command = [sys.executable, "-m", "accord", "info", str(folder / "m.accord")]
    told = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert "pruner heads a word" in told and "% of gold heads" in told
