# SPDX-License-Identifier: Apache-2.0
"""Summaries keep their budgets, say where they come from, and survive strange input."""

from __future__ import annotations

import random
from typing import Any

import pytest

import accord
from accord.errors import ConfigError
from accord.inference.coverage import METHODS
from accord.tasks.summarizer import Source, Summarizer, SummarizerConfig
from accord.tasks.summarizer.concepts import count_concepts, find_concepts
from accord.tasks.summarizer.sources import SourceSentence, source_of_text
from accord.tasks.tokenizer import Tokenizer

REVIEWS = [
    "The battery life is great. The screen is small and dark. I bought it in May.",
    "I love the battery life of this phone. Shipping was slow.",
    "The battery life is great, but the screen is small. My cat sat on the box.",
    "Great battery life! The camera, however, takes blurred pictures at night.",
]


@pytest.fixture(scope="module")
def summarizer() -> Summarizer:
    found: Summarizer = accord.Summarizer()
    return found


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("budget", [{"words": 12}, {"words": 0, "characters": 60}, {"words": 0, "sentences": 2}])
def test_budgets_are_kept_by_every_method(summarizer: Summarizer, method: str, budget: dict[str, int]) -> None:
    summary = summarizer(REVIEWS, method=method, **budget)
    assert summary.sentences and summary.value <= summary.bound
    assert not budget["words"] or max(summary.words, len(summary.text.split())) <= budget["words"]
    assert len(summary.text) <= budget.get("characters", 10**6)
    assert len(summary.sentences) <= budget.get("sentences", 10**6)


def test_several_budgets_hold_together(summarizer: Summarizer) -> None:
    summary = summarizer(REVIEWS, words=20, characters=70, sentences=2)
    assert summary.words <= 20 and len(summary.text) <= 70 and len(summary.sentences) <= 2


def test_every_sentence_stands_where_it_says(summarizer: Summarizer) -> None:
    found = summarizer(REVIEWS, words=30).to_json()
    names = [one["file"] for one in found["sentences"]]
    assert names == sorted(names), "the order of the sources"
    for one in found["sentences"]:
        text = REVIEWS[int(one["file"].strip("<>").split()[1]) - 1]
        assert text[one["begin"] : one["end"]] == one["text"]
    assert any(concept["text"] == "battery life" for one in found["sentences"] for concept in one["concepts"])
    assert found["text"] == " ".join(one["text"] for one in found["sentences"])


PLAIN = dict.fromkeys(("relevance", "personal", "statement", "sentence_cost"), 0.0)


def test_without_style_the_value_is_the_worth_of_the_concepts_covered(summarizer: Summarizer) -> None:
    summary = summarizer(REVIEWS, words=25, **PLAIN)
    covered = {concept.text: concept.weight for one in summary.sentences for concept in one.concepts}
    assert summary.value == pytest.approx(sum(covered.values()))


def test_a_query_turns_the_summary(summarizer: Summarizer) -> None:
    assert "Shipping" not in summarizer(REVIEWS, words=8).text
    assert "camera" in summarizer(REVIEWS, words=10, query="camera pictures").text


@pytest.mark.parametrize("query", ["cat", "Cats?", "the cat's place", "(cat)"])
def test_words_of_a_query_are_found_beside_marks_and_where_they_are_rare(summarizer: Summarizer, query: str) -> None:
    found = summarizer(REVIEWS, words=8, query=query)
    assert "My cat" in found.text and not found.note


@pytest.mark.parametrize("word", ["noise", "noises", "houses", "house's", "buses", "agreed"])
def test_words_whose_stems_have_shorter_stems_are_found(summarizer: Summarizer, word: str) -> None:
    texts = ["The plan was new. The plan was good.", f"The plan was new. Many people spoke of the {word} there."]
    found = summarizer(texts, words=8, query=word)
    assert word in found.text and not found.note


def test_a_query_that_the_texts_do_not_know_changes_nothing_and_is_told(summarizer: Summarizer) -> None:
    plain = summarizer(REVIEWS, words=8)
    for query in ("zebra", "of the", "?!"):
        found = summarizer(REVIEWS, words=8, query=query)
        assert found.text == plain.text and "no word of the query" in found.note
    assert not summarizer("", query="zebra").note and not summarizer(REVIEWS, words=8, query=" ").note


def test_the_name_of_what_all_texts_are_about_is_a_query_in_any_language() -> None:
    chinese = accord.Summarizer(None, Tokenizer.load("zh"))
    texts = ["北京很大。北京的公园很多。我们去了北京的一个公园。北京的冬天很冷。上海的夏天很热。"]
    found = chinese(texts, characters=30, query="北京")
    assert "北京" in found.text and not found.note and "  " not in found.text


def test_an_update_leaves_out_what_is_known(summarizer: Summarizer) -> None:
    summary = summarizer(REVIEWS, words=10, earlier=["The battery life is great. The screen is small."])
    assert summary.sentences and "battery life is great" not in summary.text


def test_what_authors_tell_of_themselves_is_left_out(summarizer: Summarizer) -> None:
    text = "I took the train to the coast on a cold day. The train to the coast is slow on a cold day."
    assert summarizer(text, words=13).text.startswith("The train")
    assert summarizer(text, words=13, personal=0.0, statement=0.0, relevance=0.0).text.startswith("I took")


