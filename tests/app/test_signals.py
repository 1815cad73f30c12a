# SPDX-License-Identifier: Apache-2.0
"""A command that is stopped says one line, ends with the status of its signal, and leaves no half of a file."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from accord.data.files import open_output
from tests.app.verb_calls import CALLS, STAYING, WRITERS, fill

TRIALS = int(os.environ.get("ACCORD_EXAMPLES", "100")) // 25
START = (  # tells that signals are heard, from inside of main
    "import os, sys, accord_command as c; heard = c.listen; "
    "c.listen = lambda: (heard(), os.write(int(sys.argv.pop(1)), b'x')); c.main()"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("signals")
    fill(here, times=1000, sentences=400)
    return here


def hear() -> None:
    """Whoever started the tests may ignore the signals, which children inherit: a shell does so behind ``&``."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_DFL)


def run(folder: Path, arguments: tuple[str, ...], number: int = 0, after: float = 0.0) -> tuple[int, str]:
    """The exit status and what was said; ``number`` is sent some seconds after the command hears signals."""
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", START, str(writing), *arguments],
        cwd=folder, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=hear,
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


@pytest.mark.parametrize("verb", CALLS)
def test_stopped_commands_leave_nothing_half_done(verb: str, folder: Path) -> None:
    arguments = tuple(f"out-{verb}" if word == "OUT" else word for word in CALLS[verb])
    target = folder / f"out-{verb}"
    chance = random.Random(verb)
    for trial in range(TRIALS):
        if verb in WRITERS:
            target.write_bytes(b"old")
        number = (signal.SIGINT, signal.SIGTERM)[trial % 2]
        status, said = run(folder, arguments, number, chance.uniform(0, 1.2))
        assert "Traceback" not in said and status in (0, 128 + number), (status, said)
        if status:
            assert any(word in said.splitlines()[-1] for word in ("interrupted", "terminated")), said
        assert not [path.name for path in folder.rglob(".accord-*")]
        if verb in WRITERS and status and verb != "train":  # training keeps the best model so far
            assert target.read_bytes() == b"old" or target.stat().st_size > 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("verb", STAYING)
def test_what_stays_goes_when_it_is_told_to(verb: str, number: signal.Signals, folder: Path) -> None:
    for after in (0.1, 1.0, 4.0):  # while it imports, while it loads, while it waits for requests
        status, said = run(folder, STAYING[verb], number, after)
        assert "Traceback" not in said and status in (0, 128 + number), (status, said)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_works_in_the_core_is_ended_too(number: signal.Signals, tmp_path: Path) -> None:
    """All trees of a long sentence take for ever, in one call that hears no signals."""
    (tmp_path / "text.txt").write_text("They saw the girl who did n't wave at them " * 3, encoding="utf-8")
    hasty = START.replace("c.main()", "c._GRACE = 0.2; c.main()")
    command = [sys.executable, "-c", hasty, "1", "parse", "text.txt", "--nbest", "2000000000", "--to", "out"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, cwd=tmp_path, preexec_fn=hear, **pipes)
    try:
        while not list(tmp_path.glob(".accord-*")):  # it has begun
            assert process.poll() is None
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    word = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}[number]
    assert (process.returncode, said.decode().splitlines()[-1]) == (128 + number, f"accord: {word}")
    assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]


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
    """The calls do their work where nobody stops them."""
    for verb, call in CALLS.items():
        status, said = run(folder, tuple("done" if word == "OUT" else word for word in call))
        assert status == 0, f"{verb}: {said}"
        assert verb not in WRITERS or (folder / "done").stat().st_size
