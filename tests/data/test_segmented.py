# SPDX-License-Identifier: Apache-2.0
"""Segmented text: words by blanks, sentences by lines."""

from __future__ import annotations

import io
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.data import read_segmented, stream_segmented, write_segmented
from accord.errors import FormatError

from .samples import SHARED


def test_words_are_parted_by_blanks_and_a_blank_line_is_a_sentence() -> None:
    text = "\ufeff扬帆  远东\t做  \r\n\n希腊\u3000的\n共同"
    assert read_segmented(io.BytesIO(text.encode())) == [["扬帆", "远东", "做"], [], ["希腊\u3000的"], ["共同"]]


def test_a_real_file_has_its_words() -> None:
    path = SHARED / "chinese_seg/sighan05_pku-test.seg.xz"
    if not path.exists():
        pytest.skip("the data are not here")
    sentences = read_segmented(path)
    assert len(sentences) == lzma.decompress(path.read_bytes()).count(b"\n")
    assert sum(map(len, sentences)) == 104372
    assert next(stream_segmented(path)) == sentences[0]


def test_bytes_that_are_no_text_name_their_line() -> None:
    with pytest.raises(FormatError, match="<input>:2: not UTF-8: byte 3 of the line"):
        read_segmented(io.BytesIO(b"a b\nc \xff\n"))


def test_a_word_with_a_blank_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=":2: not a word: 'b c'"):
        write_segmented(tmp_path / "out", [["a"], ["b c"]])
    assert not (tmp_path / "out").exists()


words = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\t\n\r \ufeff"), min_size=1, max_size=4)


@given(st.lists(st.lists(words, max_size=5), max_size=5))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, sentences: list[list[str]]) -> None:
    path = tmp_path_factory.mktemp("segmented") / "text.seg.gz"
    write_segmented(path, sentences)
    assert read_segmented(path) == sentences
