# SPDX-License-Identifier: Apache-2.0
"""What the command line says of training."""

from __future__ import annotations

import pytest

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
