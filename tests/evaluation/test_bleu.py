# SPDX-License-Identifier: Apache-2.0
"""BLEU: figures counted by hand, figures recorded from sacrebleu 2.6, and equality with sacrebleu where installed."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from accord.errors import ConfigError
from accord.evaluation.bleu import Bleu, bleu_of_counts

REFERENCES = [
    ["The dog bit the man.", "The dog had bit the man."],
    ["It was not unexpected.", "No one was surprised."],
    ["The man bit him first (3,000.5 times) - in 1990-91.", "The man had bitten the dog."],
]
SYSTEMS = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him 3,000.5 times in 1990-91."]
RECORDED = {"13a": 47.76249494585395, "none": 37.60178775537548, "lower": 47.76249494585395}


def test_counted_by_hand() -> None:
    """System: a b c d. Reference: a b c e. Matches 3, 2, 1, 0 of 4, 3, 2, 1; the last counts as half a match."""
    score = Bleu().corpus([["a b c e"]], ["a b c d"])
    assert score.precisions == pytest.approx((75, 200 / 3, 50, 50))
    assert score.bleu == pytest.approx(100 * (3 / 4 * 2 / 3 * 1 / 2 * 1 / 2) ** 0.25)


def test_short_texts_are_punished_by_the_closest_reference() -> None:
    score = Bleu().corpus([["a b c d e f", "a b c d e f g h"]], ["a b c d"])
    assert score.reference_length == 6
    assert score.bleu == pytest.approx(100 * math.exp(1 - 6 / 4))
    assert Bleu().corpus([["a b c", "a b c d e"]], ["a b c d"]).reference_length == 3  # of a tie, the shorter


def test_recorded_figures() -> None:
    """As sacrebleu prints them for the same texts."""
    assert Bleu().corpus(REFERENCES, SYSTEMS).bleu == pytest.approx(RECORDED["13a"], abs=1e-9)
    assert Bleu("none").corpus(REFERENCES, SYSTEMS).bleu == pytest.approx(RECORDED["none"], abs=1e-9)
    assert Bleu(lowercase=True).corpus(REFERENCES, SYSTEMS).bleu == pytest.approx(RECORDED["lower"], abs=1e-9)


def test_splitting() -> None:
    assert Bleu().words('He paid $3,000.5 (in 1990-91), "OK".') == [
        *("He", "paid", "$", "3,000.5", "(", "in", "1990", "-", "91", ")", ",", '"', "OK", '"', ".")
    ]
    assert Bleu().words("AT&amp;T's e-mail") == ["AT", "&", "T's", "e-mail"]
    assert Bleu("none").words(" a.b  c ") == ["a.b", "c"]


def test_nothing_scores_nothing() -> None:
    assert Bleu().corpus([["a"]], [""]).bleu == 0
    assert Bleu().corpus([["a b c d e"]], ["x y z u v"]).bleu == 0
    assert Bleu().corpus([], []).bleu == 0
    with pytest.raises(ConfigError, match="at least one reference"):
        Bleu().corpus([[]], ["a"])
    with pytest.raises(ConfigError, match="2 texts for 1 sentences"):
        Bleu().corpus([["a"]], ["a", "b"])
    with pytest.raises(ConfigError, match="expected one of 13a"):
        Bleu("intl")  # type: ignore[arg-type]


def test_counts_of_texts_add_up() -> None:
    rows = Bleu().counts(REFERENCES, SYSTEMS)
    assert bleu_of_counts(np.asarray(rows[1:].sum(axis=0))) == Bleu().corpus(REFERENCES[1:], SYSTEMS[1:])


@pytest.mark.parametrize("splitting", ["13a", "none"])
@pytest.mark.parametrize("lowercase", [False, True])
def test_equal_to_sacrebleu(splitting: str, lowercase: bool) -> None:
    metrics = pytest.importorskip("sacrebleu.metrics")
    theirs = metrics.BLEU(tokenize=splitting, lowercase=lowercase)
    draw = random.Random(1)
    words = [
        "the",
        "The",
        "cat,",
        "sat.",
        "on",
        "3,000.5",
        "U.S.",
        "1990-91",
        "naïve",
        "(mat)",
        "&quot;",
        "don't",
        "e-mail",
        "$5",
        "..",
        ",5",
        "5,",
    ]

    def text() -> str:
        return " ".join(draw.choices(words, k=draw.randint(1, 12)))

    for _ in range(100):
        many, each = draw.randint(1, 4), draw.randint(1, 3)
        references = [[text() for _ in range(each)] for _ in range(many)]
        systems = [text() for _ in range(many)]
        streams = [[written[k] for written in references] for k in range(each)]
        expected = theirs.corpus_score(systems, streams)
        found = Bleu(splitting, lowercase).corpus(references, systems)  # type: ignore[arg-type]
        assert found.bleu == pytest.approx(expected.score)
        assert found.precisions == pytest.approx(expected.precisions)
        assert (found.system_length, found.reference_length) == (expected.sys_len, expected.ref_len)
