# SPDX-License-Identifier: Apache-2.0
"""Documents hold constituents beside their words, in comments, in MISC and in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings

from accord.data import Document, Sentence, convert, read
from accord.data.constituents import Constituents, document_from_trees, read_brackets, without_empties
from accord.data.constituents.brackets import BracketedSentence
from accord.errors import ConfigError, FormatError
from tests.data.constituents.random_trees import constituents, forms_of


def words_of(tree: Constituents) -> Document:
    return Document.from_sentences([Sentence.from_words(forms_of(tree), xpos=tree.tags, comments=["# sent_id = 1"])])


@settings(deadline=None)
@given(constituents())
def test_a_comment_holds_the_whole_tree(tree: Constituents) -> None:
    document = words_of(tree).with_constituents([tree])
    assert Document.from_conllu(document.to_conllu()).sentences[0].constituents == tree
    assert document.sentences[0].sent_id == "1"


@settings(deadline=None)
@given(constituents())
def test_misc_holds_the_tree_without_empty_elements(tree: Constituents) -> None:
    document = words_of(tree).with_constituents([tree], carrier="misc")
    assert Document.from_conllu(document.to_conllu()).sentences[0].constituents == without_empties(tree)


@settings(deadline=None)
@given(constituents())
def test_json_holds_the_tree_as_a_member_of_its_own(tree: Constituents) -> None:
    document = words_of(tree).with_constituents([tree])
    members = json.loads(document.to_json())
    assert members["constituents"] == tree.brackets() and members["comments"] == ["# sent_id = 1"]


@pytest.mark.parametrize("after", [(), ("# text = a b",)])
def test_json_is_lossless_wherever_the_comment_stands(tmp_path: Path, after: tuple[str, ...]) -> None:
    comments = ["# sent_id = 1", "# constituents = (S (NN 1) (NN 2))", *after]
    document = Document.from_sentences([Sentence.from_words(["a", "b"], comments=comments)])
    file = tmp_path / "one.json"
    document.write(file)
    assert read(file).to_conllu() == document.to_conllu()


def test_every_format_goes_to_brackets_and_back(tmp_path: Path) -> None:
    text = "( (S (NP-SBJ (-NONE- *)) (VP (VB Go))))\n(NP (-LRB- -LRB-) (NN a) (-RRB- -RRB-))\n"
    (tmp_path / "one.mrg").write_text(text, encoding="utf-8")
    convert(tmp_path / "one.mrg", tmp_path / "two.conllu")
    convert(tmp_path / "two.conllu", tmp_path / "three.json.gz")
    convert(tmp_path / "three.json.gz", tmp_path / "four.mrg")
    assert (tmp_path / "four.mrg").read_text(encoding="utf-8") == text


def test_a_sentence_without_a_tree_has_no_brackets() -> None:
    document = Document.from_sentences([Sentence.from_words(["a"])], name="plain.conllu")
    assert document.sentences[0].constituents is None
    with pytest.raises(FormatError, match=r"plain.conllu:1: the sentence has no constituents"):
        document.to_bytes("brackets")


@pytest.mark.parametrize(
    ("comment", "reason"),
    [
        ("(S (NN 1))", "over 1 words, and 2 words"),
        ("(S (NN 1) (NN two))", "not the number of a word"),
        ("(S (NN 2) (NN 1))", "word 2 follows word 0"),
        ("(S (NN 1)) (S (NN 1))", "not one tree"),
        ("(S (NN 1) (NN 2)", "not closed"),
    ],
)
def test_a_comment_that_does_not_fit_is_refused(comment: str, reason: str) -> None:
    sentence = Sentence.from_words(["a", "b"], comments=[f"# constituents = {comment}"])
    with pytest.raises(FormatError, match=reason):
        _ = sentence.constituents


@pytest.mark.parametrize(
    ("pieces", "reason"),
    [
        (["(S*", "*"], "not closed"),
        (["(S*)", "*)"], "closing bracket|ended before"),
        (["(S*)", "(NP*)"], "ended before"),
        (["(S*", "NP)"], "no piece of a tree"),
        (["(S*)", None], "others have not"),
    ],
)
def test_pieces_that_are_no_tree_are_refused(pieces: list[str | None], reason: str) -> None:
    misc = ["_" if piece is None else f"Constituents={piece}" for piece in pieces]
    sentence = Sentence.from_words(["a", "b"], misc=misc)
    with pytest.raises(FormatError, match=reason):
        _ = sentence.constituents


def test_trees_must_fit_the_document() -> None:
    tree, forms = Constituents.from_text("(S (NN a) (NN b))")
    document = Document.from_sentences([Sentence.from_words(["a"])])
    with pytest.raises(FormatError, match="over 2 words, and 1 words"):
        document.with_constituents([tree])
    with pytest.raises(FormatError, match="2 trees for 1 sentences"):
        document.with_constituents([None, None])
    with pytest.raises(ConfigError, match="comment or misc"):
        document_from_trees([BracketedSentence(tree, forms, 1)]).with_constituents([tree], carrier="xml")  # type: ignore[arg-type]


def test_numbers_of_words_are_read_only_where_they_are_expected() -> None:
    (found,) = read_brackets("(S (CD 1) (CD 7))")
    assert found.forms == ("1", "7")  # type: ignore[union-attr]
