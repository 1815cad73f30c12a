# SPDX-License-Identifier: Apache-2.0
"""Rules about the tags of phrases: read, written, learnt and turned into tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.data import Document
from accord.data.constituents.tag_rules import TagRules
from accord.errors import AccordError, ConfigError, FormatError
from accord.tasks.examples import tiny_constituents

TEXT = """# a remark
@column xpos
head NP NN NNS
bare NP DT NN # $
head S VB
"""


def test_rules_are_read_and_written(tmp_path: Path) -> None:
    rules = TagRules.from_text(TEXT)
    assert rules.column == "xpos" and rules.bare == {"NP": {"DT", "NN", "#", "$"}}
    assert TagRules.from_text(rules.to_text()) == rules
    (tmp_path / "mine.tags").write_text(TEXT, encoding="utf-8")
    assert TagRules.load(tmp_path / "mine.tags") == rules


def test_tables_say_what_chains_may_have() -> None:
    head, bare = TagRules.from_text(TEXT).tables(["NP-SBJ", "S→NP", "VP"], ["NN", "VB", "DT"])
    assert head.tolist() == [[True, False, False], [False, False, False], [True, True, True]]
    assert bare.tolist() == [[True, False, True], [True, False, True], [True, True, True]]


@pytest.mark.parametrize(
    "line", ["head NP", "neck NP NN", "@column form", "head NP NN\nhead NP NNS", "@column xpos upos", "@colum xpos"]
)
def test_what_is_no_rule_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(FormatError, match=r"a rule about tags is") as found:
        TagRules.from_text("# rules\n" + line, "mine.tags")
    assert found.value.line == 2 + line.count("\n")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(AccordError, match="nowhere"):
        TagRules.load(tmp_path / "nowhere")


def test_rules_are_learnt_from_both_layers() -> None:
    document = tiny_constituents(30)
    rules = TagRules.learnt(document, column="xpos", least_count=1)
    assert rules.head["S"] == {"V"} and rules.head["NP"] <= {"N", "P"} and "D" in rules.bare["NP"]
    assert rules.head["PP"] == {"N"} or "P" in rules.head["PP"]
    frequent = TagRules.learnt(document, column="xpos", least_count=1, least_share=0.6)
    assert all(len(tags) == 1 for tags in frequent.head.values())
    assert TagRules.learnt(document, least_count=10**6) == TagRules()
    assert TagRules.learnt(Document.from_sentences([])) == TagRules()
    with pytest.raises(ConfigError, match="column"):
        TagRules.learnt(document, column="form")


def test_packaged_rules_allow_what_people_write() -> None:
    rules = TagRules.load("ud-english")
    assert {"NOUN", "PROPN", "PRON"} <= rules.head["NP"] and "ADP" in rules.bare["PP"] and "AUX" in rules.bare["VP"]
    assert "PUNCT" not in rules.head["VP"]
