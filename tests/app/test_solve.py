# SPDX-License-Identifier: Apache-2.0
"""``accord solve`` reads a network, prints its best setting, and refuses broken files in one line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.app.cli import main

TOY = "MARKOV\n2\n2 3\n2\n1 0\n2 0 1\n2\n 0.4 0.6\n6\n 1 2 3 4 0 6\n"


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def called(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["accord", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        return int(end.value.code or 0), printed.out, printed.err

    return called


def test_the_best_setting_is_printed(tmp_path: Path, run: Run) -> None:
    (tmp_path / "toy.uai").write_text(TOY)
    status, out, _ = run("solve", str(tmp_path / "toy.uai"), "--seconds", "10")
    report = json.loads(out)
    assert (status, report["status"], report["setting"]) == (0, "optimal", [1, 2])
    assert report["stages"][-1].endswith("optimal") and report["value"] == pytest.approx(1.2809338)
    _, out, _ = run("solve", str(tmp_path / "toy.uai"), "--output", "uai")
    assert out == "MPE\n2 1 2\n"


def test_a_broken_file_is_refused_in_one_line(tmp_path: Path, run: Run) -> None:
    (tmp_path / "toy.uai").write_text(TOY[:-5])
    status, out, err = run("solve", str(tmp_path / "toy.uai"))
    assert (status, out) == (1, "") and "toy.uai:" in err and err.count("\n") == 1
