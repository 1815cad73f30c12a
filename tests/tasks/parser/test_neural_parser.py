# SPDX-License-Identifier: Apache-2.0
"""Parsers with a network at work, without PyTorch: as enumeration says, whatever the batch, threads or arithmetic."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import Document, Parser, Sentence
from accord.errors import ConfigError
from accord.inference import trees
from accord.inference.rules import MaxDependents, Require, Rule
from accord.tasks.parser import Search
from tests.inference.enumerated_trees import SPACES, Space, all_trees, enumerated_marginals, tree_scores
from tests.inference.rules.random_rules import some_rules
from tests.tasks.parser.neural_cases import (
    SINGLE,
    in_space,
    label_scores,
    random_model,
    random_parser,
    some_words,
    treebank,
)
from tests.tasks.parser.test_ruled_parser import ParserCase, check

TOLERANCE = 1e-4
KINDS: dict[str, dict[str, Any]] = {
    "lstm": {},
    "convolution": {"encoder": "convolution", "layers": 4},
    "given tags": {"tags": "given"},
    "neither tags nor characters": {"tags": "none", "character_size": 0},
    "tags from the top": {"tag_layer": 0, "layers": 3},
}
MODES = ("joint", "separate")


def some_document(seed: int, *lengths: int) -> Document:
    return Document.from_sentences([some_words(seed + index, length) for index, length in enumerate(lengths)])


def all_trees_with_scores(
    parser: Parser, sentence: Sentence, space: Space, mode: str
) -> list[tuple[float, tuple[int, ...], tuple[str, ...]]]:
    """Score, heads and labels of every tree, best first, each arc with its best label."""
    labels, dependents = label_scores(parser, sentence), np.arange(1, len(sentence) + 1)
    scores = parser.arc_scores(sentence)  # in joint mode with the best label's
    found = []
    for heads, score in zip(all_trees(len(sentence), space), tree_scores(scores, space).tolist(), strict=True):
        best = labels[list(heads[1:]), dependents].argmax(1)
        found.append((score, heads[1:], tuple(parser.labels[label] for label in best)))
    return sorted(found, key=lambda tree: -tree[0])


@pytest.mark.parametrize("storage", ["float16", "float32"])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_a_model_file_gives_the_model_back(kind: dict[str, Any], storage: str, tmp_path: Path) -> None:
    model = random_model(2, {**kind, "storage": storage}, order=2)
    model.save(tmp_path / "m.accord")
    loaded = Parser.load(tmp_path / "m.accord")
    assert loaded.model.config == model.config and loaded.labels == model.labels
    assert loaded.model.network is not None and model.network is not None
    assert loaded.columns == model.network.tasks and loaded.model.network.size == model.network.size
    for name, array in model.network.weights.items():
        again = loaded.model.network.weights[name]
        assert again.dtype == storage and again.shape == array.shape and np.array_equal(again, array)
    document = some_document(1, 3, 9, 1)
    assert loaded.parse(document).to_bytes() == Parser(model).parse(document).to_bytes()
    loaded.model.save(tmp_path / "again.accord")
    assert (tmp_path / "again.accord").read_bytes() == (tmp_path / "m.accord").read_bytes()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("space", SPACES, ids=str)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_trees_and_lists_of_trees_equal_enumeration(kind: dict[str, Any], space: Space, mode: str) -> None:
    parser = random_parser(3, kind, labels=mode, **in_space(space))
    for seed, length in enumerate((1, 2, 3, 4)):
        sentence = some_words(seed, length)
        expected = all_trees_with_scores(parser, sentence, space, mode)
        found = parser.kbest(sentence, 20)
        assert len(found) == min(20, len(expected)) and all(tree.certified for tree in found)
        by_heads = {heads: (score, labels) for score, heads, labels in expected}
        for tree, (score, _, _) in zip(found, expected, strict=False):
            assert tree.score == pytest.approx(score, abs=TOLERANCE)
            assert by_heads[tree.heads][0] == pytest.approx(tree.score, abs=TOLERANCE)
            assert by_heads[tree.heads][1] == tree.deprels
        assert len({tree.heads for tree in found}) == len(found)
        plain = parser.trees(Document.from_sentences([sentence]))
        assert plain.scores[0] == pytest.approx(expected[0][0], abs=TOLERANCE)
        assert tuple(plain.heads.tolist()) == found[0].heads


@pytest.mark.parametrize("temperature", [1.0, 2.5])
@pytest.mark.parametrize("mode", [*MODES, "none"])
@pytest.mark.parametrize("space", SPACES, ids=str)
def test_probabilities_equal_enumeration(space: Space, mode: str, temperature: float) -> None:
    model = dataclasses.replace(random_model(4, labels=mode, **in_space(space)), temperature=temperature)
    parser, plain = Parser(model), random_parser(4, labels="separate", **in_space(space))
    for seed in range(4):
        sentence = some_words(10 + seed, 1 + seed)
        arcs, labels = plain.arc_scores(sentence), label_scores(plain, sentence) / temperature
        if mode == "none":  # a network without labels draws other weights
            arcs, labels = parser.arc_scores(sentence), np.zeros_like(labels)
        log_sums = np.log(np.exp(labels).sum(2))
        if mode == "joint":
            arcs = np.where(np.isfinite(arcs), arcs + temperature * log_sums, -np.inf)
        marginals = enumerated_marginals(arcs / temperature, space)
        found = parser.trees(Document.from_sentences([sentence]), probabilities=True)
        dependents = np.arange(1, len(sentence) + 1)
        arc = marginals[found.heads, dependents]
        np.testing.assert_allclose(found.arc_probability, arc, atol=TOLERANCE)
        label = 1.0
        if mode != "none":
            label = np.exp(labels[found.heads, dependents, found.labels] - log_sums[found.heads, dependents])
        np.testing.assert_allclose(found.label_probability, arc * label, atol=TOLERANCE)


@settings(max_examples=30, deadline=None)
@given(
    order=st.sampled_from([1, 2]),
    seed=st.integers(0, 10_000),
    words=st.integers(1, 3),
    space=st.sampled_from(SPACES),
    mode=st.sampled_from(MODES),
    data=st.data(),
)
def test_rules_are_obeyed_at_the_least_cost(
    order: int, seed: int, words: int, space: Space, mode: str, data: st.DataObject
) -> None:
    parser = random_parser(5, order=order, labels=mode, **in_space(space))
    document = Document.from_sentences([some_words(seed, words)])
    rules = data.draw(some_rules(words))
    check(parser, document, rules)
    assert check(parser, document, rules, Search(solver="branch_and_bound")) == "optimal"


@pytest.mark.parametrize("order", [1, 2])
def test_rules_change_what_breaks_them(order: int) -> None:
    parser = random_parser(6, order=order)
    rules: list[Rule] = [MaxDependents(1), Require(1, 3)]
    broken = 0
    for seed in range(6):
        document = some_document(seed, 6)
        broken += int(np.bincount(parser.trees(document).heads, minlength=2)[1:].max() > 1)
        found = parser.trees(document, constraints=rules)
        assert found.heads[2] == 1 and np.bincount(found.heads)[1:].max() == 1 and not found.unkept
    assert broken > 0


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("mode", MODES)
def test_what_is_given_is_kept_and_the_rest_is_best(order: int, mode: str) -> None:
    parser = random_parser(7, order=order, labels=mode, solver="branch_and_bound")
    for seed in range(8):
        sentence = some_words(seed, 4)
        heads: list[int | None] = [None, 1, None, None] if seed % 2 else [None, None, 2, None]
        document = Document.from_sentences([sentence]).replace(heads=heads)
        found = parser.trees(document, keep="given")
        assert all(known in (None, head) for known, head in zip(heads, found.heads.tolist(), strict=True))
        case, dependents = ParserCase(parser, document), np.arange(1, 5)
        best = case.scores.max(axis=2)
        values = [
            best[list(tree[1:]), dependents].sum() + case.parts.larger_score(np.array(tree, np.int32))
            for tree in all_trees(4, SINGLE)
            if all(known in (None, head) for known, head in zip(heads, tree[1:], strict=True))
        ]
        assert found.scores[0] == pytest.approx(max(values), abs=TOLERANCE)
        labelled = document.replace(deprels=["obj", "_", "nsubj", "_"])
        kept = parser.parse(labelled, keep="given").sentences[0]
        assert (kept.words[0].deprel, kept.words[2].deprel) == ("obj", "nsubj")


@pytest.mark.parametrize(
    "solver", ["auto", "chart", "ad3", "subgradient", "bp", "branch_and_bound", "nonlocal", "lp", "ilp"]
)
@pytest.mark.parametrize("projective", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_every_solver_of_order_2_keeps_its_word(solver: str, projective: bool, mode: str) -> None:
    if solver in ("lp", "ilp"):
        pytest.importorskip("highspy")
    parser = random_parser(8, order=2, labels=mode, projective=projective)
    if solver in ("chart", "nonlocal") and not projective:
        with pytest.raises(ConfigError):
            parser.trees(some_document(1, 3), search=Search(solver=solver))
        return
    for seed in range(6):
        document = some_document(seed, 1 + seed % 4)
        found = parser.trees(document, search=Search(solver=solver, iterations=300))
        best = ParserCase(parser, document).best_unruled()
        assert trees.is_tree(np.array([-1, *found.heads.tolist()], np.int32), single_root=True)
        assert found.scores[0] <= best + TOLERANCE
        assert solver == "bp" or best <= found.bounds[0] + TOLERANCE
        exact = solver in ("auto", "chart", "branch_and_bound", "nonlocal", "ilp")
        assert not exact or found.status == ("optimal",)
        if found.status == ("optimal",):
            assert found.scores[0] == pytest.approx(best, abs=TOLERANCE)


@pytest.mark.parametrize("precision", ["float32", "int8"])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_answers_do_not_depend_on_threads_or_batches(kind: dict[str, Any], precision: str) -> None:
    parser = Parser(random_model(9, kind, order=2, pruner_heads=4), precision=precision)
    document = some_document(20, *(1 + 7 * index % 23 for index in range(40)))
    whole = parser.parse(document, threads=1, probabilities=True, tags="predict").to_bytes()
    assert parser.parse(document, threads=2, probabilities=True, tags="predict").to_bytes() == whole
    backwards = Document.from_sentences(list(reversed(document.sentences)))
    pieces = parser.parse(backwards, threads=2, probabilities=True, tags="predict").sentences
    assert "".join(sentence.to_conllu() for sentence in reversed(pieces)).encode() == whole


def test_bytes_are_near_floats() -> None:
    model = random_model(10)
    exact, rough = (Parser(model, precision=precision) for precision in ("float32", "int8"))
    sentence = some_words(1, 20)
    scores, near = exact.arc_scores(sentence), rough.arc_scores(sentence)
    arcs = np.isfinite(scores)
    assert 0 < np.abs(scores[arcs] - near[arcs]).max() < 0.3 * np.std(scores[arcs])
    document = treebank()
    same = exact.trees(document).heads == rough.trees(document).heads
    assert same.mean() > 0.9
    assert np.array_equal(random_parser(10, {"precision": "int8"}).arc_scores(sentence), near)
