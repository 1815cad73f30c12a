# SPDX-License-Identifier: Apache-2.0
"""Texts as they come: other encodings, wrong bytes, compression, pipes that wait, files given twice, user's words."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import accord
from accord import data
from accord.app.cli import make_app

BAD = b"Good line.\n\nBad \xff byte.\n\nGood again.\n"


def run(*arguments: object, input: str | bytes | None = None, code: int = 0) -> tuple[str, str]:
    words = [str(argument) for argument in arguments]
    result = CliRunner().invoke(make_app(words), words, input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".bz2", ".zst"])
def test_every_compression_goes_in_and_out(tmp_path: Path, suffix: str) -> None:
    if suffix == ".zst":
        pytest.importorskip("zstandard")
    text = tmp_path / f"letter.txt{suffix}"
    with data.open_output(text) as out:
        out.write(b"They saw the girl.\n")
    run("parse", text, "--to", tmp_path / f"out.conllu{suffix}")
    assert (tmp_path / f"out.conllu{suffix}").read_bytes()[:1] != b"#"
    assert data.read(tmp_path / f"out.conllu{suffix}").sentences[0].forms[0] == "They"


def test_wrong_bytes_stop_unless_the_user_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_bytes(BAD)
    with pytest.raises(accord.FormatError, match=r"bad\.txt:3: not UTF-8"):
        run("parse", file)
    rejected = tmp_path / "rejected.jsonl"
    said, told = run("parse", file, "--keep-going", "--rejected", rejected)
    assert [s.text for s in accord.Document.from_conllu(said).sentences] == ["Good line.", "Good again."]
    assert "bad.txt:3: not UTF-8" in told
    (row,) = map(json.loads, rejected.read_text(encoding="utf-8").splitlines())
    assert (row["line"], row["text"]) == (3, "Bad \\xff byte.") and row["file"].endswith("bad.txt")


def test_wrong_bytes_may_be_replaced(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_bytes(BAD)
    assert "# text = Bad \ufffd byte." in run("parse", file, "--errors", "replace")[0]
    assert "# text = Bad byte." in run("parse", file, "--errors", "ignore")[0].replace("Bad  byte", "Bad byte")
    with pytest.raises(accord.ConfigError, match="errors 'maybe'"):
        run("parse", file, "--errors", "maybe")


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "cp1252"])
def test_other_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes("Café au lait.\n".encode(encoding))
    assert "# text = Café au lait." in run("parse", file, "--encoding", encoding)[0]


def test_treebanks_in_other_encodings_and_their_broken_sentences(tmp_path: Path) -> None:
    file = tmp_path / "text.conllu"
    file.write_bytes("1\tCafé\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tbroken\n\n".encode("latin-1"))
    rejected = tmp_path / "rejected.jsonl"
    said, _ = run("parse", file, "--encoding", "latin-1", "--keep-going", "--rejected", rejected)
    assert "Café" in said and "1\tbroken" in said
    (row,) = map(json.loads, rejected.read_text(encoding="utf-8").splitlines())
    assert row["text"] == "1\tbroken"


def test_an_encoding_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Hi.")
    with pytest.raises(accord.ConfigError, match="no encoding is named 'klingon'"):
        run("parse", tmp_path / "a.txt", "--encoding", "klingon")


def test_the_same_file_twice_has_ids_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("One. Two.\n")
    for verb in ("parse", "tokenize"):
        document = accord.Document.from_conllu(run(verb, file, file)[0])
        ids = [sentence.sent_id for sentence in document.sentences]
        assert len(set(ids)) == len(ids) == 4


def waiting_process(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "accord", *arguments]
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": paths}
    )


def answer_of(process: subprocess.Popen[bytes], wanted: bytes) -> bytes:
    """What a process writes, until it has written what is wanted; nothing after half a minute is a failure."""
    assert process.stdout is not None
    got, end = b"", time.monotonic() + 30
    while wanted not in got:
        ready, _, _ = select.select([process.stdout], [], [], max(0.0, end - time.monotonic()))
        assert ready, f"no answer, only {got!r}"
        got += os.read(process.stdout.fileno(), 1 << 16)
    return got


@pytest.mark.parametrize(
    ("arguments", "first", "wanted"),
    [
        (("parse",), b"Hello there.\n\n", b"Hello\thello"),
        (("parse", "--input", "sentences"), b"Hello there.\n", b"Hello\thello"),
        (("tag",), b"1\tHello\t_\t_\t_\t_\t_\t_\t_\t_\n\n", b"Hello\thello"),
    ],
)
def test_a_pipe_that_waits_gets_its_answer(arguments: tuple[str, ...], first: bytes, wanted: bytes) -> None:
    process = waiting_process(*arguments)
    assert process.stdin is not None
    try:
        process.stdin.write(first)
        process.stdin.flush()
        assert answer_of(process, wanted)  # while standard input is still open
        rest, _ = process.communicate(first, timeout=30)
        assert wanted in rest and process.returncode == 0
    finally:
        process.kill()
        process.wait()


def test_waiting_changes_no_answer() -> None:
    tokenizer = accord.Tokenizer.load("en")
    text = "One two. Three\nfour.\n\nFive.\n\nSix seven"
    whole = tokenizer(text).to_bytes()
    pieces = [part for character in text for part in (character, "")]
    assert b"".join(document.to_bytes() for document in tokenizer.stream(pieces)) == whole


def test_given_tags_that_are_not_read_are_told(tmp_path: Path) -> None:
    file = tmp_path / "tagged.conllu"
    file.write_text("1\tflies\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n")
    assert "this parser does not read tags" in run("parse", file)[1]
    assert "tags" not in run("parse", file, "--tags", "predict")[1]


SENTENCE = "我昨天去了华为买笔记本"
WORDS = ["昨天", "华为", "笔记本"]


def test_a_lexicon_makes_words(tmp_path: Path) -> None:
    lexicon = tmp_path / "words.txt"
    lexicon.write_text("\n".join(WORDS), encoding="utf-8")
    said, _ = run("parse", "--model", "zh", "--lexicon", lexicon, "--lexicon-mode", "force", input=SENTENCE)
    assert set(WORDS) <= set(accord.Document.from_conllu(said).sentences[0].forms)
    said, _ = run(
        "segment", "--model", "zh", "--lexicon", lexicon, "--lexicon-bonus", 4, input=f"{SENTENCE}\n\n{SENTENCE}"
    )
    first, second, third = said.splitlines()
    assert set(WORDS) <= set(first.split()) and second == "" and third == first
    for mode in ("prefer", "force"):
        for given in (lexicon, WORDS):
            nlp = accord.load("zh", lexicon=given, lexicon_mode=mode)
            assert set(WORDS) <= set(nlp(SENTENCE).sentences[0].forms)
    with pytest.raises(accord.ConfigError, match="lexicon mode 'maybe'"):
        accord.load("zh", lexicon=WORDS, lexicon_mode="maybe")


def test_a_forced_word_is_a_token_wherever_it_stands() -> None:
    nlp = accord.load("en", lexicon=["New York", "York-based", "don't"], lexicon_mode="force")
    forms = [token.form for s in nlp("York-based firms don't.").sentences for token in s.tokens]
    assert forms[:3] == ["York-based", "firms", "don't"]


def test_chinese_lemmas_are_the_forms() -> None:
    document = accord.load("zh")("今天天气很好。")
    assert document.column("lemma") == document.column("form")


@pytest.mark.parametrize("verb", ["parse", "tag", "entities"])
def test_a_text_in_another_script_than_that_of_the_model_is_told(verb: str) -> None:
    chinese = "我们今天下午要去北京大学的图书馆看书，晚上再回家吃饭。\n"
    assert "mostly Chinese or Japanese, and en is a model of English" in run(verb, input=chinese)[1]
    assert "mostly" not in run(verb, input="They met at 北京大学 in the morning and had a long talk.\n")[1]
    if verb == "entities":
        return
    assert "not a character of Chinese" in run(verb, "--model", "zh", input="They saw the girl with the dog.\n")[1]
    assert "warning" not in run(verb, "--model", "zh", input=chinese + "OK, see you tomorrow in Shanghai.\n")[1]
    assert "warning" not in run(verb, "--model", "zh", input="OK\n")[1]


@pytest.mark.parametrize(("encoding", "advice"), [("gb18030", "--encoding names another"), ("utf-16", "utf-16")])
def test_another_encoding_is_advised(tmp_path: Path, encoding: str, advice: str) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes("我昨天去了北京。\n".encode(encoding))
    with pytest.raises(accord.FormatError, match=rf"text\.txt:1: not UTF-8 .*; .*{advice}"):
        run("parse", file, "--model", "zh")
    said, _ = run("segment", file, "--model", "zh", "--encoding", encoding)
    assert said.split()[:2] == ["我", "昨天"]
    file.write_bytes(BAD)
    with pytest.raises(accord.FormatError, match=r"not gbk"):
        run("segment", file, "--model", "zh", "--encoding", "gbk")
    assert "Good line" in run("segment", file, "--model", "zh", "--errors", "ignore")[0]


def test_names_have_their_places_in_the_file(tmp_path: Path) -> None:
    text = "Hello.  Angela Merkel didn't see John\n\nin Paris."
    file = tmp_path / "letter.txt"
    file.write_text(text)
    names = [json.loads(line) for line in run("entities", file, "--output", "json")[0].splitlines()]
    assert [text[name["start"] : name["end"]] for name in names] == [name["text"] for name in names]
    assert len(names) >= 2
    treebank = run("parse", file)[0]
    assert "start" not in run("entities", "-", "--output", "json", input=treebank)[0]


def test_searches_tell_what_may_be_meant(tmp_path: Path) -> None:
    file = tmp_path / "two.conllu"
    file.write_text(run("parse", input="They saw her.\n")[0])
    said, told = run("find", "VERB > S", file)
    assert said.count("\n") == 4 and "VERB is a name here" in told
    said, told = run("find", "V[lemma=sleep]", file)
    assert said.count("\n") == 1 and "no match in 1 sentence" in told
    assert run("find", "V >nsubj S", file, "--by", "S.Case", "--by", "V.feats.Tense")[0] == "1\tNom\tPast\n"
    with pytest.raises(accord.ConfigError, match=r"--by 'S.pos'.*'upos'"):
        run("find", "V >nsubj S", file, "--by", "S.pos")


def test_tags_that_a_parser_does_not_read_are_told_where_they_were_given(tmp_path: Path) -> None:
    treebank = tmp_path / "gold.conllu"
    treebank.write_text(accord.load("en")("It rains.").to_conllu(), encoding="utf-8")
    for more in ((), ("--nbest", "2")):
        assert "do not change the trees" in run("parse", treebank, *more)[1]
        assert "warning" not in run("parse", *more, input="It rains.\n")[1]
