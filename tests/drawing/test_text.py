# SPDX-License-Identifier: Apache-2.0
"""Text drawings can be read back: a reader that follows the lines finds the tree that was drawn."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.drawing.characters import display_width, is_right_to_left, printable
from accord.errors import FormatError
from tests.drawing.drawable_trees import Tree, draw_text, projective_trees, trees

WIDE = 100_000  # everything fits: the horizontal layout
NARROW = 1  # nothing fits: the vertical layout
TO_ASCII = str.maketrans("─│┼┌┐└├┤●▼►←", "-|+..`||ov><")


class Cells:
    """A drawing as cells; outside of it everything is blank."""

    def __init__(self, drawing: str) -> None:
        self.rows = drawing.split("\n")

    def at(self, row: int, column: int) -> str:
        inside = 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row])
        return self.rows[row][column] if inside else " "


def read_horizontal(drawing: str, forms: list[str]) -> tuple[list[int | None], list[str | None]]:
    """Follow the leg of every tip up, its line across, and the leg at the other end down to the head."""
    cells = Cells(drawing)
    feet = len(cells.rows) - 2
    places = [cells.rows[-1].index(form) for form in forms]
    spans = [(place, place + len(form) - 1) for place, form in zip(places, forms, strict=True)]

    def word_at(column: int) -> int:
        away = [max(start - column, column - end, 0) for start, end in spans]
        return away.index(min(away)) + 1

    heads: list[int | None] = [None] * len(forms)
    labels: list[str | None] = [None] * len(forms)
    for column in (place for place, cell in enumerate(cells.rows[feet] if feet >= 0 else "") if cell == "▼"):
        row = feet - 1
        while cells.at(row, column) in "│┼":
            row -= 1
        word = word_at(column)
        if cells.at(row, column) not in "┌┐":
            heads[word - 1] = 0
            labels[word - 1] = word_around(cells, row, column)
            continue
        step, ends = (1, "┐┤") if cells.at(row, column) == "┌" else (-1, "┌├")
        other = column + step
        while cells.at(row, other) not in ends:
            other += step
        line = cells.rows[row][min(column, other) + 1 : max(column, other)]
        labels[word - 1] = line.replace("─", "").replace("┼", "").strip()
        assert all(cells.at(below, other) in "│┼├┤" for below in range(row + 1, feet + 1))
        heads[word - 1] = word_at(other)
    return heads, labels


def word_around(cells: Cells, row: int, column: int) -> str:
    start = end = column
    while cells.at(row, start - 1) not in " ─┌┐├┤│┼":
        start -= 1
    while cells.at(row, end) not in " ─┌┐├┤│┼":
        end += 1
    return cells.rows[row][start:end]


def read_vertical(drawing: str) -> list[int | None]:
    """Follow the line of every word left to a rail, and the rail to its node."""
    cells = Cells(drawing)
    heads: list[int | None] = []
    for row, text in enumerate(cells.rows):
        if "►" not in text:
            heads.append(None)
            continue
        column = text.index("►") - 1
        while column >= 0 and cells.at(row, column) in "─┼●":
            column -= 1
        assert "●" not in text[: max(column, 0)]  # rails of dependents stand right of their head's
        if column < 0:
            heads.append(0)
        elif cells.at(row, column) in "┌├└":
            heads.append(follow_rail(cells, row, column))
        else:
            assert cells.at(row, column + 1) == "●"
            heads.append(None)
    return heads


def follow_rail(cells: Cells, row: int, column: int) -> int:
    found = []
    for step, end in ((-1, "┌"), (1, "└")):
        place = row
        while cells.at(place, column) != end:
            place += step
            if cells.at(place, column) == "●":
                found.append(place + 1)
                break
            assert cells.at(place, column) in "│├┼" + end
    assert len(found) == 1
    return found[0]


@settings(deadline=None)
@given(trees())
def test_the_tree_can_be_read_from_the_horizontal_drawing(tree: Tree) -> None:
    heads, labels = read_horizontal(draw_text(tree.forms, tree.heads, tree.labels, width=WIDE), tree.forms)
    assert heads == tree.heads
    assert labels == [None if head is None else label for head, label in zip(tree.heads, tree.labels, strict=True)]


@settings(deadline=None)
@given(trees(longest=26))
def test_the_tree_can_be_read_from_the_vertical_drawing(tree: Tree) -> None:
    for width in (NARROW, 60):  # rails close together and apart
        drawing = draw_text(tree.forms, tree.heads, tree.labels, width=width, gold_heads=tree.heads)
        assert read_vertical(drawing) == tree.heads


@settings(deadline=None)
@given(projective_trees())
def test_lines_of_projective_trees_never_cross(tree: Tree) -> None:
    for width in (WIDE, NARROW):
        assert "┼" not in draw_text(tree.forms, tree.heads, tree.labels, width=width)


@settings(deadline=None)
@given(trees())
def test_every_word_and_label_appears_once_in_order(tree: Tree) -> None:
    upright = draw_text(tree.forms, tree.heads, tree.labels, width=WIDE)
    assert upright.split("\n")[-1].split() == tree.forms
    rows = draw_text(tree.forms, tree.heads, tree.labels, width=NARROW).split("\n")
    for number, (row, form, head, label) in enumerate(zip(rows, tree.forms, tree.heads, tree.labels, strict=True), 1):
        shown = [str(number), form] + ([] if head is None else [label])
        assert row.split()[-len(shown) :] == shown


@settings(deadline=None)
@given(trees(), st.sampled_from([WIDE, NARROW]))
def test_ascii_draws_the_same_lines_in_other_characters(tree: Tree, width: int) -> None:
    box = draw_text(tree.forms, tree.heads, tree.labels, width=width)
    plain = draw_text(tree.forms, tree.heads, tree.labels, width=width, unicode=False)
    assert plain.isascii()
    assert plain == box.translate(TO_ASCII)


@settings(deadline=None)
@given(trees(longest=8), st.integers(1, 90))
def test_a_drawing_above_the_words_never_exceeds_the_width(tree: Tree, width: int) -> None:
    lines = draw_text(tree.forms, tree.heads, tree.labels, width=width).split("\n")
    if lines[-1].split() == tree.forms:  # words in a row
        assert max(map(len, lines)) <= width


@settings(deadline=None)
@given(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=5), st.sampled_from([WIDE, NARROW]))
def test_no_form_breaks_the_lines(forms: list[str], width: int) -> None:
    drawing = draw_text(forms, [0] * len(forms), ["root"] * len(forms), width=width)
    lines = drawing.splitlines()
    assert len(lines) == drawing.count("\n") + 1
    if width == NARROW or any(map(is_right_to_left, forms)):
        assert len(lines) == len(forms)
        margins = {line.index("►") for line in lines}
        assert margins == {2}
    for form in forms:
        assert printable(form).strip() in drawing


def test_wide_characters_keep_lines_aligned() -> None:
    drawing = draw_text(["私", "は", "木を", "見る"], [4, 1, 4, 0], ["nsubj", "case", "obj", "root"])
    assert drawing.split("\n") == [
        "                  root",
        "┌───── nsubj ──────┐│",
        "│┌─case─┐    ┌─obj─┤│",
        "▼│      ▼    ▼     │▼",
        "私      は  木を  見る",
    ]


def test_a_mark_without_a_letter_gets_one_cell() -> None:
    assert draw_text(["x", "\u0301"], [0, 0], ["r", "r"]).split("\n")[-1] == "x   ◌\u0301"


def test_combining_marks_take_no_cell() -> None:
    decomposed = draw_text(["cafe\u0301s", "x"], [0, 1], ["root", "obj"])
    composed = draw_text(["cafés", "x"], [0, 1], ["root", "obj"])
    assert decomposed.replace("e\u0301", "é") == composed


NON_PROJECTIVE = (
    ["A", "hearing", "is", "scheduled", "on", "it", "today"],
    [2, 4, 4, 0, 6, 2, 4],
    ["det", "nsubj:pass", "aux", "root", "case", "nmod", "obl"],
)


def test_crossing_arcs_horizontally() -> None:
    assert draw_text(*NON_PROJECTIVE).split("\n") == [
        "                    root",
        "       ┌──────────────┼─nmod─────────┐",
        "       │┌─nsubj:pass─┐│┌────── obl ──┼────┐",
        "┌─det─┐││    ┌─ aux ─┤││     ┌─case─┐│    │",
        "▼     ││▼    ▼       │▼│     ▼      │▼    ▼",
        "A   hearing  is   scheduled  on     it  today",
    ]


def test_crossing_arcs_vertically() -> None:
    tags = ["DET", "NOUN", "AUX", "VERB", "ADP", "PRON", "NOUN"]
    assert draw_text(*NON_PROJECTIVE, tags=tags, width=40).split("\n") == [
        "   ┌───► 1  A          DET   det",
        " ┌─●───► 2  hearing    NOUN  nsubj:pass",
        " ├─┼───► 3  is         AUX   aux",
        "─●─┼───► 4  scheduled  VERB  root",
        " │ │ ┌─► 5  on         ADP   case",
        " │ └─●─► 6  it         PRON  nmod",
        " └─────► 7  today      NOUN  obl",
    ]


def test_confidences_are_shown_with_the_labels() -> None:
    forms, heads, labels = ["They", "saw", "her"], [2, 0, 2], ["nsubj", "root", "obj"]
    confidences = [0.974, 1.0, None]
    upright = draw_text(forms, heads, labels, confidences=confidences)
    assert "┌─nsubj 0.97─┐" in upright
    assert "root 1.00" in upright
    assert "┌─obj─┐" in upright
    rows = draw_text(forms, heads, labels, confidences=confidences, width=NARROW).split("\n")
    assert [row.split("  ")[-1].strip() for row in rows] == ["nsubj 0.97", "root 1.00", "obj"]


def test_a_gold_tree_is_compared_line_by_line() -> None:
    drawing = draw_text(
        ["They", "saw", "her", "!"],
        [2, 0, 1, 2],
        ["nsubj", "root", "obj", "punct"],
        gold_heads=[2, 0, 2, 0],
        gold_labels=["nsubj", "root", "iobj", "root"],
    )
    assert drawing.split("\n") == [
        " ┌─●─► 1  They  nsubj",
        "─●─┼─► 2  saw   root",
        " │ └─► 3  her   obj    gold: iobj ← 2 saw",
        " └───► 4  !     punct  gold: root ← root",
    ]


def test_a_sentence_of_two_hundred_words_stays_narrow() -> None:
    heads = [0, *(max(1, word - 1 - word % 7) for word in range(2, 201))]
    rows = draw_text([f"word{word}" for word in range(200)], heads, ["dep"] * 200).split("\n")
    assert len(rows) == 200
    assert read_vertical("\n".join(rows)) == heads
    assert max(map(display_width, rows)) <= 160


def test_right_to_left_scripts_are_drawn_one_word_a_line() -> None:
    assert len(draw_text(["كتب", "الولد"], [0, 1], ["root", "nsubj"], width=WIDE).split("\n")) == 2


def test_small_sentences() -> None:
    assert draw_text([], [], []) == ""
    assert draw_text(["Yes"], [0], ["root"]) == "root\n  ▼\n Yes"
    assert draw_text(["a", "b"], [None, None], ["_", "_"], tags=["X", "Y"]) == "a  b\nX  Y"


@pytest.mark.parametrize(
    ("heads", "labels", "message"),
    [
        ([0], ["root", "obj"], "2 forms but 1 heads"),
        ([0, 1], ["root"], "2 forms but 1 labels"),
        ([0, 3], ["root", "obj"], r"head 3 of word 2 is out of range 0\.\.2"),
        ([2, 1], ["root", "obj"], "the heads form a cycle: 1 → 2 → 1"),
    ],
)
def test_columns_that_are_no_tree_are_refused(heads: list[int], labels: list[str], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        draw_text(["a", "b"], heads, labels)


def test_a_gold_tree_is_checked_too() -> None:
    with pytest.raises(FormatError, match="gold: the heads form a cycle"):
        draw_text(["a", "b"], [0, 1], ["root", "obj"], gold_heads=[2, 1])
