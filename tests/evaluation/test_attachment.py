# SPDX-License-Identifier: Apache-2.0
"""Attachment scores and their breakdowns, counted by hand."""

from __future__ import annotations

import pytest

from accord.errors import ConfigError, FormatError
from accord.evaluation import attachment, by_distance, by_relation, by_sentence_length, label_confusion
from tests.evaluation.small_treebank import Sentence, sentence

GOLD = [
    sentence("It 3 nsubj:pass PRON", "was 3 aux:pass AUX", "seen 0 root VERB", "... 3 punct PUNCT"),
    sentence("No 0 root INTJ", "! 1 punct SYM"),
    sentence("? 0 root PUNCT"),
]
SYSTEM = [
    sentence("It 3 nsubj NOUN", "was 1 aux:pass AUX", "seen 0 root PUNCT", "... 2 punct PUNCT"),
    sentence("No 0 root INTJ", "! 1 discourse PUNCT"),
    sentence("? 0 root PUNCT"),
]


def test_all_words_with_full_labels() -> None:
    score = attachment(GOLD, SYSTEM)
    # heads right: It, seen, No, !, ?; labels right: was, seen, ..., No, ?; both: seen, No, ?
    assert (score.words, score.correct_heads, score.correct_labels, score.correct_arcs) == (7, 5, 5, 3)
    assert (score.sentences, score.unlabelled_matches, score.labelled_matches) == (3, 2, 1)
    assert score.uas == pytest.approx(500 / 7)
    assert score.las == pytest.approx(300 / 7)
    assert score.label_accuracy == pytest.approx(500 / 7)
    assert score.uem == pytest.approx(200 / 3)
    assert score.lem == pytest.approx(100 / 3)


def test_labels_without_subtypes() -> None:
    assert attachment(GOLD, SYSTEM, subtypes=False).correct_arcs == 4  # It as well


def test_punctuation_is_left_out_by_the_gold_tag() -> None:
    score = attachment(GOLD, SYSTEM, punctuation="exclude")
    # It, was, seen, No, ! remain, for ! is tagged SYM in gold; the last sentence has no scored word and no vote.
    assert (score.words, score.correct_heads, score.correct_arcs, score.sentences) == (5, 4, 2, 2)
    assert (score.unlabelled_matches, score.labelled_matches) == (1, 0)


def test_punctuation_is_left_out_by_its_characters() -> None:
    score = attachment(GOLD, SYSTEM, punctuation="exclude-by-form")
    assert (score.words, score.correct_heads, score.correct_arcs, score.sentences) == (4, 3, 2, 2)
    # "$" is a symbol, not punctuation; "—“" is made of punctuation only, "e.g." is not
    other = [sentence("$ 0 root", "—“ 1 punct", "e.g. 1 dep")]
    assert attachment(other, other, punctuation="exclude-by-form").words == 2


def test_nothing_scored_is_nothing_right() -> None:
    empty = attachment([], [])
    assert (empty.uas, empty.las, empty.uem, empty.words) == (0, 0, 0, 0)


def test_json_names_the_figures() -> None:
    names = ["UAS", "LAS", "label_accuracy", "UEM", "LEM", "words", "sentences"]
    assert list(attachment(GOLD, SYSTEM).to_json()) == names


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (SYSTEM[:2], "system: there is no sentence 3"),
        ([*SYSTEM, SYSTEM[0]], "gold: there is no sentence 4"),
        ([SYSTEM[1], *SYSTEM[1:]], "sentence 1: 2 words where gold has 4"),
        (
            [SYSTEM[0], sentence("Yes 0 root", "! 1 punct"), SYSTEM[2]],
            "sentence 2: word 1 is 'Yes' where gold has 'No'",
        ),
        ([SYSTEM[0], sentence("No 0 root", "! ? punct"), SYSTEM[2]], r"sentence 2: word 2 \('!'\) has no head"),
    ],
)
def test_documents_with_other_words_are_refused(system: list[Sentence], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        attachment(GOLD, system)


def test_an_unknown_convention_is_refused() -> None:
    with pytest.raises(ConfigError, match="expected one of: include, exclude, exclude-by-form"):
        attachment(GOLD, SYSTEM, punctuation="drop")  # type: ignore[arg-type]


def test_by_relation_counts_each_side_under_its_own_label() -> None:
    scores = by_relation(GOLD, SYSTEM)
    assert list(scores) == ["root", "punct", "aux:pass", "nsubj:pass", "discourse", "nsubj"]  # by gold count, then name
    found = {name: (score.correct, score.gold_total, score.system_total) for name, score in scores.items()}
    assert found["root"] == (3, 3, 3)
    assert found["punct"] == (0, 2, 1)
    assert found["nsubj:pass"] == (0, 1, 0)
    assert found["discourse"] == (0, 0, 1)
    assert by_relation(GOLD, SYSTEM, subtypes=False)["nsubj"].f1 == 100


def test_by_distance_counts_each_side_under_its_own_distance() -> None:
    gold = [sentence("a 0 root", "b 1 x", *("c 1 x" for _ in range(24)))]
    system = [sentence("a 2 x", "b 0 root", *("c 1 x" for _ in range(24)))]
    scores = by_distance(gold, system)
    assert list(scores) == ["root", "1", "2", "3", "4-6", "7-10", "11-20", "21+"]
    found = [(score.correct, score.gold_total, score.system_total) for score in scores.values()]
    # words 3..26 stand 2..25 steps from their head, and are right on both sides
    assert found == [(0, 1, 1), (0, 1, 1), *((n, n, n) for n in (1, 1, 3, 4, 10, 5))]


def test_by_sentence_length_adds_up_to_the_whole() -> None:
    classes = by_sentence_length(GOLD, SYSTEM, step=3)
    assert list(classes) == ["1-3", "4-6"]
    assert classes["1-3"].words == 3
    assert classes["1-3"] + classes["4-6"] == attachment(GOLD, SYSTEM)


def test_confusion_counts_pairs_of_labels() -> None:
    confusion = label_confusion(GOLD, SYSTEM)
    assert confusion["root", "root"] == 3
    assert confusion["nsubj:pass", "nsubj"] == 1
    assert confusion["punct", "discourse"] == 1
    assert confusion.total() == 7
