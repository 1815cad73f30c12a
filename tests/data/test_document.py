# SPDX-License-Identifier: Apache-2.0
"""Documents from text: what they hold, what changes on replace, and that the rest stays byte for byte."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from accord.data import Document, EmptyNode, Range, Sentence, Token, Word
from accord.errors import ConfigError, FormatError

from .samples import SAMPLE, block, row


@pytest.fixture
def document() -> Document:
    return Document.from_conllu(SAMPLE, name="sample")


def test_columns_of_a_sentence(document: Document) -> None:
    first, second = document.sentences
    assert first.forms == ("Vamos", "nos", "a", "el", "mar", ".")
    assert first.heads == (0, 1, 5, 5, 1, 1)
    assert first.deprels == ("root", "obj", "case", "det", "obl", "punct")
    assert first.words[0] == Word(
        1, "Vamos", "ir", "VERB", "_", "Mood=Imp|Number=Plur", 0, "root", deps="0:root", misc="_"
    )
    assert first.ranges == (Range(1, 2, "Vámonos"), Range(3, 4, "al"))
    assert [node.id for node in second.empty_nodes] == ["0.1", "2.1", "2.2"]
    assert second.empty_nodes[0] == EmptyNode(0, 1, "_", upos="VERB", deps="0:root", misc="CopyOf=2")
    assert (first.line, second.line) == (1, 12)


def test_surface_of_a_sentence(document: Document) -> None:
    first, second = document.sentences
    assert first.sent_id == "weather-1"
    assert first.text == "Vámonos al mar."
    assert first.tokens[:3] == (
        Token("Vámonos", (1, 2), "_"),
        Token("al", (3, 4), "_"),
        Token("mar", (5,), "SpaceAfter=No"),
    )
    assert second.text == "And you?"


def test_arrays_over_all_words(document: Document) -> None:
    assert document.heads.dtype == np.int32
    assert document.heads.tolist() == [0, 1, 5, 5, 1, 1, 2, 0, 2]
    assert document.lengths.tolist() == [6, 3]
    assert document.column("xpos")[-3:] == ["CC", "PRP", "."]
    assert not document.heads.flags.writeable


def test_heads_outlive_their_document() -> None:
    heads = Document.from_conllu(SAMPLE).heads
    assert heads.tolist() == [0, 1, 5, 5, 1, 1, 2, 0, 2]


def test_sentences_are_a_sequence(document: Document) -> None:
    assert len(document) == len(document.sentences) == 2
    assert document.sentences[-1] == document.sentences[1] == list(document)[1]
    assert document.sentences[::-1] == (document.sentences[1], document.sentences[0])
    with pytest.raises(IndexError):
        document.sentences[2]


def test_sentences_write_the_text_they_were_read_from(document: Document) -> None:
    assert "".join(sentence.to_conllu() for sentence in document) == SAMPLE
    assert Document.from_sentences(document).to_conllu() == SAMPLE


def test_representations(document: Document) -> None:
    assert repr(document) == "Document('sample', 2 sentences, 9 words)"
    assert repr(document.sentences[0]) == "Sentence('Vámonos al mar.', 6 words, sent_id='weather-1')"


def test_documents_can_be_pickled(document: Document) -> None:
    again = pickle.loads(pickle.dumps(document))
    assert (again.to_bytes(), again.name) == (document.to_bytes(), document.name)


class TestReplace:
    def test_nothing_is_the_identity(self, document: Document) -> None:
        assert document.replace().to_bytes() == document.to_bytes()
        assert document.replace(heads=document.heads).to_bytes() == document.to_bytes()

    def test_heads_and_labels_change_in_their_columns_only(self, document: Document) -> None:
        changed = document.replace(heads=[2, 0, 2, 2, 2, None, 0, 1, -1], deprels=[f"label{i}" for i in range(9)])
        assert changed.heads.tolist() == [2, 0, 2, 2, 2, -1, 0, 1, -1]
        before = [line.split("\t") for line in SAMPLE.split("\n")]
        after = [line.split("\t") for line in changed.to_conllu().split("\n")]
        for old, new in zip(before, after, strict=True):
            assert old[:6] == new[:6] and old[8:] == new[8:]
            if len(old) == 1 or not old[0].isdigit():
                assert old == new
        assert changed.column("deprel")[8] == "label8"
        assert changed.to_conllu().count("\t_\tlabel") == 2

    def test_every_string_column(self, document: Document) -> None:
        values = [f"v{i}" for i in range(9)]
        changed = document.replace(lemmas=values, upos=values, xpos=values, feats=values)
        for name in ("lemma", "upos", "xpos", "feats"):
            assert changed.column(name) == values
        assert changed.column("form") == document.column("form")

    def test_misc_entries_are_merged(self) -> None:
        text = block(
            *(
                "\t".join(["123"[i], "x", *["_"] * 4, "0", "_", "_", misc])
                for i, misc in enumerate(["_", "A=1|B=2", "B=2"])
            )
        )
        changed = Document.from_conllu(text).replace(misc=[{"A": "9"}, {"A": "9", "C": "3"}, {}])
        assert changed.column("misc") == ["A=9", "B=2|A=9|C=3", "B=2"]

    @pytest.mark.parametrize("end", ["", "\n", "\n\n", "\n\n\n\n"])
    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_line_ends_and_blank_lines_stay(self, newline: str, end: str) -> None:
        text = ("\ufeff\n# c\n" + row("1", "2") + "\n" + row("2", "0") + "\n\n\n" + row() + end).replace("\n", newline)
        document = Document.from_conllu(text)
        assert document.to_conllu() == text
        assert document.lengths.tolist() == [2, 1]
        changed = document.replace(heads=[0, 1, 0], deprels=["a", "b", "c"])
        assert changed.replace(heads=document.heads, deprels=["_"] * 3).to_conllu() == text
        assert changed.column("deprel") == ["a", "b", "c"]

    @pytest.mark.parametrize(
        ("edit", "reason"),
        [
            ({"heads": [0]}, "1 new values for 9 words"),
            ({"deprels": []}, "0 new values for 9 words"),
            ({"heads": [7, *[0] * 8]}, "word 1 of sentence 1: HEAD 7 is out of range 0..6"),
            ({"heads": [-2, *[0] * 8]}, "word 1 of sentence 1: HEAD -2 is out of range 0..6"),
            ({"heads": [2**40, *[0] * 8]}, "a head is out of range"),
            ({"heads": [0.5] * 9}, "heads are one list of whole numbers"),
            ({"heads": np.zeros((3, 3), dtype=int)}, "heads are one list of whole numbers"),
            ({"upos": ["_"] * 8 + [""]}, "word 3 of sentence 2: UPOS is empty"),
            ({"upos": ["_"] * 8 + ["a\tb"]}, "word 3 of sentence 2: UPOS holds a tab, a line end or a NUL byte"),
            ({"lemmas": ["\n\n", *["_"] * 8]}, "word 1 of sentence 1: LEMMA holds a tab, a line end or a NUL byte"),
            ({"lemmas": ["\ud800", *["_"] * 8]}, "a value holds half a surrogate pair: '\\ud800'"),
            ({"misc": [{"a=b": "c"}] * 9}, "not an entry of MISC: 'a=b' = 'c'"),
            ({"misc": [{"a": "b|c"}] * 9}, "not an entry of MISC: 'a' = 'b|c'"),
            ({"misc": [{"a": "\n"}] * 9}, "word 1 of sentence 1: MISC holds a tab, a line end or a NUL byte"),
        ],
    )
    def test_values_that_do_not_fit_are_refused(self, document: Document, edit: dict[str, object], reason: str) -> None:
        with pytest.raises(FormatError) as caught:
            document.replace(**edit)  # type: ignore[arg-type]
        assert caught.value.reason == reason

    def test_a_column_the_format_does_not_have_is_refused(self) -> None:
        with pytest.raises(FormatError, match="conllx has no MISC column"):
            Document(row().encode(), format="conllx").replace(misc=[{"a": "b"}])


class TestFromWords:
    def test_columns(self) -> None:
        sentence = Sentence.from_words(["a", "b c"], upos=["X", "Y"], heads=[2, None], comments=["# c"])
        assert sentence.to_conllu() == "# c\n1\ta\t_\tX\t_\t_\t2\t_\t_\t_\n2\tb c\t_\tY\t_\t_\t_\t_\t_\t_\n\n"
        assert Document.from_sentences([sentence]).sentences[0] == sentence

    @pytest.mark.parametrize(
        ("arguments", "reason"),
        [
            ({"forms": []}, "a sentence needs a word"),
            ({"forms": ["a"], "heads": [2]}, "row 1 of a sentence: HEAD 2 is out of range 0..1"),
            ({"forms": ["a"], "heads": [0, 1]}, "2 heads for 1 words"),
            ({"forms": ["a"], "upos": []}, "0 upos for 1 words"),
            ({"forms": ["a", ""]}, "row 2 of a sentence: column 2 is empty: a missing value is written _"),
            ({"forms": ["a\tb"]}, "a value holds a tab"),
            ({"forms": ["a\nb"]}, "a value holds a line end"),
            ({"forms": ["a"], "comments": ["no"]}, "a comment begins with '#'"),
            ({"forms": ["\ud800"]}, "a value holds half a surrogate pair"),
        ],
    )
    def test_what_no_file_could_hold_is_refused(self, arguments: dict[str, object], reason: str) -> None:
        with pytest.raises(FormatError) as caught:
            Sentence.from_words(**arguments)  # type: ignore[arg-type]
        assert caught.value.reason.startswith(reason)

    def test_rows_that_belong_to_no_word_are_refused(self) -> None:
        sentence = Sentence((Word(1, "a", head=0),), ranges=(Range(2, 3, "b"),))
        with pytest.raises(FormatError, match="belongs to no word"):
            sentence.to_conllu()


class TestTrees:
    @pytest.mark.parametrize(
        ("heads", "problem"),
        [
            ((0,), None),
            ((2, 0, 2), None),
            ((1, 0), "word 1 is its own head"),
            ((2, 1, 0), "heads form a cycle: 1 -> 2 -> 1"),
            ((2, 3, 2), "heads form a cycle: 2 -> 3 -> 2"),
            ((0, 0, 2), "several roots: words 1 and 2"),
            ((0, None), "word 2 has no head"),
            ((2, 3, 4, 5, 6, 7, 8, 9, 10, 1), "heads form a cycle: 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9 -> ..."),
        ],
    )
    def test_problem(self, heads: tuple[int | None, ...], problem: str | None) -> None:
        sentence = Sentence.from_words(["x"] * len(heads), heads=heads)
        assert sentence.problem() == problem
        found = Document.from_sentences([sentence]).check_trees()
        assert [error.reason for error in found] == ([] if problem is None else [problem])

    def test_rules_can_be_waived(self) -> None:
        assert Sentence.from_words("ab", heads=[0, 0]).problem(single_root=False) is None
        assert Sentence.from_words("ab", heads=[0, None]).problem(complete=False) is None
        assert Sentence.from_words("abc", heads=[2, 1, None]).problem(complete=False) is not None

    def test_lines_of_problems(self) -> None:
        text = block("# c", row("1", "0"), row("2-3", "_"), row("2", "0"), row("3", "1")) + block(row("1", "1"))
        found = Document.from_conllu(text, name="f").check_trees()
        assert [str(error) for error in found] == ["f:4: several roots: words 1 and 2", "f:7: word 1 is its own head"]


def test_unknown_settings_are_told() -> None:
    with pytest.raises(ConfigError, match="no format is named 'tsv'"):
        Document(b"", format="tsv")
    with pytest.raises(ConfigError, match="on_error"):
        Document(b"", on_error="ignore")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="no column is named 'pos'"):
        Document(b"").column("pos")
