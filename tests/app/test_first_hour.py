# SPDX-License-Identifier: Apache-2.0
"""The first hour of five users: an engineer, a treebank linguist, a researcher, a Chinese user and a data engineer.

Each list is what such a user would try first, in one process each; together they take less than two minutes.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import accord
from accord.app.cli import make_app

STARTED = time.monotonic()
LETTER = "They saw the girl with the telescope. She didn't wave!\n\nNobody slept.\n"
GOLD = """# sent_id = g1
# text = She doesn't see dogs.
1\tShe\tshe\tPRON\tPRP\tCase=Nom\t4\tnsubj\t4:nsubj\t_
2-3\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdoes\tdo\tAUX\tVBZ\t_\t4\taux\t4:aux\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t4:advmod\t_
4\tsee\tsee\tVERB\tVB\t_\t0\troot\t0:root\t_
5\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t4\tobj\t4:obj\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t4\tpunct\t4:punct\t_

"""


def run(*arguments: object, input: str | None = None) -> str:
    words = [str(argument) for argument in arguments]
    result = CliRunner().invoke(make_app(words), words, input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_an_engineer_who_replaces_spacy(tmp_path: Path) -> None:
    nlp = accord.load("en")
    texts = ["Ann left. Bo stayed.", "…two.", "third one."]
    assert [len(document) for document in nlp.pipe(texts)] == [2, 1, 1]
    assert [context for _, context in nlp.pipe(zip(texts, "abc", strict=True), as_tuples=True)] == ["a", "b", "c"]
    for wrong in (texts, None, float("nan"), b"bytes", 3):
        with pytest.raises(accord.AccordError):
            nlp(wrong)
    document = nlp(LETTER)
    assert document.text == LETTER
    word = document[0].words[3]
    assert (LETTER[word.start : word.end], word.feats["Number"], word.head_word.form) == ("girl", "Sing", "saw")
    assert accord.Document.from_dict(document.to_dict()).to_conllu() == document.to_conllu()
    assert document._repr_html_().count("<svg ") == 3
    (tmp_path / "letter.txt").write_text(LETTER)
    assert run("parse", tmp_path / "letter.txt", "--output", "plain") == LETTER


def test_a_treebank_linguist(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(GOLD)
    system.write_text(GOLD.replace("4\tobj\t4:obj", "4\tdobj\t4:dobj"))
    assert "5:dogs" in run("find", "V[upos=VERB] >obj O[Number=Plur]", gold)
    assert run("rewrite", "[] >dobj O => O.deprel=obj", system).count("\tobj\t") == 1
    run("validate", gold)
    assert "gold: obj" in run("show", system, "--gold", gold)
    assert "doesn't" in run("show", gold, "--output", "svg")
    assert json.loads(run("compare", gold, system, gold, "--json"))["tests"]["LAS"]["bootstrap"]["difference"] > 0
    assert "ELAS" in run("evaluate", gold, gold)
    assert "4:obj" in run("parse", gold, "--enhance", "--keep", "given")


def test_a_researcher(tmp_path: Path) -> None:
    text = run("parse", "--probabilities", input=LETTER)
    assert "ArcConf=" in text
    ranked = run("parse", "--nbest", "3", "--output", "json", input="They saw her.\n")
    assert len(json.loads(ranked.splitlines()[0])) == 3
    tagged = run("tag", "--keep", "upos", "--probabilities", input="1\tflies\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n")
    assert "NOUN\tNNS\tNumber=Plur" in tagged and "TagConf=1.0000" in tagged
    from accord.sequence import CRF

    crf = CRF(c2=0.01).fit([[{"w": "a"}, {"w": "b"}]], [["X", "Y"]])
    assert crf.predict([[{"w": "a"}]]) == [["X"]]


def test_a_chinese_user(tmp_path: Path) -> None:
    lexicon = tmp_path / "words.txt"
    lexicon.write_text("昨天\n华为\n笔记本\n", encoding="utf-8")
    text = "我昨天去了华为买笔记本"
    for verb in ("parse", "segment"):
        said = run(verb, "--model", "zh", "--lexicon", lexicon, "--lexicon-mode", "force", input=text + "\n")
        assert all(word in said.replace("\t", " ").split() for word in ("昨天", "华为", "笔记本"))
    document = accord.load("zh", lexicon=["华为"])(text)
    assert document.column("lemma") == document.column("form")
    (tmp_path / "gb.txt").write_bytes(text.encode("gb18030"))
    assert text in run("parse", tmp_path / "gb.txt", "--model", "zh", "--encoding", "gb18030")


def test_a_data_engineer(tmp_path: Path) -> None:
    table, rejected, target = tmp_path / "in.jsonl", tmp_path / "rejected.jsonl", tmp_path / "out.jsonl"
    table.write_text('{"k": "a", "t": "One. Two."}\n{"k": "b"}\n{"k": "c", "t": "Three."}\n')
    options = ("--text-field", "t", "--id-field", "k", "--keep-going", "--rejected", rejected)
    run("parse", table, *options, "--to", target, "--resume")
    assert [json.loads(line)["id"] for line in target.read_text().splitlines()] == ["a", "c"]
    assert json.loads(rejected.read_text())["line"] == 2
    for suffix in (".gz", ".xz", ".bz2"):
        run("parse", table, *options, "--output", "conllu", "--to", f"{target}{suffix}")
        assert len(accord.data.read(f"{target}{suffix}", format="conllu")) == 3
    (tmp_path / "bad.txt").write_bytes(b"Good.\n\nBad \xff.\n")
    assert "Good" in run("parse", tmp_path / "bad.txt", "--keep-going")
    file = tmp_path / "a.txt"
    file.write_text("Hello.\n")
    ids = [one.sent_id for one in accord.Document.from_conllu(run("parse", file, file))]
    assert len(set(ids)) == 2