def test_a_diary_is_summarised_like_any_other_text(summarizer: Summarizer) -> None:
    days = ["I got up at seven and I made my bed.", "I went to my office and I met my boss.", "I had my lunch at noon."]
    assert summarizer(" ".join(days), words=20).words > 10
    assert summarizer("Me. I. We.", words=5).words > 0


def test_sentences_that_are_too_short_stay_out_whatever_they_state(summarizer: Summarizer) -> None:
    text = "It is. It is so. The new phone of the firm has a large screen and a good battery. They are."
    assert summarizer([text] * 3, words=40, statement=100.0).text.startswith("The new")


def test_equal_tokens_and_concepts_are_one_object() -> None:
    source = source_of_text("The cat saw the cat. The cat saw The cat.", Summarizer().tokenizer)
    tokens = [token for sentence in source.sentences for token in sentence.tokens]
    assert len({id(token) for token in tokens}) == len(set(tokens))
    keys = [key for found in count_concepts([source], frozenset()).keys for key, *_ in found]
    assert len({id(key) for key in keys}) == len(set(keys)) < len(keys)


def test_concepts_are_words_and_pairs_without_punctuation() -> None:
    sentence = SourceSentence("", ("The", "cats", ",", "dogs", "of", "the", "king", "barking"))
    found = find_concepts([Source("a", (sentence,))], SummarizerConfig(stop_words="en"))
    assert {concept.text for concept in found.concepts} == {
        *("the", "cats", "dogs", "of", "king", "barking"),
        *("the cats", "dogs of", "of the", "the king", "king barking"),
    }
    worth = {concept.text: concept.weight for concept in found.concepts}
    assert worth["king"] > worth["of"] > 0, "stop words decide only between what says the same"
    assert worth["dogs of"] > worth["of the"] > 0


def test_another_language_needs_no_list(summarizer: Summarizer) -> None:
    text = "Der Akku hält lange. Der Bildschirm ist klein. Der Akku hält sehr lange. Die Kamera ist gut. Der Preis."
    summary = summarizer([text, "Der Akku hält lange und die Kamera ist gut.", text], words=10)
    assert "Akku" in summary.text and summary.words <= 10


@pytest.mark.parametrize("texts", ["", [], ["", " \n\t"], "...", ["!", "?"]])
def test_nothing_to_say_is_an_empty_summary(summarizer: Summarizer, texts: Any) -> None:
    summary = summarizer(texts)
    assert summary.text == "" and summary.value == 0 and summary.status == "optimal"


def test_a_sentence_longer_than_the_budget_is_left_out(summarizer: Summarizer) -> None:
    assert summarizer("This one sentence is longer than the budget allows.", words=3).text == ""


def test_short_sentences_are_taken_where_all_others_are_too_long(summarizer: Summarizer) -> None:
    long = "word " * 40 + "."
    assert summarizer([long, "The battery life is great. The screen is small."], words=12).words == 9


def test_a_repeated_document_is_summarised_once(summarizer: Summarizer) -> None:
    summary = summarizer([REVIEWS[0]] * 5, words=100)
    texts = [one.text for one in summary.sentences]
    assert len(texts) == len(set(texts)) == 3


def test_a_sentence_of_a_hundred_thousand_words(summarizer: Summarizer) -> None:
    draw = random.Random(0)
    text = " ".join(draw.choice(("rain", "sun", "wind", "cloud")) for _ in range(100_000))
    for compress in (False, True):
        summary = summarizer([text, REVIEWS[0]], words=20, compress=compress)
        assert 0 < summary.words <= 20


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"words": 0}, "needs a budget"),
        ({"words": -1}, "words = -1"),
        ({"method": "magic"}, "expected one of search"),
        ({"length": 3}, "not all of length"),
    ],
)
def test_wrong_settings_are_one_message(summarizer: Summarizer, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        summarizer(REVIEWS, **settings)


def test_bytes_are_no_text(summarizer: Summarizer) -> None:
    with pytest.raises(ConfigError, match="expected a string"):
        summarizer([b"text"])  # type: ignore[list-item]


def test_parsed_documents_are_texts_whose_trees_are_used(summarizer: Summarizer) -> None:
    text = "Storm kills twelve\n\nOn Monday, the storm killed twelve people in Florida. It moved north after two days."
    document = accord.load("en")(text)
    for texts in (document, [document], (one for one in [document])):
        found = summarizer(texts, words=10, compress=True)
        assert found.text == summarizer(text, words=10, compress=True).text
        assert [one.heading for one in found.sources[0].sentences] == [True, False, False]
        assert found.sources[0].sentences[1].parsed is not None


@pytest.mark.parametrize("wrong", [None, 5, b"text", {"text": "A cat."}, ["A cat.", None], [["A cat."]]])
def test_what_is_no_text_is_refused_by_its_kind(summarizer: Summarizer, wrong: Any) -> None:
    with pytest.raises(ConfigError, match=r"expected (texts|a string) to summarise, not"):
        summarizer(wrong, words=10)
    with pytest.raises(ConfigError, match="compress = 'no': expected bool"):
        summarizer("A cat sat.", compress="no")
