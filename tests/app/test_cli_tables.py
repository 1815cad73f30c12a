# SPDX-License-Identifier: Apache-2.0
"""Any data in: tables of texts, folders and patterns; ids kept, rejected rows listed, runs that go on after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import accord
from accord.app.cli import make_app
from accord.errors import ConfigError, FormatError

TEXTS = {"a1": "They saw the girl. She waved.", "b2": "", "c3": "Nobody\nslept."}


def run(*arguments: object, code: int = 0) -> tuple[str, str]:
    words = [str(argument) for argument in arguments]
    result = CliRunner().invoke(make_app(words), words)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, Path]:
    rows = [{"key": key, "body": text, "n": 1} for key, text in TEXTS.items()]
    files = {kind: tmp_path / f"texts.{kind}" for kind in ("jsonl", "csv", "tsv")}
    files["jsonl"].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for kind, mark in (("csv", ","), ("tsv", "\t")):
        lines = ["key,body".replace(",", mark), *(f'{key}{mark}"{text}"' for key, text in TEXTS.items())]
        files[kind].write_text("\n".join(lines) + "\n", encoding="utf-8")
    return files


def answers(text: str) -> dict[str, list[str]]:
    found = {}
    for line in text.splitlines():
        row = json.loads(line)
        document = accord.Document.from_dict(row)
        found[row["id"]] = [" ".join(sentence.forms) for sentence in document]
    return found


WANTED = {"a1": ["They saw the girl .", "She waved ."], "b2": [], "c3": ["Nobody slept ."]}


@pytest.mark.parametrize("kind", ["jsonl", "csv", "tsv"])
def test_tables_are_parsed_row_by_row(tables: dict[str, Path], kind: str) -> None:
    said, told = run("parse", tables[kind], "--text-field", "body", "--id-field", "key")
    assert answers(said) == WANTED and "3 texts" in told
    said, _ = run("parse", tables[kind], "--text-field", "body", "--id-field", "key", "--output", "conllu")
    document = accord.Document.from_conllu(said)
    assert [one.sent_id for one in document] == ["a1-1", "a1-2", "c3-1"]
    assert document[0].comment("newdoc id") == "a1"


def test_parquet_in_and_out(tables: dict[str, Path], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    arrow = pytest.importorskip("pyarrow")
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    table = arrow.table({"key": list(TEXTS), "body": [*list(TEXTS.values())[:2], TEXTS["c3"]]})
    parquet.write_table(table, source)
    run("parse", source, "--text-field", "body", "--id-field", "key", "--output", "parquet", "--to", target)
    rows = parquet.read_table(target).to_pylist()
    assert [row["id"] for row in rows] == list(TEXTS) and rows[0]["text"] == TEXTS["a1"]
    word = rows[0]["sentences"][1]["words"][0]
    assert (word["form"], TEXTS["a1"][word["start"] : word["end"]], word["deprel"]) == ("She", "She", "nsubj")


def test_docbin_out(tables: dict[str, Path], tmp_path: Path) -> None:
    tokens, spacy = pytest.importorskip("spacy.tokens"), pytest.importorskip("spacy")
    target = tmp_path / "out.spacy"
    run("parse", tables["jsonl"], "--text-field", "body", "--output", "docbin", "--to", target)
    docs = list(tokens.DocBin().from_disk(target).get_docs(spacy.blank("xx").vocab))
    assert len(docs) == 3 and docs[0][0].dep_ == "nsubj"


def test_rows_without_a_text_are_rejected(tmp_path: Path) -> None:
    file = tmp_path / "texts.jsonl"
    file.write_bytes(
        b'{"body": "Fine."}\n{"body": null}\nnot json\n{"other": 1}\n{"body": "x\xff"}\n{"body": "Good."}\n'
    )
    with pytest.raises(FormatError, match=r"texts\.jsonl:2: the field 'body' is empty"):
        run("parse", file, "--text-field", "body")
    rejected = tmp_path / "rejected.jsonl"
    said, told = run("parse", file, "--text-field", "body", "--keep-going", "--rejected", rejected)
    assert list(answers(said)) == ["1", "6"] and "4 rows rejected" in told
    assert [json.loads(line)["line"] for line in rejected.read_text().splitlines()] == [2, 3, 4, 5]


def test_numbers_of_rows_stay_numbers_and_documents_begin_with_their_names(tmp_path: Path) -> None:
    file = tmp_path / "texts.jsonl"
    file.write_text('{"id": 7, "body": "One. Two."}\n{"id": "x", "body": "Three."}\n')
    said, told = run("parse", file, "--text-field", "body", "--id-field", "id")
    rows = [json.loads(line) for line in said.splitlines()]
    assert [row["id"] for row in rows] == [7, "x"] and "2 texts, 6 words" in told
    assert rows[0]["sentences"][0]["comments"][0] == "# newdoc id = 7"
    said, _ = run("parse", file, "--text-field", "body", "--id-field", "id", "--nbest", "2", "--output", "conllu")
    names = [(one.sent_id, one.comment("nbest")) for one in accord.Document.from_conllu(said)]
    assert names[:4] == [("7-1", "1"), ("7-1", "2"), ("7-2", "1"), ("7-2", "2")]


def test_options_of_texts_hold_for_tables(tmp_path: Path) -> None:
    file = tmp_path / "texts.csv"
    file.write_bytes('id,body\né,"They saw\nher naïve."\n'.encode("latin-1"))
    common = ("parse", file, "--text-field", "body", "--output", "conllu", "--encoding", "latin-1")
    said, _ = run(*common, "--input", "sentences", "--offsets", "--enhance", "--id-field", "id")
    first, second = accord.Document.from_conllu(said)
    assert (first.text, second.text, second.sent_id) == ("They saw", "her naïve.", "é-2")
    assert "TokenRange=0:4" in first[0].misc and first[0].deps != "_"
    said, _ = run(*common)
    assert accord.Document.from_conllu(said)[0].comment("newdoc id") == "2"  # the line where the row begins
    with pytest.raises(FormatError, match="not UTF-8"):
        run("parse", file, "--text-field", "body")
    run(*common, "--constituents", "en-phrases", code=2)
    run(*common, "--input", "treebank", code=2)


def test_of_a_folder_only_tables_are_read(tables: dict[str, Path]) -> None:
    folder = tables["csv"].parent
    (folder / "notes.txt").write_text("no table")
    tables["csv"].unlink(), tables["tsv"].unlink()
    said, _ = run("parse", folder, "--text-field", "body", "--id-field", "key")
    assert answers(said) == WANTED


def test_folders_and_patterns(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    (folder / "inner").mkdir(parents=True)
    (folder / "b.txt").write_text("Two.")
    (folder / "inner" / "a.txt").write_text("Three.")
    (folder / "skip.png").write_bytes(b"\x89PNG")
    for source in (folder, tmp_path / "corpus" / "**" / "*.txt"):
        said, _ = run("parse", source)
        assert [s.text for s in accord.Document.from_conllu(said)] == ["Two.", "Three."]
    with pytest.raises(ConfigError, match="no file has such a name"):
        run("parse", tmp_path / "*.none")


def test_mistakes_are_told(tables: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no column is named 'text'"):
        run("parse", tables["csv"], "--text-field", "text")
    names = tmp_path / "names.csv"
    names.write_text('1,"It rains.\nNo."\n2,Yes\n' + "x" * 99)
    with pytest.raises(ConfigError, match=r"there are: 1, It rains\.\\nNo\.$"):
        run("parse", names, "--text-field", "text")
    names.write_text("x" * 99 + ",y" * 99)
    with pytest.raises(ConfigError) as told:
        run("parse", names, "--text-field", "text")
    assert len(str(told.value)) < len(str(names)) + 250
    with pytest.raises(ConfigError, match="--resume goes with"):
        run("parse", tables["csv"], "--text-field", "body", "--resume")
    run("parse", tables["csv"], "--resume", code=2)


def test_a_run_goes_on_after_a_kill(tmp_path: Path) -> None:
    file, target, whole = tmp_path / "texts.jsonl", tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    file.write_text("".join(json.dumps({"body": f"Text {n} is here."}) + "\n" for n in range(4000)))
    arguments = ["parse", str(file), "--text-field", "body", "--threads", "1"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-m", "accord", *arguments, "--to", str(target), "--resume"]
    process = subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL)
    journal = Path(f"{target}.journal")
    end = time.monotonic() + 60
    while not journal.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not target.exists() or process.returncode == 0
    if journal.exists():
        assert 0 < json.loads(journal.read_text())["rows"] < 4000
        with Path(f"{target}.partial").open("ab") as out:
            out.write(b'{"id": "half')  # what a kill may leave
        for other in (("--tags", "predict"), ("--offsets",), ("--constraint", "at-most-one nsubj")):
            with pytest.raises(ConfigError, match="other files or options"):
                run("parse", str(file), "--text-field", "body", *other, "--to", target, "--resume")
    run(*arguments, "--to", target, "--resume")
    run(*arguments, "--to", whole)
    assert target.read_bytes() == whole.read_bytes() and not journal.exists()


def test_tables_without_a_field_are_told(tmp_path: Path) -> None:
    lines, rows = tmp_path / "a.jsonl", tmp_path / "b.csv"
    lines.write_text('{"key": 1, "body": "They left."}\n')
    rows.write_text("key,body\n1,They left.\n")
    with pytest.raises(FormatError, match=r"a\.jsonl:1: no sentence .*'key', 'body': --text-field"):
        run("parse", lines)
    with pytest.raises(FormatError, match="no field 'boddy'; did you mean 'body'"):
        run("parse", lines, "--text-field", "boddy")
    with pytest.raises(FormatError, match="no field 'x'; there are key, body"):
        run("parse", lines, "--text-field", "x")
    assert "b.csv: a table, read as one text: --text-field" in run("parse", rows)[1]
    (tmp_path / "c.parquet").write_bytes(b"PAR1 and more")
    with pytest.raises(ConfigError, match=r"c\.parquet: a table of Parquet: --text-field"):
        run("parse", tmp_path / "c.parquet")
