# SPDX-License-Identifier: Apache-2.0
"""Head rules and label rules: worked examples, agreement with treebanks of the same sentences, and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from accord.data import Sentence, read
from accord.data.constituents import Constituents
from accord.data.constituents.dependencies import LabelRules, dependencies, with_dependencies
from accord.data.constituents.head_rules import HeadRules, packaged_rules
from accord.data.heads import defect_of_heads
from accord.errors import ConfigError, FormatError
from tests.data.constituents.random_trees import constituents, forms_of


@settings(deadline=None)
@given(constituents())
@pytest.mark.parametrize("name", sorted(packaged_rules()))
def test_heads_are_a_projective_tree_over_all_words(name: str, tree: Constituents) -> None:
    heads = HeadRules.load(name).heads(tree)
    assert len(heads) == tree.words and heads.count(0) == 1 and defect_of_heads(heads) is None
    for word, head in enumerate(heads, start=1):
        for between in range(min(word, head) + 1, max(word, head)):
            climbed = between
            while climbed not in (0, head):
                climbed = heads[climbed - 1]
            assert climbed == head or head == 0


@pytest.mark.parametrize(
    ("rules", "text", "heads"),
    [
        ("collins", "(S (NP (NN a)) (VP (MD b) (VP (VB c))))", [2, 0, 2]),
        ("collins", "(NP (NP (NN a)) (CC and) (NP (NN b)))", [0, 1, 1]),
        ("collins", "(NP (NNP a) (POS 's))", [2, 0]),
        ("collins", "(NP (DT the) (NN a) (JJ b))", [2, 0, 2]),
        ("yamada-matsumoto", "(NP (NP (NN a)) (CC and) (NP (NN b)))", [3, 3, 0]),
        ("ud-english", "(S (NP (NN a)) (VP (MD b) (VP (VB c))))", [3, 3, 0]),
        ("ud-english", "(NP (NP (NN a)) (CC and) (NP (NN b)))", [0, 3, 1]),
        ("ud-english", "(PP (IN a) (NP (DT the) (NN b)))", [3, 3, 0]),
        ("left", "(X (Y (A a) (B b)) (C c))", [0, 1, 1]),
        ("right", "(X (Y (A a) (B b)) (C c))", [2, 3, 0]),
    ],
)
def test_worked_examples(rules: str, text: str, heads: list[int]) -> None:
    assert HeadRules.load(rules).heads(Constituents.from_text(text)[0]) == heads


def test_empty_elements_are_no_heads() -> None:
    tree, _ = Constituents.from_text("(S (NP (-NONE- *)) (VP (VB go) (SBAR (-NONE- 0) (S (VP (VB see))))))")
    assert HeadRules.load("collins").heads(tree) == [0, 1]


def test_the_published_rules_agree_with_dependencies_of_the_same_sentences(shared_data: Path) -> None:
    """The Penn sample has dependencies that other people made with rules of this kind."""
    trees = read(shared_data / "ptb_sample" / "wsj-dev.mrg.xz")
    gold = read(shared_data / "ptb_sample" / "wsj-dev.conll.xz")
    rules = HeadRules.load("yamada-matsumoto")
    pairs = [
        pair
        for tree, sentence in zip(trees, gold, strict=True)
        for pair in zip(rules.heads(tree.constituents), sentence.heads, strict=True)  # type: ignore[arg-type]
    ]
    assert sum(one == other for one, other in pairs) / len(pairs) > 0.93


def test_labels_agree_with_universal_dependencies_of_the_same_sentences(shared_data: Path) -> None:
    trees = read(shared_data / "constituency" / "en_gumfree-dev.mrg.xz")
    gold = read(shared_data / "ud" / "en_gumfree-ud-dev.conllu.xz")
    heads, labels = HeadRules.load("ud-english"), LabelRules.load("ud-english")
    same_head = same_label = words = 0
    for tree, sentence in zip(trees, gold, strict=True):
        made = with_dependencies(tree, heads, labels)
        for one, other in zip(made, sentence, strict=True):
            if other.upos != "PUNCT":
                words += 1
                same_head += one.head == other.head
                same_label += one.head == other.head and one.deprel.split(":")[0] == other.deprel.split(":")[0]
    assert same_head / words > 0.80 and same_label / words > 0.72


def test_without_label_rules_a_label_is_the_constituent() -> None:
    tree, forms = Constituents.from_text("(S (NP-SBJ (PRP They)) (VP (VBD left)))")
    assert dependencies(tree, forms, HeadRules.load("collins")) == ([2, 0], ["NP-SBJ", "root"])


@settings(deadline=None)
@given(constituents())
def test_every_dependency_gets_a_label(tree: Constituents) -> None:
    _, labels = dependencies(tree, forms_of(tree), HeadRules.load("ud-english"), LabelRules.load("ud-english"))
    assert all(labels) and labels.count("root") == 1


def test_rules_of_a_user_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.heads"
    file.write_text("# mine\n@default right\nS left-any VP X*\n", encoding="utf-8")
    tree, _ = Constituents.from_text("(S (XY (NN a)) (VP (VB b)) (NP (NN c)))")
    assert HeadRules.load(file).heads(tree) == [0, 1, 1]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("S upwards VP", 1, "a step is"),
        ("S left VP\nS right VP", 2, "a second rule"),
        ("@never\n@always CC", 2, "expected @default"),
        ("S last", 1, "a step is"),
    ],
)
def test_lines_that_are_no_rule_are_refused(text: str, line: int, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        HeadRules.parse(text, file="mine.heads")
    assert caught.value.line == line


def test_unknown_names_say_which_there_are() -> None:
    with pytest.raises(ConfigError, match="collins"):
        HeadRules.load("no-such-rules")
    with pytest.raises(ConfigError, match="ud-english"):
        LabelRules.load("no-such-rules")
    with pytest.raises(FormatError, match="a condition is"):
        LabelRules.parse("nsubj colour=red")


def test_dependencies_need_constituents() -> None:
    with pytest.raises(FormatError, match="no constituents"):
        with_dependencies(Sentence.from_words(["a"]), HeadRules.load("left"))
