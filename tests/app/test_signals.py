# SPDX-License-Identifier: Apache-2.0
"""A command that is stopped says one line, ends with the status of its signal, and leaves no half of a file."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from accord.data.files import open_output
from tests.conftest import tiny_reranker, toy_document

TRIALS = int(os.environ.get("ACCORD_EXAMPLES", "100")) // 25
START = "import os, sys, accord_command as c; c.listen(); os.write(int(sys.argv.pop(1)), b'x'); c.main()"
TEXT = "They saw the girl, uh, who did n't wave at them. " * 40 + "\n"
VERBS = {
    "parse": ("parse", "text.txt", "--to", "out"),
    "tag": ("tag", "text.conllu", "--model", "en", "--to", "out"),
    "tokenize": ("tokenize", "text.txt", "--to", "out"),
    "convert": ("convert", "text.conllu", "--output", "json", "--to", "out.json"),
    "show": ("show", "text.conllu", "--to", "out.svg"),
    "summarize": ("summarize", "text.txt", "--words", "50", "--to", "out"),
    "compress": ("compress", "text.txt", "--rate", "0.5", "--to", "out"),
    "cluster": ("cluster", "text.txt", "--to", "out", "--set", "clusters=5"),
    "rerank": ("rerank", "lists.jsonl", "--model", "reranker.accord", "--to", "out"),
    "train": ("train", "parser", "text.conllu", "--output", "out.accord", "--set", "epochs=2", "--set", "arc_bits=12"),
    "evaluate": ("evaluate", "text.conllu", "text.conllu"),
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("signals")
    (here / "text.txt").write_text(TEXT * 30)
    toy_document(400, 1).write(here / "text.conllu")
    tiny_reranker(here)
    return here


def run(folder: Path, arguments: tuple[str, ...], number: int = 0, after: float = 0.0) -> tuple[int, str]:
    """The exit status and what was said; ``number`` is sent some seconds after the command hears signals."""
    reading, writing = os.pipe()
    # Whoever started the tests may ignore the signals, which children inherit.
    heard = lambda: [signal.signal(each, signal.SIG_DFL) for each in (signal.SIGINT, signal.SIGTERM)]  # noqa: E731
    process = subprocess.Popen(
        [sys.executable, "-c", START, str(writing), *arguments],
        cwd=folder, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=heard,
    )  # fmt: skip
    os.close(writing)
    with os.fdopen(reading, "rb") as ready:
        ready.read(1)
    if number:
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
    _, said = process.communicate(timeout=120)
    return process.returncode, said.decode()


@pytest.mark.parametrize("verb", VERBS)
def test_stopped_commands_leave_nothing_half_done(verb: str, folder: Path) -> None:
    arguments = VERBS[verb]
    target = next((folder / name for name in arguments if name.startswith("out")), None)
    chance = random.Random(verb)
    for trial in range(TRIALS):
        if target is not None:
            target.write_bytes(b"old")
        number = (signal.SIGINT, signal.SIGTERM)[trial % 2]
        status, said = run(folder, arguments, number, chance.uniform(0, 1.2))
        assert "Traceback" not in said and status in (0, 128 + number), (status, said)
        if status:
            assert any(word in said.splitlines()[-1] for word in ("interrupted", "terminated")), said
        assert not [path.name for path in folder.iterdir() if path.name.startswith(".accord-")]
        if target is not None and status and verb != "train":  # training keeps the best model so far
            assert target.read_bytes() == b"old" or target.stat().st_size > 3


def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path: Path) -> None:
    script = """if True:
        import os, signal, sys
        from accord.data.files import open_output
        with open_output(sys.argv[1]) as out:
            out.write(b"half"); out.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    """
    target, other = tmp_path / "out.txt", tmp_path / "other.txt"
    for path in (target, other):
        subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert len(list(tmp_path.glob(".accord-*"))) == 2 and not target.exists()
    with open_output(target) as out:
        out.write(b"whole")
    assert target.read_bytes() == b"whole"
    assert len(list(tmp_path.glob(".accord-*"))) == 1  # that of the other target


def test_two_writers_of_one_target_do_not_disturb_each_other(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    with open_output(target) as first:
        first.write(b"first")
        with open_output(target) as second:
            second.write(b"second")
        assert target.read_bytes() == b"second"
    assert target.read_bytes() == b"first" and not list(tmp_path.glob(".accord-*"))


def test_every_verb_is_tried(folder: Path) -> None:
    for verb, arguments in VERBS.items():
        status, said = run(folder, arguments)
        assert status == 0, f"{verb}: {said}"
    assert json.loads((folder / "out.json").read_text().splitlines()[0])
