# SPDX-License-Identifier: Apache-2.0
"""Training from partial trees: every rule learns from the words that are annotated, and nothing else is counted."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from accord import Document, Parser, Sentence
from accord.errors import FormatError
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig
from accord.tasks.parser.linear_task import ParserTask
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores, has_single_roots, label_names, trees_alone

SMALL = {"arc_bits": 14, "label_bits": 10, "part_bits": 14, "pruner_bits": 12, "epochs": 5, "threads": 1}


def small_config(**values: Any) -> ParserConfig:
    return make_settings(ParserConfig, {**SMALL, **values})


def half_annotated(document: Document, share: float, seed: int = 1) -> Document:
    """Each head, and each label on its own, is kept with this probability."""
    source = random.Random(seed)
    heads = [head if source.random() < share else -1 for head in document.heads.tolist()]
    deprels = [name if source.random() < share else "_" for name in document.column("deprel")]
    return document.replace(heads=heads, deprels=deprels)


def las(parser: Parser, document: Document) -> float:
    parsed = parser.parse(document, threads=1)
    return attachment_scores(document, parsed.heads, parsed.column("deprel")).las


@pytest.mark.parametrize("rule", ["perceptron", "mira", "svm", "crf", "softmax_margin"])
@pytest.mark.parametrize("labels", ["joint", "separate"])
def test_every_online_rule_learns_from_half_a_treebank(
    toy_train: Document, toy_dev: Document, rule: str, labels: str
) -> None:
    half = half_annotated(toy_train, 0.5)
    config = small_config(rule=rule, labels=labels, rate=0.1)
    task = ParserTask(half, None, config)
    assert task.left_out + len(task) == len(half) and task.partial == len(task) > 180
    assert "_" not in task.labels
    assert las(Parser(train_parser(half, toy_dev, config).snapshot), toy_dev) > 95


@pytest.mark.parametrize("projective", [False, True])
@pytest.mark.parametrize("order", [2, 3])
def test_higher_orders_learn_from_half_a_treebank(
    toy_train: Document, toy_dev: Document, order: int, projective: bool
) -> None:
    half = half_annotated(Document.from_sentences(toy_train.sentences[:80]), 0.5)
    config = small_config(order=order, epochs=3, projective=projective)
    trained = Parser(train_parser(half, None, config).snapshot)
    plain = Document.from_sentences([s for s in toy_dev.sentences if "yesterday" not in s.forms])
    assert las(trained, plain) > 90


def test_partial_sentences_add_to_few_complete_ones(toy_train: Document, toy_dev: Document) -> None:
    few, many = toy_train.sentences[:4], Document.from_sentences(toy_train.sentences[4:])
    mixed = Document.from_sentences([*few, *half_annotated(many, 0.4).sentences])
    scores = {}
    for partial in ("complete", "skip"):
        config = small_config(partial=partial, rule="crf", rate=0.1)
        trained = train_parser(mixed, None, config).snapshot
        assert trained.card["partial"] == len(mixed) - trained.card["left_out"] - 4
        scores[partial] = las(Parser(trained), toy_dev)
    assert scores["complete"] > scores["skip"] + 2


def test_skipping_leaves_partial_sentences_out(toy_train: Document) -> None:
    sentences = [
        Sentence.from_words(["a", "b"], heads=[2, None], deprels=["x", "y"]),
        Sentence.from_words(["a", "b"], heads=[2, 0], deprels=["x", "_"]),
    ]
    mixed = Document.from_sentences([*toy_train.sentences, *sentences])
    skipping = ParserTask(mixed, None, small_config(partial="skip"))
    assert (skipping.left_out, skipping.partial) == (2, 0)
    using = ParserTask(mixed, None, small_config())
    assert (using.left_out, using.partial) == (0, 2)
    heads_only = ParserTask(mixed, None, small_config(labels="none", partial="skip"))
    assert heads_only.left_out == 1, "labels that are not trained need not be known"
    dual = ParserTask(mixed, None, small_config(rule="eg_crf", labels="separate"))
    assert dual.left_out == 2, "dual rules need complete trees"
    with pytest.raises(FormatError, match="no sentence with a tree"):
        ParserTask(Document.from_sentences(sentences), None, small_config(partial="skip"))


@pytest.mark.parametrize(
    ("heads", "projective", "left_out"),
    [
        ([2, 1, None, None], False, 1),  # a cycle
        ([0, 0, None, None], False, 1),  # two roots
        ([3, 4, None, None], False, 0),
        ([3, 4, None, None], True, 0),  # crossing arcs: one of them is forgotten
        ([None, None, None, None], False, 1),
    ],
)
def test_partial_sentences_that_no_tree_agrees_with_are_left_out(
    toy_train: Document, heads: list[int | None], projective: bool, left_out: int
) -> None:
    odd = Sentence.from_words(["a", "b", "c", "d"], heads=heads, deprels=["x", "y", "_", "_"])
    mixed = Document.from_sentences([*toy_train.sentences[:5], odd])
    task = ParserTask(mixed, None, small_config(projective=projective, single_root="true"))
    assert task.left_out == left_out
    task.update(np.arange(len(task), dtype=np.int64))


def test_only_known_words_count_as_mistakes(toy_train: Document) -> None:
    """With all weights zero the costliest tree is the answer: every known head is wrong, and nothing else counts."""
    one_head_each = [
        Sentence.from_words(s.forms, heads=[h if m == len(s) // 2 else None for m, h in enumerate(s.heads)])
        for s in toy_train.sentences
    ]
    config = small_config(labels="none", batch=len(one_head_each))
    task = ParserTask(Document.from_sentences(one_head_each), None, config)
    assert task.update(np.arange(len(task), dtype=np.int64)).mistakes == len(task) == len(toy_train)


def test_training_on_partial_trees_does_not_depend_on_threads(toy_train: Document) -> None:
    half = half_annotated(toy_train, 0.5)
    one, three = (
        train_parser(half, None, small_config(rule="softmax_margin", batch=4, epochs=2, threads=threads)).snapshot
        for threads in (1, 3)
    )
    np.testing.assert_array_equal(one.tables["arcs"].values, three.tables["arcs"].values)
    np.testing.assert_array_equal(one.tables["labels"].values, three.tables["labels"].values)


def two_words(*heads: list[int | None]) -> Document:
    return Document.from_sentences([Sentence.from_words(["a", "b"], heads=h, deprels=["x", "_"]) for h in heads])


def test_roots_and_labels_are_found_out_from_partial_trees() -> None:
    assert has_single_roots(two_words([2, 0], [None, 1], [0, None], [None, None]))
    assert not has_single_roots(two_words([2, 0], [0, 0]))
    assert not has_single_roots(two_words([2, 1]))
    assert has_single_roots(two_words(*[[2, 0]] * 999, [0, 0]))
    assert not has_single_roots(two_words(*[[2, 0]] * 998, [0, 0]))
    assert label_names(two_words([2, 0])) == ("x",)
    assert label_names(two_words([2, 0]).replace(deprels=["_", "_"])) == ("_",)


def test_sentences_that_are_no_trees_are_taken_out() -> None:
    mixed = two_words([2, 0], [1, 0], [0, 0], [2, 1], [None, 0])
    assert [one.heads for one in trees_alone(mixed, single_root=True).sentences] == [(2, 0), (None, 0)]
    assert [one.heads for one in trees_alone(mixed, single_root=False).sentences] == [(2, 0), (0, 0), (None, 0)]
    whole = two_words([2, 0], [0, 1])
    assert trees_alone(whole, single_root=True) is whole


@pytest.mark.parametrize(
    ("heads", "found"), [([[2, 0], [0, 1]], True), ([[2, 0], [0, None]], False), ([[None, 0]], False)]
)
def test_a_blank_label_is_one_on_complete_trees(heads: list[list[int | None]], found: bool) -> None:
    sentences = [Sentence.from_words(["a", "b"], heads=h, deprels=["x", "_"]) for h in heads]
    document = Document.from_sentences(sentences)
    assert label_names(document, "unknown") == ("x",) and label_names(document, "label") == ("_", "x")
    assert label_names(document, "auto") == (("_", "x") if found else ("x",))
    assert label_names(document.replace(deprels=["x"] * len(document.heads)), "auto") == ("x",)


def test_incomplete_trees_without_blanks_beside_complete_ones_with_them() -> None:
    complete = Sentence.from_words(["a", "b"], heads=[2, 0], deprels=["x", "_"])
    other = Sentence.from_words(["a", "b"], heads=[None, 0], deprels=["x", "y"])
    assert "_" in label_names(Document.from_sentences([complete, other]), "auto")


@pytest.mark.parametrize("order", [1, 2])
def test_a_blank_label_is_learnt_and_predicted(order: int, toy_train: Document, toy_dev: Document) -> None:
    def blank(document: Document) -> Document:
        return document.replace(deprels=["_" if name == "det" else name for name in document.column("deprel")])

    training, dev = blank(toy_train), blank(toy_dev)
    parsers = {}
    for setting in ("unknown", "auto"):
        task = ParserTask(training, None, small_config(order=order, blank_label=setting))
        assert (task.partial > 0) == (setting == "unknown")
        config = small_config(order=order, blank_label=setting, epochs=3)
        parsers[setting] = Parser(train_parser(training, None, config).snapshot)
    assert "_" not in parsers["unknown"].parse(dev).column("deprel")
    assert las(parsers["auto"], dev) > las(parsers["unknown"], dev) + 10
    assert las(parsers["auto"], dev) > 90
