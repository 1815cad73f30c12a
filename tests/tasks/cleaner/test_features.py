# SPDX-License-Identifier: Apache-2.0
"""What the steps of a cleaner see: views without fillers and edits, equal words nearby, spans between copies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.tasks.cleaner import CleanerConfig, Utterances
from accord.tasks.cleaner.features import (
    BEYOND,
    FILLERS,
    FIRST_EDITS,
    original_view,
    same_nearby,
    without_edits_view,
    without_fillers_view,
)
from accord.tasks.cleaner.in_between import in_between, size_class
from accord.tasks.stack.columns import number_of

GIVEN = CleanerConfig(tags="given")
texts = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=9), min_size=1, max_size=4)


def utterances(text: str) -> Utterances:
    lines = [line.split() for line in text.split("/")]
    return Utterances.of(lines, [[word.upper() for word in line] for line in lines])


def shifted(values: list[int], lengths: list[int], steps: int) -> list[int]:
    """The value so many steps to the right, by a plain loop."""
    found, first = [], 0
    for length in lengths:
        for place in range(length):
            found.append(values[first + place + steps] if place + steps < length else BEYOND)
        first += length
    return found


@given(texts)
def test_without_a_filler_the_view_is_the_text(lines: list[list[str]]) -> None:
    said = Utterances.of(lines, lines)
    nothing = np.zeros(len(said.words), np.int32)
    seen = without_fillers_view(said, {FILLERS: nothing}, config=GIVEN)
    words, tags = (seen.values[name].tolist() for name in ("word", "tag"))
    lengths = said.lengths.tolist()
    for steps in range(1, 5):
        assert seen.values[f"next{steps}"].tolist() == shifted(words, lengths, steps)
        assert seen.values[f"next_tag{steps}"].tolist() == shifted(tags, lengths, steps)
        assert np.array_equal(seen.marks[f"next{steps} is the same"], seen.marks[f"word+{steps}"])
    both = without_edits_view(said, {FILLERS: nothing, FIRST_EDITS: nothing}, config=GIVEN)
    assert np.array_equal(both.values["after1"], both.values["next1"])


def test_fillers_and_edits_are_looked_over() -> None:
    said = utterances("to boston uh i mean to denver")
    fillers = np.array([0, 0, 1, 2, 3, 0, 0], np.int32)
    edits = np.array([1, 3, 0, 0, 0, 0, 0], np.int32)
    seen = without_edits_view(said, {FILLERS: fillers, FIRST_EDITS: edits}, config=GIVEN)
    names = {number_of(word): word for word in said.words}

    def column(name: str) -> list[str]:
        return [names.get(int(value), "-") for value in seen.values[name]]

    assert column("next1") == ["boston", "to", "i", "mean", "to", "denver", "-"], (
        "a filler sees the text as it was said"
    )
    assert column("next2")[0] == "to"
    assert seen.marks["next2 is the same"].tolist() == [True, False, False, False, False, False, False]
    assert column("after1") == ["to", "to", "to", "to", "to", "denver", "-"]


@given(texts)
def test_equal_words_are_those_of_a_plain_search(lines: list[list[str]]) -> None:
    said = Utterances.of(lines, lines)
    values = original_view(said, {}, config=GIVEN).values["word"]
    marks = same_nearby("word", values, said.lengths)
    first = 0
    for line in lines:
        for place, word in enumerate(line):
            for steps in (-4, -3, -2, -1, 1, 2, 3, 4):
                other = place + steps
                name = f"word{'+' if steps > 0 else '-'}{abs(steps)}"
                same = 0 <= other < len(line) and line[other] == word
                ends = same and min(place, other) > 0 and line[other - 1] == line[place - 1]
                begins = same and max(place, other) + 1 < len(line) and line[other + 1] == line[place + 1]
                assert [bool(marks[key][first + place]) for key in (name, f"{name} ends", f"{name} begins")] == [
                    same,
                    ends,
                    begins,
                ]
        first += len(line)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("A B x y A B z", [0, 0, 2, 2, 0, 0, 0]),
        ("A B A B", [0, 0, 0, 0]),
        ("A B x / A B y", [0, 0, 0, 0, 0, 0]),
        ("A A A", [0, 0, 0]),
        ("A B x A B y A B", [0, 0, 1, 4, 4, 1, 0, 0]),
        ("A B C D x A B y C D", [0, 0, 3, 3, 3, 4, 4, 4, 0, 0]),
    ],
    ids=["once", "adjacent", "two utterances", "overlap with itself", "three copies", "overlapping pairs"],
)
def test_spans_between_copies_of_two_words(text: str, sizes: list[int]) -> None:
    said = utterances(text)
    values = np.array([number_of(word) for word in said.words], np.uint64)
    assert in_between(values, said.lengths).tolist() == sizes


@given(texts, st.booleans())
def test_spans_are_those_of_the_definition(lines: list[list[str]], copies: bool) -> None:
    said = Utterances.of(lines)
    values = np.array([number_of(word) for word in said.words], np.uint64)
    wanted = []
    for line in lines:
        pairs = [(a, b) for b in range(len(line) - 1) for a in range(b - 1) if line[a : a + 2] == line[b : b + 2]]
        for place in range(len(line)):
            first = 0 if copies else 2
            wanted.append(min((b - a - first for a, b in pairs if a + first <= place < b), default=0))
    assert in_between(values, said.lengths, copies=copies).tolist() == wanted


def test_sizes_are_classes_of_logarithms() -> None:
    assert size_class(np.array([0, 1, 2, 3, 6, 7, 15])).tolist() == [0, 1, 1, 2, 2, 3, 4]
