# SPDX-License-Identifier: Apache-2.0
"""``accord evaluate`` for texts and compressions, and between two systems."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.test_cli import accord

TOKENS = ["so", "I", "I", "should", "go", "."]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    references = [{"text": "I should go .", "mask": "001111"}, {"mask": "000011"}]
    gold = [{"tokens": TOKENS, "compressions": references}, {"tokens": ["Yes", "!"], "compression": "yes"}]
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in gold))
    for name, masks in (("first", ("001111", "10")), ("second", ("110000", "11"))):
        lines = [{"tokens": one["tokens"], "mask": mask} for one, mask in zip(gold, masks, strict=True)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "gold.txt").write_text("the cat sat on the mat\nhe ran home today\n")
    (tmp_path / "first.txt").write_text("the cat sat on a mat\nhe ran home today\n")
    (tmp_path / "second.txt").write_text("a dog sat on a mat\nhe went\n")
    return tmp_path


def report(*arguments: str | Path) -> dict[str, float]:
    done = accord("evaluate", *map(str, arguments), "--json")
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, float] = json.loads(done.stdout)
    return found


def test_kept_words_are_compared_with_every_reference(folder: Path) -> None:
    """Kept 4 + 4 + 1, gold 4 + 2 + 1, in both 4 + 2 + 1."""
    found = report("--compression", folder / "gold.jsonl", folder / "first.jsonl")
    assert found["micro_f1"] == pytest.approx(100 * 2 * 7 / 16)
    assert found["sentences"] == 3 and found["bleu"] == pytest.approx(100)
    assert "relation_f1" not in found


def test_relations_are_found_by_a_parser(folder: Path) -> None:
    done = accord(
        "evaluate", "--compression", str(folder / "gold.jsonl"), str(folder / "first.jsonl"), "--parser", "en"
    )
    assert b"relation f1" in done.stdout, done.stderr.decode()


def test_two_compressors_are_compared(folder: Path) -> None:
    files = (folder / "gold.jsonl", folder / "first.jsonl", "--against", folder / "second.jsonl")
    tests = report("--compression", *files)["against"]
    assert tests["words"]["only_first"] == 11 and tests["words"]["only_second"] == 2  # type: ignore[index]
    assert tests["micro F1"]["difference"] < 0  # type: ignore[index]
    done = accord("evaluate", "--compression", *map(str, files), "--samples", "10")
    assert b"McNemar p = 0.02246" in done.stdout and b"bootstrap p" in done.stdout


def test_bleu_of_lines(folder: Path) -> None:
    found = report("--bleu", folder / "gold.txt", folder / "first.txt", "--against", folder / "second.txt")
    assert found["bleu"] == pytest.approx(100 * (9 / 10 * 6 / 8 * 4 / 6 * 2 / 4) ** 0.25)
    assert found["against"]["BLEU"]["second"] < found["bleu"]  # type: ignore[index]


def test_summaries_and_trees_are_compared_too(folder: Path) -> None:
    found = report("--rouge", folder / "gold.txt", folder / "first.txt", "--against", folder / "second.txt")
    assert found["against"]["rouge2"]["difference"] < 0  # type: ignore[index]
    (folder / "gold.conllu").write_text("1\ta\t_\tX\t_\t_\t2\tdep\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    (folder / "other.conllu").write_text("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n")
    found = report(folder / "gold.conllu", folder / "gold.conllu", "--against", folder / "other.conllu")
    assert found["against"]["UAS, words"]["only_first"] == 2  # type: ignore[index]
    assert found["against"]["LAS"]["difference"] == -100  # type: ignore[index]


def test_wrong_files_are_one_line(folder: Path) -> None:
    (folder / "short.jsonl").write_text(json.dumps({"tokens": TOKENS, "mask": "001111"}) + "\n")
    (folder / "mask.jsonl").write_text(json.dumps({"tokens": TOKENS, "mask": "0x"}) + "\n")
    (folder / "no.jsonl").write_text(json.dumps({"tokens": TOKENS, "compression": "we go"}) + "\n\n[]\n")
    for name, message in (
        ("short.jsonl", "1 sentences for the 2 of"),
        ("mask.jsonl", "mask.jsonl:1: expected a mask of 6 digits"),
        ("no.jsonl", "no.jsonl:1: no subsequence of the words: 'we go'"),
        ("gold.txt", "gold.txt:1: not a line of JSON"),
    ):
        done = accord("evaluate", "--compression", str(folder / "gold.jsonl"), str(folder / name))
        assert done.returncode == 1 and message in done.stderr.decode() and done.stdout == b""


@pytest.mark.parametrize(
    "options", [("--samples", "5"), ("--parser", "en"), ("--lowercase",), ("--bleu", "--rouge"), ("--bleu", "--stems")]
)
def test_options_that_do_not_belong_together(folder: Path, options: tuple[str, ...]) -> None:
    assert accord("evaluate", str(folder / "gold.txt"), str(folder / "first.txt"), *options).returncode == 2
