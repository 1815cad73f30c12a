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
from accord.tasks.cleaner.written_words import written_forms

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
    assert [word.label for word in found["a.cha"][0].words] == ["edit", "edit", "", "", "filler", "", "", "edit", ""]
    assert found["b.jsonl"][0].fields == {"id": 7} and found["b.jsonl"][0].words[0].fields == {"start": 0.1, "end": 0.4}
    assert [word.text for word in found["b.jsonl"][1].words] == ["a", "b"]
    assert found["c.conllu"][0].words[0].tag == "UH"
    assert [len(one.words) for one in found["d.txt"]] == [3, 0, 1]


WHISPER = {
    "text": " I I see. Uh, yes",
    "language": "en",
    "segments": [
        {
            "id": 0,
            "tokens": [50364, 7],
            "text": " I I see.",
            "words": [{"word": " I", "start": 0.0, "probability": 0.7}],
        },
        {"id": 1, "tokens": [9], "text": " Uh, yes"},
    ],
}


@pytest.mark.parametrize("indent", [None, 1])
def test_a_file_of_a_recogniser_is_its_segments(tmp_path: Path, indent: int | None) -> None:
    (tmp_path / "w.json").write_text(json.dumps(WHISPER, indent=indent))
    timed, plain = read_utterances(str(tmp_path / "w.json"))
    assert timed.words[0].text == "I" and timed.words[0].fields == {"start": 0.0, "probability": 0.7}
    assert timed.fields == {"id": 0, "tokens": [50364, 7]}
    assert [word.text for word in plain.words] == ["Uh,", "yes"]
    (tmp_path / "list.json").write_text(json.dumps(WHISPER["segments"], indent=indent))
    assert list(read_utterances(str(tmp_path / "list.json"))) == [timed, plain]
    whole = {"text": "so it is", "segments": [], "words": [{"word": "so", "end": 1}, {"word": " it  is\t"}]}
    (tmp_path / "words.json").write_text(json.dumps(whole, indent=indent))
    (one,) = read_utterances(str(tmp_path / "words.json"))
    assert [word.text for word in one.words] == ["so", "it is"]


@pytest.mark.parametrize("mark", ["\u2028", "\u0085", "\f", "\v"])
def test_only_line_ends_end_lines(tmp_path: Path, mark: str) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": f"a {mark} b"}, ensure_ascii=False) + "\n")
    (tmp_path / "b.txt").write_text(f"a{mark} b\r\nc\n")
    (tmp_path / "c.cha").write_text(f"*CHI:\ta {mark} b .\n")
    for name in ("a.jsonl", "b.txt", "c.cha"):
        found = list(read_utterances(str(tmp_path / name)))
        assert [word.text for word in found[0].words if word.text != mark] == ["a", "b"]
        assert len(found) == (2 if name == "b.txt" else 1)
    (tmp_path / "d.tsv").write_text(f"a{mark}b\tX\tO\n")
    assert read_gold([tmp_path / "d.tsv"]).utterances.lengths.tolist() == [1]


def test_parts_of_written_words_are_known(tmp_path: Path) -> None:
    rows = ["1-2\tdon't", "1\tdo", "2\tn't", "3\tgon*", "4\tna", "5\t'cause", "6\tshe*", "7\t's*", "8\t,", "9\tin"]
    lines = [f"{r.rstrip('*')}" + "\t_" * 7 + ("\tSpaceAfter=No" if r.endswith("*") else "\t_") for r in rows]
    (tmp_path / "a.conllu").write_text("# newdoc\n" + "\n".join(lines) + "\n\n")
    for file in ("a.conllu", "b.txt"):  # the second is known by its content
        (tmp_path / file).write_bytes((tmp_path / "a.conllu").read_bytes())
        (one,) = read_utterances(str(tmp_path / file))
        assert [word.text for word in one.words if word.part] == ["n't", "na", "'s"]
        assert [word.text for word in one.words if word.glued] == ["n't", "na", "'s", ","]
        assert written_forms(one.words) == ["dont", "", "gonna", "", "cause", "shes", "", "", "in"]
    spaces = "".join(f"{n}\t{form}" + "\t_" * 8 + "\n" for n, form in enumerate(("we", "'re", "so", "'cause"), 1))
    (tmp_path / "c.conllu").write_text(spaces + "\n")
    (one,) = read_utterances(str(tmp_path / "c.conllu"))
    assert written_forms(one.words) == ["were", "", "so", "cause"], "a treebank that does not tell blanks"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", b"yes\tUH\tO\n\nno\n", r"a.tsv:3: expected token, tag and edit tag"),
        ("a.jsonl", b'{"words": ["a"], "labels": ["", ""]}', r"a.jsonl:1: expected words and labels"),
        ("b.jsonl", b'{"words": ["a"], "labels": ["what"]}', r"b.jsonl:1: expected words and labels"),
        ("b.jsonl", b'{"words": ["a"], "labels": [[]]}', r"b.jsonl:1: expected words and labels"),
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
        ("d.json", b'{"segments": [{"text": "a"},\n {"words": 3}]}', r"d.json: utterance 2: expected an object"),
        ("e.json", b'[{"text": "a"},\n 3]', r"e.json:1: not JSON"),
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
