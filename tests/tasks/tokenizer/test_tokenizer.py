# SPDX-License-Identifier: Apache-2.0
"""The tokeniser: what it learns from a small treebank, and what holds for any text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data import Document
from accord.errors import ConfigError, FormatError, ModelError
from accord.models.file import ModelFile
from accord.models.writing import write_model
from accord.tasks.tokenizer import Tokenizer, TokenizerConfig, TokenizerModel, detokenize
from accord.tasks.tokenizer.blanks import one_blank
from accord.tasks.tokenizer.gold import read_gold
from accord.tasks.tokenizer.model import LONGEST_SENTENCE
from tests.tasks.tokenizer.tokenizer_treebank import joined_tokenizer, joined_treebank, small_tokenizer, treebank

anything = st.text(max_size=60)
odd = st.text(st.sampled_from("aB.!\"' \n\r\t\0\u00a0\u200b\u2028😀שאé我。'n0"), max_size=60)
modes = st.sampled_from(["text", "sentences", "tokens"])


def raw_text(document: Document) -> str:
    return "\n\n".join(paragraph.labelled()[0] for paragraph in read_gold([document]))


def surface(document: Document) -> list[list[str]]:
    return [[token.form for token in sentence.tokens] for sentence in document.sentences]


def test_unseen_text_is_split_as_its_treebank_says() -> None:
    held_out = treebank(40, 2)
    found = small_tokenizer()(raw_text(held_out))
    assert surface(found) == surface(held_out)
    assert [s.forms for s in found.sentences] == [s.forms for s in held_out.sentences]
    assert [s.ranges for s in found.sentences] != [()] * len(found)


def test_joined_words_are_found_without_a_word_about_spacing() -> None:
    held_out = joined_treebank(30, 2)
    text = raw_text(held_out)
    assert "我" in text and "IBM GmbH" in raw_text(joined_treebank(300, 1))
    found = joined_tokenizer()(text)
    assert surface(found) == surface(held_out)


def test_conllu_of_a_small_text() -> None:
    document = small_tokenizer()("  Dr. Jones don't like it.\nAnna saw  it!\n\nBob liked a dog.", offsets=True)
    rows = document.to_conllu().replace("\t", " ").replace(" _ _ _ _ _ _ _", "")
    assert rows.split("\n")[:20] == [
        "# newpar",
        "# sent_id = 1",
        "# text = Dr. Jones don't like it.",
        "1 Dr. SpacesBefore=\\s\\s|TokenRange=2:5",
        "2 Jones TokenRange=6:11",
        "3-4 don't TokenRange=12:17",
        "3 do _",
        "4 n't _",
        "5 like TokenRange=18:22",
        "6 it SpaceAfter=No|TokenRange=23:25",
        "7 . SpacesAfter=\\n|TokenRange=25:26",
        "",
        "# sent_id = 2",
        "# text = Anna saw it!",
        "1 Anna TokenRange=27:31",
        "2 saw SpacesAfter=\\s\\s|TokenRange=32:35",
        "3 it SpaceAfter=No|TokenRange=37:39",
        "4 ! SpacesAfter=\\n\\n|TokenRange=39:40",
        "",
        "# newpar",
    ]


@given(anything | odd, modes)
@settings(max_examples=200, deadline=None)
def test_any_text_comes_back_from_its_document(text: str, mode: str) -> None:
    document = small_tokenizer()(text, mode=mode, threads=1)
    if one_blank(text).strip():
        assert detokenize(document) == text
        assert Document.from_conllu(document.to_conllu()).to_conllu() == document.to_conllu()
    else:
        assert len(document) == 0


@given(odd, modes)
@settings(deadline=None)
def test_offsets_say_where_each_form_stands(text: str, mode: str) -> None:
    document = small_tokenizer()(text, mode=mode, offsets=True, threads=1)
    for sentence in document.sentences:
        for token in sentence.tokens:
            entry = next(part for part in token.misc.split("|") if part.startswith("TokenRange="))
            begin, end = map(int, entry.partition("=")[2].split(":"))
            assert text[begin:end] == token.form


@given(st.lists(st.sampled_from(["Anna", "saw", "it.", "Dr.", "Bob", "don't", "!", "😀"]), min_size=1, max_size=12))
@settings(deadline=None)
def test_single_line_ends_and_more_blanks_change_nothing(chunks: list[str]) -> None:
    plain = surface(small_tokenizer()(" ".join(chunks), threads=1))
    for blank in ("\n", "  ", "\r\n", "\t\u00a0"):
        assert surface(small_tokenizer()(blank.join(chunks), threads=1)) == plain


def test_an_empty_line_always_ends_a_sentence() -> None:
    tokenizer = small_tokenizer()
    assert len(tokenizer("Anna saw the cat")) == 1
    assert len(tokenizer("Anna saw\n \nthe cat")) == 2
    assert len(tokenizer("Anna saw\r\n\r\nthe cat")) == 2


def test_sentence_offsets() -> None:
    text = " Anna saw it. Mr. Smith met Bob! "
    assert [text[b:e] for b, e in small_tokenizer().sentences(text)] == ["Anna saw it.", "Mr. Smith met Bob!"]


def test_one_sentence_a_line() -> None:
    document = small_tokenizer()("Anna saw it. Bob, too.\ndon't\n\nx", mode="sentences")
    assert surface(document) == [["Anna", "saw", "it", ".", "Bob", ",", "too", "."], ["don't"], ["x"]]
    assert document.sentences[1].forms == ("do", "n't")
    assert [s.comments[0] for s in document.sentences] == ["# newpar", "# sent_id = 2", "# newpar"]


def test_tokens_are_taken_as_they_are() -> None:
    document = small_tokenizer()("Anna saw it. don't\nx", mode="tokens")
    assert [s.forms for s in document.sentences] == [("Anna", "saw", "it.", "don't"), ("x",)]


def test_paragraphs_do_not_depend_on_their_neighbours() -> None:
    text = raw_text(treebank(30, 3))
    pieces = text.split("\n\n")
    alone = [forms for piece in pieces for forms in surface(small_tokenizer()(piece))]
    assert alone == surface(small_tokenizer()(text))


def test_a_long_paragraph_in_windows_is_split_as_its_sentences_are() -> None:
    """Windows are cut at places that have nothing to do with sentences."""
    sentences = [" ".join(p.labelled()[0] for p in read_gold([treebank(1, seed)])) for seed in range(600)]
    expected = [forms for sentence in sentences for forms in surface(small_tokenizer()(sentence))]
    assert surface(small_tokenizer()(" ".join(sentences))) == expected


@pytest.mark.parametrize("text", ["a" * 100_000, "a " * 20_000, "." * 50_000, "我" * 50_000, ". " * 20_000])
def test_texts_without_an_end_are_tokenised_all_the_same(text: str) -> None:
    document = small_tokenizer()(text)
    assert detokenize(document) == text
    assert max(len(sentence.tokens) for sentence in document.sentences) <= LONGEST_SENTENCE


def test_the_same_tokenizer_out_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "small.accord"
    small_tokenizer().model.save(path)
    text = raw_text(treebank(5, 4))
    assert Tokenizer.load(path)(text).to_conllu() == small_tokenizer()(text).to_conllu()
    file = ModelFile(path)
    parts = {f"tokens.{name}": array for name, array in file.arrays.items()}
    write_model(tmp_path / "larger.accord", {"kind": "pipeline", "tokens": file.header}, parts)
    larger = ModelFile(tmp_path / "larger.accord")
    arrays = {name[len("tokens.") :]: array for name, array in larger.arrays.items()}
    again = TokenizerModel.from_blocks(larger.header["tokens"], arrays, "larger.accord")
    assert Tokenizer(again)(text).to_conllu() == small_tokenizer()(text).to_conllu()


def test_foreign_models_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.accord"
    write_model(path, {"kind": "parser"}, {})
    with pytest.raises(ModelError, match="kind 'parser', not a tokenizer"):
        Tokenizer.load(path)
    header, arrays = small_tokenizer().model.to_blocks()
    write_model(path, header, {name: array for name, array in arrays.items() if name != "multiword"})
    with pytest.raises(ModelError, match="not a tokenizer this version understands"):
        Tokenizer.load(path)
    write_model(path, header, {**arrays, "multiword": np.frombuffer(b"nonsense\n", np.uint8)})
    with pytest.raises(ModelError, match="not a tokenizer this version understands"):
        Tokenizer.load(path)


def test_mistakes_are_one_clear_error() -> None:
    with pytest.raises(ConfigError, match="mode 'words'"):
        small_tokenizer()("a", mode="words")
    with pytest.raises(FormatError, match="half a surrogate pair at character 1"):
        small_tokenizer()("a\udc80")
    with pytest.raises(ConfigError, match="nothing to train on"):
        Tokenizer.train(Document.from_conllu(""))
    with pytest.raises(ConfigError, match="templates"):
        Tokenizer.train(treebank(3, 1), TokenizerConfig(templates="no-such-file"))


def test_blanks_inside_tokens_are_learnt_where_a_treebank_has_them() -> None:
    row = "{}\t{}\t_\t_\t_\t_\t_\t_\t_\t_\n"
    forms = [["It", "costs", f"{n} 000", "now"] for n in range(10, 60)]
    rows = ("".join(row.format(i, form) for i, form in enumerate(one, 1)) for one in forms)
    tokenizer = Tokenizer.train(Document.from_conllu("\n".join(rows) + "\n"), TokenizerConfig(epochs=5, bits=12))
    text = "It costs 34\n000 now"
    document = tokenizer(text)
    assert document.sentences[0].forms == ("It", "costs", "34 000", "now")
    assert document.sentences[0].text == "It costs 34 000 now"
    assert detokenize(document) == text


def test_training_stops_by_dev_scores_and_keeps_them() -> None:
    tokenizer = Tokenizer.train(treebank(40, 1), TokenizerConfig(epochs=3, bits=12), dev=treebank(10, 2))
    assert set(tokenizer.model.card["scores"]) == {"mean", "tokens", "sentences"}
