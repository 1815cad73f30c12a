# SPDX-License-Identifier: Apache-2.0
"""Drawings of constituents show every label over its words, with or without dependencies below."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data.constituents import Constituents, without_empties, without_root
from accord.drawing import DrawnTree, draw_html, draw_svg, draw_text
from accord.drawing.phrases import place_phrases, widened
from tests.data.constituents.random_trees import constituents, forms_of

SVG = "{http://www.w3.org/2000/svg}"


def drawn(tree: Constituents, heads: list[int | None] | None = None) -> DrawnTree:
    forms = forms_of(tree)
    return DrawnTree(forms, heads or [None] * len(forms), ["dep"] * len(forms), constituents=tree)


def test_both_layers_stand_in_one_picture() -> None:
    tree, forms = Constituents.from_text("( (S (NP-SBJ (PRP They)) (VP (VBD saw) (NP (PRP her))) (. .)))")
    picture = draw_text(DrawnTree(forms, [2, 0, 2, 2], ["nsubj", "root", "obj", "punct"], constituents=tree))
    rows = picture.split("\n")
    words = next(row for row, text in enumerate(rows) if text.split() == ["They", "saw", "her", "."])
    assert rows[0].strip() == "S" and rows[words - 1].split() == ["PRP", "VBD", "PRP", "."]
    assert rows[words + 1].count("▲") == 4 and "nsubj" in "".join(rows[words + 1 :])
    assert all(one not in "".join(rows[: words + 1]) for one in ("nsubj", "▲"))


@settings(deadline=None)
@given(constituents(), st.integers(0, 3))
def test_labels_stand_over_their_words_and_apart(tree: Constituents, gap: int) -> None:
    full = without_empties(tree)
    assert full is not None
    label_widths = [len(label) for label in full.labels]
    widths = widened(full, [2] * full.words, label_widths, gap)
    lefts = [sum(widths[:word]) + gap * word for word in range(full.words)]
    placed = place_phrases(full, lefts, widths, label_widths)
    for phrase in placed:
        begin, end = full.spans[phrase.node]
        assert lefts[begin] <= phrase.label_x
        assert phrase.label_x + label_widths[phrase.node] <= lefts[end - 1] + widths[end - 1]
        assert lefts[begin] <= phrase.x < lefts[end - 1] + widths[end - 1]
        if phrase.parent >= 0:
            assert placed[phrase.parent].level > phrase.level


@settings(deadline=None)
@given(constituents(), st.booleans(), st.sampled_from([1, 30, 400]))
def test_text_shows_every_label_and_word(tree: Constituents, unicode: bool, width: int) -> None:
    picture = draw_text(drawn(tree), width=width, unicode=unicode)
    shown = picture.split()
    full = without_root(without_empties(tree) or tree)
    for text in [*forms_of(tree), *(label for label in full.labels if label)]:
        assert any(text in piece for piece in shown)
    if not unicode:
        assert picture.isascii()
    if width == 400:
        assert max(len(line) for line in picture.split("\n")) <= width


@settings(deadline=None)
@given(constituents())
def test_a_line_for_each_node_shows_empty_elements_too(tree: Constituents) -> None:
    lines = draw_text(drawn(tree), width=1).split("\n")
    shown = without_root(tree)
    assert len(lines) == len(shown)
    for line, leaf in zip(lines, shown.leaves, strict=True):
        assert not isinstance(leaf, str) or line.endswith(f" {leaf}")


@settings(max_examples=40, deadline=None)
@given(constituents(), st.booleans())
def test_pictures_are_sound_and_hold_every_label(tree: Constituents, arcs: bool) -> None:
    heads: list[int | None] = [0, *range(1, tree.words)] if arcs else [None] * tree.words
    root = ElementTree.fromstring(draw_svg(drawn(tree, heads)))
    full = without_root(without_empties(tree) or tree)
    texts = ["".join(element.itertext()) for element in root.iter(SVG + "text")]
    for label in filter(None, full.labels):
        assert any(text.endswith(label) for text in texts)
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    for path in root.iter(SVG + "path"):
        for x, y in re.findall(r"M(-?[\d.]+) (-?[\d.]+)", path.get("d", "")):
            assert 0 <= float(x) <= width and 0 <= float(y) <= height


def test_a_page_holds_pictures_of_both_kinds() -> None:
    tree, forms = Constituents.from_text("(S (NN a) (NN b))")
    page = draw_html(
        [DrawnTree(forms, [2, 0], ["x", "root"]), DrawnTree(forms, [2, 0], ["x", "root"], constituents=tree)]
    )
    assert page.count("<svg ") == 2 and page.count('class="plain phrases"') == 1
