# SPDX-License-Identifier: Apache-2.0
"""The converter of Chinese treebanks: each rule on a phrase of its own."""

from __future__ import annotations

import pytest

from tools.convert_chinese import Word, convert, is_tree, written

Row = tuple[str, str, str, int, str]


def sentence(*rows: Row) -> list[Word]:
    return [Word(form, upos, xpos, "_", head, label) for form, upos, xpos, head, label in rows]


CASES: dict[str, tuple[tuple[Row, ...], list[tuple[int, str]]]] = {
    "names": (
        (("包", "PROPN", "NNP", 2, "nmod"), ("盈盈", "PROPN", "NNP", 3, "nsubj"), ("來", "VERB", "VV", 0, "root")),
        [(3, "nsubj"), (1, "flat:name"), (0, "root")],
    ),
    "apposition": (
        (("中校", "NOUN", "NN", 2, "appos"), ("威廉", "PROPN", "NNP", 3, "nsubj"), ("來", "VERB", "VV", 0, "root")),
        [(3, "nsubj"), (1, "appos"), (0, "root")],
    ),
    "measures": (
        (("一", "NUM", "CD", 2, "nummod"), ("個", "NOUN", "NNB", 3, "nmod"), ("人", "NOUN", "NN", 0, "root")),
        [(3, "nummod"), (1, "clf"), (0, "root")],
    ),
    "phrases": (
        (("與", "ADP", "IN", 4, "det"), ("澳博", "PROPN", "NNP", 1, "nmod"), ("的", "PART", "DEC", 1, "case:dec"),
         ("合作", "NOUN", "NN", 0, "root")),
        [(4, "case"), (4, "nmod"), (4, "case"), (0, "root")],
    ),
    "objects": (
        (("將", "VERB", "BB", 3, "aux:caus"), ("數據", "NOUN", "NN", 3, "dobj"), ("傳輸", "VERB", "VV", 0, "root")),
        [(2, "case"), (3, "obl:patient"), (0, "root")],
    ),
    "clauses": (
        (("他", "PRON", "PRP", 2, "nsubj"), ("來", "VERB", "VV", 5, "dep"), (",", "PUNCT", ",", 5, "punct"),
         ("我", "PRON", "PRP", 5, "nsubj"), ("去", "VERB", "VV", 0, "root"), (".", "PUNCT", ".", 5, "punct")),
        [(2, "nsubj"), (0, "root"), (5, "punct"), (5, "nsubj"), (2, "parataxis"), (2, "punct")],
    ),
    "copulas": (
        (("速度", "NOUN", "NN", 3, "nsubj"), ("減慢", "VERB", "VV", 3, "cop"), ("很多", "ADJ", "JJ", 0, "root")),
        [(2, "nsubj"), (0, "root"), (2, "xcomp")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_rule(name: str) -> None:
    rows, expected = CASES[name]
    words = sentence(*rows)
    convert(words)
    assert [(word.head, word.label) for word in words] == expected and is_tree(words)


def test_marks_of_chinese_text_and_forms_as_lemmas() -> None:
    words = sentence(("來", "VERB", "VV", 0, "root"), (".", "PUNCT", ".", 1, "punct"))
    text = written(words, str, simplified=False)
    assert text.splitlines()[0] == "# text = 來。" and "\t來\t來\t" in text and "\t。\t。\t" in text
    assert not is_tree(sentence(("a", "X", "FW", 2, "dep"), ("b", "X", "FW", 1, "dep")))
