# SPDX-License-Identifier: Apache-2.0
"""Stems: Porter's own examples, and equality with the stemmer of rouge-score where it is installed."""

from __future__ import annotations

import random

import pytest

from accord.data.stems import stem

_LIST = """caresses caress ponies poni ties tie caress caress cats cat feed feed agreed agre plastered plaster bled bled
motoring motor sing sing conflated conflat troubled troubl sized size hopping hop tanned tan falling fall
hissing hiss fizzed fizz failing fail filing file happy happi enjoy enjoy relational relat conditional condit
rational ration digitizer digit radically radic operator oper feudalism feudal decisiveness decis hopefulness
hope formality formal sensibility sensibl triplicate triplic formative form electrical electr goodness good
revival reviv allowance allow inference infer adoption adopt effective effect probate probat rate rate cease
ceas controlling control roll roll dying die news news apology apolog"""
EXAMPLES = _LIST.split()


@pytest.mark.parametrize(("word", "expected"), list(zip(EXAMPLES[::2], EXAMPLES[1::2], strict=True)))
def test_examples(word: str, expected: str) -> None:
    assert stem(word) == expected == stem(word.upper())


def test_equal_to_the_stemmer_of_rouge_score() -> None:
    porter = pytest.importorskip("nltk.stem.porter").PorterStemmer()
    text = " s es ies ed ied eed ing ational ly y fully ization ogi ll e"
    endings = text.split(" ")
    draw = random.Random(3)
    for _ in range(5000):
        word = "".join(draw.choices("aeioybcltsz", k=draw.randint(0, 6))) + draw.choice(endings) + draw.choice(endings)
        assert stem(word) == porter.stem(word), word


def test_long_and_strange_words() -> None:
    assert stem("y" * 10_000) and stem("") == "" and stem("ıİß") and stem("读书") == "读书"
