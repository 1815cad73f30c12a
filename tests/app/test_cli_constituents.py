# SPDX-License-Identifier: Apache-2.0
"""Constituents on the command line: convert, show and evaluate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accord.data import Document
from tests.app.test_cli import accord

TREES = """\
( (S (NP-SBJ (PRP They)) (VP (VBD saw) (NP (DT the) (NN girl))) (. .)))
( (S (NP-SBJ-1 (-NONE- *PRO*)) (VP (VB Go) (ADVP-DIR (RB home))) (. !)))
"""


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    file = tmp_path / "trees.mrg"
    file.write_text(TREES, encoding="utf-8")
    return file


def test_brackets_go_through_conllu_and_json_and_come_back(trees: Path, tmp_path: Path) -> None:
    assert accord("convert", str(trees), "--to", str(tmp_path / "a.conllu")).returncode == 0
    assert (
        accord("convert", str(tmp_path / "a.conllu"), "--output", "json", "--to", str(tmp_path / "a.json")).returncode
        == 0
    )
    back = accord("convert", str(tmp_path / "a.json"), "--output", "brackets")
    assert back.stdout.decode() == TREES


def test_trees_are_stripped_and_get_dependencies_on_request(trees: Path) -> None:
    plain = accord("convert", str(trees), "--output", "brackets", "--strip", "empties,functions,root").stdout.decode()
    assert plain.splitlines()[1] == "(S (VP (VB Go) (ADVP (RB home))) (. !))"
    headed = accord("convert", str(trees), "--heads", "ud-english", "--labels", "ud-english", "--carrier", "misc")
    rows = [line.split("\t") for line in headed.stdout.decode().splitlines() if line]
    assert [(row[6], row[7]) for row in rows[:5]] == [
        *[("2", "nsubj"), ("0", "root"), ("4", "det"), ("2", "obj"), ("2", "punct")],
    ]
    assert rows[0][9] == "Constituents=((S(NP-SBJ*)" and not headed.stdout.startswith(b"#")


def test_evaluation_gives_the_table_of_evalb(trees: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.mrg"
    other.write_text(TREES.replace("(NP (DT the) (NN girl))", "(DT the) (NP (NN girl))"), encoding="utf-8")
    table = accord("evaluate", "--parseval", str(trees), str(other)).stdout.decode()
    assert "recall" in table and "<= 40 words" in table
    report = json.loads(
        accord("evaluate", "--parseval", str(trees), str(other), "--json", "--against", str(trees)).stdout
    )
    assert report["recall"] == report["precision"] == pytest.approx(100 * 6 / 7)
    assert report["against"]["F1"]["second"] == 100
    wrong = accord("evaluate", str(trees), str(other), "--parameters", "collins")
    assert wrong.returncode == 2 and b"belongs to --parseval" in wrong.stderr


def test_drawings_show_the_layers_that_are_asked_for(trees: Path) -> None:
    drawing = accord("show", str(trees), "--sentence", "1").stdout.decode()
    assert "NP-SBJ" in drawing and "girl" in drawing
    assert b"NP-SBJ" not in accord("show", str(trees), "--sentence", "1", "--layer", "dependencies").stdout
    assert accord("show", str(trees), "--output", "html").stdout.count(b"<svg ") == 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("convert", "{}", "--strip", "leaves"), "--strip leaves"),
        (("convert", "{}", "--labels", "ud-english"), "belong to the dependencies of --heads"),
        (("convert", "{}", "--heads", "nobody"), "no head rules are named 'nobody'"),
        (("convert", "{}", "--carrier", "xml"), "expected comment or misc"),
        (("evaluate", "--parseval", "{}", "{}", "--parameters", "nobody"), "no parameters of brackets"),
    ],
)
def test_mistakes_are_told_in_one_line(trees: Path, arguments: tuple[str, ...], reason: str) -> None:
    done = accord(*(argument.format(trees) for argument in arguments))
    assert done.returncode == 1 and reason in done.stderr.decode() and b"Traceback" not in done.stderr


@pytest.mark.parametrize("chosen", ["model=spans", "model=tag"])
def test_a_parser_is_trained_and_used_beside_dependencies(tmp_path: Path, chosen: str) -> None:
    from accord.tasks.examples import tiny_constituents

    train, dev, model = tmp_path / "train.conllu", tmp_path / "dev.mrg", tmp_path / "m.accord"
    tiny_constituents(30).write(train)
    tiny_constituents(8, 30).write(dev, "brackets")
    small = ("--set", "bits=12", "--set", "least_count=1", "--set", "epochs=3", "--set", "threads=1")
    small = (*small, "--set", chosen, "--set", "tag.bits=12", "--set", "tag.pruner_bits=8")
    done = accord("train", "constituents", str(train), "--dev", str(dev), "--output", str(model), *small)
    assert done.returncode == 0 and b"F1 " in done.stderr, done.stderr
    text = b"the cat saw a dog in Rio.\n"
    both = accord("parse", "--constituents", str(model), stdin=text).stdout.decode()
    assert "# constituents = (" in both and "\tnsubj\t" in both
    brackets = accord("parse", "--constituents", str(model), "--output", "brackets", stdin=text).stdout.decode()
    assert brackets.startswith("(") and brackets.count("\n") == 1
    assert "constituency parser" in accord("info", str(model)).stdout.decode()


def test_the_best_trees_of_phrases_are_lists_that_rerankers_read(tmp_path: Path) -> None:
    from accord.tasks.reranker import read_lists

    long = " ".join(["dogs"] * 301)
    lists = tmp_path / "lists.jsonl"
    options = ("parse", "--constituents", "en-phrases", "--nbest", "3", "--output", "json", "--to", str(lists))
    done = accord(*options, stdin=f"He studied at Cambridge and Princeton.\n\n{long}\n".encode())
    assert done.returncode == 0, done.stderr
    one, pieces = read_lists(lists)
    assert one.kind == "phrases" and len({each.value for each in one.ranked}) == 3
    assert one.scores[0] > one.scores[1] > one.scores[2] and one.scores[0] < 0  # logarithms of probabilities
    assert len(pieces) == 1 and len(pieces.words) == 301  # longer than the parser's `longest`
    for other in (("--agree",), ("--reranker", "none.accord")):
        wrong = accord(*options[:5], *other, stdin=b"He ran.\n")
        assert wrong.returncode == 2 and b"--nbest" in wrong.stderr


@pytest.mark.parametrize("rules", [(), ("--tag-rules", "ud-english")])
def test_phrases_and_heads_agree(rules: tuple[str, ...]) -> None:
    text = b"They saw the girl with a telescope. He said that prices rose in May.\n"
    agreed = accord("parse", "--constituents", "en-phrases", "--agree", *rules, stdin=text)
    assert agreed.returncode == 0, agreed.stderr
    for sentence in Document.from_conllu(agreed.stdout).sentences:
        assert sentence.constituents is not None
        heads = [word.head for word in sentence.words]
        for phrase in sentence.constituents.phrases:
            outside = [word for word in range(phrase.begin, phrase.end) if not phrase.begin < heads[word] <= phrase.end]
            assert len(outside) == 1
        assert all(word.deprel != "_" for word in sentence.words)
    alone = accord("parse", "--agree", stdin=text)
    assert alone.returncode != 0 and b"--constituents" in alone.stderr
    alone = accord("parse", "--tag-rules", "ud-english", stdin=text)
    assert alone.returncode != 0 and b"--agree" in alone.stderr


def test_tags_that_are_brackets_stay_readable(tmp_path: Path) -> None:
    text = b"1\t(\t_\tPUNCT\t(\t_\t2\tpunct\t_\t_\n2\tdog\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"
    parsed = accord("parse", "-", "--constituents", "en-phrases", stdin=text)
    assert b"(-LRB- 1)" in parsed.stdout
    assert b"(-LRB- -LRB-)" in accord("convert", "-", "--output", "brackets", stdin=parsed.stdout).stdout
    misc = accord("convert", "-", "--carrier", "misc", stdin=parsed.stdout).stdout
    assert b"(-LRB- -LRB-)" in accord("convert", "-", "--output", "brackets", stdin=misc).stdout
    made = accord("convert", "-", "--phrases", "xpos", "--output", "brackets", stdin=text)
    assert made.stdout == b"(NNP (-LRB- -LRB-) (NN dog))\n"


def test_dependencies_become_phrases(tmp_path: Path) -> None:
    text = "1\tthe\t_\tDET\tDT\t_\t2\tdet\t_\t_\n2\tdog\t_\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n"
    text += "3\tran\t_\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"
    two_roots = "1\ta\t_\tX\tX\t_\t0\troot\t_\t_\n2\tb\t_\tX\tX\t_\t0\troot\t_\t_\n\n"
    made = accord("convert", "-", "--phrases", "upos", "--output", "brackets", stdin=text.encode())
    assert made.stdout.decode() == "(VERBP (NOUNP (DT the) (NN dog)) (VBD ran))\n"
    options = ("convert", "-", "--phrases", "deprel", "--output", "brackets")
    broken = accord(*options, stdin=(text + two_roots).encode())
    assert broken.returncode != 0 and b":5: no projective tree" in broken.stderr
    kept = accord(*options, "--keep-going", stdin=(text + two_roots).encode())
    assert kept.stdout.decode() == "(rootP (nsubjP (DT the) (NN dog)) (VBD ran))\n"
    assert b"no projective tree" in kept.stderr
    assert accord("convert", "-", "--phrases", "form", stdin=text.encode()).returncode != 0
