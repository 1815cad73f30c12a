# SPDX-License-Identifier: Apache-2.0
"""Sentences that are too long to look at as a whole."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.data import Document, Sentence
from accord.tasks.parser.model import LONG_SENTENCE
from accord.tasks.parser.windows import Windows, cuts

PLAIN = ["He", "sees", "the", "big", "cat", ",", "and", "they", "run", "quickly", ";", "it", "rains"]


@given(st.lists(st.sampled_from(["a", "b", ",", "."]), max_size=60), st.integers(1, 9))
def test_windows_cover_a_sentence(forms: list[str], longest: int) -> None:
    ends = cuts(forms, longest)
    sizes = np.diff([0, *ends])
    assert ends[-1] == len(forms) and (sizes <= longest).all() and (sizes[1:] > 0).all()
    assert all(forms[end - 1] in ",." or size == longest for end, size in zip(ends[:-1], sizes, strict=False))


def test_trees_of_windows_are_joined() -> None:
    parser = accord.load("en").parser
    short, long = Sentence.from_words(PLAIN[:5]), Sentence.from_words(PLAIN * 3)
    windows = Windows(Document.from_sentences([short, long, short]), too_long=10, longest=7)
    trees = parser.trees(windows.document, probabilities=True, tags="predict")
    joined = windows.joined(trees, parser.labels)
    assert joined.status == ("optimal", "budget", "optimal") and joined.bounds[1] == np.inf
    alone = parser.trees(Document.from_sentences([short]))
    assert joined.heads[:5].tolist() == joined.heads[-5:].tolist() == alone.heads.tolist()
    heads = joined.heads[5:-5].tolist()
    tree = Sentence.from_words(PLAIN * 3, heads=heads, deprels=["dep"] * len(heads))
    assert tree.problem() is None  # one root, no cycle
    start, root = 0, heads.index(0) + 1
    for end in cuts(long.forms, 7):
        inside = [head for head in heads[start:end] if start < head <= end]
        assert len(inside) == end - start - 1  # one word hangs from outside: the root, or what hangs from the root
        if start:
            outside = next(i for i in range(start, end) if not start < heads[i] <= end)
            assert heads[outside] == root and parser.labels[joined.labels[5 + outside]] == "parataxis"
            assert joined.arc_probability[5 + outside] == 0
        start = end
    assert joined.scores[1] == sum(trees.scores[1:-1]) and len(joined.scores) == 3
    assert {column: len(found) for column, found in joined.tags.items()} == dict.fromkeys(parser.columns, 49)


def test_a_very_long_sentence_is_parsed_under_a_budget() -> None:
    words = (PLAIN * (LONG_SENTENCE // len(PLAIN) + 1))[: LONG_SENTENCE + 1]
    document = Document.from_sentences([Sentence.from_words(words)])
    parsed = accord.load("en").parser.parse(document, seconds=0.1, status=True)
    assert parsed[0].problem() is None and parsed[0].forms == tuple(words)
    assert "# accord_status = budget" in parsed[0].comments
