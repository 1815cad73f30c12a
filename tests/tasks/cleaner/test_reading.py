# SPDX-License-Identifier: Apache-2.0
"""Files of transcripts: gold labels of columns, JSON lines and CHAT, and utterances to clean."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accord.errors import FormatError
from accord.tasks.cleaner import normal_form, read_utterances
from accord.tasks.cleaner.chat import chat_utterances
from accord.tasks.cleaner.gold import read_gold
from accord.tasks.cleaner.words import broken_off

CHAT = (
    "@UTF8\n@Begin\n*CHI:\t<I want> [//] I need &-uh a (.) &+d dog@c [/] dog . \x15100_2300\x15\n"
    "%mor:\tpro|I v|want\n*MOT:\tyou [/] you wan(t) it\n\tnow ?\n@End\n"
)
COLUMNS = (
    "Uh\tUH\tO\tF\n,\t,\tO\tF\nit\tPRP\tRM\t_\nwh-\tXX\tRM\t_\nit\tPRP\tRP\t_\n's\tBES\tO\t_\n"
    "so\tRB\tO\tC\n\nYes\tUH\tO\t_\n"
)


def test_words_are_seen_without_capitals_and_marks() -> None:
    given = ["It's", "DON’T", "uh,", "wh-", "--", "...", "$unc$One", "mother-in-law", "(yeah)"]
    assert [normal_form(word) for word in given] == ["its", "dont", "uh", "", "", "", "one", "mother-in-law", "yeah"]
    assert [broken_off(word) for word in given] == [word == "wh-" for word in given]


def test_columns_are_written_words(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(COLUMNS)
    gold = read_gold([tmp_path / "a.tsv"])
    assert list(gold.utterances.words) == ["uh", "it", "its", "so", "yes"]
    assert list(gold.utterances.tags or ()) == ["UH", "PRP", "PRPBES", "RB", "UH"]
    assert gold.utterances.lengths.tolist() == [4, 1]
    assert gold.fillers.tolist() == [True, False, False, False, False]
    assert gold.edits.tolist() == [False, True, False, False, False]
    assert read_gold([tmp_path / "a.tsv"], fillers="FC").fillers.tolist() == [True, False, False, True, False]


def test_chat_codes_are_labels() -> None:
    child, mother = chat_utterances(CHAT)
    assert [(word.form, word.edit, word.filler, word.fragment) for word in child.words] == [
        ("I", True, False, False),
        ("want", True, False, False),
        ("I", False, False, False),
        ("need", False, False, False),
        ("uh", False, True, False),
        ("a", False, False, False),
        ("d", False, False, True),
        ("dog", True, False, False),
        ("dog", False, False, False),
    ]
    assert (child.speaker, child.begin, child.end, mother.begin) == ("CHI", 100, 2300, None)
    assert [word.form for word in mother.words] == ["you", "you", "want", "it", "now"]


def test_what_the_original_does_not_have_was_edited(tmp_path: Path) -> None:
    (tmp_path / "qa.jsonl").write_text(
        json.dumps({"original": "What did Ana want?", "disfluent": "Who did no What did Ana want?"}) + "\n"
    )
    gold = read_gold([tmp_path / "qa.jsonl"])
    assert [word for word, edit in zip(gold.utterances.words, gold.edits, strict=True) if not edit] == [
        "what",
        "did",
        "ana",
        "want",
    ]
    assert gold.edits.tolist() == [True, True, True, False, False, False, False]


def test_utterances_of_all_formats(tmp_path: Path) -> None:
    (tmp_path / "a.cha").write_text(CHAT)
    words = [{"word": "Uh", "start": 0.1, "end": 0.4}, {"text": "yes", "start": 0.5}]
    (tmp_path / "b.jsonl").write_text(json.dumps({"id": 7, "words": words}) + "\n" + json.dumps({"text": "a b"}) + "\n")
    (tmp_path / "c.conllu").write_text("# sent_id = 1\n1\tUh\tuh\tINTJ\tUH\t_\t0\troot\t_\t_\n\n")
    (tmp_path / "d.txt").write_text("I I see.\n\nYes.\n")
    found = {name: list(read_utterances(str(tmp_path / name))) for name in ("a.cha", "b.jsonl", "c.conllu", "d.txt")}
    assert [word.text for word in found["a.cha"][0].words][4:7] == ["uh", "a", "d-"]
    assert found["b.jsonl"][0].fields == {"id": 7} and found["b.jsonl"][0].words[0].fields == {"start": 0.1, "end": 0.4}
    assert [word.text for word in found["b.jsonl"][1].words] == ["a", "b"]
    assert found["c.conllu"][0].words[0].tag == "UH"
    assert [len(one.words) for one in found["d.txt"]] == [3, 0, 1]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", b"yes\tUH\tO\n\nno\n", r"a.tsv:3: expected token, tag and edit tag"),
        ("a.jsonl", b'{"words": ["a"], "labels": ["", ""]}', r"a.jsonl:1: expected words and labels"),
        ("b.jsonl", b'{"words": ["a"], "labels": ["what"]}', r"b.jsonl:1: expected words and labels"),
        ("c.jsonl", b'{"words": [', r"c.jsonl:1: not JSON"),
        ("d.tsv", b"\xff\xfe", r"d.tsv: not UTF-8"),
        ("e.cha", b"*CHI yes .\n", r"e.cha:1: expected a speaker and a colon"),
        ("f.cha", b"@Begin\nyes\n", r"f.cha:2: expected a line of CHAT"),
        ("g.cha", b"*CHI:\tyes [/ .\n", r"g.cha:1: a bracket is not closed"),
    ],
)
def test_bad_gold_is_one_line(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match=message):
        read_gold([tmp_path / name])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b"[1]\n", r"a.jsonl:1: expected an object with words or text"),
        ("b.jsonl", b'{"words": [3]}\n', r"b.jsonl:1: expected a word as a string"),
        ("c.txt", b"good\n\xff", r"c.txt: not UTF-8"),
    ],
)
def test_bad_utterances_are_one_line(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match=message):
        list(read_utterances(str(tmp_path / name)))


def test_lines_of_text_are_read_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "live.txt").write_bytes(b"\xef\xbb\xbfI I see.\n\xff\n")
    lines = read_utterances(str(tmp_path / "live.txt"), "text")
    assert [word.text for word in next(lines).words] == ["I", "I", "see."]
    with pytest.raises(FormatError, match=r"live.txt:2: not UTF-8"):
        next(lines)
