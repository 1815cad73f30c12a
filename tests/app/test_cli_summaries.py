# SPDX-License-Identifier: Apache-2.0
"""``accord summarize`` and ``accord evaluate --rouge`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.test_cli import accord

TEXT = "The battery life is great. The screen is small and dark. I bought it in May. The battery life is long.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "b.jsonl").write_text(
        json.dumps({"text": "Great battery life."}) + "\n" + json.dumps({"documents": [TEXT, "Slow shipping."]}) + "\n"
    )
    (tmp_path / "c.conllu").write_bytes(accord("tokenize", stdin=TEXT.encode()).stdout)
    return tmp_path


def test_files_of_all_kinds_are_one_topic(folder: Path) -> None:
    files = [str(folder / name) for name in ("a.txt", "b.jsonl", "c.conllu")]
    done = accord("summarize", *files, "--words", "8", "--output", "json")
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert 0 < found["words"] <= 8 and found["value"] <= found["bound"]
    assert found["sentences"][0]["file"].startswith(str(folder))


def test_text_and_page(folder: Path) -> None:
    text = accord("summarize", str(folder / "a.txt"), "--sentences", "1").stdout.decode()
    assert text.count("\n") == 1 and text.strip() in TEXT
    page = accord("summarize", str(folder / "a.txt"), "--characters", "40", "--output", "html").stdout.decode()
    assert page.startswith("<!DOCTYPE html>") and "<mark>" in page


def test_bad_input_is_one_line(folder: Path) -> None:
    (folder / "bad.txt").write_bytes(b"good\n\xff\xfe bad")
    (folder / "bad.jsonl").write_text('{"text": "good"}\n{"title": 1}\n')
    for name, message in (("bad.txt", "bad.txt:2: not UTF-8"), ("bad.jsonl", "bad.jsonl:2: expected an object")):
        done = accord("summarize", str(folder / name))
        assert done.returncode == 1 and message in done.stderr.decode() and done.stdout == b""
    assert accord("summarize", str(folder / "none.txt")).returncode == 1
    for budget in ("0", "-5"):
        done = accord("summarize", str(folder / "a.txt"), "--words", budget)
        assert done.returncode == 2 and b"--words" in done.stderr


def test_nothing_gives_nothing(folder: Path) -> None:
    (folder / "empty.txt").write_bytes(b"")
    done = accord("summarize", str(folder / "empty.txt"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    small = accord("summarize", str(folder / "a.txt"), "--words", "1")
    assert small.returncode == 0 and small.stdout == b"" and b"no sentence fits" in small.stderr


def test_rouge(folder: Path) -> None:
    (folder / "gold.jsonl").write_text(json.dumps({"summaries": ["the cat sat", "a dog ran"]}) + "\n")
    (folder / "system.txt").write_text("the cat ran\n")
    done = accord("evaluate", "--rouge", str(folder / "gold.jsonl"), str(folder / "system.txt"), "--json")
    assert json.loads(done.stdout)["rouge1"]["f1"] == pytest.approx(100 * 2 / 3)
    assert b"rougeSU4" in accord("evaluate", "--rouge", str(folder / "system.txt"), str(folder / "system.txt")).stdout
    (folder / "two.txt").write_text("one\ntwo\n")
    wrong = accord("evaluate", "--rouge", str(folder / "gold.jsonl"), str(folder / "two.txt"))
    assert wrong.returncode == 1 and b"2 summaries for the 1 topics" in wrong.stderr
    assert accord("evaluate", "a", "b", "--stems").returncode == 2
