# SPDX-License-Identifier: Apache-2.0
"""Sentences chosen by learned relevance, whole or shortened by a compressor at once."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError
from accord.inference.compression import compress_together
from accord.tasks.compressor import Compressor, CompressorConfig, CompressorModel, Pair
from accord.tasks.summarizer import Summarizer, SummarizerConfig, SummarizerModel
from accord.tasks.summarizer.problems import words_of
from accord.tasks.summarizer.relevance import NAMES, learned_relevance, relevance_features, worths_of
from accord.tasks.summarizer.shortening import _problems, _with_tokens
from accord.tasks.summarizer.sources import Source, source_of_text
from accord.tasks.summarizer.summary import Summary
from accord.tasks.summarizer.topics import Topic
from accord.tasks.summarizer.training import train_summarizer
from accord.tasks.tokenizer import Tokenizer

TEXTS = (
    "The old phone works very well. I bought it in May for my sister, who lives in Leeds. The screen is small.",
    "My phone works well on the train. The battery, which is new, lasts for two days. It rained.",
    "Read this first: the phone works well, but the battery (a new one) does not last.",
)
WORDS = "The old man , who lived near the lake , bought a very small dog in March ."
WEIGHTS = (0.3, 0.1, 1.0, 0.7, 0.5, 0.5)


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    tokenizer = Tokenizer.load("en")
    return [source_of_text(text, tokenizer) for text in TEXTS]


@pytest.fixture(scope="module")
def compressors() -> list[Compressor]:
    words = WORDS.split()
    kept = [True, False, True, *[False] * 7, True, True, False, True, True, False, False, True]
    configs = [CompressorConfig(method=method, epochs=3, bits=12) for method in ("status", "bigram")]
    return [Compressor.train([Pair(tuple(words), (tuple(kept),))] * 3, config) for config in configs]


def model(**config: float) -> SummarizerModel:
    return SummarizerModel(SummarizerConfig(least_words=1, **config), relevance=WEIGHTS)  # type: ignore[arg-type]


def test_features_are_places_and_likeness(sources: list[Source]) -> None:
    found = relevance_features(sources, ("battery", "life"))
    assert found.shape == (sum(len(source.sentences) for source in sources), len(NAMES))
    assert found[:3, 0].tolist() == [1, 1 / 2, 1 / 3] and found[:4, 1].tolist() == [1, 0, 0, 1]
    assert ((found >= 0) & (found <= 1 + 1e-12)).all()
    asks = ["battery" in sentence.tokens for source in sources for sentence in source.sentences]
    assert (found[:, 4] > 0).tolist() == asks, "only sentences with a word of the query are like it"
    alone = relevance_features([Source("", sources[0].sentences[:1])])
    assert alone[0, 2:].tolist() == pytest.approx([1, 1, 0, 0]), "a single sentence is like the topic"
    assert relevance_features([]).shape == (0, len(NAMES))


def test_sentences_that_say_more_of_the_summaries_are_worth_more(sources: list[Source]) -> None:
    """Summaries repeat what all texts say, so that likeness to the topic must get a positive weight."""
    topics = [Topic(sources, ["The phone works well.", "The phone works well on the train."])]
    weights, loss = learned_relevance(topics, 1e-3)
    worths = relevance_features(sources) @ weights
    best = int(worths.argmax())
    texts = [sentence.text for source in sources for sentence in source.sentences]
    assert "works" in texts[best] and loss < np.log(2)
    with pytest.raises(ConfigError, match="needs topics whose summaries"):
        learned_relevance([Topic(sources, ["Nothing alike"])])


@settings(max_examples=40, deadline=None)
@given(limit=st.integers(1, 40), weights=st.lists(st.floats(0, 1e6), min_size=6, max_size=6))
def test_whole_sentences_are_the_best_choice(sources: list[Source], limit: int, weights: list[float]) -> None:
    given_model = SummarizerModel(SummarizerConfig(least_words=1, method="search"), relevance=tuple(weights))
    summary = Summarizer(given_model)(sources, words=limit)
    sentences = [sentence for source in sources for sentence in source.sentences]
    worths = worths_of(sources, given_model.config, weights, ())
    values = [
        worths[list(chosen)].sum()
        for size in range(len(sentences) + 1)
        for chosen in itertools.combinations(range(len(sentences)), size)
        if sum(sentences[k].words for k in chosen) <= limit
    ]
    assert summary.words <= limit and summary.value <= summary.bound
    assert summary.value == pytest.approx(max(values), rel=1e-8, abs=1e-9)
    assert summary.bound == pytest.approx(max(values), rel=1e-8, abs=1e-9)


def kept_share(summary: Summary) -> float:
    """The least share of its words that a sentence of a summary keeps."""
    shares = []
    for one in summary.sentences:
        costs = words_of(one.sentence)
        shares.append(sum(costs[token] for token in one.kept) / sum(costs))
    return min(shares, default=1.0)


@settings(max_examples=25, deadline=None)
@given(limit=st.integers(1, 45), share=st.sampled_from([0.0, 0.3, 0.5, 1.0]), which=st.integers(0, 1))
def test_shortened_sentences_keep_budget_and_share(
    sources: list[Source], compressors: list[Compressor], limit: int, share: float, which: int
) -> None:
    summary = Summarizer(model(least_share=share), compressor=compressors[which])(sources, words=limit)
    assert summary.words <= limit and summary.words <= len(summary.text.split()) + sum(
        len(one.kept) for one in summary.sentences
    )
    assert kept_share(summary) >= (share or 0.8) - 1e-9
    assert summary.status == "optimal" and summary.value == summary.bound


def test_the_value_is_that_of_both_models_together(sources: list[Source], compressors: list[Compressor]) -> None:
    """With a scale of 0 only the compressor decides, and the value grows with the scale."""
    compressor = compressors[0]
    values = []
    for scale in (0.0, 1.0, 64.0, 1e9):
        given_model = model(relevance_scale=scale, least_share=0.5)
        summary = Summarizer(given_model, compressor=compressor)(sources, words=20)
        pieced = [_with_tokens(sentence) for source in sources for sentence in source.sentences]
        problems = _problems(pieced, [True] * len(pieced), compressor)
        worths = scale * worths_of(sources, given_model.config, WEIGHTS, ())
        assert summary.value == compress_together(problems, worths, 20, least_share=0.5).value
        values.append(summary.value)
    assert values == sorted(values) and values[0] < values[-1]


def test_a_share_of_one_keeps_all_words(sources: list[Source], compressors: list[Compressor]) -> None:
    """Only marks may go, which cost nothing."""
    summary = Summarizer(model(least_share=1.0), compressor=compressors[0])(sources, words=25)
    assert summary.sentences
    for one in summary.sentences:
        words = {k for k, token in enumerate(one.sentence.tokens) if any(map(str.isalnum, token))}
        assert words <= set(one.kept)


def test_what_does_not_go_together_is_refused(sources: list[Source], compressors: list[Compressor]) -> None:
    both = Summarizer(model(), compressor=compressors[0])
    for wrong in ({"words": 0, "characters": 80}, {"words": 20, "sentences": 2}):
        with pytest.raises(ConfigError, match="a budget of words, and no other one"):
            both(sources, **wrong)
    with pytest.raises(ConfigError, match="not with compress=True"):
        Summarizer(model())(sources, compress=True)
    with pytest.raises(ConfigError, match="learner=relevance"):
        Summarizer(compressor=compressors[0])
    by_rules = Summarizer(model(), compressor=Compressor(CompressorModel(CompressorConfig(method="grammar"))))
    with pytest.raises(ConfigError, match="no scores that can be added"):
        by_rules(sources, words=10)


def test_few_and_odd_texts(compressors: list[Compressor]) -> None:
    both = Summarizer(model(), compressor=compressors[0])
    assert both("", words=5).text == "" and both([], words=5).text == ""
    long = "word " * 500 + "."
    assert both(long, words=10).text == "", "a sentence that is too long for the compressor is left out"
    same = "The phone works well."
    assert both([same, same, same], words=50).text == same


def test_training_writes_a_model_that_is_read_again(sources: list[Source], tmp_path: Path) -> None:
    topics = [Topic(sources, ["The phone works well."])]
    result = train_summarizer(topics, topics, SummarizerConfig(words=12, learner="relevance"))
    assert len(result.model.relevance) == len(NAMES) and len(result.log) == 3
    result.model.save(tmp_path / "rel.accord")
    loaded = Summarizer.load(tmp_path / "rel.accord")
    assert loaded.model.relevance == result.model.relevance
    assert loaded(sources).text == Summarizer(result.model)(sources).text != ""
