# SPDX-License-Identifier: Apache-2.0
"""Semi-Markov models: segments scored as wholes, by every learner, with all that chains of labels can do."""

from __future__ import annotations

import dataclasses
import itertools
from pathlib import Path

import numpy as np
import pytest

from accord.data import Sentence
from accord.errors import ConfigError, ModelError
from accord.evaluation.spans import evaluate_spans, spans_of_labels
from accord.tasks.examples import tiny_words
from accord.tasks.labeller.config import METHODS, MOST_TOKENS
from accord.tasks.segmenter import Segmenter, SegmenterConfig, SegmenterModel, train_segmenter
from accord.tasks.spans import LabelledFile, SpanLabeller, SpansConfig, SpansModel, train_spans
from tests.tasks.labeller.test_spans import made

CONFIG = SpansConfig(model="semi", method="mira", epochs=4, threads=1)


@pytest.fixture(scope="module", params=["BIOES", "BIO"])
def labeller(request: pytest.FixtureRequest) -> SpanLabeller:
    return SpanLabeller(train_spans(made(150, 1), made(30, 2), dataclasses.replace(CONFIG, scheme=request.param)).model)


@pytest.mark.parametrize("method", METHODS)
def test_every_learner_trains_segments(method: str) -> None:
    training, dev = made(80, 1), made(30, 2)
    config = dataclasses.replace(CONFIG, method=method, iterations=20, epochs=3)
    model = train_spans(training, dev, config).model
    found = SpanLabeller(model).label(dev.document).labels
    assert evaluate_spans(dev.labels, found, dev.lengths).spans.f1 > 90


def test_the_ranking_holds_every_segmentation_and_its_probabilities_sum_to_one(labeller: SpanLabeller) -> None:
    sentence = Sentence.from_words(["Ana", "Ruiz", "saw", "Rio"])
    ranked = labeller.kbest(sentence, 10_000)
    assert len({one.value.labels for one in ranked}) == len(ranked)
    assert sum(np.exp(one.log_probability) for one in ranked) == pytest.approx(1.0)
    longest = {"PER": 2, "LOC": 3}
    covers = sum(
        1
        for cuts in itertools.product([0, 1], repeat=3)
        for sizes in [[len(list(run)) for run in _runs(cuts)]]
        for types in itertools.product(["", "LOC", "PER"], repeat=len(sizes))
        if all(size <= longest.get(kind, 1) for size, kind in zip(sizes, types, strict=True))
    )
    assert len(ranked) == covers


def _runs(cuts: tuple[int, ...]) -> list[list[int]]:
    runs = [[0]]
    for token, cut in enumerate(cuts, 1):
        if cut:
            runs.append([token])
        else:
            runs[-1].append(token)
    return runs


def test_the_probability_of_a_span_sums_over_the_ranking(labeller: SpanLabeller) -> None:
    sentence = Sentence.from_words(["Ana", "Ruiz", "saw", "Rio"])
    document = made(1, 7).document.from_sentences([sentence])
    answer = labeller.label(document, probabilities=True)
    ranked = labeller.kbest(sentence, 10_000)
    assert answer.labels == list(ranked[0].value.labels)
    for span, probability in zip(answer.spans, answer.span_probability, strict=True):
        total = sum(np.exp(one.log_probability) for one in ranked if span in one.value.spans)
        assert probability == pytest.approx(total)


def test_given_labels_are_kept(labeller: SpanLabeller) -> None:
    document = made(1, 3).document.from_sentences([Sentence.from_words(["Ana", "Ruiz", "saw", "Rio"])])
    answer = labeller.label(document, given=["_", "O", "_", "_"])
    assert answer.labels[1] == "O"
    answer = labeller.label(document, given=["B-LOC", "I-LOC", "_", "_"])
    assert answer.labels[:2] == ["B-LOC", "I-LOC"]


def test_a_model_comes_back_from_its_file(labeller: SpanLabeller, tmp_path: Path) -> None:
    file = made(20, 9)
    labeller.model.save(tmp_path / "semi.accord")
    again = SpanLabeller(SpansModel.load(tmp_path / "semi.accord"))
    assert again.label(file.document).labels == labeller.label(file.document).labels


@pytest.mark.parametrize("longest", [0, MOST_TOKENS + 1, 2**31 - 1])
def test_segments_of_impossible_length_are_refused_at_load(
    labeller: SpanLabeller, longest: int, tmp_path: Path
) -> None:
    """A chain has a score for each begin and each length, so that a large one would ask for all memory."""
    chain = labeller.model.chain
    wrong = dataclasses.replace(chain, segments=(*chain.segments[:-1], chain.segments[-1]._replace(longest=longest)))
    dataclasses.replace(labeller.model, chain=wrong).save(tmp_path / "wrong.accord")
    with pytest.raises(ModelError, match="whole number from 1 to 1000"):
        SpanLabeller.load(tmp_path / "wrong.accord")


def test_the_length_of_a_segment_tells_more_than_its_labels(tmp_path: Path) -> None:
    """Names of two words are P, of three Q, whatever the words: no chain over pairs of labels can know this."""
    random = np.random.default_rng(4)
    words, labels = [], []
    for _ in range(200):
        size = int(random.integers(2, 4))
        words += [["it", *random.choice(["Xa", "Ya", "Za"], size).tolist(), "was"]]
        labels += ["O", *[f"{'B' if k == 0 else 'I'}-{'P' if size == 2 else 'Q'}" for k in range(size)], "O"]
    document = made(1, 1).document.from_sentences([Sentence.from_words(one) for one in words])
    file = LabelledFile(document, labels)
    templates = tmp_path / "length.txt"
    templates.write_text("[state]\nhere.shape\n[pair]\nbias\n[type_pair]\nbias\n[segment]\ndistance\n")
    scores = {}
    for model in ("chain", "semi"):
        config = dataclasses.replace(CONFIG, model=model, lists=False, epochs=6, scheme="BIO", templates=str(templates))
        found = SpanLabeller(train_spans(file, None, config).model).label(document).labels
        scores[model] = evaluate_spans(file.labels, found, file.lengths).spans.f1
    assert scores["semi"] == 100 and scores["chain"] < 80
    assert spans_of_labels(found) == spans_of_labels(labels)


def test_a_longest_segment_below_that_of_the_data_is_refused() -> None:
    with pytest.raises(ConfigError, match="longest=1: the training data have a segment of"):
        train_spans(made(30, 1), None, dataclasses.replace(CONFIG, longest=1))


def test_words_of_text_as_segments(tmp_path: Path) -> None:
    config = SegmenterConfig(model="semi", epochs=3, bits=12, jackknife=2, threads=1)
    model = train_segmenter(tiny_words(30), tiny_words(8, 30), config).model
    model.save(tmp_path / "words.accord")
    texts = ["".join(words) for words in tiny_words(6, 38)]
    segmenter = Segmenter(SegmenterModel.load(tmp_path / "words.accord"))
    assert segmenter.segment(texts) == Segmenter(model).segment(texts)
    assert segmenter.segment(["thec atsaw"])[0][0].startswith("the")
    best, second = segmenter.kbest(texts[0], 2)
    assert best.score >= second.score and best.value != second.value
