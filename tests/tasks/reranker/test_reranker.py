# SPDX-License-Identifier: Apache-2.0
"""Rerankers as users hold them: lists of every kind, templates as text, headed trees, mixtures, bad input."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord._core import learn as _learn
from accord.data.constituents import Constituents
from accord.data.constituents.head_rules import HeadRules
from accord.errors import ConfigError, FormatError
from accord.evaluation.parseval import Bracketing, parseval
from accord.ranked import Ranked
from accord.settings import make_settings
from accord.tasks.constituents import ConstituencyParser, ConstituentsConfig
from accord.tasks.constituents.training import train_constituents
from accord.tasks.examples import tiny_constituents, tiny_treebank
from accord.tasks.reranker import CandidateList, Reranker, RerankerConfig, read_lists, write_lists
from accord.tasks.reranker.dataset import Dataset, kept_features
from accord.tasks.reranker.features import Extractor, consensus
from accord.tasks.reranker.headed import PhraseHeads, headed_dependencies
from accord.tasks.reranker.kinds import KINDS, Arcs
from accord.tasks.reranker.lists import Counts, ListScore, count_parts, list_of_json, list_to_json
from accord.tasks.reranker.mixture import tuned
from accord.tasks.reranker.sources import Base
from accord.tasks.reranker.templates import Templates, feature_key
from accord.tasks.reranker.training import template_texts, train_reranker
from accord.tasks.reranker.tree_places import PLACES, TreeFeatures

TREE = Constituents.from_text("(S (NP (DT the) (NN dog)) (VP (VBD slept) (PP (IN in) (NP (NNP Rio)))) (. .))")[0]
FLAT = Constituents.from_text("(S (NP (DT the) (NN dog)) (VP (VBD slept)) (PP (IN in) (NP (NNP Rio))) (. .))")[0]
AGAIN = ((2, 0x9E3779B97F4A7C15), (3, 0x3C6EF372FE94F82A))
WORDS = ("the", "dog", "slept", "in", "Rio", ".")


def phrase_list(*trees: Constituents, gold: Constituents | None = None) -> CandidateList[Constituents]:
    ranked = tuple(Ranked(tree, -float(place), -0.1 - place) for place, tree in enumerate(trees))
    return CandidateList("phrases", WORDS, TREE.tags, ranked, gold)


EVERY_KIND = {
    "dependencies": ([Arcs((2, 0), ("det", "root")), Arcs((0, 1), ("root", "obj"))], ("the", "dog")),
    "phrases": ([TREE, FLAT], WORDS),
    "labels": ([("DET", "NOUN"), ("DET", "VERB")], ("the", "dog")),
    "spans": ([("B-PER", "O"), ("O", "O")], ("Ana", "ran")),
    "segments": ([("ab", "c"), ("a", "bc")], ("abc",)),
    "compressions": ([(True, False), (True, True)], ("the", "dog")),
}


def list_of(kind: str, gold: int | None = 1) -> CandidateList[Any]:
    values, words = EVERY_KIND[kind]
    ranked = tuple(Ranked(value, -float(place)) for place, value in enumerate(values))
    tags = TREE.tags if kind == "phrases" else ("X",) * len(words)
    return CandidateList(kind, words, tags, ranked, None if gold is None else values[gold])


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_lists_of_every_kind_are_learnt_stored_and_read(kind: str, tmp_path: Path) -> None:
    lists = [list_of(kind) for _ in range(6)]
    method = "maxent+mira+boosting+hidden/lexical/sibling+hidden/highest/head"
    config = make_settings(RerankerConfig, {"method": method, "least_count": 1, "boosting.rounds": 20, "threads": 1})
    result = train_reranker(lists, lists, config)
    reranker = Reranker(result.model)
    assert reranker.rank(lists[0])[0].value == lists[0].gold
    assert result.scores["oracle"] == 100 and next(iter(result.scores.values())) == 100
    result.model.save(tmp_path / "r.accord")
    assert Reranker.load(tmp_path / "r.accord").scores(lists[0]).tobytes() == reranker.scores(lists[0]).tobytes()
    write_lists(lists, tmp_path / "lists.jsonl")
    again = read_lists(tmp_path / "lists.jsonl")
    assert [list_to_json(one) for one in again] == [list_to_json(one) for one in lists]
    assert again[0].gold == lists[0].gold and [r.value for r in again[0].ranked] == [r.value for r in lists[0].ranked]


def test_every_kind_is_tried() -> None:
    assert set(EVERY_KIND) == set(KINDS)


def test_parts_of_phrases_are_the_brackets_of_parseval() -> None:
    one = phrase_list(FLAT, gold=TREE)
    extractor = Extractor("phrases", "[rule]\nrule", "collins")
    counts = extractor(one).counts
    assert counts is not None
    score = parseval([Bracketing(TREE, WORDS)], [Bracketing(FLAT, WORDS)]).brackets
    assert (counts[0].correct, counts[0].gold, counts[0].found) == (
        score.correct,
        score.gold_total,
        score.system_total,
    )


def test_headed_trees_of_phrases_and_of_dependencies() -> None:
    headed = PhraseHeads(HeadRules.load("collins"))(TREE)
    assert [headed.words[node] for node in range(len(TREE)) if TREE.leaves[node] is None] == [2, 1, 2, 3, 4]
    tree = headed_dependencies([2, 3, 0, 5, 3, 3], ["det", "nsubj", "root", "case", "obl", "punct"], ["X"] * 6)
    assert [tree.labels[child] for child in tree.children[4]] == ["nsubj", "X", "obl", "punct"]
    assert (tree.begins[8], tree.ends[8]) == (3, 5) and (tree.begins[4], tree.ends[4]) == (0, 6)


def test_templates_see_what_the_paper_lists() -> None:
    """The running example of Collins and Koo: VP > PP VBD NP NP SBAR below S."""
    text = "(S (VP (PP (IN in)) (VBD gave) (NP (NN a)) (NP (NN b)) (SBAR (IN that))))"
    tree, words = Constituents.from_text(text)
    headed = PhraseHeads(HeadRules.load("collins"))(tree)
    every = "\n".join(f"[{place}]\n{' '.join(attributes)}" for place, attributes in PLACES.items())
    found: dict[str, set[tuple[str, ...]]] = {}
    for feature in TreeFeatures(Templates(every, PLACES), words, tree.tags).texts(headed):
        name, *values = feature.split("\t")
        if name.startswith(("modifier", "word")) or "VP" in values[:2]:
            found.setdefault(name.partition(":")[0], set()).add(tuple(values))
    assert {one[1] for one in found["rule"]} == {"VP > PP VBD! NP NP SBAR"}
    wanted = {("right", "VP", "NP", "NP"), ("right", "VP", "NP", "SBAR"), ("right", "VP", "SBAR", "STOP")}
    assert wanted | {("left", "VP", "PP", "STOP")} <= {one[:4] for one in found["bigram"]}
    trigrams = {("STOP", "PP", "VBD!"), ("PP", "VBD!", "NP"), ("VBD!", "NP", "NP"), ("NP", "NP", "SBAR")}
    assert trigrams | {("NP", "SBAR", "STOP")} == {one[1:4] for one in found["trigram"]}
    modifiers = {("left", "S", "VP", "VBD", "PP", "1"), ("right", "S", "VP", "VBD", "NP", "1")}
    assert modifiers | {("right", "S", "VP", "VBD", "SBAR", "0")} <= {one[:6] for one in found["modifier"]}
    assert {one[3] for one in found["distance"] if one[2] == "SBAR"} >= {"=2", "<=2", "<=9", ">=1", ">=2"}


@settings(deadline=None, max_examples=30)
@given(st.lists(st.text(max_size=150).filter(lambda word: "\t" not in word), min_size=6, max_size=6))
def test_keys_of_trees_are_digests_of_their_texts(words: list[str]) -> None:
    """Once, twice and three times are features of their own; what both trees have tells nothing."""
    templates = Templates("[word]\nword tag path\n[rule]\nlabel\nrule parent above\n[span+]\nlabel first_word", PLACES)
    features = TreeFeatures(templates, words, TREE.tags)
    trees = [PhraseHeads(HeadRules.load("collins"))(tree) for tree in (TREE, FLAT)]
    wanted = []
    for tree in trees:
        counts = Counter(map(feature_key, features.texts(tree)))
        again = ((key + added) % 2**64 for times, added in AGAIN for key, count in counts.items() if count >= times)
        wanted.append({*counts, *again})
    owners, keys, present = features.keys(trees)
    for place, own in enumerate(wanted):
        assert keys[owners == place].tolist() == sorted(own - (wanted[0] & wanted[1]))
    assert present.tolist() == sorted(wanted[0] | wanted[1])


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("words", 9, "a word that the sentence does not have"),
        ("parents", len(TREE), "a parent outside of the tree"),
        ("heads", 3, "the head of a phrase is one of its children"),
        ("ends", 7, "a span outside of the sentence"),
    ],
)
def test_headed_trees_that_are_none_are_refused(column: str, value: int, message: str) -> None:
    features = TreeFeatures(Templates("[word]\nword path", PLACES), WORDS, TREE.tags)
    tree = PhraseHeads(HeadRules.load("collins"))(TREE)
    with pytest.raises(ValueError, match=message):
        features.keys([dataclasses.replace(tree, **{column: [value] * len(TREE)})])


@pytest.mark.parametrize("name", ["phrases", "collins", "dependencies"])
def test_packaged_templates_are_read(name: str) -> None:
    text, hidden = template_texts(make_settings(RerankerConfig, {"templates": name}), "phrases")
    assert Templates(text, PLACES) and "[edge]" in hidden


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rule", ":1: a template stands below"),
        ("[rules]", ":1: there are no places 'rules'"),
        ("[rule]\nlabel colour", ":2: 'colour' is nothing that"),
        ("[modifier+]\nlabel", "only rule, bigram, trigram, span can have"),
        ("# nothing", "no templates"),
    ],
)
def test_wrong_templates_are_one_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        Templates(text, PLACES, file="mine.txt")


def test_only_features_that_tell_candidates_apart_are_entries() -> None:
    found = Extractor("phrases", "[rule]\nrule", "collins")(phrase_list(TREE, FLAT, gold=TREE))
    assert len(found.keys) == 4  # VP and S of one tree, VP and S of the other
    assert len(kept_features([found, found], 2)) == len(found.present)
    assert not len(kept_features([found], 2))


def test_an_oracle_a_share_and_an_error_reduction() -> None:
    counts = [[Counts(1, 2, 2), Counts(2, 2, 2)], [Counts(0, 2, 2), Counts(1, 2, 2)]]
    score = ListScore.of(counts, [1, 0])
    assert (score.first, score.chosen, score.oracle) == (25, 50, 75)
    assert score.closed == 50 and score.error_reduction == pytest.approx(100 / 3)
    assert count_parts([1, 1, 2], [1, 2, 2]) == Counts(2, 3, 3)


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=4, unique=True), min_size=1, max_size=4))
def test_consensus_is_the_quality_to_be_expected(parts: list[list[int]]) -> None:
    scores = np.linspace(0, -1, len(parts))
    shares = np.exp(scores) / np.exp(scores).sum()
    length = sum(share * len(each) for share, each in zip(shares, parts, strict=True))
    for found, one in zip(consensus(parts, scores), parts, strict=True):
        right = sum(share * len(set(one) & set(each)) for share, each in zip(shares, parts, strict=True))
        assert found == pytest.approx(2 * right / max(len(one) + length, 1) * length)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 1000), st.sampled_from(["likelihood", "margin", "risk"]))
def test_gradients_of_list_losses(seed: int, loss: str) -> None:
    draw = np.random.default_rng(seed)
    sizes = draw.integers(1, 5, 4)
    count, width = int(sizes.sum()), 6
    table = draw.integers(0, 2, (count, width))
    costs = draw.integers(0, 3, count).astype(float)
    costs[np.concatenate(([0], np.cumsum(sizes)[:-1]))] = 0
    lists = _learn.CandidateLists(
        width=width,
        lists=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        starts=np.concatenate(([0], np.cumsum(table.sum(axis=1)))).astype(np.int64),
        features=np.nonzero(table)[1].astype(np.int32),
        values=draw.normal(size=int(table.sum())).astype(np.float32),
        costs=costs,
    )
    point = draw.normal(size=width)
    value, gradient = lists.objective(point, loss, 0.3)
    assert lists.objective(point, loss, 0.3, 2)[0] == value
    for place in range(width):
        step = np.zeros(width)
        step[place] = 1e-6
        slope = (lists.objective(point + step, loss, 0.3)[0] - lists.objective(point - step, loss, 0.3)[0]) / 2e-6
        assert gradient[place] == pytest.approx(slope, abs=1e-4)
    if loss != "risk":  # which is not convex
        assert lists.objective(lists.fit(loss, 0.3, 100, 1), loss, 0.3)[0] <= value + 1e-9


def test_a_mixture_is_never_worse_on_dev_lists_than_its_components() -> None:
    draw = np.random.default_rng(2)
    lists = []
    for _ in range(30):
        one = list_of("labels")
        lists.append(Extractor("labels", "[unit]\nword label", "collins")(one))
    data = Dataset.of(lists, np.zeros(0, np.uint64))
    components = [draw.normal(size=60) for _ in range(3)]
    weights = tuned(data, components)
    mixed = data.score(np.stack(components, axis=1) @ weights).chosen
    assert mixed >= max(data.score(one).chosen for one in components)


def test_jack_knifed_lists_of_a_parser_of_phrases() -> None:
    """Lists of a sentence come from a model that did not see it, in the order of the data."""
    treebank = tiny_constituents(12)
    config = ConstituentsConfig(epochs=1, bits=10, least_count=1, threads=1)
    model = train_constituents(treebank, None, config).model
    from accord.tasks import registry
    from accord.tasks.reranker.sources import SOURCES

    base = Base(registry.task("constituents"), SOURCES["constituents"], model)
    lists = base.jackknifed(treebank, 5, 3)
    assert [one.words for one in lists] == [tuple(s.forms) for s in treebank.sentences]
    assert all(1 <= len(one) <= 5 and one.gold is not None for one in lists)
    part = treebank.sentences[1::3]
    others = [s for place, s in enumerate(treebank.sentences) if place % 3 != 1]
    from accord.data import Document

    alone = ConstituencyParser(train_constituents(Document.from_sentences(others), None, config).model)
    assert [r.value for r in lists[1].ranked] == [r.value for r in alone.kbest(part[0], 5)]
    some = base.jackknifed(treebank, 5, 3, parts=2)
    assert [one.words for one in some] == [one.words for place, one in enumerate(lists) if place % 3 < 2]
    with pytest.raises(ConfigError, match="folds = 13"):
        base.jackknifed(treebank, 5, 13)
    result = train_reranker(lists, base.lists(tiny_constituents(6, 12), 5), RerankerConfig(least_count=1, threads=1))
    parsed = Reranker(result.model).parse(ConstituencyParser(model), tiny_constituents(3, 20))
    assert all(sentence.constituents is not None for sentence in parsed.sentences)


def test_a_reranker_takes_ranked_answers_of_its_task() -> None:
    lists = [list_of("labels") for _ in range(6)]
    reranker = Reranker(train_reranker(lists, None, RerankerConfig(method="maxent", least_count=1)).model)
    found = reranker(lists[0].ranked, lists[0].words)
    assert found[0].value == lists[0].gold
    assert sum(one.probability or 0 for one in found) == pytest.approx(1)
    assert reranker([], ["a"]) == []
    with pytest.raises(ConfigError, match="this reranker ranks labels"):
        reranker.rank(list_of("segments"))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"kind": "trees"}, "expected one of dependencies"),
        ({"words": "the dog"}, "list of strings 'words'"),
        ({"tags": ["X"]}, "1 tags for 2 words"),
        ({"candidates": []}, "at least one"),
        ({"candidates": [{"score": 1}]}, "value and score"),
        ({"candidates": [{"value": ["A"], "score": 1}]}, "labels of 2 words"),
        ({"candidates": [{"value": ["A", "B"], "score": "high"}]}, "is a number"),
        ({"candidates": [{"value": ["A", "B"], "score": float("nan")}]}, "is a number"),
    ],
)
def test_wrong_lists_are_one_line(changed: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=message):
        list_of_json({**list_to_json(list_of("labels")), **changed})
    (tmp_path / "lists.jsonl").write_text(json.dumps({**list_to_json(list_of("labels")), **changed}) + "\n")
    with pytest.raises(FormatError, match=r"lists.jsonl:1: .*" + message):
        read_lists(tmp_path / "lists.jsonl")


@pytest.mark.parametrize(
    "value", [{"heads": [2, 1], "deprels": ["a", "b"]}, {"heads": [3, 0], "deprels": ["a", "b"]}, [1], None]
)
def test_what_is_no_tree_is_refused(value: Any) -> None:
    given = list_to_json(list_of("dependencies"))
    with pytest.raises(ConfigError):
        list_of_json({**given, "candidates": [{"value": value}]})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"method": "magic"}, "'magic' is none of"),
        ({"method": "hidden/tag"}, "none of"),
        ({"method": "mira+mira"}, "named twice"),
        ({"boosting.smoothing": "high", "method": "boosting"}, "expected numbers"),
        ({"templates": "nowhere.txt"}, "neither a packaged set nor"),
        ({"hidden.categories": "nowhere.txt"}, "nowhere.txt"),
    ],
)
def test_wrong_settings_are_one_line(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        train_reranker([list_of("labels")] * 3, None, make_settings(RerankerConfig, {"least_count": 1, **values}))


def test_lists_without_gold_and_of_several_kinds_are_refused() -> None:
    with pytest.raises(ConfigError, match="list 1 has no gold"):
        train_reranker([list_of("labels", None)])
    with pytest.raises(ConfigError, match="several kinds"):
        train_reranker([list_of("labels"), list_of("spans")])
    with pytest.raises(ConfigError, match="no lists"):
        train_reranker([])


def test_dependencies_of_documents_get_the_best_trees() -> None:
    treebank = tiny_treebank(12)
    lists = []
    for sentence in treebank.sentences:
        gold = Arcs(tuple(sentence.heads), tuple(sentence.deprels))
        wrong = Arcs(tuple(0 if head == 0 else gold.heads.index(0) + 1 for head in gold.heads), gold.deprels)
        ranked = (Ranked(wrong, 1.0), Ranked(gold, 0.5)) if wrong != gold else (Ranked(gold, 1.0),)
        tags = tuple(word.upos for word in sentence.words)
        lists.append(CandidateList("dependencies", tuple(sentence.forms), tags, ranked, gold))
    reranker = Reranker(train_reranker(lists, lists, RerankerConfig(least_count=1, threads=1)).model)

    class Parser:
        def kbest(self, sentence: Any, k: int) -> Any:
            found = next(one for one in lists if one.words == tuple(sentence.forms))
            from accord.tasks.parser.answers import RankedTree, Tree

            return [RankedTree(Tree(r.value.heads, r.value.deprels), r.score) for r in found.ranked]

    parsed = reranker.parse(Parser(), treebank)
    assert [s.heads for s in parsed.sentences] == [s.heads for s in treebank.sentences]
