# SPDX-License-Identifier: Apache-2.0
"""The packaged English model on ordinary typography: sentences, words and lemmas of typography.txt."""

from __future__ import annotations

import accord
from tests.models.typography import read, wrong


def test_the_file_has_texts_and_words() -> None:
    sentences = [one for paragraph in read() for one in paragraph]
    assert len(sentences) > 290
    assert sentences[0].text == "They’re coming home tomorrow."
    assert sentences[0].words == ("They", "’re", "coming", "home", "tomorrow", ".")


def test_nearly_all_sentences_and_words_are_found() -> None:
    missed, different, total = wrong(accord.load("en"))
    assert len(missed) <= 0.05 * total, [one.text for one in missed]
    assert len(different) <= 5, [found[1:] for found in different]
