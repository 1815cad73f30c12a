# SPDX-License-Identifier: Apache-2.0
"""Lines of texts that are paragraphs are told from lines that were only broken to a width."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.tasks.paragraphs import SEPARATOR, with_paragraphs

PARAGRAPHS = (
    "Floodwaters close highway",
    "A major highway between the Northern Territory and Western Australia remains blocked by floodwaters today.",
    "The Victoria River has cut the Victoria Highway and also flooded the remote Pigeon Hole Aboriginal community.",
    "Grain company sold for $9m",
    "Tasmania's main grain company has changed hands for the second time in just three years.",
)


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
def test_a_line_is_a_paragraph_where_the_next_word_had_room(end: str) -> None:
    found = with_paragraphs(end.join(PARAGRAPHS) + end)
    assert [one.strip() for one in found.replace("\n", SEPARATOR).split(SEPARATOR) if one.strip()] == list(PARAGRAPHS)
    assert found.count(SEPARATOR) == len(PARAGRAPHS) - 1


@pytest.mark.parametrize("width", [30, 60, 72, 90])
def test_wrapped_text_stays_as_it_is(width: int) -> None:
    text = "\n\n".join(textwrap.fill(one, width) for one in PARAGRAPHS)
    assert with_paragraphs(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "We went to\nParis.",
        "Dear Ana,\nThank you for all the letters that you wrote.",
        "我们昨天去了北京。\n天气很好，但是人太多了。北京的天气今天也很好。",
        "one\n\ntwo",
        "",
        "\n\n",
    ],
)
def test_what_may_go_on_is_left_alone(text: str) -> None:
    assert with_paragraphs(text) == text


def test_items_of_lists_are_apart() -> None:
    assert with_paragraphs("- Good\n- Small\n2) Slow").split(SEPARATOR) == ["- Good", "- Small", "2) Slow"]


@given(st.text(alphabet="Ab c,.\n\r-", max_size=60))
def test_characters_keep_their_places(text: str) -> None:
    found = with_paragraphs(text)
    assert len(found) == len(text) and found.replace(SEPARATOR, "\n") == text


def test_headings_are_no_part_of_sentences_and_of_summaries() -> None:
    text = "\n".join(PARAGRAPHS)
    summary = accord.Summarizer()(text, words=40)
    assert summary.sentences
    for one in summary.sentences:
        assert one.text in PARAGRAPHS and one.text.endswith(".")
        begin, end = one.sentence.begin, one.sentence.end
        assert text[begin:end] == one.text
    assert accord.Summarizer()(text, words=5).text in (PARAGRAPHS[0], PARAGRAPHS[3]), "where nothing else fits"
    compressed = accord.Compressor()(text, rate=1.0)
    assert [one.text for one in compressed.sentences] == list(PARAGRAPHS)


TITLE = "Student inspires a social movement\nTuesday, September 22, 2015\nBy Ana Ruiz\n"
NEWS = "News of the clock has inspired many people. He was sent home from school after he had shown the clock.\n"


def test_a_title_with_its_date_and_author_is_no_part_of_summaries() -> None:
    summary = accord.Summarizer()(TITLE + NEWS, words=40)
    assert summary.text == NEWS.strip()
    marked = [one.sentence.heading for one in accord.Summarizer()(TITLE + NEWS, words=5).sentences]
    assert all(marked), "headings stand in where nothing else fits"


def test_the_lines_of_a_list_are_no_headings() -> None:
    items = "The old clock on the wall of the school\nThe new clock from the school in the city\n"
    summary = accord.Summarizer()(
        f"{items}The clock that the student built\nThe school and its old clock\n{NEWS}", words=60
    )
    assert "The old clock on the wall" in summary.text
