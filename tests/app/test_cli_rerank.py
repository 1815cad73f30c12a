# SPDX-License-Identifier: Apache-2.0
"""``accord train reranker``, ``accord rerank`` and ``accord parse --reranker``, from a treebank to better trees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accord.data import Document
from accord.tasks.examples import tiny_constituents, tiny_treebank
from tests.app.test_cli import accord as run

SMALL = [f"--set={one}" for one in ("folds=2", "k=5", "least_count=1", "boosting.rounds=20", "threads=1")]


def accord(*arguments: object) -> str:
    done = run(*map(str, arguments))
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def fails(message: str, *arguments: object, status: int = 1) -> None:
    done = run(*map(str, arguments))
    said = " ".join(done.stderr.decode().replace("│", " ").split())
    assert done.returncode == status and message in said and "Traceback" not in said, said


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("rerank")
    tiny_constituents(16).write(here / "phrases.conllu")
    tiny_treebank(16).write(here / "bank.conllu")
    small = ("--set=epochs=1", "--set=threads=1")
    for name, bank, more in (("phrases", "phrases", "bits=10"), ("parser", "bank", "order=1")):
        task = "constituents" if name == "phrases" else "parser"
        output = here / f"{name}.accord"
        accord("train", task, here / f"{bank}.conllu", "--output", output, *small, f"--set={more}")
    for kind in ("phrases", "parser"):
        bank = here / ("phrases.conllu" if kind == "phrases" else "bank.conllu")
        accord(
            *("train", "reranker", bank, "--base", here / f"{kind}.accord", "--dev", bank),
            *("--output", here / f"{kind}-reranker.accord", *SMALL, "--set", f"lists={here / kind}.jsonl"),
        )
    return here


def test_lists_go_in_and_come_out_in_another_order(folder: Path) -> None:
    for kind in ("phrases", "parser"):
        found = accord("rerank", folder / f"{kind}.jsonl", "--model", folder / f"{kind}-reranker.accord")
        given = (folder / f"{kind}.jsonl").read_text().splitlines()
        lists = [json.loads(line) for line in found.splitlines()]
        assert len(lists) == len(given) == 16
        for one, line in zip(lists, given, strict=True):
            scores = [candidate["reranked"] for candidate in one["candidates"]]
            assert scores == sorted(scores, reverse=True)
            before = json.loads(line)["candidates"]
            assert sorted(json.dumps(each["value"]) for each in before) == sorted(
                json.dumps(each["value"]) for each in one["candidates"]
            )


def test_lists_that_were_kept_are_trained_on_again(folder: Path) -> None:
    """The same lists give the same model, without the base model."""
    dev = folder / "phrases-dev.jsonl"
    accord("train", "reranker", folder / "phrases.jsonl", "--dev", dev, "--output", folder / "again.accord", *SMALL)
    results = [
        accord("rerank", folder / "phrases.jsonl", "--model", folder / name)
        for name in ("again.accord", "phrases-reranker.accord")
    ]
    assert results[0] == results[1]


def test_trees_by_a_reranker(folder: Path) -> None:
    parsed = accord(
        *("parse", folder / "bank.conllu", "--model", folder / "parser.accord"),
        *("--reranker", folder / "parser-reranker.accord"),
    )
    trees = Document.from_conllu(parsed.encode()).sentences
    assert [s.forms for s in trees] == [s.forms for s in tiny_treebank(16).sentences]
    assert all(sum(head == 0 for head in s.heads) == 1 for s in trees)
    phrases = accord(
        *("parse", folder / "phrases.conllu", "--model", folder / "parser.accord"),
        *("--constituents", folder / "phrases.accord", "--reranker", folder / "phrases-reranker.accord"),
        *("--output", "brackets"),
    )
    assert len(phrases.splitlines()) == 16 and phrases.startswith("(")


def test_lists_of_the_parser_are_read_as_it_writes_them(folder: Path) -> None:
    bank, model = folder / "bank.conllu", folder / "parser.accord"
    (folder / "nbest.jsonl").write_text(accord("parse", bank, "--model", model, "--nbest=5", "--output=json"))
    found = accord("rerank", folder / "nbest.jsonl", "--model", folder / "parser-reranker.accord").splitlines()
    parsed = accord("parse", bank, "--model", model, "--reranker", folder / "parser-reranker.accord")
    trees = Document.from_conllu(parsed.encode()).sentences
    best = [json.loads(line)["candidates"][0]["value"]["heads"] for line in found]
    assert best == [list(sentence.heads) for sentence in trees]


def test_what_does_not_fit_is_one_line(folder: Path, tmp_path: Path) -> None:
    model = folder / "phrases-reranker.accord"
    bank = folder / "bank.conllu"
    fails("it ranks phrases", "parse", bank, "--model", folder / "parser.accord", "--reranker", model, status=2)
    other = folder / "parser-reranker.accord"
    fails(
        "without --nbest",
        "parse",
        bank,
        "--model",
        folder / "parser.accord",
        "--reranker",
        other,
        "--nbest=3",
        status=2,
    )
    (tmp_path / "bad.jsonl").write_text('{"kind": "phrases"}\n')
    fails("list of strings 'words'", "rerank", tmp_path / "bad.jsonl", "--model", model)
    fails("not a reranker", "rerank", tmp_path / "bad.jsonl", "--model", folder / "parser.accord")
    fails("this reranker ranks phrases", "rerank", folder / "parser.jsonl", "--model", model)
    fails("has no lists", "train", "reranker", bank, "--base", model, "--output", tmp_path / "x.accord")
