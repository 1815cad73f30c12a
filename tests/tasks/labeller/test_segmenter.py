# SPDX-License-Identifier: Apache-2.0
"""The word segmenter on a made-up language: lexicon modes, blanks, k best, back-off, files."""

from __future__ import annotations

import io
import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data.characters import half_width
from accord.errors import ConfigError, FormatError, ModelError
from accord.evaluation.segmentation import evaluate_segmentation
from accord.tasks.labeller import ConfidenceBackoff
from accord.tasks.segmenter import (
    Segmenter,
    SegmenterConfig,
    SegmenterModel,
    WordList,
    train_segmenter,
)
from accord.tasks.segmenter.training import annotate, tune_threshold
from accord.tasks.segmenter.words import count_words

WORDS = ["天", "地", "天地", "人民", "大", "大地", "人", "民国家", "国家", "１９９８年", "，"]


def sentences(count: int, seed: int, words: list[str] = WORDS) -> list[list[str]]:
    random = np.random.default_rng(seed)
    return [[words[i] for i in random.integers(0, len(words), random.integers(1, 8))] for _ in range(count)]


CONFIG = SegmenterConfig(bits=12, epochs=3, threads=1, jackknife=4)
TEXTS = st.text(alphabet=sorted(set("".join(WORDS))), min_size=1, max_size=8)


@pytest.fixture(scope="module")
def model() -> SegmenterModel:
    return train_segmenter(sentences(200, 1), sentences(40, 2), CONFIG).model


@given(text=TEXTS)
@settings(max_examples=40, deadline=None)
def test_words_are_the_text(model: SegmenterModel, text: str) -> None:
    segmenter = Segmenter(model)
    assert "".join(segmenter(text)) == text
    assert all(segmenter(text))


@given(text=TEXTS)
@settings(max_examples=20, deadline=None)
def test_all_segmentations_are_ranked_and_their_probabilities_sum_to_one(model: SegmenterModel, text: str) -> None:
    segmenter = Segmenter(model)
    ranked = segmenter.kbest(text, 1000)
    assert len({one.value for one in ranked}) == len(ranked) == 2 ** (len(text) - 1)
    assert sum(one.probability for one in ranked) == pytest.approx(1.0, abs=1e-9)
    assert list(ranked[0].value) == segmenter.segment([text], hybrid=False)[0]
    assert all(a.score >= b.score for a, b in itertools.pairwise(ranked))


def test_a_blank_parts_words(model: SegmenterModel) -> None:
    segmenter = Segmenter(model)
    assert segmenter("天 地") == ["天", "地"]
    assert segmenter("国\t家 ") == ["国", "家"]
    assert segmenter.segment(["", "  ", "国家"]) == [[], [], ["国家"]]
    assert all(one.value[0] == "天" for one in segmenter.kbest("天 地大", 5))


def test_full_width_characters_count_as_half_width(model: SegmenterModel) -> None:
    segmenter = Segmenter(model)
    assert segmenter("国家1998年") == ["国家", "1998年"]
    assert segmenter("国家１９９８年") == ["国家", "１９９８年"]
    assert half_width("ＡｂＣ！～") == "AbC!~"


def test_forced_words_are_the_longest_matches_from_left_to_right(model: SegmenterModel) -> None:
    words = WordList(frozenset({"地大", "民国", "民国家人"}))
    forced = Segmenter(model, words, mode="force")
    assert forced("天地大地") == ["天", "地大", "地"]
    assert forced("人民国家人") == ["人", "民国家人"]
    assert forced("民国大") == ["民国", "大"]
    assert forced("民 国") == ["民", "国"]  # the blank is stronger
    for text in ("天地大地", "天天地大人"):
        assert all("地大" in one.value for one in forced.kbest(text, 4))


@given(text=TEXTS, words=st.sets(TEXTS, min_size=1, max_size=4))
@settings(max_examples=40, deadline=None)
def test_every_forced_match_is_a_word(model: SegmenterModel, text: str, words: set[str]) -> None:
    lexicon = WordList(frozenset(words)).normalised()
    for hybrid, threshold in ((False, None), (True, 0.9)):
        found = Segmenter(model, lexicon, mode="force").segment([text], hybrid=hybrid, threshold=threshold)[0]
        stretches = set(itertools.pairwise([0, *itertools.accumulate(len(word) for word in found)]))
        assert set(lexicon.longest_matches(half_width(text))) <= stretches


def test_a_bonus_moves_words_and_no_bonus_moves_none(model: SegmenterModel) -> None:
    words = WordList(frozenset({"地大"}))
    text = "天地大地"
    plain = Segmenter(model).segment([text], hybrid=False)
    assert Segmenter(model, words, bonus=0.0).segment([text], hybrid=False) == plain
    assert Segmenter(model, words, bonus=50.0).segment([text], hybrid=False) == [["天", "地大", "地"]]
    assert "地大" not in plain[0]

    def sure(bonus: float) -> float:
        ranked = Segmenter(model, words, bonus=bonus).kbest(text, 100)
        return sum(one.probability for one in ranked if "地大" in one.value)

    assert sure(0.0) < sure(1.0) < sure(4.0)


