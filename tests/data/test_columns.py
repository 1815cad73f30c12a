# SPDX-License-Identifier: Apache-2.0
"""Column files: the real ones, what was written comes back, broken rows name their line."""

from __future__ import annotations

import io
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.data import read_columns, write_columns
from accord.errors import AccordError, ConfigError, FormatError

from .samples import SHARED


def columns_of(text: str | bytes, **options: object) -> object:
    data = text.encode() if isinstance(text, str) else text
    return read_columns(io.BytesIO(data), **options)


REAL = [
    ("chunk_ner/conll2000-test.txt.xz", {"tag": 1}, 2012, 47377, "B-NP"),
    ("chunk_ner/conll2002-esp.testb.txt.xz", {"tag": 1}, 1517, 51533, "B-LOC"),
    ("chunk_ner/conll2002-ned.testa.txt.xz", {"tag": 1}, 2895, 37761 - 74, "O"),
    ("chunk_ner/wnut17-test.conll.xz", {}, 1287, 23394, "O"),
    ("chunk_ner/uner_en_ewt-test.iob2.xz", {"token": 1, "label": 2, "comments": True}, 2077, 25097, "O"),
    ("chinese_seg/weibo_ner-test.conll.xz", {"positions": True}, 270, 14842, "O"),
    ("chinese_seg/resume_ner-test.bmes.xz", {}, 477, 15100, "B-NAME"),
    ("chinese_seg/msra_ner-test.bio.xz", {}, 3442, 172601, "B-ORG"),
]


@pytest.mark.parametrize(("path", "options", "sentences", "words", "first"), REAL, ids=[row[0] for row in REAL])
def test_real_files_are_read_whole_and_written_back(
    path: str, options: dict[str, object], sentences: int, words: int, first: str, tmp_path: Path
) -> None:
    if not (SHARED / path).exists():
        pytest.skip("the data are not here")
    content = lzma.decompress((SHARED / path).read_bytes()).decode()
    read = read_columns(SHARED / path, **options)
    assert len(read.document) == sentences
    assert len(read.labels) == words == len(read.document.heads)
    assert read.labels[0] == first
    assert [label for labels in read.sentence_labels() for label in labels] == read.labels
    write_columns(tmp_path / "out.xz", read, read.labels)
    written = lzma.decompress((tmp_path / "out.xz").read_bytes()).decode()
    again = read_columns(tmp_path / "out.xz", **options)
    assert again.document.column("form") == read.document.column("form")
    assert again.labels == read.labels
    for before, after in zip(content.split("\n"), written.split("\n"), strict=True):
        assert after == before or after.startswith(before)


def test_forms_and_tags_become_columns_of_the_document() -> None:
    read = columns_of("The DT B-NP\ncat NN I-NP\n\nsleeps VBZ B-VP\n", tag=1)
    assert read.document.lengths.tolist() == [2, 1]
    assert read.document.column("form") == ["The", "cat", "sleeps"]
    assert read.document.column("xpos") == ["DT", "NN", "VBZ"]
    assert read.labels == ["B-NP", "I-NP", "B-VP"]
    assert list(read.sentence_labels()) == [["B-NP", "I-NP"], ["B-VP"]]


def test_a_hash_is_a_word_unless_comments_are_asked_for() -> None:
    text = "# # B-NP\n1 CD I-NP\n"
    assert columns_of(text).document.column("form") == ["#", "1"]
    assert columns_of(text, comments=True).document.column("form") == ["1"]


def test_a_document_start_ends_a_sentence_and_is_no_word(tmp_path: Path) -> None:
    read = columns_of("-DOCSTART- -DOCSTART- O\nDat Pron O\n-DOCSTART- -DOCSTART- O\nHij Pron B-PER\n", tag=1)
    assert read.document.lengths.tolist() == [1, 1]
    write_columns(tmp_path / "out", read, ["X", "Y"])
    rows = [line.split(" ") for line in (tmp_path / "out").read_text().splitlines()]
    assert [row[-1] for row in rows] == ["O", "X", "O", "Y"]
    assert {len(row) for row in rows} == {4}


def test_positions_are_taken_off() -> None:
    assert columns_of("科0\tO\n10\tO\n", positions=True).document.column("form") == ["科", "1"]
    with pytest.raises(FormatError, match=":2: '技' is not a character with its position"):
        columns_of("科0\tO\n技\tO\n", positions=True)


def test_other_white_space_may_be_a_token() -> None:
    assert columns_of("\u3000 O\n\u2028 O\n").document.column("form") == ["\u3000", "\u2028"]
    assert columns_of("a b\tO\n").document.column("form") == ["a b"]


def test_ends_of_lines_and_blank_lines_do_not_matter() -> None:
    plain = columns_of("a O\nb O\n\nc O\n")
    for text in ("\ufeffa O\r\nb O\r\n\r\nc O", "\n\na O\nb O\n \t \n\n\nc  O \n\n\n", "a   O\nb\u0020O\n\nc O\n"):
        read = columns_of(text)
        assert read.document.lengths.tolist() == plain.document.lengths.tolist()
        assert read.labels == plain.labels


def test_a_file_without_labels_or_without_words() -> None:
    assert columns_of("a\nb\n", label=None).labels == []
    assert columns_of("a\nb\n", label=None).document.column("form") == ["a", "b"]
    assert len(columns_of("").document) == 0


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("a O\nb\n", {}, ":2: 1 columns where line 1 has 2"),
        ("a\tO\n\tO\n", {}, ":2: the token is empty"),
        ("a\tO\nb\t\n", {}, ":2: the label is empty"),
        ("a O\n", {"tag": 2}, ":1: there is no column 2 for the tag: the row has 2"),
        (b"a O\n\xff O\n", {}, ":2: not UTF-8: byte 1 of the line"),
        ("a O\nb\0 O\n", {}, ":2: NUL byte"),
    ],
)
def test_broken_rows_name_their_line(text: str | bytes, options: dict[str, object], reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        columns_of(text, **options)
    assert str(caught.value) == f"<input>{reason}"


def test_one_column_cannot_be_two_things() -> None:
    with pytest.raises(ConfigError, match="two of these are one column: token 0, label -1"):
        columns_of("a\n")


def test_a_missing_file_is_one_error() -> None:
    with pytest.raises(AccordError, match="no such file"):
        read_columns("nowhere.conll")


def test_wrong_predictions_are_refused(tmp_path: Path) -> None:
    read = columns_of("a O\nb O\n")
    with pytest.raises(FormatError, match="1 labels for 2 words"):
        write_columns(tmp_path / "out", read, ["O"])
    with pytest.raises(FormatError, match=":2: not a label: 'a b'"):
        write_columns(tmp_path / "out", read, ["O", "a b"])
    assert not (tmp_path / "out").exists()


values = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\t\n\r\0 \ufeff"), min_size=1, max_size=5
)
sentences = st.lists(st.lists(st.tuples(values, values, values), min_size=1, max_size=4), max_size=4)


@given(sentences, st.sampled_from(["\t", " "]))
def test_any_words_and_labels_are_read_as_they_were_written(
    content: list[list[tuple[str, str, str]]], separator: str
) -> None:
    text = "".join("".join(separator.join(row) + "\n" for row in rows) + "\n" for rows in content)
    read = columns_of(text, tag=1, document_start="")
    rows = [row for sentence in content for row in sentence]
    assert read.document.lengths.tolist() == [len(sentence) for sentence in content]
    assert read.document.column("form") == [form for form, _, _ in rows]
    assert read.document.column("xpos") == [tag for _, tag, _ in rows]
    assert read.labels == [label for _, _, label in rows]
