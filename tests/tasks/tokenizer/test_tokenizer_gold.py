# SPDX-License-Identifier: Apache-2.0
"""Texts rebuilt from treebanks: spacing, paragraphs, labels."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from accord.data import Document
from accord.tasks.tokenizer import TokenizerConfig
from accord.tasks.tokenizer.blanks import squeeze
from accord.tasks.tokenizer.gold import END, INSIDE, LAST, OUTSIDE, GoldParagraph, GoldToken, read_gold
from accord.tasks.tokenizer.spans import spans_of
from accord.tasks.tokenizer.training import cut_into_pieces, join_paragraphs

forms = st.text(st.sampled_from("ab.😀"), min_size=1, max_size=4)
tokens = st.builds(lambda form, space: GoldToken(form, space, (form,)), forms, st.booleans())
paragraphs = st.lists(st.lists(tokens, min_size=1, max_size=4).map(tuple), min_size=1, max_size=4).map(
    lambda sentences: GoldParagraph(tuple(sentences))
)


def document(*sentences: str) -> Document:
    """From lines of forms; '+' in front: SpaceAfter=No; a first '#...' is a comment."""
    parts = []
    for sentence in sentences:
        comment, _, shown = sentence.rpartition("\n")
        rows = [
            f"{i}\t{form.lstrip('+')}\t_\t_\t_\t_\t_\t_\t_\t{'SpaceAfter=No' if form.startswith('+') else '_'}\n"
            for i, form in enumerate(shown.split(), 1)
        ]
        parts.append((comment + "\n" if comment else "") + "".join(rows) + "\n")
    return Document.from_conllu("".join(parts))


def texts(read: Sequence[GoldParagraph]) -> list[str]:
    return [paragraph.labelled()[0] for paragraph in read]


@given(paragraphs)
def test_labels_lead_back_to_the_tokens(paragraph: GoldParagraph) -> None:
    text, labels = paragraph.labelled()
    spans = spans_of(squeeze(text), labels)
    found = [text[b:e] for b, e in zip(spans.begin.tolist(), spans.end.tolist(), strict=True)]
    assert found == [token.form for sentence in paragraph.sentences for token in sentence]
    ends = np.cumsum([len(sentence) for sentence in paragraph.sentences]) - 1
    assert np.flatnonzero(spans.last).tolist() == ends.tolist()


def test_labels_of_a_small_text() -> None:
    text, labels = read_gold([document("It +goes .", "So ?")])[0].labelled()
    assert text == "It goes. So ?"
    i, e, s, o = INSIDE, END, LAST, OUTSIDE
    assert labels.tolist() == [i, e, o, i, i, i, e, s, o, i, e, o, s]


def test_paragraphs_and_documents_end_where_comments_say() -> None:
    read = read_gold([document("# newdoc id = a\na +b", "c", "# newpar\nd", "# newdoc_id = x\ne")])
    assert texts(read) == ["a bc", "d", "e"]
    assert texts(read_gold([document("a +b"), document("c")])) == ["a b", "c"]


def test_blanks_that_a_tokeniser_wrote_down() -> None:
    row = "1\ta\t_\t_\t_\t_\t_\t_\t_\t{}\n\n"
    read = read_gold(
        [Document.from_conllu("".join(map(row.format, ("SpacesAfter=\\n", "SpacesAfter=\\r\\n\\r\\n", "_"))))]
    )
    assert texts(read) == ["a a", "a"]


def test_treebanks_that_do_not_say_spacing() -> None:
    assert texts(read_gold([document("It goes .", "So ?")])) == ["It goes . So ?"]
    assert texts(read_gold([document("他們 今天 在 IBM GmbH 工作 。", "好 。")])) == ["他們今天在IBM GmbH工作。好。"]
    assert texts(read_gold([document("他 好 。")], spacing="blanks")) == ["他 好 。"]


def test_marks_stand_where_a_typist_puts_them() -> None:
    rows = {
        "It goes ( slowly ) .": "It goes (slowly).",
        'He said : " So ? " , and " no " ...': 'He said: "So?", and "no"...',
        "” Så ” sa » hon » – .": "”Så” sa »hon» –.",
        ". ) a ( .": ".) a (.",
    }
    for tokens, text in rows.items():
        assert texts(read_gold([document(tokens, "b")], spacing="written")) == [f"{text} b"]
    assert texts(read_gold([document("a ( b +) .")], spacing="written")) == ["a ( b )."]


@given(st.lists(paragraphs, min_size=1, max_size=8), st.floats(0, 1), st.integers(1, 5), st.integers(0, 3))
def test_pieces_hold_all_sentences_in_order(some: list[GoldParagraph], share: float, size: int, seed: int) -> None:
    everything = [sentence for paragraph in some for sentence in paragraph.sentences]
    pieces = cut_into_pieces(some, TokenizerConfig(piece=size, unmarked=share, seed=seed))
    assert [sentence for piece in pieces for sentence in piece.sentences] == everything
    assert all(1 <= len(piece.sentences) <= size for piece in pieces)


def test_paragraphs_are_joined_never_or_always() -> None:
    some = [GoldParagraph(((GoldToken("a", True, ("a",)),),))] * 3
    assert list(join_paragraphs(some, 0.0, random.Random(1))) == some
    assert len(list(join_paragraphs(some, 1.0, random.Random(1)))) == 1
