# SPDX-License-Identifier: Apache-2.0
"""``accord compress`` and ``accord train compressor`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.test_cli import accord

TEXT = "The old man, who lived near the lake, bought a very small dog in March. He sleeps.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "b.jsonl").write_text(
        json.dumps({"tokens": ["Ana", "bought", "a", "dog", "in", "Rio", "."]})
        + "\n"
        + json.dumps({"text": TEXT})
        + "\n"
    )
    (tmp_path / "c.conllu").write_bytes(accord("parse", stdin=TEXT.encode()).stdout)
    return tmp_path


def test_texts_lines_and_treebanks(folder: Path) -> None:
    files = [str(folder / name) for name in ("a.txt", "b.jsonl", "c.conllu")]
    done = accord("compress", *files, "--rate", "0.5", "--output", "json")
    assert done.returncode == 0, done.stderr.decode()
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == 7
    assert [one["file"] for one in found[:3]] == [files[0], files[0], f"{files[1]}:1"]
    assert all(one["mask"].count("1") == max(1, int(0.5 * len(one["tokens"]) + 0.5)) for one in found)
    assert found[0]["text"] == found[-2]["text"]
    plain = accord("compress", files[0], "--rate", "0.5").stdout.decode().splitlines()
    assert plain == [found[0]["text"], found[1]["text"]]


def test_page_and_given_words(folder: Path) -> None:
    done = accord("compress", str(folder / "a.txt"), "--words", "8", "--keep", "lake,dog", "--output", "html")
    assert b"<s>" in done.stdout and b"lake" in done.stdout
    (folder / "rules.txt").write_text("never-cut det\n")
    rules = ("--rule", "drop ADV", "--rules", str(folder / "rules.txt"))
    done = accord("compress", str(folder / "a.txt"), "--rate", "0.7", *rules)
    assert done.returncode == 0 and b"very" not in done.stdout and b"bought a " in done.stdout, done.stderr.decode()
    wrong = accord("compress", str(folder / "a.txt"), "--rule", "never-eat nsubj")
    assert wrong.returncode == 1 and b"never-eat" in wrong.stderr
    done = accord("compress", str(folder / "a.txt"), "--characters", "30", "--drop", "upos=ADV")
    assert all(len(line) <= 30 and b"very" not in line for line in done.stdout.splitlines())


def test_bad_input_is_one_line(folder: Path) -> None:
    (folder / "bad.txt").write_bytes(b"good\n\xff\xfe bad")
    (folder / "bad.jsonl").write_text('{"text": "good"}\n{"title": 1}\n')
    for arguments, message in (
        (["bad.txt"], "bad.txt:2: not UTF-8"),
        (["bad.jsonl"], "bad.jsonl:2: expected an object with text or tokens"),
        (["a.txt", "--rate", "0"], "rate = 0.0: expected a share of words above 0 and at most 1"),
        (["a.txt", "--rate", "1.2"], "rate = 1.2"),
        (["a.txt", "--words", "-1"], "words = -1: expected at least 1"),
        (["a.txt", "--words", "2", "--keep", "old,man,lake"], "need 3 words where the budget has 2"),
        (["a.txt", "--method", "joint"], "no weights for joint"),
        (["none.txt"], "none.txt"),
    ):
        done = accord("compress", str(folder / arguments[0]), *arguments[1:])
        assert done.returncode == 1 and message in done.stderr.decode() and done.stdout == b"", arguments
        assert len(done.stderr.decode().splitlines()) == 1
    assert accord("compress", str(folder / "a.txt"), "--method", "magic").returncode == 2


def test_nothing_gives_nothing_and_a_line_says_so(folder: Path) -> None:
    (folder / "empty.txt").write_bytes(b"")
    done = accord("compress", str(folder / "empty.txt"))
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == b"accord: warning: there is no sentence to compress\n"


def test_rules_of_english_on_another_language_are_a_warning(folder: Path) -> None:
    (folder / "de.txt").write_text("Der Sturm zog nach Norden. Zwölf Menschen starben im Sturm, sagte die Polizei.\n")
    done = accord("compress", str(folder / "de.txt"))
    assert done.returncode == 0 and done.stdout and b"the texts are not English" in done.stderr


def test_training_and_evaluation(folder: Path) -> None:
    rows = [
        ("Ana bought a cat , officials said on Tuesday .", "Ana bought a cat ."),
        ("Bo found a key , police said on Monday .", "Bo found a key ."),
        ("The old man , who was tired , bought a dog .", "The man bought a dog ."),
    ]
    lines = [{"tokens": source.split(), "compression": short} for source, short in rows]
    (folder / "train.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    files = str(folder / "train.jsonl"), str(folder / "m.accord")
    done = accord("train", "compressor", files[0], "--dev", files[0], "--output", files[1], "--set", "epochs=4")
    assert done.returncode == 0 and b"F1" in done.stderr, done.stderr.decode()
    (folder / "system.jsonl").write_bytes(accord("compress", files[0], "-m", files[1], "--output", "json").stdout)
    done = accord("evaluate", "--compression", files[0], str(folder / "system.jsonl"), "--json")
    assert json.loads(done.stdout)["micro_f1"] > 90
    assert b"sentence compressor" in accord("info", files[1]).stdout
