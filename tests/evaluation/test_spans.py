# SPDX-License-Identifier: Apache-2.0
"""Spans: made by hand, and against a line-by-line reading in the manner of the script conlleval."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import FormatError
from accord.evaluation import LabelledSpan, Score, evaluate_spans, spans_of_labels


def triples(labels: list[str], lengths: list[int] | None = None) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.type) for span in spans_of_labels(labels, lengths)]


@pytest.mark.parametrize(
    ("scheme", "labels"),
    [
        ("IOB1", "I-X I-X B-X O I-Y I-X"),
        ("IOB2", "B-X I-X B-X O B-Y B-X"),
        ("IOE", "I-X E-X E-X O E-Y E-X"),
        ("BIOES", "B-X E-X S-X O S-Y S-X"),
        ("BMES", "B-X E-X S-X O S-Y S-X"),
        ("BMEWO", "B-X E-X W-X O W-Y W-X"),
        ("BILOU", "B-X L-X U-X O U-Y U-X"),
    ],
)
def test_one_rule_reads_every_scheme(scheme: str, labels: str) -> None:
    assert triples(labels.split()) == [(0, 2, "X"), (2, 3, "X"), (4, 5, "Y"), (5, 6, "X")]


def test_longer_spans_and_types_with_dashes() -> None:
    assert triples(["B-a-b", "I-a-b", "I-a-b", "O"]) == [(0, 3, "a-b")]
    assert triples(["B-X", "M-X", "M-X", "E-X", "S-X"]) == [(0, 4, "X"), (4, 5, "X")]
    assert triples(["B", "M", "E", "S", "O"]) == [(0, 3, ""), (3, 4, "")]


def test_inconsistent_labels_have_a_meaning() -> None:
    assert triples(["O", "I-X", "I-Y"]) == [(1, 2, "X"), (2, 3, "Y")]
    assert triples(["B-X", "B-X", "I-Y"]) == [(0, 1, "X"), (1, 2, "X"), (2, 3, "Y")]
    assert triples(["E-X", "I-X", "S-X", "I-X"]) == [(0, 1, "X"), (1, 2, "X"), (2, 3, "X"), (3, 4, "X")]


def test_spans_do_not_cross_sentences() -> None:
    assert triples(["B-X", "I-X", "I-X"], [1, 2]) == [(0, 1, "X"), (1, 3, "X")]
    assert triples(["B-X", "I-X", "I-X"], [0, 3, 0]) == [(0, 3, "X")]
    assert spans_of_labels([]) == []


def test_scores_by_hand() -> None:
    gold = ["B-LOC", "I-LOC", "O", "B-PER", "O", "B-ORG"]
    system = ["B-LOC", "I-LOC", "O", "B-ORG", "O", "O"]
    result = evaluate_spans(gold, system)
    assert result.spans == Score(1, 3, 2)
    assert result.by_type == {"LOC": Score(1, 1, 1), "ORG": Score(0, 1, 1), "PER": Score(0, 1, 0)}
    assert (result.words, result.correct_words) == (6, 4)
    assert result.to_json()["accuracy"] == pytest.approx(66.6667, abs=1e-3)


def test_an_answer_without_spans_scores_zero() -> None:
    assert evaluate_spans(["O"], ["O"]).spans.f1 == 0
    assert evaluate_spans(["O"], ["O"]).accuracy == 100
    assert "all" in evaluate_spans(["O"], ["O"]).table()


def test_wrong_input_is_refused() -> None:
    with pytest.raises(FormatError, match="1 labels where gold has 2"):
        evaluate_spans(["O", "O"], ["O"])
    with pytest.raises(FormatError, match="word 2: label 'NOUN' is neither O"):
        spans_of_labels(["O", "NOUN"])
    with pytest.raises(FormatError, match="word 1: label 'O-X'"):
        spans_of_labels(["O-X"])
    with pytest.raises(FormatError, match="2 labels for sentences of 3 words"):
        spans_of_labels(["O", "O"], [3])


def conlleval(gold: list[list[str]], system: list[list[str]]) -> tuple[int, int, int, int]:
    """Right, gold and found chunks and right labels: both files read together, line by line.

    The script knows B, I, O and E without B; the pairs with S, and E before B, go on in its manner.
    """

    def ends(tag: str, kind: str, next_tag: str, next_kind: str) -> bool:
        pairs = {"BB", "BO", "IB", "IO", "EE", "EI", "EO", "EB", "BS", "IS", "ES", "SB", "SI", "SE", "SS", "SO"}
        return tag + next_tag in pairs or (tag != "O" and kind != next_kind)

    def starts(tag: str, kind: str, next_tag: str, next_kind: str) -> bool:
        pairs = {"BB", "IB", "OB", "OI", "EE", "EI", "EB", "OE", "SB", "SI", "SE", "SS", "OS", "BS", "IS", "ES"}
        return tag + next_tag in pairs or (next_tag != "O" and kind != next_kind)

    right = gold_chunks = found = right_labels = 0
    inside = False
    gold_before = system_before = ("O", "")
    for gold_labels, system_labels in zip(gold, system, strict=True):
        for a, b in [*zip(gold_labels, system_labels, strict=True), ("O", "O")]:
            gold_now, system_now = ((label.partition("-")[0], label.partition("-")[2]) for label in (a, b))
            gold_ends, system_ends = ends(*gold_before, *gold_now), ends(*system_before, *system_now)
            if inside:
                if gold_ends and system_ends and gold_before[1] == system_before[1]:
                    inside = False
                    right += 1
                elif gold_ends != system_ends or gold_now[1] != system_now[1]:
                    inside = False
            gold_starts, system_starts = starts(*gold_before, *gold_now), starts(*system_before, *system_now)
            if gold_starts and system_starts and gold_now[1] == system_now[1]:
                inside = True
            gold_chunks += gold_starts
            found += system_starts
            gold_before, system_before = gold_now, system_now
        right_labels += sum(a == b for a, b in zip(gold_labels, system_labels, strict=True))
    return right, gold_chunks, found, right_labels


iob = st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"])
bioes = st.sampled_from(["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y", "S-Y"])


@given(st.sampled_from([iob, bioes]).flatmap(lambda label: st.lists(st.lists(st.tuples(label, label), max_size=7))))
def test_counts_are_those_of_the_script(pairs: list[list[tuple[str, str]]]) -> None:
    gold = [[a for a, _ in sentence] for sentence in pairs]
    system = [[b for _, b in sentence] for sentence in pairs]
    flat = [pair for sentence in pairs for pair in sentence]
    result = evaluate_spans([a for a, _ in flat], [b for _, b in flat], [len(sentence) for sentence in pairs])
    counts = (result.spans.correct, result.spans.gold_total, result.spans.system_total, result.correct_words)
    assert counts == conlleval(gold, system)
    assert sum((score for score in result.by_type.values()), Score(0, 0, 0)) == result.spans


@given(st.lists(iob, max_size=12))
def test_a_span_is_ordered_and_labelled(labels: list[str]) -> None:
    found = spans_of_labels(labels)
    assert found == sorted(found)
    covered = [position for span in found for position in range(span.start, span.end)]
    assert covered == [position for position, label in enumerate(labels) if label != "O"]
    assert all({label[2:] for label in labels[span.start : span.end]} == {span.type} for span in found)
    assert all(isinstance(span, LabelledSpan) for span in found)
