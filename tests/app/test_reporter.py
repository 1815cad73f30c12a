# SPDX-License-Identifier: Apache-2.0
"""What the command line says of training and of reading."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from accord.app.reading_bar import ReadingBar
from accord.app.reporter import ConsoleReporter, epoch_line
from accord.errors import AccordWarning
from accord.learning import SILENT, EpochReport, Progress

REPORT = EpochReport(3, 12.34, 1.0, 2500.4, 1.25, {"LAS": 80.126, "UAS": 85.0}, {"gap": 0.5}, best=True)


def test_one_line_tells_an_epoch_of_every_task() -> None:
    expected = "epoch 3  loss 12.3  dev LAS 80.13  dev UAS 85.00  gap 0.5  2,500 words/s  1.2 CPU s *"
    assert epoch_line(REPORT) == expected
    assert epoch_line(EpochReport(1, 2.0, 0.0, 10.0, 0.1), "tokens") == "epoch 1  loss 2.0  10 tokens/s  0.1 CPU s"
    assert epoch_line(EpochReport(40, 2.0, 0.0, 0.0, 0.0, best=True)) == "epoch 40  loss 2.0"


def test_steps_of_a_pipeline_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with ConsoleReporter() as reporter:
        step = reporter.of_step("tagger")
        step.progress(Progress(1, 3, 10, 20, 0.5, 100.0))
        step.epoch(REPORT)
        step.note("[all] is well")
        reporter.note("whole")
        reporter.warn("odd")
    lines = capsys.readouterr().err.splitlines()
    assert [line[:14] for line in lines[:2]] == ["tagger: epoch ", "tagger: [all] "]
    assert lines[2:] == ["whole", "accord: warning: odd"]


def test_who_listens_to_nothing_still_gets_warnings() -> None:
    SILENT.note("nothing")
    with pytest.warns(AccordWarning, match="odd"):
        SILENT.warn("odd")


def test_a_line_tells_how_far_the_reading_is() -> None:
    seconds = iter([0.0, 0.0, 0.5, 1.5, 1.6, 3.0, 3.0, 5.0])
    out = io.StringIO()
    bar = ReadingBar(out, lambda: next(seconds))
    bar.opened("folder/a.txt", 4_000_000)
    bar.took(100)  # too early
    bar.took(999_900)
    bar.took(0)  # too soon after the last one
    bar.took(1_000_000)
    bar.opened("<stdin>", 0)
    bar.took(500_000)
    bar.clear()
    bar.clear()
    lines = out.getvalue().split("\r\x1b[K")[1:]
    assert lines == [
        "a.txt  1.0 of 4.0 MB  25 %  eta 0:00:04  0.67 MB/s",
        "a.txt  2.0 of 4.0 MB  50 %  eta 0:00:03  0.67 MB/s",
        "<stdin>  0.5 MB  0.25 MB/s",
        "",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_commands_show_it_on_a_terminal_and_leave_nothing(tmp_path: Path) -> None:
    import pty

    text = tmp_path / "a.txt"
    text.write_text("They left the house. She saw them.\n\n" * 100)
    program = "import accord.app.reading_bar as bar; bar.QUIET = bar.PAUSE = 0; from accord.app.cli import main; main()"
    for more, shown in ((["--to", str(tmp_path / "a.conllu")], True), ([], False)):
        ours, theirs = pty.openpty()
        command = [sys.executable, "-c", program, "tokenize", str(text), *more]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
        os.close(theirs)
        seen = b""
        with suppress(OSError), os.fdopen(ours, "rb", buffering=0) as terminal:  # an error: the other end is closed
            while data := terminal.read(4096):
                seen += data
        assert process.wait() == 0
        assert (b"a.txt  0.0 of 0.0 MB  100 %" in seen) == shown and seen.endswith(b"\r\x1b[K") == shown
    assert (tmp_path / "a.conllu").exists()
