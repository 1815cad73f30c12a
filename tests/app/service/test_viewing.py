# SPDX-License-Identifier: Apache-2.0
"""Files that the page shows: found by words of any column, by patterns of trees, and by what differs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from accord.app.service.limits import RefusalError
from accord.app.service.viewing import Browser
from accord.data import Document, Sentence
from accord.errors import ConfigError


def sentence(forms: str, heads: list[int], labels: str) -> Sentence:
    return Sentence.from_words(forms.split(), heads=heads, deprels=labels.split(), upos=["X"] * len(heads))


GOLD = Document.from_sentences(
    [sentence("They saw her", [2, 0, 2], "nsubj root obj"), sentence("Birds sing", [2, 0], "nsubj root")]
)
PARSED = Document.from_sentences(
    [sentence("They saw her", [2, 0, 2], "nsubj root obl"), sentence("Birds sing", [2, 0], "nsubj root")]
)


@pytest.fixture
def browser() -> Browser:
    return Browser([GOLD, PARSED], ["gold.conllu", "parsed.conllu"])


def texts(browser: Browser, fields: Mapping[str, str]) -> list[Any]:
    return [one["text"] for one in browser.page(fields)["sentences"]]


def test_a_word_of_any_column_is_found(browser: Browser) -> None:
    assert texts(browser, {}) == ["They saw her", "Birds sing"]
    assert texts(browser, {"search": "BIRDS"}) == ["Birds sing"]
    assert texts(browser, {"search": "obl"}) == ["They saw her"]
    assert texts(browser, {"search": "no such word"}) == []


def test_a_pattern_is_found_in_either_file_and_marks_the_words_of_the_first(browser: Browser) -> None:
    found = browser.page({"search": "V >obj O"})
    assert [(one["text"], one["matched"]) for one in found["sentences"]] == [("They saw her", [2, 3])]
    found = browser.page({"search": "V >obl O"})
    assert [(one["text"], one["matched"]) for one in found["sentences"]] == [("They saw her", [])]
    assert browser.page({"search": "V[upos=X] >nsubj S"})["found"] == 2
    assert browser.page({"search": "V[upos=X] >nsubj S", "differs": "1"})["found"] == 1
    with pytest.raises(ConfigError, match="a word is expected"):
        browser.page({"search": "V >obj"})
    assert browser.page({"search": "sing"})["found"] == 1  # after a pattern that was refused


def test_pages_are_turned(browser: Browser) -> None:
    assert texts(browser, {"first": "1", "count": "1", "search": "root"}) == ["Birds sing"]
    assert texts(browser, {"first": "0", "count": "1", "search": "root"}) == ["They saw her"]
    with pytest.raises(RefusalError, match="expected a number"):
        browser.page({"first": "x"})


def test_files_of_other_sentences_are_refused() -> None:
    with pytest.raises(ConfigError, match="a has 2 and b has 1 sentences"):
        Browser([GOLD, GOLD[:1]], ["a", "b"])
