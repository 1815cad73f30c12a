# SPDX-License-Identifier: Apache-2.0
"""The command line as a user meets it: what is printed where, and the exit status."""

from __future__ import annotations

import json
import lzma
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from accord.data import Document
from accord.tasks.parser import Parser
from tests.conftest import toy_document

SMALL = ["--set", "arc_bits=14", "--set", "label_bits=10", "--set", "threads=1"]


def accord(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "accord.app.cli", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=120)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A treebank in two parts and a model trained on it by the command line."""
    here = tmp_path_factory.mktemp("cli")
    toy_document(200, 1).write(here / "train.conllu.gz")
    toy_document(40, 2).write(here / "dev.conllu")
    done = accord(
        *("train", "parser", str(here / "train.conllu.gz"), "--dev", str(here / "dev.conllu")),
        *("--output", str(here / "m.accord"), "--card", "licence=CC0", "--set", "epochs=3", *SMALL),
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b"dev LAS" in done.stderr and done.stdout == b""
    assert not (here / "m.accord.checkpoint").exists()
    return here


def test_parse_evaluate_show_and_info_work_together(folder: Path) -> None:
    dev, model, out = str(folder / "dev.conllu"), str(folder / "m.accord"), str(folder / "out.conllu.xz")
    assert accord("parse", dev, "--model", model, "--to", out, "--probabilities").returncode == 0
    assert b"ArcConf=" in lzma.decompress(Path(out).read_bytes())
    report = json.loads(accord("evaluate", dev, out, "--json").stdout)
    assert report["LAS"] > 97 and report["Tokens"] == 100.0
    assert report["attachment"]["without punctuation"]["LAS"] > 97
    assert b"complete trees" in accord("evaluate", dev, out, "--breakdown").stdout
    drawing = accord("show", out, "--limit", "2").stdout.decode()
    assert "nsubj" in drawing and "root" in drawing
    svg = accord("show", out, "--sentence", "1", "--output", "svg").stdout
    assert svg.startswith((b"<svg", b"<?xml"))
    assert accord("show", out, "--output", "html").stdout.startswith(b"<!DOCTYPE html>")
    about = accord("info", model).stdout.decode()
    assert "CC0" in about and "config.rule" in about and "epoch 1" in about
    assert json.loads(accord("info", model, "--json").stdout)["config"]["arc_bits"] == 14


def test_standard_input_to_standard_output_in_every_format(folder: Path) -> None:
    text = (folder / "dev.conllu").read_bytes()
    model = str(folder / "m.accord")
    conllu = accord("parse", "--model", model, stdin=text)
    assert conllu.returncode == 0 and conllu.stdout.count(b"\n\n") == 40
    assert len(accord("parse", "-", "--model", model, "--output", "json", stdin=text).stdout.splitlines()) == 40
    assert b"\t" in accord("parse", "-", "--model", model, "--output", "conllx", stdin=text).stdout
    assert accord("convert", "-", "--output", "conllu", stdin=text).stdout == text
    lines = accord("convert", "-", "--output", "json", stdin=text).stdout
    assert accord("convert", "-", "--format", "json", "--output", "conllu", stdin=lines).stdout == text


def test_nbest_repeats_each_sentence_with_rank_and_score(folder: Path) -> None:
    text = (folder / "dev.conllu").read_bytes()
    done = accord("parse", "--model", str(folder / "m.accord"), "--nbest", "3", stdin=text)
    document = Document.from_conllu(done.stdout)
    assert len(document) == 120
    scores = [float(s.comment("score") or "nan") for s in document.sentences]
    ranks = [s.comment("nbest") for s in document.sentences]
    assert ranks[:6] == ["1", "2", "3", "1", "2", "3"]
    assert all(a >= b for a, b, r in zip(scores, scores[1:], ranks[1:], strict=False) if r != "1")
    for i in range(0, 120, 3):
        assert len({s.heads for s in document.sentences[i : i + 3]}) == 3


@pytest.mark.parametrize(
    ("arguments", "stdin", "status", "message"),
    [
        (["parse", "--model", "nowhere"], b"", 1, "nowhere: no such model file"),
        (["parse", "absent.conllu"], b"", 1, "absent.conllu"),
        (["parse", "--output", "png"], b"", 2, "--output"),
        (["parse", "--nbest", "0"], b"", 2, "--nbest"),
        (["frobnicate"], b"", 2, "frobnicate"),
        (["convert", "-", "--format", "conllu"], b"1\tonly\tthree\n", 1, "<stdin>:1: "),
        (["convert", "-", "--format", "conllu"], b"1\t\xff\t_\t_\t_\t_\t0\troot\t_\t_\n\n", 1, "UTF-8"),
        (["evaluate", "-", "absent"], b"", 1, "absent"),
        (["train", "parser", "absent", "--output", "x.accord"], b"", 1, "absent"),
        (["info", "/dev/null"], b"", 1, "/dev/null"),
    ],
)
def test_mistakes_are_one_line_and_a_status(arguments: list[str], stdin: bytes, status: int, message: str) -> None:
    done = accord(*arguments, stdin=stdin)
    stderr = done.stderr.decode()
    assert done.returncode == status, stderr
    assert message in stderr and "Traceback" not in stderr
    if status == 1:
        assert len(stderr.strip().splitlines()) == 1


def test_decode_obeys_rules_on_arc_scores(tmp_path: Path) -> None:
    scores = np.zeros((4, 4))
    scores[0, 2], scores[2, 1], scores[2, 3] = 3.0, 2.0, 2.0
    np.save(tmp_path / "s.npy", scores)
    file = str(tmp_path / "s.npy")
    plain = json.loads(accord("decode", file).stdout)
    assert plain["heads"] == [2, 0, 2] and plain["value"] == 7.0 and plain["status"] == "optimal"
    ruled = json.loads(accord("decode", file, "--constraint", "forbid 2 -> 3").stdout)
    assert ruled["heads"][2] != 2 and ruled["status"] == "optimal"
    (tmp_path / "rules.toml").write_text('rules = ["max-dependents 1"]')
    counted = json.loads(accord("decode", file, "--constraints", str(tmp_path / "rules.toml")).stdout)
    assert all(counted["heads"].count(head) <= 1 for head in (1, 2, 3))
    contradiction = accord("decode", file, "--constraint", "forbid 2 -> 3", "--constraint", "require 2 -> 3")
    assert contradiction.returncode == 1 and b"forbid 2 -> 3" in contradiction.stderr
    assert accord("decode", file, "--constraint", "be nice").returncode == 1


def test_decode_takes_one_array_of_numbers(tmp_path: Path) -> None:
    def told(file: str) -> str:
        done = accord("decode", str(tmp_path / file))
        said = done.stderr.decode().strip()
        assert done.returncode == 1 and len(said.splitlines()) == 1, said
        return said

    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }"
    for number, broken in enumerate((b"not numpy", header % b"2, 4, ", header % b"90000, 90000", b"[" * 90, b"")):
        packed = b"\x93NUMPY\x01\x00\x76\x00" + broken.ljust(117) + b"\n" if number else broken
        (tmp_path / "broken.npy").write_bytes(packed)
        assert told("broken.npy").endswith("broken.npy: not a .npy file of numbers")
    for wrong in (np.ones((3, 3), complex), np.zeros((3, 3), "M8[s]"), np.array([["a", "b"]] * 2)):
        np.save(tmp_path / "wrong.npy", wrong)
        assert f"expected numbers, and the array has {wrong.dtype}" in told("wrong.npy")
    np.savez(tmp_path / "several.npz", a=np.zeros((3, 3)))
    assert "several arrays" in told("several.npz")
    assert "o such file" in told("none.npy")


def test_bad_settings_are_named(folder: Path, tmp_path: Path) -> None:
    train = str(folder / "train.conllu.gz")
    for setting, message in (("epochs=many", "epochs"), ("order=9", "order"), ("wings=2", "unknown setting 'wings'")):
        done = accord("train", "parser", train, "--output", str(tmp_path / "m.accord"), "--set", setting)
        assert done.returncode == 1 and message in done.stderr.decode()
    assert list(tmp_path.iterdir()) == []


def test_a_broken_sentence_stops_or_passes_through(folder: Path) -> None:
    good = (folder / "dev.conllu").read_bytes()
    bad = good + b"1\tbroken\n\n" + good
    model = str(folder / "m.accord")
    stopped = accord("parse", "-", "--model", model, stdin=bad)
    assert stopped.returncode == 1 and b"columns" in stopped.stderr
    line = good.count(b"\n") + 1
    assert f"<stdin>:{line}:".encode() in stopped.stderr
    passed = accord("parse", "-", "--model", model, "--keep-going", stdin=bad)
    assert passed.returncode == 0 and b"warning" in passed.stderr
    assert b"1\tbroken\n\n" in passed.stdout and passed.stdout.count(b"\n\n") == 81


def test_empty_input_is_no_error(folder: Path) -> None:
    done = accord("parse", "-", "--model", str(folder / "m.accord"), "--format", "conllu")
    assert done.returncode == 0 and done.stdout == b""
    done = accord("train", "parser", "/dev/null", "--format", "conllu", "--output", str(folder / "n.accord"))
    assert done.returncode == 1 and "no sentence" in done.stderr.decode()


def test_resume_gives_the_model_of_an_uninterrupted_run(folder: Path, tmp_path: Path) -> None:
    def run(name: str, *more: str) -> subprocess.CompletedProcess[bytes]:
        files = [str(folder / "train.conllu.gz"), "--dev", str(folder / "dev.conllu"), "--output", str(tmp_path / name)]
        return accord("train", "parser", *files, *SMALL, "--set", "patience=9", *more)

    assert run("whole.accord", "--set", "epochs=4").returncode == 0
    assert run("parts.accord", "--resume").returncode == 1, "there is nothing to resume yet"
    # A run that is killed after its second epoch leaves the best model and a checkpoint.
    assert run("parts.accord", "--set", "epochs=2", "--keep-checkpoint").returncode == 0
    assert run("parts.accord", "--set", "epochs=4", "--set", "seed=7", "--resume").returncode == 1
    assert run("parts.accord", "--set", "epochs=4", "--resume").returncode == 0
    whole, parts = (Parser.load(tmp_path / name).model for name in ("whole.accord", "parts.accord"))
    assert whole.tables["arcs"].values.tobytes() == parts.tables["arcs"].values.tobytes()
    assert [e["epoch"] for e in parts.card["log"]] == [1, 2, 3, 4]


def test_ctrl_c_saves_the_best_model_so_far(folder: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.accord"
    command = [sys.executable, "-m", "accord.app.cli", "train", "parser", str(folder / "train.conllu.gz")]
    command += ["--dev", str(folder / "dev.conllu"), "--output", str(model)]
    command += [*SMALL, "--set", "epochs=100000", "--set", "patience=100000"]
    # Whoever started the tests may ignore Ctrl-C, which children inherit.
    heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env=os.environ, preexec_fn=heard)
    deadline = time.monotonic() + 60
    while not model.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130 and b"interrupted" in stderr and b"Traceback" not in stderr
    assert len(Parser.load(model).labels) > 3
    assert model.with_name("m.accord.checkpoint").exists()


def test_more_training_data_counts_as_often_as_it_is_named(folder: Path, tmp_path: Path) -> None:
    train, dev, model = str(folder / "train.conllu.gz"), str(folder / "dev.conllu"), str(tmp_path / "m.accord")
    small = ["--output", model, "--set", "epochs=1", *SMALL]
    done = accord("train", "parser", train, "--also", dev, "--also", dev, *small)
    assert done.returncode == 0, done.stderr.decode()
    parts = [toy_document(200, 1), toy_document(40, 2), toy_document(40, 2)]
    together = Document.from_sentences(sentence for part in parts for sentence in part.sentences)
    together.write(tmp_path / "together.conllu")
    about = json.loads(accord("info", model, "--json").stdout)["card"]
    assert about["sentences"] == 280 and about["also"] == ["dev.conllu", "dev.conllu"]
    parsed = accord("parse", dev, "--model", model, "--probabilities").stdout
    assert accord("train", "parser", str(tmp_path / "together.conllu"), *small).returncode == 0
    assert accord("parse", dev, "--model", model, "--probabilities").stdout == parsed
    missing = accord("train", "parser", train, "--also", "nowhere.conllu", *small)
    assert missing.returncode == 1 and b"nowhere.conllu" in missing.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["parse", "dev.conllu", "--model", "m.accord", "--precision", "int8"], 1, "scorer is linear"),
        (["parse", "dev.conllu", "--model", "m.accord", "--precision", "int4"], 2, "float32"),
        (["train", "parser", "dev.conllu", "--output", "n.accord", "--device", "gpu"], 2, "auto, cpu, cuda"),
        (["train", "parser", "dev.conllu", "--output", "n.accord", "--device", "cuda"], 1, "only neural scorers"),
        (["train", "pipeline", ".", "--output", "n.accord", "--device", "cuda"], 1, "only neural scorers"),
        (["train", "pipeline", ".", "--output", "n.accord", "--device", "gpu"], 2, "auto, cpu, cuda"),
    ],
)
def test_options_of_neural_models_are_checked(arguments: list[str], status: int, message: str, folder: Path) -> None:
    done = accord(*(str(folder / word) if word == "." or "." in word[1:] else word for word in arguments))
    assert done.returncode == status and message in done.stderr.decode(), done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_a_linear_model_computes_in_floats(folder: Path) -> None:
    parse = ["parse", str(folder / "dev.conllu"), "--model", str(folder / "m.accord")]
    usual, asked = accord(*parse), accord(*parse, "--precision", "float32")
    assert asked.returncode == 0 and asked.stdout == usual.stdout != b""
