# SPDX-License-Identifier: Apache-2.0
"""A plain ``accord parse`` is called without a command line around it, and nobody can tell by what it does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from accord.app import cli

START = "from accord_command import main; main()"
PLAIN = (
    "letter.txt",
    "letter.txt - letter.txt",
    "",
    "letter.txt --output json",
    "--output text -m en letter.txt",
    "--model nothing --model en letter.txt",
)
WRONG = (
    "missing.txt",
    "--model missing letter.txt",
    "--model letter.txt letter.txt",
    "letter.txt --output xml",
    "letter.txt --to missing/trees.conllu",
    "letter.txt --output parquet",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("plain")
    (here / "letter.txt").write_text("They saw the girl. She waved!\n", encoding="utf-8")
    return here


def run(folder: Path, program: str, words: str) -> tuple[int, bytes, bytes]:
    command = [sys.executable, "-c", program, "parse", *words.split()]
    done = subprocess.run(command, cwd=folder, input=b"Nobody slept.\n", capture_output=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("words", PLAIN + WRONG)
def test_the_same_as_by_the_command_line(words: str, folder: Path) -> None:
    assert cli.plain_parse(["parse", *words.split()]) is not None
    around = "import accord.app.cli as c; c.plain_parse = lambda arguments: None; " + START
    found = run(folder, START, words)
    assert found == run(folder, around, words)
    assert (found[0] == 0) == (words in PLAIN)


@pytest.mark.parametrize(
    "words",
    ["tag letter.txt", "parse -h", "parse --model", "parse -m -m", "parse --nbest 2", "parse --model=en", "parse -- x"],
)
def test_others_are_for_the_command_line(words: str) -> None:
    assert cli.plain_parse(words.split()) is None


def test_libraries_that_only_the_command_line_needs_are_left_alone(folder: Path) -> None:
    listed = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
    status, out, said = run(folder, listed + START, "letter.txt")
    assert status == 0 and b"waved" in out
    assert {b"pydantic", b"rich"}.isdisjoint(said.split())


def test_a_file_is_written_to_its_end(folder: Path) -> None:
    status, out, _ = run(folder, START, "letter.txt --to trees.conllu")
    written = (folder / "trees.conllu").read_bytes()
    assert (status, out) == (0, b"") and written.endswith(b"\n\n") and b"waved" in written


def test_threads_that_the_user_asks_numpy_for_stay(folder: Path) -> None:
    program = f"import atexit, os; atexit.register(lambda: print(os.environ['OPENBLAS_NUM_THREADS'])); {START}"
    command = [sys.executable, "-c", program, "parse", "letter.txt", "--to", "trees.conllu"]
    asked = {**os.environ, "OPENBLAS_NUM_THREADS": "3"}
    done = subprocess.run(command, cwd=folder, env=asked, capture_output=True, check=True)
    assert done.stdout.split() == [b"3"]
