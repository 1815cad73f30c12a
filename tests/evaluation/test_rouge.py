# SPDX-License-Identifier: Apache-2.0
"""ROUGE: figures counted by hand, and equality with rouge-score where it is installed."""

from __future__ import annotations

import random

import pytest

from accord.errors import ConfigError
from accord.evaluation.rouge import Rouge, RougeScore

REFERENCE = "The police killed the gunman."


def test_counted_by_hand() -> None:
    """Reference: the police killed the gunman. System: the gunman killed police."""
    scores = Rouge().score([REFERENCE], "the gunman killed police")
    assert scores["rouge1"] == RougeScore(4 / 4, 4 / 5)
    assert scores["rouge2"] == RougeScore(1 / 3, 1 / 4)  # the gunman
    assert scores["rougeL"] == RougeScore(2 / 4, 2 / 5)  # the ... gunman, or the ... killed
    # Pairs of the reference: 10, of which the system's 6 have: the gunman, the killed, the police; words: 4.
    assert scores["rougeSU4"] == RougeScore(7 / 10, 7 / 15)


def test_pairs_skip_at_most_four_words() -> None:
    assert Rouge().score(["a b c d e f"], "a f")["rougeSU4"].precision == 1
    assert Rouge().score(["a b c d e f g"], "a g")["rougeSU4"].precision == pytest.approx(2 / 3)


def test_stems_and_stop_words() -> None:
    assert Rouge().score(["he was running"], "he runs")["rouge1"].precision == 1 / 2
    assert Rouge(stems=True).score(["he was running"], "he runs")["rouge1"].precision == 1
    assert Rouge(stop_words=frozenset({"he"})).score(["he ran"], "he sat")["rouge1"].f1 == 0


def test_several_references() -> None:
    references = ["a b", "a c", "d"]
    best, mean, jackknife = (
        Rouge(combine=how).score(references, "a b")["rouge1"].recall for how in ("best", "mean", "jackknife")
    )
    assert best == 1 and mean == pytest.approx(0.5) and jackknife == pytest.approx((1 + 1 + 0.5) / 3)


def test_nothing_scores_nothing() -> None:
    assert all(score.f1 == 0 for score in Rouge().score([REFERENCE], "").values())
    assert all(score.f1 == 0 for score in Rouge().score([""], REFERENCE).values())
    with pytest.raises(ConfigError, match="at least one reference"):
        Rouge().score([], "a")
    with pytest.raises(ConfigError, match="2 summaries for 1 topics"):
        Rouge().corpus([["a"]], ["a", "b"])
    with pytest.raises(ConfigError, match="expected one of best"):
        Rouge(combine="worst")  # type: ignore[arg-type]


def test_other_scripts() -> None:
    assert Rouge().score(["读书好"], "读书")["rouge1"].f1 == 0
    assert Rouge(unicode=True).score(["读书好"], "读书")["rouge1"] == RougeScore(1.0, 2 / 3)
    assert Rouge(unicode=True).score(["Смешарики поют"], "поют смешарики")["rouge1"].f1 == 1


@pytest.mark.parametrize("stems", [False, True])
def test_equal_to_rouge_score(stems: bool) -> None:
    scorer = pytest.importorskip("rouge_score.rouge_scorer")
    theirs = scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=stems)
    draw = random.Random(1)
    text = "the The cats cat's sitting sat on mats, mat 3,000 U.S. über — naïve relational flies dying"
    words = text.split()
    for _ in range(300):
        references = [" ".join(draw.choices(words, k=draw.randint(1, 12))) for _ in range(draw.randint(1, 3))]
        system = " ".join(draw.choices(words, k=draw.randint(0, 12)))
        ours = Rouge(stems=stems).score(references, system)
        for name, score in theirs.score_multi(references, system).items():
            assert ours[name].f1 == pytest.approx(score.fmeasure), name
            if len(references) == 1:
                assert (ours[name].precision, ours[name].recall) == pytest.approx((score.precision, score.recall))
