# SPDX-License-Identifier: Apache-2.0
"""Plain text in pieces: the same text whatever the size of the pieces, and errors with their line."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.data.files import text_pieces
from accord.errors import FormatError


@given(st.text(max_size=40), st.integers(1, 9), st.booleans())
def test_pieces_together_are_the_text(text: str, size: int, marked: bool) -> None:
    data = ("\ufeff" if marked else "").encode() + text.encode()
    assert "".join(text_pieces(io.BytesIO(data), size)) == (text if marked else text.removeprefix("\ufeff"))


def test_compressed_files_are_read_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress("é\r\nb\0".encode()))
    assert "".join(text_pieces(path)) == "é\r\nb\0"


@given(st.integers(1, 9), st.sampled_from([b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80"]))
def test_bytes_that_are_not_utf8_are_named_by_line(size: int, bad: bytes) -> None:
    with pytest.raises(FormatError, match=r"<input>:3: not UTF-8"):
        list(text_pieces(io.BytesIO("é\nb\né".encode() + bad), size))
