# SPDX-License-Identifier: Apache-2.0
"""Structured learning of summaries by the command's own way: concepts, sentences and cuts, to a file and back."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from accord.errors import AccordError
from accord.tasks.summarizer import Summarizer, SummarizerConfig, SummarizerModel
from accord.tasks.summarizer.concepts import find_concepts
from accord.tasks.summarizer.problems import LearnedScores, summary_problem
from accord.tasks.summarizer.sentence_features import NAMES, SENTENCE_FEATURES, sentence_features
from accord.tasks.summarizer.sources import source_of_text
from accord.tasks.summarizer.topics import Topic, topic_counts
from accord.tasks.summarizer.training import rouge, train_summarizer
from accord.tasks.tokenizer import Tokenizer


def topic(name: str) -> Topic:
    """Authors tell of themselves, and say last what the summary says."""
    texts = [
        f"I bought a {name} for my brother in May. We took the train. The {name}, which came in May, is good.",
        f"I drove to the shop with my brother in May. I bought the {name}. The {name} is good, as they say.",
        f"My brother likes his {name}. I went to the shop in May. The {name} is good.",
    ]
    tokenizer = Tokenizer.load("en")
    return Topic([source_of_text(text, tokenizer) for text in texts], [f"The {name} is good."])


@pytest.fixture(scope="module")
def topics() -> list[Topic]:
    return [topic(name) for name in ("phone", "lamp", "chair", "radio", "clock")]


def test_features_of_sentences_go_with_their_pieces(topics: list[Topic]) -> None:
    sentences = [sentence for source in topics[0].sources for sentence in source.sentences]
    found = sentence_features(sentences, topic_counts(topics[0], SummarizerConfig()))
    assert found.shape == (len(sentences), SENTENCE_FEATURES) and len(NAMES) == SENTENCE_FEATURES
    assert found[:, 0].tolist() == [1.0] * len(sentences)
    assert found[:, 1].tolist() == [float(k % 3 == 0) for k in range(9)]
    assert found[2, 3] == 1 and found[0, 4] < found[2, 4], "the last says what is so, the first tells of its author"
    assert sentence_features([], topic_counts(Topic([], []), SummarizerConfig())).shape == (0, SENTENCE_FEATURES)


@pytest.mark.parametrize("compress", [False, True])
def test_structured_learning_finds_what_summaries_have_and_goes_to_a_file(
    topics: list[Topic], compress: bool, tmp_path: Path
) -> None:
    config = SummarizerConfig(words=5, learner="structured", compress=compress, epochs=5)
    result = train_summarizer(topics[:4], topics[:1], config)
    model = result.model
    assert len(result.log) == 3 and (np.array(model.linear) >= 0).all() and any(model.sentences)
    assert bool(model.cuts) == compress
    model.save(tmp_path / "model.accord")
    trained = Summarizer.load(tmp_path / "model.accord")
    assert trained.model == model
    summary = trained(topics[4].sources)
    assert summary.text == "The clock is good."
    assert summary.value <= summary.bound
    assert rouge(trained, topics[4:])["rouge2"] == pytest.approx(100)


def test_sentences_that_people_shortened_teach_cuts_too(topics: list[Topic], tmp_path: Path) -> None:
    long = "The storm , which killed twelve people , moved north on Tuesday ."
    pair = {"tokens": long.split(), "compression": "The storm moved north ."}
    file = tmp_path / "pairs.jsonl"
    file.write_text(json.dumps(pair) + "\n", encoding="utf-8")
    config = SummarizerConfig(words=5, learner="structured", compress=True, compressions=str(file), epochs=2)
    with_pairs, without = (
        train_summarizer(topics[:2], None, one).model.cuts
        for one in (config, SummarizerConfig(words=5, learner="structured", compress=True, epochs=2))
    )
    assert with_pairs != without
    missing = SummarizerConfig(learner="structured", compress=True, compressions=str(tmp_path / "none.jsonl"))
    with pytest.raises(AccordError, match=r"none\.jsonl"):
        train_summarizer(topics[:1], None, missing)


def test_learned_scores_of_sentences_stand_for_those_of_the_settings(topics: list[Topic]) -> None:
    config = SummarizerConfig(words=20)
    concepts = find_concepts(topics[0].sources, config)
    weights = np.arange(1.0, SENTENCE_FEATURES + 1)
    plain = summary_problem(topics[0].sources, concepts, config, style=False).problem
    learned = summary_problem(topics[0].sources, concepts, config, learned=LearnedScores((), tuple(weights))).problem
    sentences = [sentence for source in topics[0].sources for sentence in source.sentences]
    assert concepts.counts is not None
    expected = sentence_features(sentences, concepts.counts) @ weights
    assert learned.scores - plain.scores == pytest.approx(expected)
    assert SummarizerModel(config).learned == LearnedScores()