def test_new_words_are_seen_as_those_of_training(tmp_path: Path) -> None:
    """A segmenter that looks at nothing but its lexicon finds words it is told of at work."""
    templates = tmp_path / "matches.txt"
    templates.write_text("[state]\nbias\nhere.starts_word\nhere.ends_word\n[pair]\nbias\n")
    config = SegmenterConfig(
        bits=12, epochs=4, threads=1, jackknife=0, labels="BIES", hybrid=False, templates=str(templates)
    )
    model = train_segmenter(sentences(100, 1, ["甲乙", "丙丁", "大", "小"]), None, config).model
    told = Segmenter(model, WordList(frozenset({"木火"})), mode="feature")
    assert told("大木火小") == ["大", "木火", "小"]
    assert Segmenter(model)("大木火小") == ["大", "木", "火", "小"]


def test_limits_of_the_threshold(model: SegmenterModel) -> None:
    segmenter = Segmenter(model)
    texts = ["".join(words) for words in sentences(30, 5)]
    sequences, probabilities, read = segmenter.probabilities(texts)
    fallback = segmenter.fallback(read)
    likely = probabilities.argmax(axis=1)
    assert np.array_equal(segmenter.backoff(0.0).mixed(probabilities, fallback), likely)
    assert np.array_equal(segmenter.backoff(1.01)(sequences, probabilities, fallback), fallback)
    replaced = [int(segmenter.backoff(t).doubtful(probabilities).sum()) for t in np.linspace(0, 1.1, 23)]
    assert replaced == sorted(replaced)
    assert replaced[0] == 0
    assert replaced[-1] == len(likely)


@given(threshold=st.floats(0, 1.1), simple=st.booleans(), seed=st.integers(0, 100))
@settings(max_examples=30, deadline=None)
def test_mixed_labels_are_mended(model: SegmenterModel, threshold: float, simple: bool, seed: int) -> None:
    segmenter = Segmenter(model)
    labels = segmenter.label_set
    texts = ["".join(words) for words in sentences(4, seed)]
    sequences, _, read = segmenter.probabilities(texts)
    probabilities = np.random.default_rng(seed).dirichlet(np.full(6, 0.3), read.starts[-1])
    fallback = segmenter.fallback(read)
    backoff = ConfidenceBackoff(segmenter._labeller, threshold, labels.legal, labels.repair if simple else None)
    mixed = backoff.mixed(probabilities, fallback)
    found = backoff(sequences, probabilities, fallback)
    for begin, end in itertools.pairwise(read.starts):
        assert labels.legal(found[begin:end])
        if labels.legal(mixed[begin:end]):
            assert np.array_equal(found[begin:end], mixed[begin:end])
        elif not simple:  # the fallback's labels stay where there was doubt
            doubt = backoff.doubtful(probabilities)[begin:end]
            assert np.array_equal(found[begin:end][doubt], fallback[begin:end][doubt])


def test_a_tuned_threshold_is_never_worse_than_the_chain_alone(model: SegmenterModel) -> None:
    dev = sentences(60, 9, [*WORDS, "天大", "地人"])
    report = tune_threshold(model, dev)
    assert report.f1[report.best] == max(f1 for threshold, f1 in report.f1.items() if threshold <= 1)
    assert report.f1[report.best] >= report.f1[0.0]


def test_a_dictionary_alone_finds_no_unseen_words(model: SegmenterModel) -> None:
    segmenter = Segmenter(model)
    gold = sentences(40, 11, ["天地", "人大", "国民"])
    texts = ["".join(words) for words in gold]
    found = segmenter.segment(texts, hybrid=True, threshold=1.01)
    result = evaluate_segmentation(gold, found, model.counts)
    assert result.recall_unseen == 0.0


def test_lists_come_from_training_data_alone() -> None:
    from accord._core import text as native

    plain = sentences(20, 3)
    sequences = native.CharacterSequences(["".join(words).encode() for words in plain])
    lexicon = annotate(sequences, plain, CONFIG)
    assert set(lexicon.words.split("\n")) == set(count_words(plain))
    model = train_segmenter(plain, sentences(5, 4, ["乾坤"]), CONFIG).model
    assert "乾坤" not in model.chain.lexicon.words
    assert "乾坤" not in model.counts


def test_models_come_back_from_files(model: SegmenterModel, tmp_path: Path) -> None:
    path = tmp_path / "words.accord"
    model.save(path)
    again = Segmenter.load(path)
    texts = ["".join(words) for words in sentences(20, 6)]
    assert again.segment(texts) == Segmenter(model).segment(texts)
    assert again.model.counts == model.counts
    assert again.model.config == model.config
    with pytest.raises(ModelError, match="not a segmenter"):
        SegmenterModel.from_blocks({"kind": "tagger"}, {}, "x")


@pytest.mark.parametrize("labels", ["BIES", "BI", "BIO"])
def test_other_label_sets(labels: str) -> None:
    config = SegmenterConfig(bits=12, epochs=3, threads=1, labels=labels)
    model = train_segmenter(sentences(200, 1), None, config).model
    gold = sentences(40, 2)
    found = Segmenter(model).segment(["".join(words) for words in gold])
    assert evaluate_segmentation(gold, found).words.f1 > 80


def test_mistakes_are_named(model: SegmenterModel) -> None:
    with pytest.raises(ConfigError, match="lexicon mode 'must'"):
        Segmenter(model, WordList(frozenset({"a"})), mode="must")
    with pytest.raises(ConfigError, match="no words to train on"):
        train_segmenter([[]], None, CONFIG)
    with pytest.raises(FormatError, match="no words"):
        WordList.read(io.BytesIO(b"\n# nothing\n"))
    words = WordList.read(io.BytesIO("甲 3\n乙丙\tn\n".encode()))
    assert words.words == {"甲", "乙丙"}
    assert sorted(words.matches("甲乙丙甲")) == [(0, 1), (1, 3), (3, 4)]
