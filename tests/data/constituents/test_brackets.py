# SPDX-License-Identifier: Apache-2.0
"""Brackets: what is read is written again, and what is no tree is refused with its line."""

from __future__ import annotations

import lzma
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data import read, stream
from accord.data.constituents import Constituents, MissingTree, read_brackets
from accord.errors import FormatError
from tests.data.constituents.random_trees import constituents, forms_of

TREEBANKS = [
    *(f"constituency/{name}-dev" for name in ("en_gumfree", "zh_sinica", "es_cess", "pt_floresta", "is_icepahc")),
    "ptb_sample/wsj-dev",
]


@settings(deadline=None)
@given(constituents(), st.sampled_from([None, 0, 2]))
def test_a_written_tree_is_read_back(tree: Constituents, indent: int | None) -> None:
    forms = forms_of(tree)
    (found,) = read_brackets(tree.brackets(forms, indent=indent))
    assert not isinstance(found, MissingTree)
    assert found.tree == tree and list(found.forms) == forms


@pytest.mark.parametrize("name", TREEBANKS)
def test_treebanks_keep_every_bracket_label_and_word(shared_data: Path, name: str) -> None:
    text = lzma.decompress((shared_data / f"{name}.mrg.xz").read_bytes()).decode("utf-8")
    token = re.compile(r"[()]|[^\s()]+")
    written = "".join(
        one.tree.brackets(one.forms) + "\n" for one in read_brackets(text) if not isinstance(one, MissingTree)
    )
    assert token.findall(written) == token.findall(text)


@pytest.mark.parametrize("block_size", [1, 40, 1 << 20])
def test_a_stream_of_blocks_is_the_file(tmp_path: Path, block_size: int) -> None:
    file = tmp_path / "trees.mrg"
    file.write_text("( (S\n  (NP (NN a))\n  (VP (VB b))))\n( (NP (NN c)))\n\n(NP (NN d) (NN e))", encoding="utf-8")
    whole = [sentence.constituents for sentence in read(file)]
    blocks = [sentence.constituents for block in stream(file, block_size=block_size) for sentence in block]
    assert len(whole) == 3 and blocks == whole


def test_round_brackets_in_words_are_escaped() -> None:
    tree, forms = Constituents.from_text("(NP (-LRB- -LRB-) (NN a-LRB-s-RRB-) (-RRB- -RRB-))")
    assert forms == ("(", "a(s)", ")") and tree.tags == ("-LRB-", "NN", "-RRB-")
    assert tree.brackets(forms) == "(NP (-LRB- -LRB-) (NN a-LRB-s-RRB-) (-RRB- -RRB-))"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("(S (NN a))\n(S (NN b)", 2, "not closed"),
        ("(S (NN a)))\n", 1, "closing bracket"),
        ("\n\nword (S (NN a))", 3, "outside of brackets"),
        ("(NP (DT the) dog)", 1, "'dog' has no tag"),
        ("(NP (NN dog house))", 1, "'house' has no tag"),
        ("(NP the (NN dog))", 1, "beside the word 'the'"),
        ("(S (NN a))\n(S\n (NP ))", 2, "'NP' has no words"),
    ],
)
def test_what_is_no_tree_is_refused_with_its_line(tmp_path: Path, text: str, line: int, reason: str) -> None:
    file = tmp_path / "bad.mrg"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=re.escape(reason)) as caught:
        read(file)
    assert (caught.value.file, caught.value.line) == (str(file), line)


def test_reading_goes_on_where_it_is_asked_to(tmp_path: Path) -> None:
    file = tmp_path / "some.mrg"
    file.write_text("(S (NN a))\n(S (NN b)\n(S (NN c))\n(())\n(S (-NONE- 0))\n(S (NN d))\n", encoding="utf-8")
    document = read(file, on_error="keep")
    assert [sentence.forms for sentence in document] == [("a",), ("c",), ("d",)]
    assert [problem.line for problem in document.problems] == [2, 4, 5]


def test_invalid_utf8_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "bytes.mrg"
    file.write_bytes(b"(S (NN a))\n(S (NN \xff))\n")
    with pytest.raises(FormatError, match="not UTF-8") as caught:
        read(file)
    assert caught.value.line == 2


def test_a_tree_may_be_as_deep_as_it_is_long() -> None:
    depth = 6000
    text = "(X " * depth + "(NN a)" + ")" * depth
    tree, _ = Constituents.from_text(text)
    assert len(tree) == depth + 1 and tree.spans[0] == (0, 1)
    assert tree.brackets(["a"]).count("(") == depth + 1


@pytest.mark.parametrize(
    ("labels", "parents", "leaves", "reason"),
    [
        (("S", "NN"), (-1, 0), (None, 2), "word 2 follows word 0"),
        (("S", "NN", "NN"), (-1, 0, 1), (None, 1, 2), "not open"),
        (("S",), (-1,), (None,), "no words"),
        ((), (), (), "has a node"),
    ],
)
def test_columns_that_are_no_tree_are_refused(labels: tuple, parents: tuple, leaves: tuple, reason: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(FormatError, match=reason):
        Constituents(labels, parents, leaves)
