# SPDX-License-Identifier: Apache-2.0
"""Regular expressions of queries: the matches of Python's engine, and no text on which they take for ever."""

from __future__ import annotations

import re
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data import Document, Sentence
from accord.data.search import Pattern
from accord.data.search.expressions import Expression
from accord.errors import ConfigError

LETTERS = ["a", "b", "A", "_", "é", "İ", "ı", "ß", "ſ", "K", "K", "1", "٣", " ", "\n", "-", "."]
LETTER = [
    "a",
    "b",
    "A",
    "é",
    "ı",
    "k",
    "\\.",
    ".",
    "\\w",
    "\\W",
    "\\d",
    "\\s",
    "\\S",
    "[ab]",
    "[^a]",
    "[a-é]",
    "[^\\w-]",
    "1",
]
PLACE = ["", "^", "$", "\\b", "\\B", "\\A", "\\Z", "(?i:a)", "(?s:.)", "(?m:^)", "(?m:$)", "(?a:\\w)", "(?-i:b)"]
atoms = st.sampled_from([*LETTER, *PLACE])
expressions = st.recursive(
    atoms,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map("".join)
        | st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})")
        | st.tuples(inner, st.sampled_from(["*", "+", "?", "*?", "+?", "{2}", "{1,2}", "{,2}", "{2,}"])).map(
            lambda pair: f"({pair[0]}){pair[1]}"
        )
    ),
    max_leaves=6,
)


@settings(max_examples=300)
@given(
    st.sampled_from(["", "(?i)", "(?m)", "(?s)", "(?a)", "(?ia)"]), expressions, st.lists(st.text(LETTERS, max_size=6))
)
def test_the_same_texts_match(flags: str, expression: str, texts: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled = re.compile(flags + expression)
        found = Expression(flags + expression)
    for text in ("", "\n", *texts):
        assert found.matches(text) == (compiled.search(text) is not None), text


@given(st.sampled_from([r"(a)\1", r"a(?=b)", r"(?<!a)b", r"(?!a)\w+$", r"(a)?(?(1)b|c)"]), st.text("abc", max_size=6))
def test_what_is_no_automaton_goes_to_python(expression: str, text: str) -> None:
    assert Expression(expression).matches(text) == (re.search(expression, text) is not None)


@pytest.mark.parametrize(
    "expression", ["(a+)+b", "(a|a)*b", "(a|aa)+$b", "(.*)*(.*)*(.*)*x", "a*a*a*a*a*a*a*a*a*b", "(?i)(a?){40}b"]
)
def test_no_text_takes_for_ever(expression: str) -> None:
    document = Document.from_sentences([Sentence.from_words(["a" * 3000, "y"])])
    assert [match.words["V"] for match in Pattern(f"V[form~{expression}]").search(document)] == []


@pytest.mark.parametrize("expression", [r"(a+)+(?=b)", r"(a*)*\1", r"(?=(a+)+b)"])
def test_repeats_inside_repeats_are_refused_where_all_ways_must_be_tried(expression: str) -> None:
    with pytest.raises(ConfigError, match="for ever"):
        Pattern(f"V[form~{expression}]")


def test_an_expression_that_stands_for_too_many_letters_is_refused() -> None:
    with pytest.raises(ConfigError, match="more than 10,000 letters"):
        Pattern("V[form~(((a{100}){100}){100})]")
