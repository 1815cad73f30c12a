# SPDX-License-Identifier: Apache-2.0
"""Corpus jobs on this machine: blocks change nothing, wrong texts stop nothing, interrupted jobs go on."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.engines import local
from accord.engines.annotating import annotate_texts, pipeline_of
from accord.engines.job import Block, Job, do_block
from accord.errors import ConfigError

TEXTS = ["They sleep.", "Nobody saw it. She waved!", "", "Good!", "A dog barked."]


def corpus(folder: Path) -> Path:
    """A job over a plain file, a packed one and one of lines, with rows that are wrong."""
    rows = [json.dumps({"id": f"b{n}", "text": text}) for n, text in enumerate(TEXTS)]
    wrong = ['{"id": "b7", "text": 5}', "no json", '["a list"]', '{"text": "Without an id."}', '{"id": "b8"}']
    (folder / "one.jsonl").write_text("\n".join([*rows, *wrong]) + "\n", encoding="utf-8")
    with gzip.open(folder / "two.jsonl.gz", "wt", encoding="utf-8") as out:
        out.writelines(json.dumps({"id": f"a{n}", "text": text}) + "\n" for n, text in enumerate(TEXTS))
    (folder / "three.txt").write_bytes(b"A line.\nAnother one.\n" + b"\xff\xfe\n")
    job = folder / "job.toml"
    said = ('inputs = ["one.jsonl", "*.gz", "three.txt"]', 'output = "out.conllu"', "block_bytes = 60")
    job.write_text("\n".join(said), encoding="utf-8")
    return job


def test_the_output_is_sorted_by_id_and_rejects_stand_beside_it(tmp_path: Path) -> None:
    done = local.run(Job.read(corpus(tmp_path)))
    found = (tmp_path / "out.conllu").read_text(encoding="utf-8")
    ids = [line[len("# newdoc id = ") :] for line in found.splitlines() if line.startswith("# newdoc id")]
    assert ids == sorted(ids) and ids[:4] == ["a0", "a1", "a3", "a4"] and len(ids) == 4 + 4 + 3
    assert found.startswith("# newdoc id = a0\n" + accord.load("en")(TEXTS[0]).to_conllu())
    rejected = [json.loads(line) for line in (tmp_path / "out.conllu.rejected.jsonl").read_text().splitlines()]
    assert len(rejected) == done.rejected == 5 and all("error" in row for row in rejected)


def test_sizes_of_parts_change_no_byte(tmp_path: Path) -> None:
    job = corpus(tmp_path)
    outputs = set()
    for size in (1, 7, 100, 1 << 20):
        values = {"inputs": ["one.jsonl", "*.gz", "three.txt"], "output": f"{size}.conllu", "block_bytes": size}
        local.run(Job.of(values, tmp_path), threads=1)
        outputs.add((tmp_path / f"{size}.conllu").read_bytes())
    assert len(outputs) == 1 and job.is_file()


def test_an_interrupted_job_goes_on_with_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job.read(corpus(tmp_path))
    whole = local.run(job).checksum
    first = job.blocks()[0]
    (job.folder / first.name).unlink()
    asked: list[Block] = []

    def noted(job: Job, block: Block, *, threads: int) -> int:
        asked.append(block)
        return do_block(job, block, threads=threads)

    monkeypatch.setattr(local, "do_block", noted)
    assert local.run(job).checksum == whole and asked == [first]


def test_parts_of_another_job_are_refused(tmp_path: Path) -> None:
    job = Job.read(corpus(tmp_path))
    local.run(job)
    (tmp_path / "three.txt").write_text("More lines.\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="another job"):
        local.run(Job.read(tmp_path / "job.toml"))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"nonsense": 1}, "unknown 'nonsense'"),
        ({"inputs": ["nothing.txt"]}, "no file"),
        ({"format": "xml"}, "expected one of conllu, json"),
        ({"inputs": "one.jsonl"}, "expected list"),
        ({"options": {"nonsense": 1}}, "no option 'nonsense'"),
        ({"inputs": ["job.toml"]}, "expected .txt or .jsonl"),
    ],
)
def test_what_is_wrong_with_a_job_is_said(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    corpus(tmp_path)
    with pytest.raises(ConfigError, match=reason):
        Job.of({"inputs": ["one.jsonl"], "output": "x", **change}, tmp_path)


def test_json_has_the_sentences_of_each_text(tmp_path: Path) -> None:
    corpus(tmp_path)
    local.run(Job.of({"inputs": ["*.gz"], "output": "x.jsonl", "format": "json"}, tmp_path))
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == [f"a{n}" for n in range(5)] and len(rows[1]["sentences"]) == 2


@settings(max_examples=50, deadline=None)
@given(lines=st.lists(st.binary(max_size=12), max_size=12), size=st.integers(1, 30))
def test_every_line_is_in_one_part(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], size: int) -> None:
    folder = tmp_path_factory.mktemp("lines")
    data = b"\n".join(lines)
    (folder / "a.txt").write_bytes(data)
    job = Job.of({"inputs": ["a.txt"], "output": "x", "block_bytes": size}, folder)
    found = [line for block in job.blocks() for _, line in block.lines()]
    assert found == [line for line in re.split(rb"(?<=\n)", data) if line]


def test_a_text_that_cannot_be_analysed_leaves_the_others_alone() -> None:
    texts = ["They sleep.", None, "\ud800", 5, "Good!"]
    found = annotate_texts(pipeline_of("en"), texts)
    assert [reason is None for _, reason in found] == [True, False, False, False, True]
    assert found[0][0] is not None and found[0][0].to_conllu() == accord.load("en")("They sleep.").to_conllu()
