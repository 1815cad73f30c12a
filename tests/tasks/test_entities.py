# SPDX-License-Identifier: Apache-2.0
"""Names as a step of the packaged pipeline for English."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import accord
from accord.errors import ConfigError
from tests.app.test_cli import accord as run

TEXT = "Angela Merkel met Tim Cook in Berlin. It rained."
NAMES = [("PER", "Angela Merkel"), ("PER", "Tim Cook"), ("LOC", "Berlin")]


def command(*arguments: object) -> str:
    return run(*map(str, arguments)).stdout.decode()


def test_names_have_places_labels_and_probabilities() -> None:
    found = accord.load("en")(TEXT, entities=True).entities
    assert [(one.text, one.label) for one in found] == [
        ("Angela Merkel", "PER"),
        ("Tim Cook", "PER"),
        ("Berlin", "LOC"),
    ]
    assert all(TEXT[one.start : one.end] == one.text and 0.5 < (one.probability or 0) <= 1 for one in found)


def test_the_step_is_there_by_name() -> None:
    nlp = accord.load("en")
    assert nlp.entities is not None and nlp.entities.types == ["LOC", "ORG", "PER"]
    assert [one.label for one in nlp.entities(nlp(TEXT)).entities] == ["PER", "PER", "LOC"]


def test_names_are_looked_for_when_they_are_asked_for() -> None:
    nlp = accord.load("en")
    document = nlp(TEXT)
    wanted = nlp(TEXT, entities=True)
    assert document.entities == wanted.entities != []
    assert "NER=" not in document.to_conllu() and document.labelled.to_conllu() == wanted.to_conllu()
    assert [one.entities for one in nlp.pipe([TEXT, "It rained."])] == [wanted.entities, []]
    assert [one.text for one in document[:1].entities] == ["Angela Merkel", "Tim Cook", "Berlin"]
    assert pickle.loads(pickle.dumps(document)).entities == wanted.entities
    kept = document.replace(misc=[{"NER": "B-X"}] + [{"NER": "O"}] * (len(document.words) - 1))
    assert [(one.label, one.text) for one in kept.entities] == [("X", "Angela")]
    assert accord.Document.from_conllu(document.to_conllu()).entities == []


def test_a_language_without_the_step_says_so() -> None:
    assert accord.load("zh").entities is None and accord.load("zh")("他来。").entities == []
    with pytest.raises(ConfigError, match="no packaged finder of entities"):
        accord.load("zh")("他来。", entities=True)


def test_the_command_writes_tables_json_and_conllu(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text(TEXT)
    table = command("entities", file).splitlines()
    assert [tuple(line.split("\t")[:2]) for line in table] == NAMES
    rows = [json.loads(line) for line in command("entities", file, "--output", "json").splitlines()]
    assert [row["text"] for row in rows] == ["Angela Merkel", "Tim Cook", "Berlin"]
    conllu = tmp_path / "names.conllu"
    command("entities", file, "--output", "conllu", "--to", conllu)
    assert "NER=B-PER" in conllu.read_text()
    assert command("entities", conllu).splitlines() == table
