# SPDX-License-Identifier: Apache-2.0
"""The commands that make, describe and use rerankers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accord.models.file import ModelFile
from accord.tasks.reranker import RerankerConfig, RerankerModel, write_lists
from accord.tasks.reranker.task import _tiny_lists
from accord.tasks.reranker.training import train_reranker
from tests.app.test_cli import accord


@pytest.fixture
def lists(tmp_path: Path) -> tuple[str, str]:
    files = str(tmp_path / "train.jsonl"), str(tmp_path / "dev.jsonl")
    write_lists(_tiny_lists(30), files[0])
    write_lists(_tiny_lists(8, 30), files[1])
    return files


def test_a_trained_reranker_says_what_each_component_does(lists: tuple[str, str], tmp_path: Path) -> None:
    model, page = tmp_path / "better.accord", tmp_path / "page.html"
    how = ["--output", str(model), "--report", str(page), "--set", "method=maxent+hidden/tag/head"]
    done = accord("train", "reranker", lists[0], "--dev", lists[1], *how, "--set", "least_count=2")
    assert done.returncode == 0, done.stderr
    assert b"epoch" not in done.stderr  # a mixture has none
    about = accord("info", str(model)).stdout.decode()
    rows = {line.split()[0]: line for line in about.splitlines() if line.strip()}
    assert "CPU s" in rows["maxent"] and "CPU s" in rows["hidden/tag/head"]
    assert "oracle" in page.read_text(encoding="utf-8")


def test_rerankers_of_earlier_versions_are_described(tmp_path: Path) -> None:
    trained = train_reranker(_tiny_lists(30), None, RerankerConfig(method="maxent", least_count=2, threads=1)).model
    log = [{"epoch": 1, "component": "maxent", "l2": 30.0, "scores": {"right": 50.0}}]
    model = RerankerModel(**{**vars(trained), "card": {"log": log, "best_epoch": 1, "scores": {}}})
    model.save(tmp_path / "old.accord")
    assert ModelFile(tmp_path / "old.accord").header["card"]["log"] == log
    about = accord("info", str(tmp_path / "old.accord"))
    assert about.returncode == 0 and b"right 50.00" in about.stdout, about.stderr


def test_what_is_no_list_is_named_with_its_file(lists: tuple[str, str], tmp_path: Path) -> None:
    model, wrong = str(tmp_path / "better.accord"), tmp_path / "wrong.jsonl"
    train_reranker(_tiny_lists(30), None, RerankerConfig(method="maxent", least_count=2, threads=1)).model.save(model)
    first = Path(lists[1]).read_text(encoding="utf-8").splitlines()[0]
    wrong.write_text(f"{first}\n{{\n", encoding="utf-8")
    done = accord("rerank", str(wrong), "--model", model, "--to", str(tmp_path / "out.jsonl"))
    assert done.returncode == 1 and f"{wrong}:2: no JSON".encode() in done.stderr
    assert not (tmp_path / "out.jsonl").exists()
    wrong.write_text(first + "\n", encoding="utf-8")
    assert json.loads(accord("rerank", str(wrong), "--model", model).stdout)["kind"] == "labels"
