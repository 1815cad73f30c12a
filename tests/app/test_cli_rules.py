# SPDX-License-Identifier: Apache-2.0
"""``accord parse`` under rules, with other solvers and within a budget, as a user meets it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from accord.data import Document, Sentence
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig
from accord.tasks.parser.training import train_parser
from tests.conftest import toy_document

SMALL = {"arc_bits": 14, "label_bits": 10, "part_bits": 14, "pruner_bits": 12, "epochs": 1, "threads": 1}


def parse(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "accord.app.cli", "parse", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, timeout=120)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("rules")
    config = make_settings(ParserConfig, {**SMALL, "order": 2})
    train_parser(toy_document(80, 1), None, config).snapshot.save(here / "second.accord")
    toy_document(8, 2).with_comments("sent_id", [f"s{index}" for index in range(8)]).write(here / "dev.conllu")
    source = random.Random(3)
    words = [source.choice(list(toy_document(5, 3).sentences[0].words)) for _ in range(60)]
    forms, tags = [word.form for word in words], [word.upos for word in words]
    torn = Sentence.from_words(forms, lemmas=forms, upos=tags, xpos=tags)
    Document.from_sentences([torn]).write(here / "torn.conllu")
    return here


def trees(output: bytes) -> Document:
    return Document.from_conllu(output)


def test_rules_from_options_and_files_hold(folder: Path) -> None:
    (folder / "rules.toml").write_text('rules = ["max-dependents 2 of VERB"]')
    plain = trees(parse(folder / "dev.conllu", "--model", folder / "second.accord").stdout)
    done = parse(
        *(folder / "dev.conllu", "--model", folder / "second.accord", "--constraint", "require 2 -> 1"),
        *("--constraints", folder / "rules.toml"),
    )
    assert done.returncode == 0 and done.stderr == b""
    broken = kept = 0
    for before, after in zip(plain.sentences, trees(done.stdout).sentences, strict=True):
        assert after.words[0].head == 2
        verbs = [word.id for word in after.words if word.upos == "VERB"]
        broken += any(before.heads.count(verb) > 2 for verb in verbs)
        kept += all(after.heads.count(verb) <= 2 for verb in verbs)
    assert broken > 0 and kept == len(plain)


def test_rules_that_contradict_each_other_are_a_warning(folder: Path) -> None:
    model, dev = folder / "second.accord", folder / "dev.conllu"
    done = parse(dev, "--model", model, "--constraint", "require 2 -> 1", "--constraint", "require 3 -> 1")
    assert done.returncode == 0 and done.stdout == parse(dev, "--model", model).stdout
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 8 and lines[0].startswith(f"accord: warning: {dev}:1: sentence s0: ")
    assert lines[0].endswith("no tree keeps these rules together: 'require 2 -> 1', 'require 3 -> 1'; parsed without")


def test_a_rule_that_no_sentence_can_meet_is_told(folder: Path) -> None:
    done = parse(folder / "dev.conllu", "--model", folder / "second.accord", "--constraint", "forbid 2 -> 99")
    assert done.returncode == 0
    assert done.stderr == b"accord: warning: rule 'forbid 2 -> 99': no sentence has a word 99\n"


def test_statuses(folder: Path) -> None:
    model, dev = folder / "second.accord", folder / "dev.conllu"
    done = parse(dev, "--model", model, "--status", "--exact")
    assert done.returncode == 0 and done.stderr == b""
    assert [s.comment("accord_status") for s in trees(done.stdout).sentences] == ["optimal"] * 8
    assert done.stdout.replace(b"# accord_status = optimal\n", b"") == parse(dev, "--model", model, "--exact").stdout


@pytest.mark.parametrize("solver", ["ad3", "subgradient", "bp", "branch_and_bound", "lp", "ilp"])
def test_solvers(folder: Path, solver: str) -> None:
    if solver in ("lp", "ilp"):
        pytest.importorskip("highspy")
    done = parse(folder / "dev.conllu", "--model", folder / "second.accord", "--solver", solver, "--iterations", "50")
    assert done.returncode == 0 and done.stderr == b""
    assert trees(done.stdout).check_trees() == []


def test_a_budget_that_runs_out_is_counted(folder: Path) -> None:
    model, torn = folder / "second.accord", folder / "torn.conllu"
    done = parse(torn, "--model", model, "--budget-ms", "0.001", "--status")
    assert done.returncode == 0 and trees(done.stdout).check_trees() == []
    assert b"# accord_status = budget" in done.stdout
    assert done.stderr == b"accord: warning: the budget ran out for 1 of 1 sentences: best trees so far\n"
    exact = parse(torn, "--model", model, "--budget-ms", "0.001", "--exact")
    assert f"{torn}:1: the budget ran out before the tree was proved best".encode() in exact.stderr


def test_lists_of_trees_keep_the_rules(folder: Path) -> None:
    model, dev = folder / "second.accord", folder / "dev.conllu"
    rules = ("--constraint", "require 2 -> 1", "--constraint", "max-dependents 2 of VERB")
    done = parse(dev, "--model", model, "--nbest", "3", "--exact", *rules)
    assert done.returncode == 0 and done.stderr == b""
    sentences = trees(done.stdout).sentences
    assert [s.comment("nbest") for s in sentences] == ["1", "2", "3"] * 8
    assert all(s.words[0].head == 2 and s.comment("certified") is None for s in sentences)
    for sentence in sentences:
        assert all(sentence.heads.count(word.id) <= 2 for word in sentence.words if word.upos == "VERB")
    scores = [float(s.comment("score") or "nan") for s in sentences]
    assert all(scores[i] >= scores[i + 1] for i in range(len(scores) - 1) if i % 3 < 2)
    torn = parse(
        dev, "--model", model, "--nbest", "2", "--constraint", "require 2 -> 1", "--constraint", "require 3 -> 1"
    )
    assert torn.returncode == 0 and torn.stderr.count(b"no tree keeps these rules together") == 8
    lists = parse(dev, "--model", model, "--nbest", "2", "--output", "json", *rules)
    assert [len(json.loads(line)) for line in lists.stdout.splitlines()] == [2] * 8


def test_confidences_say_whether_they_are_exact(folder: Path) -> None:
    model, dev = folder / "second.accord", folder / "dev.conllu"
    done = parse(dev, "--model", model, "--probabilities", "--constraint", "at-most-one nsubj")
    assert done.returncode == 0 and done.stderr == b""
    for sentence in trees(done.stdout).sentences:
        assert sentence.comment("accord_marginals") == "estimate"
        assert all("ArcConf=" in word.misc and "LabelConf=" in word.misc for word in sentence.words)
    lines = parse(dev, "--model", model, "--probabilities", "--constraint", "forbid 0 -> 1", "--output", "json").stdout
    assert lines.count(b"accord_marginals = ") == 8


def test_mistakes_are_one_line(folder: Path) -> None:
    model, dev = folder / "second.accord", folder / "dev.conllu"
    for arguments, status, message in (
        (("--constraint", "at-most nsubj"), 1, b"no rule begins so"),
        (("--constraint", "at-most-one nsubjj"), 1, b"there is no label nsubjj"),
        (("--constraints", "nowhere.toml"), 1, b"nowhere.toml"),
        (("--solver", "magic"), 1, b"solver = 'magic': expected one of"),
        (("--solver", "subgradient", "--step-rule", "magic"), 1, b"step_rule = 'magic': expected one of"),
        (("--solver", "ilp", "--exact"), 2, b"--exact chooses the solver"),
        (("--budget-ms", "0"), 2, b"more than 0"),
        (("--status", "--nbest", "2"), 2, b"--nbest"),
    ):
        done = parse(dev, "--model", model, *arguments)
        assert done.returncode == status and message in done.stderr, done.stderr
        assert done.stdout == b"" and b"Traceback" not in done.stderr
