# SPDX-License-Identifier: Apache-2.0
"""Pictures are sound XML, show everything, and keep labels, legs and words apart."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.drawing import DrawnTree, draw_html
from accord.drawing.style import confidence_class
from accord.errors import FormatError
from tests.drawing.drawable_trees import Tree, draw_svg, trees

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: Box) -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


@dataclass(frozen=True)
class DrawnArc:
    """An arc as its picture tells it: what hovering says, and where its path begins, runs and ends."""

    title: str
    head_x: float
    dependent_x: float
    line_y: float
    feet_y: float

    def legs(self) -> list[Box]:
        """The straight part of each leg, between the line's corner and the words, with the width of the line."""
        top, bottom = sorted((self.line_y, self.feet_y))
        return [Box(x - 1, top, x + 1, bottom) for x in (self.head_x, self.dependent_x)]


def parse(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def by_class(root: ElementTree.Element, tag: str, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter(SVG + tag) if element.get("class") == name]


def arcs_of(root: ElementTree.Element) -> list[DrawnArc]:
    arcs = []
    for group in root.iter(SVG + "g"):
        lines = by_class(group, "path", "line")
        if not lines:
            continue
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", lines[0].attrib["d"])]
        title = group.findtext(SVG + "title") or ""
        if len(numbers) == 3:  # a root: M x y V y
            arcs.append(DrawnArc(title, numbers[0], numbers[0], numbers[1], numbers[2]))
        else:  # M x feet V turn Q x line . . H . Q x . x . V end
            assert min(numbers[1], numbers[4]) <= numbers[2] <= max(numbers[1], numbers[4])
            arcs.append(DrawnArc(title, numbers[0], numbers[8], numbers[4], numbers[1]))
    return arcs


def pills_of(root: ElementTree.Element) -> list[tuple[str, Box]]:
    pills = []
    for group in root.iter(SVG + "g"):
        for pill in by_class(group, "rect", "pill"):
            x, y, width, height = (float(pill.attrib[name]) for name in ("x", "y", "width", "height"))
            pills.append((group.findtext(SVG + "title") or "", Box(x, y, x + width, y + height)))
    return pills


@settings(deadline=None)
@given(trees())
def test_the_tree_can_be_read_from_the_titles_and_the_labels(tree: Tree) -> None:
    root = parse(draw_svg(tree.forms, tree.heads, tree.labels))
    assert [element.text for element in by_class(root, "text", "word")] == tree.forms
    expected = set()
    for word, (head, label) in enumerate(zip(tree.heads, tree.labels, strict=True), start=1):
        if head is not None:
            source = f"{tree.forms[head - 1]} ({head})" if head else "root"
            expected.add(f"{source} → {label} → {tree.forms[word - 1]} ({word})")
    assert {arc.title for arc in arcs_of(root)} == expected
    assert {title for title, _ in pills_of(root)} == expected
    shown = sorted(element.text or "" for element in by_class(root, "text", "label"))
    assert shown == sorted(title.split(" → ")[1] for title in expected)


@settings(deadline=None)
@given(trees())
def test_legs_stand_around_the_middle_of_their_word(tree: Tree) -> None:
    root = parse(draw_svg(tree.forms, tree.heads, tree.labels))
    feet = defaultdict(list)
    for arc in arcs_of(root):
        head, dependent = (int(number) for number in re.findall(r"\((\d+)\)", "(0) " + arc.title)[-2:])
        feet[dependent].append(arc.dependent_x)
        if head:
            feet[head].append(arc.head_x)
    for word, element in enumerate(by_class(root, "text", "word"), start=1):
        if word in feet:
            assert abs((min(feet[word]) + max(feet[word])) / 2 - float(element.attrib["x"])) <= 1


@settings(deadline=None)
@given(trees())
def test_labels_touch_neither_one_another_nor_a_leg_of_another_arc(tree: Tree) -> None:
    root = parse(draw_svg(tree.forms, tree.heads, tree.labels))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    pills = pills_of(root)
    for _, pill in pills:
        assert pill.left >= 0
        assert pill.top >= 0
        assert pill.right <= width
        assert pill.bottom <= height
    assert not any(one.touches(other) for (_, one), (_, other) in combinations(pills, 2))
    for arc in arcs_of(root):
        for title, pill in pills:
            if title != arc.title:
                assert not any(leg.touches(pill) for leg in arc.legs())


@settings(deadline=None)
@given(st.lists(st.text(max_size=5), min_size=1, max_size=4), st.text(max_size=5))
def test_any_text_gives_sound_xml(forms: list[str], label: str) -> None:
    heads, labels = [0] * len(forms), [label] * len(forms)
    parse(draw_svg(forms, heads, labels, tags=forms))
    columns = DrawnTree(forms, heads, labels, caption=label)
    ElementTree.fromstring(draw_html([columns], title=label).removeprefix("<!DOCTYPE html>"))


def test_special_characters_are_escaped() -> None:
    picture = draw_svg(["<b>", "&", '"'], [0, 1, 1], ["a<b", "]]>", "x"], tags=["<", ">", "&"])
    root = parse(picture)
    assert "<b>" not in picture
    assert [element.text for element in by_class(root, "text", "word")] == ["<b>", "&", '"']
    assert root.attrib["aria-label"] == '<b> & "'


def test_a_small_picture() -> None:
    root = parse(draw_svg(["They", "left"], [2, 0], ["nsubj", "root"], tags=["PRON", "VERB"]))
    assert [element.text for element in by_class(root, "text", "tag")] == ["PRON", "VERB"]
    nsubj, left = arcs_of(root)
    assert nsubj.title == "left (2) → nsubj → They (1)"
    assert left.title == "root → root → left (2)"
    assert nsubj.dependent_x < nsubj.head_x < left.dependent_x  # an arc to the left stands left of the root's
    assert left.line_y < nsubj.line_y  # and the root stands above it
    assert not list(root.iter(SVG + "script"))
    assert "prefers-color-scheme:dark" in (root.findtext(SVG + "style") or "")
    assert "var(" not in (root.findtext(SVG + "style") or "")


def test_the_same_tree_gives_the_same_bytes() -> None:
    arguments = (["a", "b", "c"], [2, 0, 2], ["x", "root", "y"])
    assert draw_svg(*arguments, confidences=[0.1, 0.5, 0.9]) == draw_svg(*arguments, confidences=[0.1, 0.5, 0.9])


def test_confidence_is_written_and_coloured() -> None:
    root = parse(draw_svg(["a", "b"], [2, 0], ["x", "root"], confidences=[0.314, None]))
    assert {element.text for element in by_class(root, "text", "label")} == {"x 0.31", "root"}
    assert {group.get("class") for group in root.iter(SVG + "g")} == {"sure1", "plain"}


@pytest.mark.parametrize(
    ("confidence", "name"),
    [(None, "plain"), (0.0, "sure1"), (0.5, "sure2"), (0.89, "sure3"), (0.9, "sure4"), (0.97, "sure5"), (1.0, "sure5")],
)
def test_steps_of_confidence(confidence: float | None, name: str) -> None:
    assert confidence_class(confidence) == name


def test_only_differences_from_gold_are_drawn_below_the_words() -> None:
    picture = draw_svg(
        ["a", "b", "c", "d"],
        [2, 0, 2, 3],
        ["x", "root", "y", "z"],
        gold_heads=[2, 0, 1, 3],
        gold_labels=["x", "root", "y", "v"],
    )
    root = parse(picture)
    words_y = float(by_class(root, "text", "word")[0].attrib["y"])
    below = [arc for arc in arcs_of(root) if arc.line_y > words_y]
    assert {arc.title for arc in below} == {"gold: a (1) → y → c (3)", "gold: c (3) → v → d (4)"}
    wrong = {group.findtext(SVG + "title") for group in root.iter(SVG + "g") if group.get("class") == "plain wrong"}
    assert wrong == {"b (2) → y → c (3)", "c (3) → z → d (4)"}


def test_distances_between_levels_shrink_but_leave_room_for_labels() -> None:
    length = 40
    root = parse(draw_svg(["w"] * length, [0] + [1] * (length - 1), ["dep"] * length))
    lines = sorted({arc.line_y for arc in arcs_of(root)}, reverse=True)
    steps = [low - high for low, high in pairwise(lines)]
    assert len(steps) == length - 1
    assert steps == sorted(steps, reverse=True)
    assert min(steps) >= 18


def test_no_words_give_an_empty_picture() -> None:
    assert not by_class(parse(draw_svg([], [], [])), "text", "word")


def test_a_page_holds_all_sentences_and_one_style_sheet() -> None:
    first = DrawnTree(["They", "left"], [2, 0], ["nsubj", "root"])
    second = DrawnTree(["Why"], [0], ["root"], tags=["ADV"], caption="second & last")
    page = draw_html([first, second], title="Two <trees>")
    root = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>"))
    assert page.startswith("<!DOCTYPE html>\n")
    assert len(list(root.iter(SVG + "svg"))) == 2
    assert page.count("<style>") == 1
    captions = ["".join(element.itertext()) for element in root.iter("figcaption")]
    assert captions == ["1They left", "2second & last"]
    assert root.findtext("head/title") == "Two <trees>"
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_columns_that_are_no_tree_are_refused() -> None:
    with pytest.raises(FormatError, match="cycle"):
        draw_svg(["a", "b"], [2, 1], ["x", "y"])
    with pytest.raises(FormatError, match="1 forms but 2 tags"):
        draw_svg(["a"], [0], ["x"], tags=["X", "Y"])
