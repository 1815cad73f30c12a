# SPDX-License-Identifier: Apache-2.0
"""``accord summarize`` and ``accord evaluate --rouge`` from the command line."""

from __future__ import annotations

import json
import re
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


NEWS = (
    "The storm, which killed twelve people in Florida, moved north on Tuesday, officials said. "
    "On Monday, the storm killed twelve people in Florida. It moved north after two days.\n"
)


def test_sentences_are_shortened_and_the_page_shows_it(folder: Path) -> None:
    (folder / "news.txt").write_text(NEWS)
    command = ("summarize", str(folder / "news.txt"), "--words", "10", "--compress", "--set", "cut_cost=0")
    done = accord(*command, "--output", "json")
    assert done.returncode == 0 and done.stderr == b"", done.stderr.decode()
    found = json.loads(done.stdout)
    assert found["words"] <= 10 and any(one.get("deleted") for one in found["sentences"])
    page = accord(*command, "--output", "html").stdout.decode()
    assert "<del>" in page and "<strong>" in page and "<mark>" in page and "within the budget" in page
    shown = re.sub(r"<[^>]*>", "", page.partition("</style>")[2])
    assert "On Monday, the storm killed twelve people in Florida. It moved north" in " ".join(shown.split())


def test_the_page_shows_headings_apart(folder: Path) -> None:
    (folder / "news.txt").write_text("Storm kills twelve\n" + NEWS)
    page = accord("summarize", str(folder / "news.txt"), "--words", "10", "--output", "html").stdout.decode()
    assert '<span class="left heading">Storm kills twelve</span>' in page


def test_a_trained_summarizer_is_used_like_any_other(folder: Path) -> None:
    topic = {"documents": [TEXT, "Great battery life, small screen."], "summaries": ["The battery life is great."]}
    (folder / "topics.jsonl").write_text(f"{json.dumps(topic)}\n{json.dumps(topic)}\n")
    model = str(folder / "model.accord")
    done = accord(
        "train",
        "summarizer",
        str(folder / "topics.jsonl"),
        "--output",
        model,
        "--set",
        "words=6",
        "--set",
        "least_words=1",
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b"summarizer" in accord("info", model).stdout
    assert accord("summarize", str(folder / "a.txt"), "--model", model).stdout == b"The battery life is great.\n"
    (folder / "wrong.jsonl").write_text('{"documents": ["a"]}\n')
    wrong = accord("train", "summarizer", str(folder / "wrong.jsonl"), "--output", model)
    assert wrong.returncode == 1 and b"wrong.jsonl:1: expected an object" in wrong.stderr


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
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == b"accord: warning: there is no sentence to summarise\n"
    small = accord("summarize", str(folder / "a.txt"), "--words", "1")
    assert small.returncode == 0 and small.stdout == b"" and b"no sentence fits" in small.stderr


def test_texts_in_another_script_than_that_of_the_model_are_told(folder: Path) -> None:
    (folder / "zh.txt").write_text("北京很大，北京的公园很多。我们去了北京的一个公园。" * 3, encoding="utf-8")
    for verb in ("summarize", "compress"):
        done = accord(verb, str(folder / "zh.txt"), "--words", "5")
        assert "zh.txt: mostly Chinese or Japanese, and en is a model of English" in done.stderr.decode()
        assert done.returncode == 0
        done = accord(verb, str(folder / "a.txt"), "--words", "12", "--model", "zh")
        assert "not a character of Chinese" in done.stderr.decode() and done.returncode == 0


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


def test_a_trained_compressor_shortens_what_learned_relevance_chooses(folder: Path) -> None:
    topic = {"documents": [TEXT, NEWS], "summaries": ["The storm killed twelve people in Florida."]}
    (folder / "topics.jsonl").write_text(json.dumps(topic) + "\n")
    pair = {"tokens": ["The", "storm", "killed", "people", "on", "Monday", "."], "mask": "1111001"}
    (folder / "pairs.jsonl").write_text(json.dumps(pair) + "\n")
    relevance, short = str(folder / "relevance.accord"), str(folder / "short.accord")
    given = ("--output", relevance, "--set", "learner=relevance", "--set", "words=20")
    assert accord("train", "summarizer", str(folder / "topics.jsonl"), *given).returncode == 0
    given = ("--output", short, "--set", "method=status", "--set", "epochs=2", "--set", "bits=12")
    done = accord("train", "compressor", str(folder / "pairs.jsonl"), *given)
    assert done.returncode == 0, done.stderr.decode()
    (folder / "news.txt").write_text(NEWS)
    command = ("summarize", str(folder / "news.txt"), "--words", "12", "--output", "json", "--compressor", short)
    done = accord(*command, "--model", relevance)
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert 0 < found["words"] <= 12 and found["status"] == "optimal"
    for wrong, reason in (("en", "learner=relevance"), (relevance, "a budget of words")):
        budget = ("--words", "12") if wrong == "en" else ("--characters", "80")
        done = accord("summarize", str(folder / "news.txt"), *budget, "--compressor", short, "--model", wrong)
        message = done.stderr.decode()
        assert done.returncode == 1 and reason in message and message.count("\n") == 1
