# SPDX-License-Identifier: Apache-2.0
"""Templates with a budget on the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from accord.tasks.examples import tiny_treebank


def accord(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "accord", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_training_chooses_templates_and_info_lists_them(tmp_path: Path) -> None:
    treebank, model = tmp_path / "tiny.conllu", tmp_path / "m.accord"
    treebank.write_bytes(tiny_treebank(40).to_bytes())
    budget = ["--set", "sparsity.groups=templates", "--set", "sparsity.budget=4", "--set", "sparsity.interval=10"]
    trained = accord(
        "train", "spans", treebank, "--output", model, "--set", "epochs=2", "--set", "jackknife=2", *budget
    )
    assert trained.returncode == 0, trained.stderr
    assert "4 of 43 templates stay" in trained.stderr
    about = accord("info", model).stdout
    assert "4 of 43 templates were chosen in training" in about
    assert "[state]" in about and "config.sparsity.budget" in about
    assert "B-PER" in accord("spans", treebank, "--model", model).stdout


def test_settings_that_make_no_sense_are_one_line(tmp_path: Path) -> None:
    treebank = tmp_path / "tiny.conllu"
    treebank.write_bytes(tiny_treebank(10).to_bytes())
    refused = accord("train", "spans", treebank, "--output", tmp_path / "m", "--set", "sparsity.groups=templates")
    assert refused.returncode == 1
    assert len(refused.stderr.strip().splitlines()) == 1 and "sparsity.budget" in refused.stderr
    for task in ("spans", "parser", "tagger"):
        idle = accord("train", task, treebank, "--output", tmp_path / "m", "--set", "sparsity.budget=4")
        assert idle.returncode == 1 and "sparsity.budget needs sparsity.groups" in idle.stderr
    unknown = accord("train", "spans", treebank, "--output", tmp_path / "m", "--set", "sparsity.groups=words")
    assert unknown.returncode != 0 and "coarse_to_fine" in unknown.stderr
