# SPDX-License-Identifier: Apache-2.0
"""Sentences that are shortened: what may be cut, how the rest is written, and that budgets hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data import Document
from accord.inference.coverage import METHODS
from accord.tasks.summarizer import Source, Summarizer
from accord.tasks.summarizer.cutting import Pieces, pieces_of, stretches_of
from accord.tasks.summarizer.mending import mended
from accord.tasks.summarizer.problems import _characters_of, words_of
from accord.tasks.summarizer.sources import SourceSentence, sources_of_treebank

NEWS = [
    "The storm, which killed at least twelve people in Florida, moved north on Tuesday, officials said. "
    "Schools in the region stayed closed because the roads were under water.",
    "On Monday, the storm killed twelve people in Florida. According to officials, it moved north after two days.",
    "Twelve people died in the storm. The roads near the coast were not safe on Tuesday, the governor said.",
]


@pytest.fixture(scope="module")
def summarizer() -> Summarizer:
    found: Summarizer = accord.Summarizer()
    return found


def kept(text: str, words: str) -> str:
    """What is written when only these words are kept, in their order."""
    at, stretches = 0, []
    for word in words.split():
        begin = text.index(word, at)
        at = begin + len(word)
        stretches.append((begin, at))
    return mended(text, stretches)


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("On Friday, he left .", "he left .", "He left ."),
        ("On Friday, he left.", "he left", "He left."),
        ("The plan, which failed, was bold.", "The plan , was bold .", "The plan was bold."),
        ("He said (in May) that it works!", "He said ( that it works", "He said that it works!"),
        ('"We won," he said.', '" We won he said .', "We won he said."),
        ("eBay, say reports, grew.", "eBay , grew .", "eBay grew."),
        ("In May iPhones sold well.", "iPhones sold well .", "iPhones sold well."),
        ("Red, green, blue, and black.", "Red , , and black .", "Red, and black."),
        ('He said, "We will win in May."', 'He said , " We will win . "', 'He said, "We will win."'),
        ("No stop at the end", "No stop", "No stop"),
        ("Nothing is left.", ".", ""),
        ("他在北京工作。", "他 工作", "他工作。"),
        ("GALWAY (Reuters) - Homes lost power.", "GALWAY - Homes lost power", "GALWAY - Homes lost power."),
    ],
)
def test_what_is_left_reads_like_a_sentence(text: str, words: str, expected: str) -> None:
    assert kept(text, words) == expected


@given(st.text(alphabet="aB ,.;()\"'“”!?1-", max_size=30), st.data())
def test_mending_never_fails_and_adds_no_more_than_a_stop(text: str, data: st.DataObject) -> None:
    places = sorted(data.draw(st.sets(st.integers(0, max(0, len(text) - 1)), max_size=10)) if text else [])
    stretches = [(place, place + 1) for place in places if text[place] != " "]
    found = mended(text, stretches)
    letters = [text[begin] for begin, _ in stretches if text[begin].isalnum()]
    assert [one.lower() for one in found if one.isalnum()] == [one.lower() for one in letters]
    assert len(found.split()) <= len(letters) + sum(text[begin] not in letters for begin, _ in stretches)


TOKENISED = [
    "The storm , which killed twelve , moved -north ( on Tuesday ) , officials said .",
    'The|re| were| n\'t "any" |roads|,| they| said|.',
    "我|昨天|去|了|北京|大学|，|天气|很|好|。",
    "我|用|iPhone|（|手机|）|,|很|好|！",
    "No| stop|at|the end",
    "It| is| in| the| U.S.",
    '"|We| won|,|"| he| said|."',
]


@settings(max_examples=500, deadline=None)
@given(which=st.integers(0, len(TOKENISED) - 1), kept_tokens=st.sets(st.integers(0, 12)))
def test_what_is_left_of_a_sentence_costs_no_more_than_its_pieces(which: int, kept_tokens: set[int]) -> None:
    """Characters with the blank after the sentence, and words; every token is a piece here, and the first one stays."""
    tokens = [token.strip() for token in TOKENISED[which].replace(" ", " |").split("|") if token.strip()]
    text = TOKENISED[which].replace("|", "")
    stretches = stretches_of(text, tokens)
    assert stretches is not None
    pieces = Pieces(stretches, tuple(range(len(tokens))), (-1,) + (0,) * (len(tokens) - 1))
    sentence = SourceSentence(text, tuple(tokens), pieces=pieces)
    chosen = sorted({0} | {token for token in kept_tokens if token < len(tokens)})
    found = mended(text, [stretches[token] for token in chosen])
    assert len(found) + 1 <= sum(_characters_of(sentence)[token] for token in chosen)
    assert len(found.split()) <= sum(words_of(sentence)[token] for token in chosen)


def test_a_chinese_sentence_that_fits_is_kept_whole() -> None:
    """Its words have no blanks between them, which would cost characters."""
    zh = accord.load("zh")
    summarizer = Summarizer(tokenizer=accord.Tokenizer.load("zh"), parser=zh)
    text = "我昨天去了北京大学。天气很好。我们吃了饭。"
    assert summarizer(text, words=0, characters=10, compress=True).text == "我昨天去了北京大学。"


def parsed(text: str) -> Document:
    return accord.load("en")(text)


def test_words_go_with_their_heads_and_negations_stay() -> None:
    sentence = parsed("The plan that was not tested failed in May after a long debate about costs.").sentences[0]
    pieces = pieces_of(sentence)
    assert pieces is not None and pieces.parents[0] == -1
    assert all(parent < piece for piece, parent in enumerate(pieces.parents))
    tokens = [token.form for token in sentence.tokens]
    base = [token for token, piece in zip(tokens, pieces.piece_of, strict=True) if piece == 0]
    assert {"plan", "failed"} <= set(base) and "not" in base
    assert "May" not in base and "debate" not in base


def test_cuts_that_need_not_be_safe_hold_all_safe_ones() -> None:
    text = "The man seen yesterday, a friend of Ana, did not go to Rome. It was cold there, officials said on Monday."
    for sentence in (*parsed(text).sentences, *parsed(" ".join(NEWS)).sentences):
        safe, free = pieces_of(sentence), pieces_of(sentence, safe=False)
        assert safe is not None and free is not None
        joined = {(one, other) for one, other in zip(free.piece_of, safe.piece_of, strict=True)}
        assert len(joined) == len(free.parents) >= len(safe.parents)  # each free piece is in one safe piece
    words = (("The", 2, "det"), ("man", 4, "nsubj"), ("seen", 2, "acl"), ("slept", 0, "root"))
    rows = [f"{k}\t{form}\t_\t_\t_\t_\t{head}\t{label}\t_\t_" for k, (form, head, label) in enumerate(words, start=1)]
    made = Document.from_conllu("\n".join(rows) + "\n\n").sentences[0]
    safe, free = pieces_of(made), pieces_of(made, safe=False)
    assert safe is None or safe.piece_of == (0, 0, 0, 0)
    assert free is not None and free.piece_of == (0, 0, 1, 0)


def test_more_may_be_cut_where_cuts_need_not_be_safe(summarizer: Summarizer) -> None:
    safe, free = (summarizer(NEWS, compress=True, method="ilp", words=12, safe_cuts=one) for one in (True, False))
    assert safe.status == free.status == "optimal"
    assert free.value >= safe.value and free.words <= 12


@pytest.mark.parametrize("method", [method for method in METHODS if method != "enumerate"])
@pytest.mark.parametrize("budget", [{"words": 16}, {"words": 0, "characters": 70}, {"words": 0, "sentences": 1}])
def test_budgets_are_kept_by_every_method(summarizer: Summarizer, method: str, budget: dict[str, int]) -> None:
    summary = summarizer(NEWS, compress=True, method=method, **budget)
    assert summary.sentences and summary.value <= summary.bound
    assert not budget["words"] or max(summary.words, len(summary.text.split())) <= budget["words"]
    assert len(summary.text) <= budget.get("characters", 10**6)
    assert len(summary.sentences) <= budget.get("sentences", 10**6)


@settings(max_examples=30, deadline=None)
@given(words=st.integers(1, 40), cut_cost=st.sampled_from([0.0, 0.5, 5.0]))
def test_words_are_kept_within_any_budget(words: int, cut_cost: float) -> None:
    summary = accord.Summarizer()(NEWS, compress=True, words=words, cut_cost=cut_cost)
    assert max(summary.words, len(summary.text.split())) <= words
    for sentence in summary.sentences:
        assert sentence.text and sentence.text[0].isupper() and sentence.text.endswith(".")


def test_shortening_covers_at_least_as_much(summarizer: Summarizer) -> None:
    whole, short = (summarizer(NEWS, words=14, compress=compress, cut_cost=0.0) for compress in (False, True))
    assert short.value >= whole.value
    assert any(not sentence.is_whole for sentence in short.sentences)


def test_json_says_what_was_kept_and_cut(summarizer: Summarizer) -> None:
    found = summarizer(NEWS, words=14, compress=True, cut_cost=0.0).to_json()
    short = [one for one in found["sentences"] if "kept" in one]
    assert short
    for one in short:
        assert sorted(one["kept"] + one["deleted"]) == sorted(
            token.form for token in parsed(one["whole"]).sentences[0].tokens
        )


def test_a_treebank_brings_its_own_trees(summarizer: Summarizer) -> None:
    sources = sources_of_treebank(parsed(" ".join(NEWS)), "news")
    summary = summarizer(sources, words=14, compress=True, cut_cost=0.0, parsed_words=0)
    assert any(not sentence.is_whole for sentence in summary.sentences)


def test_other_languages_stay_whole_without_a_parser(summarizer: Summarizer) -> None:
    text = "Der Akku hält lange. Der Bildschirm ist klein. Der Akku hält sehr lange. Die Kamera ist gut."
    summary = summarizer([text] * 3, words=10, compress=True)
    assert "not English" in summary.note and summary.words <= 10
    assert all(sentence.is_whole for sentence in summary.sentences)


def test_nothing_to_shorten_is_no_failure(summarizer: Summarizer) -> None:
    for texts in ("", ["..."], ["One."], [Source("empty", ())]):
        assert summarizer(texts, compress=True).value >= 0


@pytest.mark.parametrize("share", [0.5, 0.8, 1.0])
def test_shortened_sentences_keep_their_share(summarizer: Summarizer, share: float) -> None:
    for words in (8, 12, 20, 30):
        summary = summarizer(NEWS, words=words, compress=True, cut_cost=0.0, least_share=share)
        assert summary.words <= words and summary.value <= summary.bound + 1e-9
        for one in summary.sentences:
            counted = [any(map(str.isalnum, token)) for token in one.sentence.tokens]
            assert sum(counted[k] for k in one.kept) >= share * sum(counted)
        if share == 1.0:
            assert summary.text == summarizer(NEWS, words=words).text
