# SPDX-License-Identifier: Apache-2.0
"""Reports as a user meets them: ``accord evaluate --calibration``, and the pages of trainings (``--report``)."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import accord
from accord.app.cli import make_app
from accord.app.training_page import chart, training_page
from accord.data import Document
from accord.evaluation import tree_calibration
from accord.models.file import ModelFile
from tests.app.test_cli import accord as run
from tests.conftest import toy_document

HAVE_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gold trees, and what the packaged model makes of their words, in two formats."""
    here = tmp_path_factory.mktemp("calibration")
    gold = toy_document(30, 4)
    gold.write(here / "gold.conllu")
    system = accord.load("en").parse(gold, probabilities=True, threads=1)
    system.write(here / "system.conllu.gz")
    system.write(here / "system.json")
    return here


def test_both_formats_give_the_library_figures(folder: Path) -> None:
    gold = str(folder / "gold.conllu")
    documents = (accord.data.read(gold), accord.data.read(folder / "system.conllu.gz"))
    for more, expected in (
        ([], tree_calibration(*documents)),
        (["--bins", "4", "--equal-count"], tree_calibration(*documents, bins=4, binning="count")),
    ):
        for system in ("system.conllu.gz", "system.json"):
            done = run("evaluate", gold, str(folder / system), "--calibration", "--json", *more)
            report = json.loads(done.stdout)
            assert report["calibration"] == {name: found.to_json() for name, found in expected.items()}
            assert report["calibration"]["heads"]["accuracy"] == pytest.approx(report["UAS"] / 100)
    assert "calibration" not in json.loads(run("evaluate", gold, gold, "--json").stdout)


def test_the_report_for_people_has_tables_and_figures(folder: Path) -> None:
    files = [str(folder / "gold.conllu"), str(folder / "system.json")]
    text = run("evaluate", *files, "--calibration").stdout.decode()
    heads = tree_calibration(*(accord.data.read(file) for file in files))["heads"]
    assert "calibration of heads" in text and "calibration of labelled arcs" in text
    assert heads.table() in text and f"ECE {heads.ece:.4f}  MCE {heads.mce:.4f}  Brier {heads.brier:.4f}" in text


@pytest.mark.skipif(not HAVE_MATPLOTLIB, reason="matplotlib is not installed")
def test_a_picture_is_written_in_the_format_of_its_name(folder: Path, tmp_path: Path) -> None:
    files = [str(folder / "gold.conllu"), str(folder / "system.json")]
    for name, beginning in (("r.svg", b"<?xml"), ("r.png", b"\x89PNG")):
        done = run("evaluate", *files, "--calibration", "--plot", str(tmp_path / name))
        assert done.returncode == 0 and (tmp_path / name).read_bytes().startswith(beginning), done.stderr.decode()


def test_mistakes_are_told_in_one_line(folder: Path, tmp_path: Path) -> None:
    gold, system = str(folder / "gold.conllu"), str(folder / "system.json")
    fewer = str(tmp_path / "fewer.conllu")
    Document.from_sentences(accord.data.read(system).sentences[:29]).write(fewer)
    for arguments, status, message in (
        ([gold, gold, "--calibration"], 1, f"{gold}: no confidences: no word has ArcConf in MISC"),
        ([gold, system, "--calibration", "--plot", str(tmp_path / "r.doc")], 1, "r.doc: a figure is written to"),
        ([gold, system, "--calibration", "--plot", str(tmp_path / "no" / "r.svg")], 1, "r.svg: no such file"),
        ([gold, system, "--plot", "r.svg"], 2, "--calibration"),
        ([gold, system, "--bins", "5"], 2, "--calibration"),
        ([gold, system, "--calibration", "--bins", "0"], 2, "--bins"),
        ([gold, fewer, "--calibration"], 1, "fewer.conllu"),
    ):
        done = run("evaluate", *arguments)
        stderr = done.stderr.decode()
        assert done.returncode == status and message in stderr and "Traceback" not in stderr, stderr
        assert status == 2 or len(stderr.strip().splitlines()) == 1
        assert done.stdout == b""
    assert [file.name for file in tmp_path.iterdir()] == ["fewer.conllu"]


def test_a_training_shows_its_curves_in_a_page(tmp_path: Path) -> None:
    toy_document(80, 1).write(tmp_path / "train.conllu")
    toy_document(20, 2).write(tmp_path / "dev.conllu")
    model, page, again = (tmp_path / name for name in ("m.accord", "m.html", "again.html"))
    files = ["train", "parser", tmp_path / "train.conllu", "--dev", tmp_path / "dev.conllu", "--output", model]
    for words in (
        [*files, "--set", "epochs=3", "--set", "arc_bits=12", "--report", page],
        ["info", model, "--report", again],
    ):
        done = CliRunner().invoke(make_app([str(word) for word in words]), [str(word) for word in words])
        assert done.exit_code == 0, done.output
    text = page.read_text()
    assert text == again.read_text() and "<script" not in text and "train.conllu" in text and "dev.conllu" in text
    log = ModelFile(model).header["card"]["log"]
    assert text.count("<circle ") >= 3 * len(log) and all(f"{row['scores']['LAS']:.2f}" in text for row in log)
    body = text.partition("<body>")[2].rpartition("</body>")[0]
    ElementTree.fromstring(f"<body>{body}</body>")


def test_a_page_of_a_model_without_epochs_and_with_odd_values() -> None:
    assert "no log of epochs" in training_page({"kind": "tagger", "card": {"data": "a<b"}}, "m&m.accord")
    assert chart("empty", [1, 2], {"LAS": [math.nan, math.nan]}, 1) == ""
    one = chart("one", [3], {"x<y": [5.0]}, 3)
    assert "x&lt;y 5" in one and one.count("<circle") == 1 and "nan" not in one
    holes = chart("holes", [1, 2, 3], {"x": [1.0, math.nan, 3.0]}, 2)
    assert holes.count("<circle") == 2 and "nan" not in holes
