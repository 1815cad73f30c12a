# SPDX-License-Identifier: Apache-2.0
"""From format to format: what is kept, what CoNLL-X cannot hold, and that a failure writes nothing."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from accord.data import convert, read
from accord.errors import ConfigError, FormatError

from .samples import SAMPLE, block, row

SAMPLE_CONLLX = (
    "1\tVamos\tir\tVERB\t_\tMood=Imp|Number=Plur\t0\troot\t_\t_\n2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_\n"
    "3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_\n4\tel\tel\tDET\t_\t_\t5\tdet\t_\t_\n5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\t_\n"
    "6\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n"
    "1\tAnd\tand\tCCONJ\tCC\t_\t2\tcc\t_\t_\n2\tyou\tyou\tPRON\tPRP\t_\t0\troot\t_\t_\n3\t?\t?\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n"
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.conllu"
    path.write_text(SAMPLE)
    return path


def test_there_and_back_through_json(source: Path, tmp_path: Path) -> None:
    assert convert(source, tmp_path / "middle.jsonl.gz") == []
    convert(tmp_path / "middle.jsonl.gz", tmp_path / "back.conllu")
    assert (tmp_path / "back.conllu").read_text() == SAMPLE


def test_conllx_keeps_words_only(source: Path, tmp_path: Path) -> None:
    convert(source, tmp_path / "target.conll", "conllx")
    assert (tmp_path / "target.conll").read_text() == SAMPLE_CONLLX
    convert(tmp_path / "target.conll", tmp_path / "back.conllu")
    assert read(tmp_path / "back.conllu").column("form") == read(source).column("form")


def test_spaces_become_underscores_in_conllx(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(block(row(form="New York")))
    convert(tmp_path / "a.conllu", tmp_path / "a.conllx")
    assert (tmp_path / "a.conllx").read_text() == block(row(form="New_York"))


def test_the_same_format_is_byte_for_byte(tmp_path: Path) -> None:
    content = SAMPLE.replace("\n", "\r\n").encode() + b"\n\n\n"
    (tmp_path / "a.conllu").write_bytes(content)
    convert(tmp_path / "a.conllu", tmp_path / "b.conllu.xz")
    assert lzma.decompress((tmp_path / "b.conllu.xz").read_bytes()) == content


@pytest.mark.parametrize("suffix", [".conllu", ".conllx", ".jsonl"])
def test_a_broken_source_writes_nothing(source: Path, tmp_path: Path, suffix: str) -> None:
    source.write_text(SAMPLE + block(row("7", "0")) + SAMPLE)
    target = tmp_path / ("target" + suffix)
    target.write_text("old")
    with pytest.raises(FormatError, match=f"source.conllu:{SAMPLE.count(chr(10)) + 1}: "):
        convert(source, target)
    assert target.read_text() == "old"
    problems = convert(source, target, on_error="keep")
    assert [problem.line for problem in problems] == [SAMPLE.count("\n") + 1]
    assert len(read(target, on_error="keep")) == (5 if suffix == ".conllu" else 4)


def test_documents_write_as_the_suffix_says(source: Path, tmp_path: Path) -> None:
    document = read(source)
    for name in ("a.conllu", "a.conllx", "a.jsonl.xz", "a.txt"):
        document.write(tmp_path / name)
    assert (tmp_path / "a.conllu").read_text() == (tmp_path / "a.txt").read_text() == SAMPLE
    assert (tmp_path / "a.conllx").read_text() == SAMPLE_CONLLX
    assert read(tmp_path / "a.jsonl.xz").to_conllu() == SAMPLE


def test_formats_that_cannot_be_written(source: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="does not tell the output format"):
        convert(source, tmp_path / "a.txt")
    with pytest.raises(ConfigError, match="cannot be translated to conll2009"):
        convert(source, tmp_path / "a.txt", "conll2009")
    assert not (tmp_path / "a.txt").exists()
