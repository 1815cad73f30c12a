# SPDX-License-Identifier: Apache-2.0
"""The compressor at work: budgets are kept, given words stay or go, wrong questions are refused, learning works."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import ConfigError, ConstraintError
from accord.tasks.compressor import Compressor, CompressorConfig, Pair
from accord.tasks.compressor.config import LINEAR_METHODS, METHODS, UNTRAINED_METHODS
from accord.tasks.compressor.page import compression_page
from accord.tasks.compressor.task import TASK
from accord.tasks.compressor.training import train_compressor
from accord.tasks.pipeline import Pipeline

TEXT = (
    "The old man, who lived near the lake, bought a very small dog in March. Officials didn't say why. "
    "The company plans to build a new factory, officials said on Tuesday."
)
EXAMPLE = TASK.example()
TRAINED = [method for method in METHODS if method not in UNTRAINED_METHODS]


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline.load("en")


@pytest.fixture(scope="module")
def compressors(pipeline: Pipeline) -> dict[str, Compressor]:
    """A compressor of each method, trained on a few sentences."""
    found = {method: Compressor(CompressorConfig(method=method), pipeline) for method in UNTRAINED_METHODS}
    for method in TRAINED:
        settings = dataclasses.replace(EXAMPLE.settings, method=method, epochs=4, folds=2, candidates=5)
        found[method] = Compressor(train_compressor(EXAMPLE.training, None, settings).model, pipeline)
    return found


@pytest.mark.parametrize("method", METHODS)
def test_budgets_are_kept(compressors: dict[str, Compressor], method: str) -> None:
    compressor = compressors[method]
    for rate in (0.05, 0.4, 0.75, 1.0):
        for one in compressor(TEXT, rate=rate).sentences:
            target = max(1, int(rate * len(one.kept) + 0.5))
            assert one.words in ((max(1, target - 1), target) if method == "grammar" else (target,))
    for words in (1, 5, 100):
        assert all(1 <= one.words <= words for one in compressor(TEXT, words=words).sentences)
    for characters in (12, 30, 1000):
        assert all(0 < len(one.text) <= characters for one in compressor(TEXT, characters=characters).sentences)


@pytest.mark.parametrize("method", METHODS)
def test_words_stay_and_go_as_told(compressors: dict[str, Compressor], method: str) -> None:
    found = compressors[method](TEXT, rate=0.7, keep=["LAKE"], drop=["xpos=DT", "in"]).sentences[0]
    kept = [word for word, one in zip(found.sentence.words, found.kept, strict=True) if one]
    assert "lake" in kept and not {"The", "a", "the", "in"} & set(kept)


@pytest.mark.parametrize("method", TRAINED)
def test_what_was_learnt_is_repeated(compressors: dict[str, Compressor], method: str) -> None:
    scores = TASK.evaluate(compressors[method], EXAMPLE.training)
    assert scores["F1"] > 85


def test_rules_say_what_may_be_deleted(compressors: dict[str, Compressor]) -> None:
    for method in (*LINEAR_METHODS, *UNTRAINED_METHODS):
        found = compressors[method](TEXT, rate=0.6, rules=["never-cut det,case", "drop ADV", "needs-head *"])
        for one in found.sentences:
            piece = one.sentence.pieces[0]
            for place, (head, label) in enumerate(zip(piece.heads, piece.deprels, strict=True)):
                assert not (one.kept[place] and piece.upos[place] == "ADV")
                assert head == 0 or one.kept[head - 1] or not one.kept[place]
                assert head == 0 or label not in ("det", "case") or one.kept[place] or not one.kept[head - 1]
    with pytest.raises(ConfigError, match="rules between words need one of the methods"):
        compressors["crf"](TEXT, rules=["never-cut det"])


def test_what_is_proved(compressors: dict[str, Compressor]) -> None:
    for method in LINEAR_METHODS:
        for one in compressors[method](TEXT, rate=0.5).sentences:
            assert one.bound is not None and one.bound >= one.score - 1e-9
            assert one.status == "optimal"
    exact, relaxed = compressors["joint"], compressors["joint"](TEXT, rate=0.5, method="relaxed")
    assert [one.score for one in exact(TEXT, rate=0.5).sentences] == pytest.approx(
        [one.score for one in relaxed.sentences]
    )


def test_wrong_questions_are_refused(compressors: dict[str, Compressor]) -> None:
    compressor = compressors["grammar"]
    for wrong, message in (
        ({"rate": 0}, "rate = 0: expected a share of words above 0"),
        ({"rate": -0.5}, "rate = -0.5"),
        ({"rate": 1.5}, "rate = 1.5"),
        ({"words": 0}, "words = 0: expected at least 1"),
        ({"characters": -4}, "characters = -4"),
        ({"rate": 0.5, "words": 4}, "one budget, not both rate and words"),
        ({"method": "joint"}, "trained for grammar has no weights for joint"),
        ({"method": "magic"}, "expected one of joint"),
    ):
        with pytest.raises(ConfigError, match=message):
            compressor(TEXT, **wrong)
    with pytest.raises(ConstraintError, match=r"sentence 1: the words to keep \(old man lake\) need 3 words .* has 2"):
        compressor(TEXT, words=2, keep=["old", "man", "lake"])
    with pytest.raises(ConstraintError, match="'lake' must both stay and go"):
        compressor(TEXT, keep=["lake"], drop=["Lake"])
    with pytest.raises(ConfigError, match="expected a text, a document or sentences"):
        compressor.sentences(3)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="no weights for tree"):
        compressors["bigram"](TEXT, method="tree")


@pytest.mark.parametrize("method", METHODS)
def test_short_and_empty_texts(compressors: dict[str, Compressor], method: str) -> None:
    compressor = compressors[method]
    assert compressor("").sentences == () and compressor(" \n ").text == ""
    assert compressor("Yes", rate=0.1).text == "Yes"
    assert compressor("!", words=1).sentences[0].words == 1


def test_a_sentence_of_a_hundred_thousand_words_is_compressed_in_pieces(compressors: dict[str, Compressor]) -> None:
    long = "and the cat saw a dog , " * 2000
    found = compressors["grammar"](long, words=700)
    assert sum(one.words for one in found.sentences) <= 700 * len(found.sentences)
    assert {one.status for one in found.sentences} == {"pieces"}
    assert found.sentences[0].bound is None and found.sentences[0].words > 300
    few = compressors["grammar"](long, characters=40)
    assert all(len(one.text) <= 40 for one in few.sentences)


def test_a_negation_stays_with_its_verb(compressors: dict[str, Compressor]) -> None:
    found = compressors["grammar"]("Officials didn't say why they had left.", rate=0.5)
    assert "didn't" in found.text


def test_given_trees_are_used(compressors: dict[str, Compressor]) -> None:
    """Subtree deletion follows the tree of the document: its root stays."""
    rows = [("cats", 0, "root"), ("chase", 1, "acl"), ("mice", 2, "obj")]
    text = "".join(f"{k}\t{w}\t_\tNOUN\tNN\t_\t{h}\t{r}\t_\t_\n" for k, (w, h, r) in enumerate(rows, 1)) + "\n"
    document = accord.Document.from_conllu(text)
    assert compressors["grammar"](document, words=1).text == "cats"
    assert compressors["grammar"](document, words=2).text == "cats"
    assert compressors["grammar"](document, rate=1.0).text == "cats chase mice"


def test_offsets_and_json(compressors: dict[str, Compressor]) -> None:
    for one in compressors["joint"](TEXT, rate=0.5).sentences:
        found = json.loads(json.dumps(one.to_json()))
        assert TEXT[found["begin"] : found["end"]].startswith(found["tokens"][0])
        assert len(found["mask"]) == len(found["tokens"]) and found["text"] == one.text


def test_a_page_strikes_out_what_is_deleted(compressors: dict[str, Compressor]) -> None:
    page = compression_page(compressors["grammar"]("The <old> man slept quietly in the garden.", rate=0.5))
    assert page.startswith("<!DOCTYPE html>") and "<strong>" in page and "<s>" in page and "<old>" not in page


def test_all_references_can_be_learnt(pipeline: Pipeline) -> None:
    words = ("The", "old", "man", "bought", "a", "dog", ".")
    masks = ((True, False, True, True, True, True, True), (False, False, True, True, False, True, True))
    config = dataclasses.replace(EXAMPLE.settings, method="bigram", references="all")
    assert train_compressor([Pair(words, masks)], None, config).model.linear is not None
    with pytest.raises(ConfigError, match="nothing to train on"):
        train_compressor([Pair(words, ((False,) * 7,))], None, config)
    with pytest.raises(ConfigError, match="nothing to train"):
        train_compressor([], None, CompressorConfig(method="grammar"))


@pytest.mark.parametrize("rule", ["mira", "svm", "perceptron"])
def test_every_rule_learns(rule: str, pipeline: Pipeline) -> None:
    config = dataclasses.replace(EXAMPLE.settings, method="bigram", rule=rule, epochs=6)
    assert train_compressor(EXAMPLE.training, EXAMPLE.training, config).scores["F1"] > 85


@pytest.mark.parametrize("method", ["rerank", "bigram"])
def test_models_of_all_kinds_go_to_files_and_back(
    compressors: dict[str, Compressor], method: str, tmp_path: Path
) -> None:
    compressors[method].model.save(tmp_path / "model.accord")
    again = accord.load(tmp_path / "model.accord")
    assert isinstance(again, Compressor)
    assert again(TEXT, rate=0.5).text == compressors[method](TEXT, rate=0.5).text


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"words": "5"}, "words = 5: expected a whole number"),
        ({"characters": 7.5}, "characters = 7.5: expected a whole number"),
        ({"rate": "0.5"}, "rate = 0.5: expected a share"),
        ({"keep": 5}, "keep = 5: expected texts"),
        ({"rules": [None]}, "rules = .*: expected texts"),
    ],
)
def test_wrong_budgets_and_conditions_are_one_message(
    compressors: dict[str, Compressor], wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        compressors["grammar"](TEXT, **wrong)


def test_a_single_word_or_rule_is_a_list_of_one(compressors: dict[str, Compressor]) -> None:
    compressor = compressors["grammar"]
    for given in ({"keep": "Tuesday"}, {"drop": "deprel=nsubj"}, {"rules": "never-cut det"}):
        alone, listed = ({name: value} for name, value in given.items()), {n: [v] for n, v in given.items()}
        assert compressor(TEXT, words=8, **next(alone)).text == compressor(TEXT, words=8, **listed).text


def test_a_sentence_that_no_characters_are_enough_for_is_told(compressors: dict[str, Compressor]) -> None:
    with pytest.raises(ConstraintError, match="sentence 1: no part of the sentence that could stay fits into 5 char"):
        compressors["grammar"]("The governments agreed to a plan.", characters=5)
