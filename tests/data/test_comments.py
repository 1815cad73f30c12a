# SPDX-License-Identifier: Apache-2.0
"""Comments are added or replaced, and nothing else changes by a byte."""

from __future__ import annotations

import pytest

from accord.data import Document
from accord.errors import FormatError

ROW = b"1\ta\ta\tX\t_\t_\t0\troot\t_\t_"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_comments_come_last_and_replace_their_own_kind(end: bytes, mark: bytes) -> None:
    before = mark + end.join([b"# sent_id = s", ROW, b"", b"", ROW, b"", b"# status = old", b"# x", ROW, b""])
    after = mark + end.join(
        [
            b"# sent_id = s",
            b"# status = one",
            ROW,
            b"",
            b"",
            b"# status = two",
            ROW,
            b"",
            b"# status = three",
            b"# x",
            ROW,
            b"",
        ]
    )
    document = Document(before)
    assert document.with_comments("status", ["one", "two", "three"]).to_bytes() == after
    assert document.with_comments("status", [None, None, None]).to_bytes() == before


def test_the_first_line_may_be_a_row() -> None:
    for mark in (b"", b"\xef\xbb\xbf"):
        assert Document(mark + ROW).with_comments("k", ["v"]).to_bytes() == mark + b"# k = v\n" + ROW


def test_lines_are_counted_from_where_a_document_begins() -> None:
    document = Document(b"# a\n" + ROW + b"\n\n" + ROW + b"\n", first_line=50)
    changed = document.with_comments("k", [None, "v"])
    assert changed.to_bytes() == b"# a\n" + ROW + b"\n\n# k = v\n" + ROW + b"\n"
    assert changed.sentences[1].line == 53


def test_an_empty_document_has_none() -> None:
    assert Document(b"").with_comments("k", []).to_bytes() == b""


def test_what_does_not_fit_is_refused() -> None:
    document = Document(ROW)
    with pytest.raises(FormatError, match="2 comments for 1 sentence"):
        document.with_comments("k", ["v", "w"])
    with pytest.raises(FormatError, match="one line"):
        document.with_comments("k", ["v\nw"])
