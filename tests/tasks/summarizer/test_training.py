# SPDX-License-Identifier: Apache-2.0
"""Training of concept weights on summaries that people wrote."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError, FormatError, ModelError
from accord.learning.frequencies import Sample, divergence, fit_frequencies, frequencies
from accord.tasks.registry import task
from accord.tasks.summarizer import Summarizer, SummarizerConfig, SummarizerModel
from accord.tasks.summarizer.extraction import Extraction, train_extraction
from accord.tasks.summarizer.sources import source_of_text
from accord.tasks.summarizer.topics import Topic, reference_counts, topic_counts
from accord.tasks.summarizer.training import train_summarizer
from accord.tasks.summarizer.weighing import Key
from accord.tasks.tokenizer import Tokenizer

TOPICS = [
    {
        "documents": [
            f"The {name} is great. I bought it in May. The price of the {name} is low.",
            f"My cat sat on the box. The {name} is great and the price is low.",
            f"It rained. The {name} is great. Shipping was slow.",
        ],
        "summaries": [f"The {name} is great.", f"The {name} is great and the price is low."],
    }
    for name in ("phone", "lamp", "chair", "radio")
]


@pytest.fixture(scope="module")
def topics(tmp_path_factory: pytest.TempPathFactory) -> list[Topic]:
    file = tmp_path_factory.mktemp("topics") / "topics.jsonl"
    file.write_text("".join(json.dumps(topic) + "\n" for topic in TOPICS), encoding="utf-8")
    found: list[Topic] = task("summarizer").read([file], SummarizerConfig())
    return found


def samples(seed: int) -> list[Sample]:
    random = np.random.default_rng(seed)
    return [
        Sample(random.normal(size=(8, 3)), np.array([0, 1, 2, 3, 0, 1, 2, 0]), random.random(4) + 0.01)
        for _ in range(3)
    ]


@given(seed=st.integers(0, 10**6))
def test_the_gradient_is_that_of_the_divergence(seed: int) -> None:
    given_samples, weights = samples(seed), np.random.default_rng(seed + 1).normal(size=3)
    _, gradient = divergence(weights, given_samples, 0.1)
    for k in range(3):
        step = np.eye(3)[k] * 1e-6
        ends = [divergence(weights + sign * step, given_samples, 0.1)[0] for sign in (1, -1)]
        assert gradient[k] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-5)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_frequencies_sum_to_one_and_reach_what_features_can_tell(seed: int) -> None:
    observed = np.random.default_rng(seed).random(5) + 0.01
    sample = Sample(np.eye(5), np.arange(5), observed)
    found = frequencies(fit_frequencies([sample], l2=0.0, iterations=500), np.eye(5), np.arange(5), 5)
    assert found.sum() == pytest.approx(1)
    assert found == pytest.approx(observed / observed.sum(), abs=2e-3)


def test_training_lowers_the_divergence() -> None:
    given_samples = samples(3)
    weights = fit_frequencies(given_samples, l2=1e-3)
    assert divergence(weights, given_samples, 1e-3)[0] < divergence(np.zeros(3), given_samples, 1e-3)[0]


def test_every_iteration_lowers_the_divergence() -> None:
    given_samples = samples(5)
    found = [divergence(fit_frequencies(given_samples, 1e-3, k), given_samples, 1e-3)[0] for k in range(12)]
    assert all(later <= earlier for earlier, later in itertools.pairwise(found)) and found[-1] < found[0]


def test_estimated_pairs_are_nearer_to_summaries_than_frequent_ones() -> None:
    """Documents begin with what summaries say, and all end with the same words, of which summaries say nothing."""
    tokenizer = Tokenizer.load("en")

    def topic(name: str, quality: str) -> Topic:
        said = f"{name} works very {quality}."
        firsts = (f"The {said}", f"My new {said}", "Read what others wrote.")
        texts = [f"{first} Our usual terms and conditions apply to all orders." for first in firsts]
        return Topic([source_of_text(text, tokenizer) for text in texts], [f"The {said}"])

    topics = [topic("phone", "badly"), topic("lamp", "slowly"), topic("chair", "quietly"), topic("radio", "loudly")]
    model = train_summarizer(topics[:3], None, SummarizerConfig(words=8)).model
    counts = topic_counts(topics[3], model.config)
    wanted = reference_counts(topics[3].summaries[0], tokenizer)

    def hits(weights: dict[Key, float]) -> int:
        pairs = sorted((key for key in weights if len(key) == 2), key=lambda key: (-weights[key], key))
        return sum(key in wanted for key in pairs[:4])

    often: dict[Key, float] = {key: float(many) for key, many in counts.documents.items()}
    assert hits(model.weights(counts, model.config)) > hits(often)


def test_a_trained_summarizer_goes_to_a_file_and_back(topics: list[Topic], tmp_path: Path) -> None:
    result = train_summarizer(topics, topics[:1], SummarizerConfig(words=5))
    path = tmp_path / "model.accord"
    result.model.save(path)
    trained = Summarizer.load(path)
    assert trained.model.words == result.model.words and len(trained.model.pairs) == len(trained.model.words)
    text = trained(topics[0].sources).text
    assert text == Summarizer(result.model)(topics[0].sources).text and text == "The phone is great."
    assert len(result.log) == 3


@pytest.mark.parametrize("learner", ["frequencies", "relevance"])
def test_topics_in_python_are_those_of_a_file(topics: list[Topic], learner: str) -> None:
    config = SummarizerConfig(words=8, learner=learner)
    from_file = train_summarizer(topics, topics, config).model
    assert Summarizer.train(TOPICS, config, dev=TOPICS).model == from_file
    assert Summarizer.train([topics[0], *TOPICS[1:]], config, dev=topics).model == from_file


@pytest.mark.parametrize(
    "wrong",
    [{"documents": ["One."]}, {"documents": "One.", "summaries": ["One."]}, "One.", None, {"summaries": ["One."]}],
)
def test_wrong_topics_in_python_name_their_number(wrong: object) -> None:
    with pytest.raises(FormatError, match="topics:2: expected"):
        Summarizer.train([TOPICS[0], wrong])  # type: ignore[list-item]


def test_a_model_without_weights_is_the_unsupervised_one(tmp_path: Path) -> None:
    SummarizerModel(SummarizerConfig(words=7)).save(tmp_path / "plain.accord")
    plain = SummarizerModel.load(tmp_path / "plain.accord")
    assert plain.words == () and plain.config.words == 7


def test_weights_of_other_features_are_refused(tmp_path: Path) -> None:
    SummarizerModel(SummarizerConfig(), (1.0,), (1.0,)).save(tmp_path / "wrong.accord")
    with pytest.raises(ModelError, match="1 weights for"):
        SummarizerModel.load(tmp_path / "wrong.accord")


@pytest.mark.parametrize(
    "line",
    ["[]", "{", '{"documents": ["a"]}', '{"documents": "a", "summaries": ["a"]}', '{"text": "a", "summaries": [1]}'],
)
def test_wrong_topics_name_file_and_line(line: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.jsonl"
    file.write_text(f'{{"text": "a", "summaries": []}}\n{line}\n', encoding="utf-8")
    with pytest.raises(FormatError, match=r"wrong.jsonl:2: expected an object"):
        task("summarizer").read([file], SummarizerConfig())


def test_training_needs_summaries() -> None:
    with pytest.raises(ConfigError, match="needs topics with summaries"):
        train_summarizer([Topic([], [])], None, SummarizerConfig())


def test_extraction_learns_weights_that_are_not_negative(topics: list[Topic]) -> None:
    for cost in (False, True):
        weights = train_extraction(topics, SummarizerConfig(words=5), cost=cost, epochs=3)
        assert (weights >= 0).all() and weights.any()
    task_of_topics = Extraction(topics, SummarizerConfig(words=5))
    before, after = (
        sum(task_of_topics.loss(k, one)[0] for k in range(len(topics))) for one in (np.zeros(len(weights)), weights)
    )
    assert after < before, "training lowers the loss"
