# SPDX-License-Identifier: Apache-2.0
"""Keeping what is given: the parse is the best tree among those that have the given heads and labels."""

from __future__ import annotations

import dataclasses
import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import Document, Parser, Sentence
from accord.errors import ConfigError
from accord.inference import trees
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig
from accord.tasks.parser.given import DroppedHeadsWarning
from accord.tasks.parser.training import train_parser
from tests.conftest import toy_document, toy_sentence
from tests.inference.enumerated_trees import Space, all_trees, tree_scores

SMALL = {"arc_bits": 14, "label_bits": 10, "part_bits": 14, "pruner_bits": 12, "epochs": 1, "threads": 1}
EXACT = {"pruner_threshold": 0.0, "pruner_heads": 20, "solver": "branch_and_bound", "iterations": 1000}


@cache
def parser(order: int, projective: bool, labels: str = "joint", single_root: str = "true") -> Parser:
    """Trained so little that its trees are often wrong; nothing is pruned and every answer is proved."""
    values = {**SMALL, "order": order, "projective": projective, "labels": labels, "single_root": single_root}
    model = train_parser(toy_document(20, 3), None, make_settings(ParserConfig, values)).snapshot
    return Parser(dataclasses.replace(model, config=make_settings(ParserConfig, {**values, **EXACT})))


def words_of(seed: int, count: int) -> Sentence:
    """Words of the toy language in no good order, nothing annotated."""
    source = random.Random(seed)
    pool = [word for _ in range(3) for word in toy_sentence(source).words]
    picked = source.sample(pool, count)
    tags = [word.upos for word in picked]
    return Sentence.from_words([w.form for w in picked], lemmas=[w.form for w in picked], upos=tags, xpos=tags)


def annotated(sentence: Sentence, heads: list[int | None], deprels: list[str] | None = None) -> Document:
    document = Document.from_sentences([sentence]).replace(heads=heads)
    return document if deprels is None else document.replace(deprels=deprels)


def agreeing(given_heads: list[int | None], tree: tuple[int, ...]) -> bool:
    return all(known is None or known == head for known, head in zip(given_heads, tree[1:], strict=True))


def tree_values(model: Parser, sentence: Sentence, space: Space, deprels: list[str]) -> list[float]:
    """The score of each tree of the space, with its best or the given labels: each is parsed with all heads given."""
    enumerated = all_trees(len(sentence), space)
    document = Document.from_sentences([sentence] * len(enumerated)).replace(
        heads=[head for tree in enumerated for head in tree[1:]], deprels=deprels * len(enumerated)
    )
    found = model.trees(document, keep="given", threads=1)
    assert found.heads.tolist() == document.heads.tolist()
    return found.scores.tolist()


# Higher orders are held against enumeration in tests/core/given_test.cpp, where scores of single parts can be had.
@pytest.mark.parametrize("projective", [False, True])
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_the_best_completion_is_that_of_enumeration(projective: bool, data: st.DataObject) -> None:
    single_root = data.draw(st.booleans())
    space = Space(projective, single_root)
    model = parser(1, projective, data.draw(st.sampled_from(["joint", "none"])), str(single_root).lower())
    sentence = words_of(data.draw(st.integers(0, 10**6)), data.draw(st.integers(1, 4)))
    tree = data.draw(st.sampled_from(all_trees(len(sentence), space)))
    heads = [head if data.draw(st.booleans()) else None for head in tree[1:]]
    deprels = [data.draw(st.sampled_from(("_", *model.labels[:3], "odd"))) for _ in heads]
    found = model.trees(annotated(sentence, heads, deprels), keep="given", threads=1)
    assert agreeing(heads, (-1, *found.heads.tolist()))
    values = tree_values(model, sentence, space, deprels)
    consistent = [v for v, t in zip(values, all_trees(len(sentence), space), strict=True) if agreeing(heads, t)]
    assert found.scores[0] == pytest.approx(max(consistent), abs=1e-4)
    if model.config.labels == "none" or set(deprels) <= {"_", "odd"}:  # arc scores do not know of given labels
        assert values == pytest.approx(tree_scores(model.arc_scores(sentence), space).tolist(), abs=1e-6)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_the_best_of_all_given_labels_is_the_free_choice(order: int, seed: int) -> None:
    model = parser(order, False)
    sentence = words_of(seed, 4)
    free = model.trees(annotated(sentence, [None] * 4), threads=1)
    for word in range(4):
        scores = []
        for label in model.labels:
            deprels = [label if m == word else "_" for m in range(4)]
            found = model.trees(annotated(sentence, [None] * 4, deprels), keep="given", threads=1)
            assert model.labels[found.labels[word]] == label
            scores.append(found.scores[0])
        assert max(scores) == pytest.approx(free.scores[0], abs=1e-4)
        assert len(set(np.round(scores, 6))) > 1, "labels differ in score"


