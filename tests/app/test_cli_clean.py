# SPDX-License-Identifier: Apache-2.0
"""``accord clean`` and ``accord train cleaner`` from the command line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.app.test_cli import accord

LINES = (
    "uh/UH/E we/PRP/RM we/PRP/O saw/VBD/O it/PRP/O",
    "they/PRP/O have/VBP/O a/DT/RM uh/UH/IM a/DT/O dog/NN/O",
    "we/PRP/O saw/VBD/O the/DT/O dog/NN/O",
    "they/PRP/RM they/PRP/O have/VBP/O it/PRP/O",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("speech")
    rows = ["\n".join(word.replace("/", "\t") for word in line.split()) for line in LINES * 4]
    (folder / "train.tsv").write_text("\n\n".join(rows) + "\n")
    (folder / "talk.txt").write_text("Uh, we we saw it.\nThey have a, uh, a dog.\n")
    words = [{"word": word, "start": k} for k, word in enumerate(["we", "we", "saw", "it"])]
    (folder / "talk.jsonl").write_text(json.dumps({"id": "x", "words": words}) + "\n")
    (folder / "talk.cha").write_text("@Begin\n*ANA:\twe [/] we saw &-uh it .\n@End\n")
    settings = [pair for one in ("folds=2", "epochs=8", "dual_c=1") for pair in ("--set", one)]
    done = accord(
        "train", "cleaner", str(folder / "train.tsv"), "--dev", str(folder / "train.tsv"),
        "--output", str(folder / "m.accord"), *settings,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert b"edit F1" in done.stderr
    return folder


def clean(folder: Path, *arguments: str) -> str:
    done = accord("clean", *arguments, "--model", str(folder / "m.accord"))
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_text_is_cleaned_or_marked(folder: Path) -> None:
    talk = str(folder / "talk.txt")
    assert clean(folder, talk) == clean(folder, talk, "--remove") == "We saw it.\nThey have a dog.\n"
    assert "[FILLER" in clean(folder, talk, "--mark") and "[EDIT" in clean(folder, talk, "--mark", "--edits")
    assert "[EDIT" not in clean(folder, talk, "--mark", "--fillers")
    assert len(clean(folder, talk, "--lookahead", "0").splitlines()) == 2
    assert clean(folder, talk, "--lookahead", "9", "--format", "text") == clean(folder, talk)


def test_other_formats_keep_what_they_know(folder: Path) -> None:
    (line,) = clean(folder, str(folder / "talk.jsonl"), "--output", "json").splitlines()
    found = json.loads(line)
    assert found["id"] == "x" and found["text"] == "we saw it"
    assert [word["start"] for word in found["words"]] == [0, 1, 2, 3] and found["words"][0]["label"] == "edit"
    less = json.loads(clean(folder, str(folder / "talk.jsonl"), "--output", "json", "--remove"))
    assert [word["start"] for word in less["words"]] == [1, 2, 3]
    assert json.loads(clean(folder, str(folder / "talk.cha"), "--output", "json"))["speaker"] == "ANA"
    assert '<s class="edit"' in clean(folder, str(folder / "talk.cha"), "--output", "html")
    marked = clean(folder, str(folder / "talk.txt"), "--output", "conllu", "--mark")
    (folder / "again.conllu").write_text(marked)
    assert "Disfluency=edit" in marked
    assert clean(folder, str(folder / "again.conllu")) == "We saw it.\nThey have a dog.\n"


def test_clean_words_can_be_parsed(folder: Path) -> None:
    words = clean(folder, str(folder / "talk.txt"), "--output", "conllu")
    done = accord("parse", "--input", "treebank", stdin=words.encode())
    assert done.returncode == 0 and done.stdout.count(b"\troot\t") == 2


def test_bad_input_is_one_line(folder: Path) -> None:
    (folder / "bad.jsonl").write_text('{"words": 3}\n')
    (folder / "bad.tsv").write_text("one\n")
    model = str(folder / "m.accord")
    for arguments, message in (
        (["clean", str(folder / "bad.jsonl"), "--model", model], "bad.jsonl:1: expected an object with words or text"),
        (["clean", str(folder / "none.txt"), "--model", model], "none.txt"),
        (["clean", str(folder / "talk.txt"), "--model", "en"], "a pipeline without a cleaner"),
        (["train", "cleaner", str(folder / "bad.tsv"), "--output", model], "bad.tsv:1: expected token, tag"),
        (["train", "cleaner", str(folder / "train.tsv"), "--dev", os.devnull, "--output", model], "nothing in the dev"),
    ):
        done = accord(*arguments)
        assert done.returncode == 1 and message in done.stderr.decode(), done.stderr.decode()
        assert len(done.stderr.decode().strip().splitlines()) == 1
    assert accord("clean", str(folder / "talk.txt"), "--model", model, "--mark", "--remove").returncode == 2
    assert accord("clean", str(folder / "talk.txt"), "--model", model, "--output", "pdf").returncode == 2
