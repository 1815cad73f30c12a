# SPDX-License-Identifier: Apache-2.0
"""``accord solve`` reads a network, prints its best setting, and refuses broken files in one line."""

from __future__ import annotations

import json
import math
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


def test_marginals_and_the_partition_function_are_printed(tmp_path: Path, run: Run) -> None:
    (tmp_path / "toy.uai").write_text(TOY)
    (tmp_path / "toy.evid").write_text("1 0 1\n")
    file, evidence = str(tmp_path / "toy.uai"), str(tmp_path / "toy.evid")
    # Weights: 0.4 * (1 2 3) and 0.6 * (4 0 6), 8.4 in all.
    _, out, _ = run("solve", file, "--task", "MAR", "--output", "uai")
    words = out.split()
    assert words[:3] == ["MAR", "2", "2"] and words[5] == "3"
    expected = [2.4 / 8.4, 6 / 8.4, (0.4 + 2.4) / 8.4, 0.8 / 8.4, 4.8 / 8.4]
    assert [float(word) for word in words[3:5] + words[6:]] == pytest.approx(expected)
    _, out, _ = run("solve", file, "--task", "PR", "--output", "uai")
    assert out.split()[0] == "PR" and float(out.split()[1]) == pytest.approx(math.log10(8.4))
    _, out, _ = run("solve", file, "--task", "PR", "--evidence", evidence)
    report = json.loads(out)
    assert report["log_partition"] == pytest.approx(math.log(6.0)) and report["stages"] == ["junction_tree: optimal"]
    _, out, _ = run("solve", file, "--evidence", evidence, "--output", "uai", "--solver", "junction_tree")
    assert out == "MPE\n2 1 2\n"
    status, _, err = run("solve", file, "--task", "MAR", "--solver", "ad3")
    assert status == 1 and "knows no marginals" in err


@pytest.mark.parametrize(
    ("text", "reason"),
    [("1 5 0\n", "no such variable as 5"), ("1 0 7", "no value 7"), ("2 0 1\n", "need 4 numbers"), ("1 x 0", "'x'")],
)
def test_broken_evidence_is_refused_in_one_line(tmp_path: Path, run: Run, text: str, reason: str) -> None:
    (tmp_path / "toy.uai").write_text(TOY)
    (tmp_path / "toy.evid").write_text(text)
    status, out, err = run("solve", str(tmp_path / "toy.uai"), "--evidence", str(tmp_path / "toy.evid"))
    assert (status, out) == (1, "") and "toy.evid:" in err and reason in err and err.count("\n") == 1


@pytest.mark.parametrize("text", ["1 1 2", "1\n1 1 2\n", "1\n1\n1\n2\n"])
def test_evidence_has_a_number_of_samples_in_front_or_not(tmp_path: Path, run: Run, text: str) -> None:
    (tmp_path / "toy.uai").write_text(TOY)
    (tmp_path / "toy.evid").write_text(text)
    _, out, _ = run("solve", str(tmp_path / "toy.uai"), "--task", "PR", "--evidence", str(tmp_path / "toy.evid"))
    assert json.loads(out)["log_partition"] == pytest.approx(math.log(1.2 + 3.6))
