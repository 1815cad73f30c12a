# SPDX-License-Identifier: Apache-2.0
"""What belongs together when rules of English shorten a sentence, and how long compressions without a budget are."""

from __future__ import annotations

import pytest

from accord.tasks.compressor import Compressor
from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.english.bonds import bonds_of, places_of
from accord.tasks.compressor.english.turning import without_label

# word / tag / word class / head / label
CROWD = "More/JJR/ADJ/3/advmod than/IN/ADP/1/fixed 40,000/CD/NUM/4/nummod homes/NNS/NOUN/5/nsubj burnt/VBD/VERB/0/root"
LAKE = (
    "The/DT/DET/2/det lake/NN/NOUN/0/root in/IN/ADP/4/case which/WDT/PRON/6/obl he/PRP/PRON/6/nsubj "
    "swam/VBD/VERB/2/acl:relcl often/RB/ADV/6/advmod"
)
TRAINS = (
    "Trains/NNS/NOUN/7/nsubj between/IN/ADP/3/case Galway/NNP/PROPN/1/nmod and/CC/CCONJ/5/cc Athlone/NNP/PROPN/3/conj "
    "soon/RB/ADV/7/advmod run/VBP/VERB/0/root ,/,/PUNCT/9/punct again/RB/ADV/7/advmod"
)
MINISTER = "His/PRP$/PRON/3/nmod:poss former/JJ/ADJ/3/amod minister/NN/NOUN/4/nsubj slept/VBD/VERB/0/root"


def analysis(rows: str) -> Analysis:
    forms, xpos, upos, heads, labels = zip(*(row.split("/") for row in rows.split()), strict=True)
    return Analysis(forms, upos, xpos, tuple(map(int, heads)), labels)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (CROWD, ["More"]),
        (LAKE, ["which"]),
        (TRAINS, ["between", "and", "Athlone", ","]),
        (MINISTER, ["His", "former"]),
    ],
)
def test_words_that_the_rest_needs_are_bound(rows: str, words: list[str]) -> None:
    found = analysis(rows)
    assert [found.forms[word] for word in sorted(bonds_of(found))] == words


def test_a_verb_without_an_object_keeps_what_stands_behind_it() -> None:
    rows = "He/PRP/PRON/2/nsubj {} near/IN/ADP/5/case the/DT/DET/5/det lake/NN/NOUN/2/obl"
    assert places_of(analysis(rows.format("lived/VBD/VERB/0/root"))) == {4}
    assert places_of(analysis(rows.format("slept/VBD/VERB/0/root today/NN/NOUN/2/obl").replace("/5/", "/6/"))) == {2}
    assert not places_of(analysis(rows.format("it/PRP/PRON/0/root")))
    object_ = "He/PRP/PRON/2/nsubj saw/VBD/VERB/0/root near/IN/ADP/4/case lakes/NNS/NOUN/2/obl ducks/NNS/NOUN/2/obj"
    assert not places_of(analysis(object_))


@pytest.fixture(scope="module")
def compressor() -> Compressor:
    return Compressor()


@pytest.mark.parametrize(
    ("source", "rate", "text"),
    [
        ("Two people were hurt when a tree fell on their car.", 0.8, "Two people were hurt when a tree fell."),
        ("More than 40,000 homes in the north had no power.", 0.75, "More than 40,000 homes had no power."),
        ("The old lake in which he often swam is dry now.", 0.8, "The old lake in which he swam is dry."),
        ("The firm, a maker of ink, has closed.", 0.6, "The firm has closed."),
    ],
)
def test_what_is_left_is_a_sentence_that_says_the_same(
    compressor: Compressor, source: str, rate: float, text: str
) -> None:
    assert compressor(source, rate=rate).text == text


def test_without_a_budget_short_sentences_stay_and_long_ones_lose_asides(compressor: Compressor) -> None:
    short = "Schools in Clare will stay closed on Monday."
    long = (
        "The prime minister, who had arrived from Brussels only a few hours before, visited Salthill, where the "
        "promenade was badly damaged, and promised quick help for families whose houses were flooded by the sea."
    )
    found = compressor(f"{short} {long}")
    assert found.sentences[0].text == short
    assert found.sentences[1].words < 0.6 * len(found.sentences[1].kept)
    assert found.sentences[1].text.startswith("The prime minister visited Salthill")
    assert found.sentences[1].status == "optimal" and found.sentences[1].bound == found.sentences[1].score


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Ben: Rubber buttons are fine and the case can be plastic.", "buttons are fine"),
        ("Note: the shop is closed on Monday because of repairs.", "the shop is closed"),
        ("Okay, so we need to decide on the budget, officials said.", "we need to decide"),
    ],
)
def test_what_is_said_stays_rather_than_who_says_it(compressor: Compressor, source: str, text: str) -> None:
    for found in (compressor(source), compressor(source, rate=0.6)):
        assert text in found.text.lower()


def test_a_label_hangs_on_what_follows_its_colon() -> None:
    rows = "Ben/NNP/PROPN/0/root :/:/PUNCT/4/punct We/PRP/PRON/4/nsubj won/VBD/VERB/1/appos ././PUNCT/1/punct"
    turned = without_label(analysis(rows))
    assert turned.heads == (4, 1, 4, 0, 4) and turned.deprels == ("vocative", "punct", "nsubj", "root", "punct")
    verb = analysis(rows.replace("NNP/PROPN", "VB/VERB"))
    assert without_label(verb) == verb
