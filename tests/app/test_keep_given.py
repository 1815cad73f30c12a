# SPDX-License-Identifier: Apache-2.0
"""``accord parse --keep given`` and training on half-annotated files, as a user meets them."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from accord.data import Document
from tests.conftest import toy_document

SMALL = ["--set", "arc_bits=14", "--set", "label_bits=10", "--set", "threads=1", "--set", "epochs=3"]


def accord(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "accord.app.cli", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=120)


def half(document: Document) -> Document:
    source = random.Random(5)
    heads = [head if source.random() < 0.5 else -1 for head in document.heads.tolist()]
    deprels = [name if source.random() < 0.5 else "_" for name in document.column("deprel")]
    return document.replace(heads=heads, deprels=deprels)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model trained by the command line on a half-annotated file."""
    here = tmp_path_factory.mktemp("given")
    half(toy_document(200, 1)).write(here / "half.conllu")
    done = accord("train", "parser", str(here / "half.conllu"), "--output", str(here / "m.accord"), *SMALL)
    assert done.returncode == 0, done.stderr.decode()
    assert b"have unknown heads or labels" in done.stderr
    return str(here / "m.accord")


def test_gaps_are_filled_and_the_rest_kept(model: str) -> None:
    whole = toy_document(40, 2)
    given = half(whole)
    done = accord("parse", "-", "--model", model, "--keep", "given", stdin=given.to_bytes())
    assert done.returncode == 0 and done.stderr == b""
    filled = Document.from_conllu(done.stdout)
    assert filled.check_trees() == []
    for name in ("head", "deprel"):
        pairs = list(zip(given.column(name), filled.column(name), strict=True))
        assert all(old in ("_", new) for old, new in pairs) and "_" not in filled.column(name)
    right = [old == new for old, new in zip(whole.heads.tolist(), filled.heads.tolist(), strict=True)]
    assert sum(right) / len(right) > 0.97
    sure = accord("parse", "-", "--model", model, "--keep", "given", "--probabilities", stdin=given.to_bytes())
    for old, misc in zip(given.heads.tolist(), Document.from_conllu(sure.stdout).column("misc"), strict=True):
        assert "LabelConf=" in misc and (old < 0 or "ArcConf=1.0000" in misc)
    ranked = accord("parse", "-", "--model", model, "--keep", "given", "--nbest", "2", stdin=given.to_bytes())
    best = [s.heads for s in Document.from_conllu(ranked.stdout).sentences if s.comment("nbest") == "1"]
    assert best == [s.heads for s in filled.sentences]


def test_contradictions_are_one_warning_each(model: str, tmp_path: Path) -> None:
    row = "{}\tcat\tcat\tNOUN\tNOUN\t_\t{}\t_\t_\t_\n"
    cycle = "# sent_id = round\n" + row.format(1, 2) + row.format(2, 1) + row.format(3, "_") + "\n"
    fine = row.format(1, "_") + row.format(2, 1) + "\n"
    roots = row.format(1, 0) + row.format(2, 0) + "\n"
    (tmp_path / "odd.conllu").write_text(cycle + fine + roots)
    done = accord("parse", str(tmp_path / "odd.conllu"), "--model", model, "--keep", "given", "--output", "conllu")
    warnings = done.stderr.decode().splitlines()
    assert done.returncode == 0 and len(warnings) == 2
    assert "odd.conllu:1: sentence round: heads form a cycle: 1 -> 2 -> 1; the given head of word" in warnings[0]
    assert "odd.conllu:9: sentence 'cat cat': several roots: words 1 and 2; the given head of word" in warnings[1]
    parsed = Document.from_conllu(done.stdout)
    assert parsed.check_trees() == [] and parsed.sentences[1].heads[1] == 1


@pytest.mark.parametrize(
    ("arguments", "stdin", "status", "message"),
    [
        (["--keep", "all"], b"", 2, "--keep"),
        (["--keep", "given"], b"1\ta\t_\t_\t_\t_\t7\t_\t_\t_\n\n", 1, "<stdin>:1: HEAD 7 is out of range 0..1"),
    ],
)
def test_mistakes_are_one_message(model: str, arguments: list[str], stdin: bytes, status: int, message: str) -> None:
    done = accord("parse", "-", "--model", model, "--format", "conllu", *arguments, stdin=stdin)
    assert done.returncode == status and message in done.stderr.decode() and b"Traceback" not in done.stderr
