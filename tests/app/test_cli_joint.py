# SPDX-License-Identifier: Apache-2.0
"""``accord train joint`` and ``accord joint``: chunks of words, and words out of characters."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from accord import data
from accord.app.cli import make_app
from accord.errors import ConfigError

COLUMNS = "the DT B-NP\nold JJ I-NP\ncat NN I-NP\nsat VB B-VP\n. . O\n\nshe PR B-NP\nran VB B-VP\n\n"
TREEBANK = "".join(
    "".join(f"{n}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t_\n" for n, (form, tag) in enumerate(words, 1)) + "\n"
    for words in [
        [("我", "PRON"), ("喜欢", "VERB"), ("猫", "NOUN")],
        [("猫", "NOUN"), ("喜欢", "VERB"), ("我", "PRON")],
    ]
)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(make_app(list(arguments)), arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_chunks(tmp_path: Path) -> None:
    train, model, answer = tmp_path / "train.txt", tmp_path / "model.accord", tmp_path / "answer.txt"
    train.write_text(COLUMNS * 5, encoding="utf-8")
    said = run("train", "joint", str(train), "--dev", str(train), "-o", str(model), "--set", "l2=0.1")
    assert "dev F1 100.00" in said
    plain = tmp_path / "plain.txt"
    plain.write_text("\n".join(line.rpartition(" ")[0] for line in COLUMNS.split("\n")), encoding="utf-8")
    run("joint", str(plain), "--model", str(model), "--to", str(answer))
    assert answer.read_text(encoding="utf-8").split() == COLUMNS.split()


def test_words_of_characters(tmp_path: Path) -> None:
    train, model, texts = tmp_path / "train.conllu", tmp_path / "model.accord", tmp_path / "texts.txt"
    train.write_text(TREEBANK * 5, encoding="utf-8")
    run("train", "joint", str(train), "-o", str(model), "--set", "l2=0.1")
    texts.write_text("我 喜欢猫\n\n猫喜欢我\n", encoding="utf-8")
    answer = tmp_path / "answer.conllu"
    run("joint", str(texts), "--model", str(model), "--to", str(answer))
    found = data.read(answer)
    assert [[(word.form, word.upos) for word in sentence.words] for sentence in found.sentences] == [
        [("我", "PRON"), ("喜欢", "VERB"), ("猫", "NOUN")],
        [("猫", "NOUN"), ("喜欢", "VERB"), ("我", "PRON")],
    ]
    run("joint", str(texts), "--model", str(model), "--nbest", "3", "--to", str(answer))
    ranked = data.read(answer)
    assert len(ranked.sentences) == 6
    assert "# nbest = 2" in ranked.sentences[1].comments


def test_chunks_are_scored_kept_and_sure(tmp_path: Path) -> None:
    train, model, half = tmp_path / "train.txt", tmp_path / "model.accord", tmp_path / "half.txt"
    train.write_text(COLUMNS * 5, encoding="utf-8")
    run("train", "joint", str(train), "-o", str(model), "--set", "l2=0.1")
    said = run("joint", str(train), "--model", str(model), "--evaluate")
    assert "segments with types" in said and said.count("F1 100.00") == 2
    half.write_text("the DT B-VP\nold JJ I-VP\ncat NN _\nsat VB _\n. . _\n\n", encoding="utf-8")
    rows = [line.split() for line in run("joint", str(half), "--model", str(model), "--keep", "given").splitlines()]
    assert [row[3] for row in rows[:2]] == ["B-VP", "I-VP"] and rows[3][3] in ("B-VP", "I-VP")
    rows = [line.split() for line in run("joint", str(train), "--model", str(model), "--probabilities").splitlines()]
    assert rows[0][3] == "B-NP" and all(0.5 < float(figure) <= 1.0 for figure in rows[0][4:6])
    assert rows[4][3:] == ["O", "_", "_"]


def test_two_models_are_compared(tmp_path: Path) -> None:
    train, other, good, bad = (tmp_path / name for name in ("train.txt", "other.txt", "good.accord", "bad.accord"))
    train.write_text(COLUMNS * 5, encoding="utf-8")
    other.write_text(COLUMNS.replace("VP", "NP") * 5, encoding="utf-8")
    run("train", "joint", str(train), "-o", str(good), "--set", "l2=0.1")
    run("train", "joint", str(other), "-o", str(bad), "--set", "l2=0.1")
    said = run("joint", str(train), "--model", str(good), "--evaluate", "--against", str(bad))
    assert "right in the system alone 10, in the other alone 0; McNemar p = 0.001953" in said
    same = run("joint", str(train), "--model", str(good), "--evaluate", "--against", str(good))
    assert "in the system alone 0, in the other alone 0; McNemar p = 1" in same
    result = CliRunner().invoke(make_app(["joint"]), ["joint", str(train), "-m", str(good), "--against", str(bad)])
    assert result.exit_code == 2 and "--evaluate" in result.output


def test_given_words_are_kept_in_texts(tmp_path: Path) -> None:
    train, model, given = tmp_path / "train.conllu", tmp_path / "model.accord", tmp_path / "given.conllu"
    train.write_text(TREEBANK * 5, encoding="utf-8")
    run("train", "joint", str(train), "-o", str(model), "--set", "l2=0.1")
    assert "F1 100.00" in run("joint", str(train), "--model", str(model), "--evaluate")
    given.write_text("1\t我喜\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\t欢猫\t_\t_\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8")
    answer = tmp_path / "answer.conllu"
    run("joint", str(given), "--model", str(model), "--keep", "given", "--probabilities", "--to", str(answer))
    first = data.read(answer).sentences[0].words[0]
    assert (first.form, first.upos) == ("我喜", "NOUN") and "SegConf=1.0000|TagConf=1.0000" in first.misc


def test_mistakes_are_told(tmp_path: Path) -> None:
    train, dev = tmp_path / "train.conllu", tmp_path / "dev.txt"
    train.write_text(TREEBANK, encoding="utf-8")
    dev.write_text(COLUMNS, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"dev\.txt"):
        run("train", "joint", str(train), "--dev", str(dev), "-o", str(tmp_path / "model.accord"))
    with pytest.raises(ConfigError, match="no folder"):
        run("train", "joint", str(train), "-o", str(tmp_path / "none" / "model.accord"))
