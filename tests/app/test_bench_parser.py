# SPDX-License-Identifier: Apache-2.0
"""``accord bench parser``: figures of several models on small treebanks. No time is judged, only what it is told of."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import accord
from accord.app.measuring.parser import LENGTHS, ParserFigures, measure_parser, peak_memory_mb
from accord.app.measuring.process import measure_parsers
from accord.app.measuring.report import parser_tables, plot_parsers
from accord.data import Document, Sentence
from accord.errors import AccordError, ConfigError
from accord.evaluation import attachment
from accord.models import model_path
from tests.app.test_cli import SMALL
from tests.app.test_cli import accord as run
from tests.conftest import toy_document

HAVE_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
SVG = "{http://www.w3.org/2000/svg}"


def chain(length: int) -> Sentence:
    """A sentence of any length, each word depending on the one before."""
    forms = [("tree", "girl", "saw")[i % 3] for i in range(length)]
    labels = ["root", *["dep"] * (length - 1)]
    return Sentence.from_words(forms, upos=["NOUN"] * length, heads=list(range(length)), deprels=labels)


@pytest.fixture(scope="module")
def treebank() -> Document:
    lengths = (1, 10, 11, 100, 101, 130)  # both ends of classes
    return Document.from_sentences([*toy_document(20, 5).sentences, *(chain(length) for length in lengths)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, treebank: Document) -> Path:
    here = tmp_path_factory.mktemp("bench")
    treebank.write(here / "small.conllu")
    toy_document(15, 6).write(here / "other.json")
    shutil.copy(model_path("en"), here / "copy.accord")
    return here


@pytest.fixture(scope="module")
def measured(folder: Path) -> list[ParserFigures]:
    files = [str(folder / "small.conllu"), str(folder / "other.json")]
    done = run(
        *("bench", "parser", *files, "--model", "en", "-m", str(folder / "copy.accord")), "--repeat", "1", "--json"
    )
    assert done.returncode == 0, done.stderr.decode()
    found: list[ParserFigures] = json.loads(done.stdout)
    return found


def test_every_model_has_a_row_for_every_file(folder: Path, measured: list[ParserFigures]) -> None:
    small, other, copy = (str(folder / name) for name in ("small.conllu", "other.json", "copy.accord"))
    assert [(row["file"], row["model"]) for row in measured] == [
        *((small, "en"), (small, copy)),
        *((other, "en"), (other, copy)),
    ]
    for row in measured:
        assert row["order"] == 1 and row["model_mb"] == model_path("en").stat().st_size / 1e6
        assert row["load_ms"] > 0 and row["words_per_cpu_second"] > 0 and row["peak_memory_mb"] > row["model_mb"] / 2


def test_accuracy_is_that_of_the_evaluation(measured: list[ParserFigures]) -> None:
    parser = accord.Parser.load("en")
    for row in measured:
        gold = accord.data.read(row["file"])
        score = attachment(gold, parser.parse(gold, threads=1))
        assert (row["UAS"], row["LAS"]) == (pytest.approx(score.uas), pytest.approx(score.las))
        assert (row["words"], row["sentences"]) == (score.words, score.sentences)
        for part in row["by_length"]:
            low, high = (int(end) for end in part["lengths"].replace("+", "-100000").split("-"))
            chosen = Document.from_sentences([s for s in gold.sentences if low <= len(s) <= high])
            score = attachment(chosen, parser.parse(chosen, threads=1))
            assert (part["sentences"], part["words"]) == (score.sentences, score.words)
            assert (part["UAS"], part["LAS"]) == (pytest.approx(score.uas), pytest.approx(score.las))
        assert sum(part["words"] for part in row["by_length"]) == row["words"]
    assert [part["lengths"] for part in measured[0]["by_length"]] == ["1-10", "11-20", "61-100", f"{LENGTHS[-1] + 1}+"]


def test_a_model_without_labels_has_no_las(folder: Path, tmp_path: Path) -> None:
    model, file = str(tmp_path / "heads.accord"), str(folder / "other.json")
    done = run("train", "parser", file, "--output", model, "--set", "labels=none", "--set", "epochs=1", *SMALL)
    assert done.returncode == 0, done.stderr.decode()
    figures = measure_parser(model, file, 1, 1)
    assert figures["LAS"] is None and all(part["LAS"] is None for part in figures["by_length"])
    assert figures["UAS"] > 50
    row = parser_tables([figures]).splitlines()[1].split()
    assert row[:3] == [model, "1", "other.json"] and row[4] == "-"
    if HAVE_MATPLOTLIB:
        labels = [line.get_label() for line in plot_parsers([figures]).axes[1].get_lines()]
        assert labels == [f"{model} UAS"]


def test_tables_have_a_row_for_each_model_and_for_each_length(measured: list[ParserFigures]) -> None:
    whole, parts = (table.splitlines() for table in parser_tables(measured).split("\n\n"))
    columns = " ".join(whole[0].split())
    assert columns == "model order file UAS LAS words/CPU s load ms model MB peak MB"
    assert len(whole) == 1 + len(measured) and len(parts) == 1 + sum(len(row["by_length"]) for row in measured)
    assert whole[1].split()[:5] == ["en", "1", "small.conllu", f"{measured[0]['UAS']:.2f}", f"{measured[0]['LAS']:.2f}"]


@pytest.mark.skipif(not HAVE_MATPLOTLIB, reason="matplotlib is not installed")
def test_the_picture_has_two_panels_a_file_and_a_line_a_model(measured: list[ParserFigures], tmp_path: Path) -> None:
    figure = plot_parsers(measured[:2], tmp_path / "models.svg")
    assert ElementTree.parse(tmp_path / "models.svg").getroot().tag == SVG + "svg"
    speed, accuracy = figure.axes
    parts = measured[0]["by_length"]
    assert [line.get_label() for line in speed.get_lines()] == [row["model"] for row in measured[:2]]
    assert list(speed.get_lines()[0].get_ydata()) == [part["words_per_cpu_second"] for part in parts]
    lines = {line.get_label(): list(line.get_ydata()) for line in accuracy.get_lines()}
    assert lines["en LAS"] == [part["LAS"] for part in parts] and lines["en UAS"] == [part["UAS"] for part in parts]
    assert len(lines) == 4
    assert len(plot_parsers(measured).axes) == 4


@pytest.mark.skipif(not HAVE_MATPLOTLIB, reason="matplotlib is not installed")
def test_the_command_writes_tables_and_a_picture(folder: Path, tmp_path: Path) -> None:
    picture = tmp_path / "models.png"
    done = run("bench", "parser", str(folder / "other.json"), "--repeat", "1", "--plot", str(picture))
    assert done.returncode == 0 and picture.read_bytes().startswith(b"\x89PNG")
    assert done.stdout.decode().splitlines()[1].startswith("en ")


def test_peak_memory_is_that_of_the_process_alone() -> None:
    ballast = bytearray(200 << 20)
    code = "from accord.app.measuring.parser import peak_memory_mb; print(peak_memory_mb())"
    child = float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
    assert len(ballast) / (1 << 20) < peak_memory_mb()
    if Path("/proc/self/status").is_file():
        assert 1 < child < 150


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.conllu", b"", "empty.conllu: there are no words to parse"),
        ("headless.conllu", b"1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "headless.conllu:1: "),
        ("broken.conllu", b"1\tGo\n\n", "broken.conllu:1: "),
    ],
)
def test_a_treebank_that_cannot_be_measured_is_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    done = run("bench", "parser", str(tmp_path / name))
    stderr = done.stderr.decode()
    assert done.returncode == 1 and message in stderr and len(stderr.strip().splitlines()) == 1, stderr


def test_mistakes_are_told_before_anything_is_measured(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = str(folder / "small.conllu")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("something was measured"))
    with pytest.raises(AccordError, match="absent"):
        list(measure_parsers(["en"], [small, "absent"]))
    with pytest.raises(AccordError, match="nowhere: no such model file"):
        list(measure_parsers(["en", "nowhere"], [small]))
    with pytest.raises(ConfigError, match="standard input"):
        list(measure_parsers(["en"], ["-"]))
    monkeypatch.undo()
    done = run("bench", "parser", small, "--plot", str(tmp_path / "models.doc"))
    assert done.returncode == 1 and b"models.doc: a figure is written to" in done.stderr


def test_a_process_that_dies_is_told(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    died = subprocess.CompletedProcess([], -9, b"")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: died)
    with pytest.raises(AccordError, match=r"en: the process that measured it on .* ended with status -9"):
        list(measure_parsers(["en"], [str(folder / "small.conllu")]))