@pytest.mark.parametrize("projective", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_marginals_are_conditioned_on_given_heads(projective: bool, seed: int) -> None:
    model = Parser(dataclasses.replace(parser(1, projective, "none").model, temperature=0.5))
    sentence, source = words_of(seed, 4), random.Random(seed)
    space = Space(projective, True)
    enumerated = all_trees(4, space)
    tree = source.choice(enumerated)
    heads = [head if source.random() < 0.4 else None for head in tree[1:]]
    found = model.trees(annotated(sentence, heads), keep="given", probabilities=True, threads=1)
    weights = np.exp(tree_scores(model.arc_scores(sentence), space) / 0.5)
    weights *= [agreeing(heads, candidate) for candidate in enumerated]
    weights /= weights.sum()
    for word, head in enumerate(found.heads.tolist(), 1):
        expected = sum(w for w, candidate in zip(weights, enumerated, strict=True) if candidate[word] == head)
        assert found.arc_probability[word - 1] == pytest.approx(expected, abs=1e-6)
    assert found.tree_log_probability[0] == pytest.approx(np.log(weights.max()), abs=1e-6)


@pytest.mark.parametrize("labels", ["joint", "separate"])
@pytest.mark.parametrize("projective", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_probabilities_obey_the_chain_rule(labels: str, projective: bool, seed: int) -> None:
    model = parser(1, projective, labels)
    sentence = words_of(seed, 4)

    def parsed(
        heads: list[int | None], deprels: list[str]
    ) -> tuple[list[int], list[str], list[float], list[float], float]:
        found = model.trees(annotated(sentence, heads, deprels), keep="given", probabilities=True, threads=1)
        names = [model.labels[label] for label in found.labels.tolist()]
        logarithms = (np.log(found.arc_probability).tolist(), np.log(found.label_probability).tolist())
        return found.heads.tolist(), names, *logarithms, float(found.tree_log_probability[0])

    unknown: list[int | None] = [None] * 4
    tree, names, _, _, whole = parsed(unknown, ["_"] * 4)
    total = 0.0
    for word in range(4):
        known = [tree[m] if m < word else None for m in range(4)]
        again, same, _, labelled, _ = parsed(known, [names[m] if m < word else "_" for m in range(4)])
        assert (again, same) == (tree, names)
        total += labelled[word]
    assert total == pytest.approx(whole, abs=1e-4)
    # A label without a head: P(tree | label) = P(head | label) P(tree | head, label).
    for word in range(4):
        for label in model.labels[:4]:
            deprels = [label if m == word else "_" for m in range(4)]
            first, names_first, arcs, _, log_first = parsed(unknown, deprels)
            with_head = [first[m] if m == word else None for m in range(4)]
            second, names_second, _, _, log_second = parsed(with_head, deprels)
            assert (first, names_first) == (second, names_second)
            assert log_first == pytest.approx(arcs[word] + log_second, abs=1e-4)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("projective", [False, True])
def test_what_is_given_comes_out_untouched(order: int, projective: bool) -> None:
    base = parser(order, projective)
    # A pruner of one head a word leaves nothing but the tree that it must leave.
    narrow = dataclasses.replace(base.config, solver="ad3", pruner_heads=1)
    model = Parser(dataclasses.replace(base.model, config=narrow))
    source = random.Random(7)
    whole = toy_document(30, 8)
    if projective:
        whole = Document.from_sentences(
            [s for s in whole.sentences if trees.is_projective(np.array([-1, *s.heads], np.int32))]
        )
    heads = [head if source.random() < 0.4 else -1 for head in whole.heads.tolist()]
    deprels = [source.choice([name, "_", f"{name}:odd"]) for name in whole.column("deprel")]
    document = whole.replace(heads=heads, deprels=deprels)
    parsed = model.parse(document, keep="given", threads=1)
    for sentence in parsed.sentences:
        tree = np.array([-1, *sentence.heads], np.int32)
        assert trees.is_tree(tree, single_root=True) and (not projective or trees.is_projective(tree))
    for before, after in ((heads, parsed.heads.tolist()), (deprels, parsed.column("deprel"))):
        assert all(old in (-1, "_", new) for old, new in zip(before, after, strict=True))
    assert "_" not in parsed.column("deprel")
    assert model.parse(document, keep="given", threads=3).to_bytes() == parsed.to_bytes()
    assert model.parse(parsed, keep="given").to_bytes() == parsed.to_bytes(), "a complete tree is its own completion"


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(
    ("heads", "projective", "reason", "kept"),
    [
        ([2, 1, None, None], False, "heads form a cycle", 1),
        ([2, 3, 1, None], False, "heads form a cycle", 2),
        ([1, None, None, None], False, "word 1 is its own head", 0),
        ([0, 0, 1, None], False, "several roots: words 1 and 2", 2),
        ([3, 4, None, None], True, "no projective tree has all given heads", 1),
        ([2, None, None, 1], True, "no projective tree has all given heads", 1),  # no uncovered word can be the root
    ],
)
def test_contradictions_are_told_once_and_as_few_heads_as_possible_dropped(
    order: int, heads: list[int | None], projective: bool, reason: str, kept: int
) -> None:
    sentence = dataclasses.replace(words_of(1, 4), comments=("# sent_id = s-7",))
    document = Document.from_sentences([words_of(2, 3), sentence], name="half.conllu")
    document = document.replace(heads=[None] * 3 + heads, deprels=["_"] * 3 + ["det", "amod", "_", "_"])
    model = parser(order, projective)
    with pytest.warns(DroppedHeadsWarning, match=f"^half.conllu:5: sentence s-7: {reason}.*dropped$") as told:
        parsed = model.parse(document, keep="given", threads=1)
    assert len(told) == 1
    tree = parsed.sentences[1]
    assert tree.problem() is None
    assert sum(old == new for old, new in zip(heads, tree.heads, strict=True)) >= kept
    dropped = model.given(document)
    assert len(dropped.problems) == 1
    assert model.parse(document, keep=dropped).to_bytes() == parsed.to_bytes()


def test_ranked_trees_keep_what_is_given() -> None:
    model = parser(1, False)
    sentence = annotated(words_of(4, 4), [None, None, 2, None], ["_", "odd", "_", model.labels[0]]).sentences[0]
    ranked = model.kbest(sentence, 1000, keep="given")
    assert sorted(tree.heads for tree in ranked) == sorted(t[1:] for t in all_trees(4, Space(False, True)) if t[3] == 2)
    assert {(tree.deprels[1], tree.deprels[3]) for tree in ranked} == {("odd", model.labels[0])}
    assert [tree.score for tree in ranked] == sorted((tree.score for tree in ranked), reverse=True)


def test_wrong_ways_to_keep_are_refused() -> None:
    model = parser(1, False)
    document = annotated(words_of(1, 3), [None] * 3)
    with pytest.raises(ConfigError, match="keep is 'given'"):
        model.parse(document, keep="everything")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="another document"):
        model.parse(document, keep=model.given(annotated(words_of(1, 4), [None] * 4)))


def test_nothing_given_is_plain_parsing() -> None:
    for order in (1, 2):
        model = parser(order, False)
        bare = toy_document(10, 4)
        bare = bare.replace(heads=[-1] * bare.heads.size, deprels=["_"] * bare.heads.size)
        assert (
            model.parse(bare, keep="given", probabilities=order == 1).to_bytes()
            == model.parse(bare, probabilities=order == 1).to_bytes()
        )
