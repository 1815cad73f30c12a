# SPDX-License-Identifier: Apache-2.0
"""Every verb under every fault of its surroundings: one line and a status that is not 0, or the work is done.

The table is VERBS × FAULTS. A verb that fails leaves an older output as it was, and nothing beside it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import tiny_reranker, toy_document

TEXT = "They saw the girl, uh, who did n't wave at them.\n\nNobody slept. It rained a lot that night.\n" * 5
# What each verb is called with; OUT is where it writes.
VERBS: dict[str, tuple[str, ...]] = {
    "parse": ("parse", "text.txt", "--to", "OUT"),
    "tag": ("tag", "bank.conllu", "--model", "en", "--to", "OUT"),
    "tokenize": ("tokenize", "text.txt", "--to", "OUT"),
    "convert": ("convert", "bank.conllu", "--output", "json", "--to", "OUT"),
    "show": ("show", "bank.conllu", "--to", "OUT"),
    "summarize": ("summarize", "text.txt", "--words", "12", "--to", "OUT"),
    "compress": ("compress", "text.txt", "--rate", "0.5", "--to", "OUT"),
    "cluster": ("cluster", "text.txt", "--set", "clusters=3", "--to", "OUT"),
    "rerank": ("rerank", "lists.jsonl", "--model", "reranker.accord", "--to", "OUT"),
    "train": ("train", "parser", "bank.conllu", "--output", "OUT", "--set", "epochs=1", "--set", "arc_bits=12"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    toy_document(20, 1).write(tmp_path / "bank.conllu")
    tiny_reranker(tmp_path)
    return tmp_path


def run(folder: Path, verb: str, out: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    arguments = [out if word == "OUT" else word for word in VERBS[verb]]
    surroundings = {name: value for name, value in os.environ.items() if name not in ("LC_ALL", "LANG", "NO_COLOR")}
    return subprocess.run(
        [sys.executable, "-m", "accord", *arguments],
        cwd=folder, env=surroundings | environment, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=120, check=False,
    )  # fmt: skip


def refused(done: subprocess.CompletedProcess[bytes], word: str = "") -> None:
    said = done.stderr.decode()
    last = said.strip().splitlines()[-1] if said.strip() else ""
    assert done.returncode == 1 and "Traceback" not in said and last.startswith("accord: ") and word in said, said


def full_disk(folder: Path, verb: str) -> None:
    refused(run(folder, verb, "/dev/full"), "/dev/full")


def folder_that_is_not_there(folder: Path, verb: str) -> None:
    refused(run(folder, verb, "nowhere/out"), "nowhere")


def output_that_is_a_folder(folder: Path, verb: str) -> None:
    (folder / "out").mkdir()
    refused(run(folder, verb, "out"), "out")


def output_that_is_the_input(folder: Path, verb: str) -> None:
    """What is read is read before it is replaced; a run that fails leaves it alone."""
    source = next(folder / word for word in VERBS[verb] if word in ("text.txt", "bank.conllu", "lists.jsonl"))
    before = source.read_bytes()
    done = run(folder, verb, source.name)
    said = done.stderr.decode()
    assert "Traceback" not in said
    assert source.read_bytes() == before if done.returncode else source.stat().st_size > 0


def linked_output(folder: Path, verb: str) -> None:
    (folder / "real").write_text("old")
    (folder / "link").symlink_to("real")
    done = run(folder, verb, "link")
    assert done.returncode == 0, done.stderr.decode()
    assert (folder / "link").is_symlink() and (folder / "real").read_bytes() not in (b"old", b"")


def no_home(folder: Path, verb: str) -> None:
    done = run(folder, verb, "out", HOME="/nowhere", XDG_CACHE_HOME="/nowhere")
    assert done.returncode == 0, done.stderr.decode()


def plain_locale(folder: Path, verb: str) -> None:
    """Output is UTF-8 whatever the locale says."""
    plain = run(folder, verb, "plain", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert plain.returncode == 0, plain.stderr.decode()
    assert run(folder, verb, "usual", LC_ALL="C.UTF-8").returncode == 0
    if verb != "train":  # a card holds times
        assert (folder / "plain").read_bytes() == (folder / "usual").read_bytes()


def no_colour_and_no_terminal(folder: Path, verb: str) -> None:
    done = run(folder, verb, "out", NO_COLOR="1", TERM="dumb")
    assert done.returncode == 0 and b"\x1b" not in done.stderr + done.stdout


FAULTS: tuple[Callable[[Path, str], None], ...] = (
    full_disk,
    folder_that_is_not_there,
    output_that_is_a_folder,
    output_that_is_the_input,
    linked_output,
    no_home,
    plain_locale,
    no_colour_and_no_terminal,
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
@pytest.mark.parametrize("verb", VERBS)
def test_verb_under_fault(verb: str, fault: Callable[[Path, str], None], folder: Path) -> None:
    fault(folder, verb)
    assert not [path.name for path in folder.rglob(".accord-*")]


@pytest.mark.parametrize("verb", ["parse", "tokenize", "convert", "show"])
def test_a_reader_that_goes_away(verb: str, folder: Path) -> None:
    (folder / "text.txt").write_text(TEXT * 500, encoding="utf-8")
    toy_document(2000, 1).write(folder / "bank.conllu")
    arguments = ["-" if word == "OUT" else word for word in VERBS[verb]]
    process = subprocess.Popen(
        [sys.executable, "-m", "accord", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(60) in (0, 1) and said == ""
