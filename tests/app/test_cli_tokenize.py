# SPDX-License-Identifier: Apache-2.0
"""``accord tokenize`` and ``accord train tokenizer``, run as a user runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.data import Document
from accord.tasks.parser import Parser
from accord.tasks.tokenizer import detokenize
from tests.app.test_cli import accord
from tests.tasks.tokenizer.test_tokenizer import raw_text, surface
from tests.tasks.tokenizer.tokenizer_treebank import treebank

SMALL = ["--set", "epochs=4", "--set", "bits=13"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tokenize")
    treebank(120, 1).write(folder / "train.conllu")
    treebank(20, 2).write(folder / "dev.conllu")
    files = [str(folder / "train.conllu"), "--dev", str(folder / "dev.conllu"), "--output", str(folder / "t.accord")]
    done = accord("train", "tokenizer", *files, *SMALL)
    assert done.returncode == 0, done.stderr.decode()
    assert b"dev tokens" in done.stderr and b"best of epoch" in done.stderr
    return folder


def test_text_from_standard_input(folder: Path) -> None:
    gold = treebank(10, 3)
    text = raw_text(gold) + "\n"
    done = accord("tokenize", "--model", str(folder / "t.accord"), "--offsets", stdin=text.encode())
    document = Document.from_conllu(done.stdout)
    assert surface(document) == surface(gold)
    assert detokenize(document) == text
    assert b"TokenRange=0:" in done.stdout


def test_files_are_documents_with_names(folder: Path, tmp_path: Path) -> None:
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for file in files:
        file.write_text("Anna saw it.\nBob met Anna .\n")
    model = str(folder / "t.accord")
    done = accord("tokenize", *map(str, files), "--model", model, "--input", "tokens")
    document = Document.from_conllu(done.stdout)
    assert [s.forms for s in document.sentences][:2] == [("Anna", "saw", "it."), ("Bob", "met", "Anna", ".")]
    assert [s.sent_id for s in document.sentences] == [f"{file}-{n}" for file in files for n in (1, 2)]
    assert [s.comment("newdoc id") for s in document.sentences] == [str(files[0]), None, str(files[1]), None]
    lines = accord("tokenize", str(files[0]), "--model", model, "--input", "sentences", "--output", "json")
    assert len(lines.stdout.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "stdin", "status", "message"),
    [
        (["--input", "words"], b"", 2, "--input"),
        (["--output", "svg"], b"", 2, "--output"),
        (["absent.txt"], b"", 1, "absent.txt"),
        ([], b"a\n\xff", 1, "<stdin>:2: not UTF-8"),
    ],
)
def test_mistakes(folder: Path, arguments: list[str], stdin: bytes, status: int, message: str) -> None:
    done = accord("tokenize", *arguments, "--model", str(folder / "t.accord"), stdin=stdin)
    stderr = done.stderr.decode()
    assert done.returncode == status and message in stderr and "Traceback" not in stderr


def test_other_models_and_empty_treebanks_are_refused(folder: Path) -> None:
    Parser.load("en").model.save(folder / "parser.accord")
    done = accord("tokenize", "--model", str(folder / "parser.accord"))
    assert done.returncode == 1 and "not a tokenizer" in done.stderr.decode()
    train = accord("train", "tokenizer", "/dev/null", "--format", "conllu", "--output", str(folder / "n.accord"))
    assert train.returncode == 1 and "nothing to train on" in train.stderr.decode()
