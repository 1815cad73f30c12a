# SPDX-License-Identifier: Apache-2.0
"""Trees under rules equal enumeration; hard rules hold, soft ones cost, contradictions are named."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data import Sentence
from accord.errors import ConfigError, ConstraintError
from accord.inference import rules as r
from accord.inference import trees
from accord.inference.rules import Rule, TreeSolution, decode_tree, parse_rule
from accord.inference.rules import search as searching
from tests.inference.enumerated_trees import SPACES, Space
from tests.inference.rules.obeyed_rules import LABELS, Case, Labelled, random_case
from tests.inference.rules.random_rules import some_rules

ANY = Space(False, False)
TOLERANCE = 1e-5

EVERY_RULE = [
    r.Require(head=3, dependent=1),
    r.Require(head=0, dependent=2, label="obj"),
    r.Forbid(head=0, dependent=1),
    r.Forbid(head=2, dependent=3, label="nsubj*"),
    r.RequireLabel(dependent=2, label="nsubj,obj"),
    r.ForbidLabel("nsubj"),
    r.ForbidLabel("obj", dependent=1),
    r.AtMostOne("nsubj"),
    r.AtMostOne("nsubj*", of="VERB,ROOT"),
    r.AtMostOne("*"),
    r.AtLeastOne("obj"),
    r.AtLeastOne("nsubj*", of="VERB"),
    r.AtLeastOne("obj", of="ROOT"),
    r.Subtree(1, 2),
    r.Subtree(2, 2),
    r.Subtree(2, 4),
    r.NoCrossing(),
    r.MaxDependents(1),
    r.MaxDependents(0, of="PUNCT"),
    r.MaxDependents(1, of="ROOT"),
    r.Agreement("nsubj*", head_not="PUNCT"),
    r.Agreement("*", head_is="NOUN,ROOT"),
    r.Agreement("obj", head_is="VERB", dependent_not="VERB"),
    r.Agreement("nsubj", dependent_is="N*"),
]


def decode(case: Case, rules: Sequence[Rule | str], **options: Any) -> TreeSolution:
    labels = LABELS[: case.scores.shape[2]] if case.scores.ndim == 3 else None
    projective, single_root = case.space
    return decode_tree(
        case.scores,
        rules,
        words=case.tags,
        labels=labels,
        projective=projective,
        single_root=single_root,
        **options,
    )


def as_labelled(solution: TreeSolution) -> Labelled:
    labels = np.full_like(solution.heads, 0) if solution.labels is None else solution.labels
    return tuple(solution.heads.tolist()), (-1, *labels[1:].tolist())


def check(case: Case, rules: Sequence[Rule], solution: TreeSolution, best: float) -> None:
    """The contract of every solution, whatever the solver."""
    tree = as_labelled(solution)
    assert trees.is_tree(solution.heads, single_root=case.space.single_root)
    assert solution.value == pytest.approx(case.value(tree, rules))
    assert solution.value <= best + 1e-9 <= solution.bound + TOLERANCE
    if solution.status == "optimal":
        assert solution.value == pytest.approx(best, abs=TOLERANCE)
    times = {rule: case.times_broken(rule, tree) for rule in rules}
    assert dict(solution.broken) == {rule: count for rule, count in times.items() if count}
    assert all(rule.weight is not None for rule in solution.broken)


cases = st.builds(
    random_case,
    seed=st.integers(0, 2**32 - 1),
    words=st.integers(1, 3),
    labels=st.just(3),
    space=st.sampled_from(SPACES),
    forbidden=st.sampled_from([0.0, 0.2]),
)


class TestEnumeration:
    @pytest.mark.parametrize("weight", [None, 1.5], ids=["hard", "soft"])
    @pytest.mark.parametrize("rule", EVERY_RULE, ids=str)
    def test_each_rule_alone(self, rule: Rule, weight: float | None) -> None:
        weighted = parse_rule(str(rule) if weight is None else f"{rule} @ {weight}")
        for seed in range(4):
            case = random_case(seed, 4, 3 if seed % 2 else 2, SPACES[seed])
            if case.scores.shape[2] == 2 and "obj" in str(rule):
                continue
            best = case.best([weighted])
            if best == -np.inf:
                with pytest.raises(ConstraintError, match=re.escape(f"no tree keeps the rule '{rule}'")):
                    decode(case, [weighted])
                continue
            solution = decode(case, [weighted], solver="branch_and_bound")
            assert solution.status == "optimal"
            check(case, [weighted], solution, best)
            check(case, [weighted], decode(case, [weighted]), best)

    @settings(max_examples=150, deadline=None)
    @given(case=cases, data=st.data())
    def test_rules_together(self, case: Case, data: st.DataObject) -> None:
        rules = data.draw(some_rules(case.words))
        best = case.best(rules)
        if best == -np.inf:
            with pytest.raises(ConstraintError) as error:
                decode(case, rules)
            self.check_conflict(case, rules, str(error.value))
            return
        solution = decode(case, rules, solver="branch_and_bound")
        assert solution.status == "optimal"
        check(case, rules, solution, best)
        check(case, rules, decode(case, rules), best)

    def check_conflict(self, case: Case, rules: Sequence[Rule], message: str) -> None:
        """The rules that are named contradict each other, and every one of them is needed for that."""
        named = [parse_rule(text) for text in re.findall("'([^']*)'", message)]
        assert set(named) <= set(rules)
        assert case.best(named) == -np.inf
        for rule in named:
            assert case.best([other for other in named if other != rule]) > -np.inf

    @pytest.mark.parametrize("solver", ["ad3", "subgradient", "branch_and_bound", "bp", "lp", "ilp"])
    def test_every_solver_keeps_the_contract(self, solver: str) -> None:
        if solver in ("lp", "ilp") and importlib.util.find_spec("highspy") is None:
            pytest.skip("HiGHS is not here")
        rules = [r.AtMostOne("nsubj*"), r.MaxDependents(2), r.AtLeastOne("obj", of="VERB", weight=1.0)]
        for seed in range(6):
            case = random_case(seed, 3, 3, ANY)
            check(case, rules, decode(case, rules, solver=solver), case.best(rules))

    def test_scores_without_labels(self) -> None:
        rules = [r.MaxDependents(1), r.NoCrossing(weight=0.7), r.Subtree(2, 3), r.Require(3, 2, weight=0.3)]
        for seed in range(6):
            case = random_case(seed, 4, 0, ANY)
            solution = decode(case, rules, solver="branch_and_bound")
            assert solution.labels is None
            check(case, rules, solution, case.best(rules))


class TestExactAndFast:
    """Rules on arcs, and rules that the best tree keeps anyway, need no factor graph."""

    @pytest.fixture(autouse=True)
    def no_graph(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise AssertionError("a factor graph was built")

        monkeypatch.setattr(searching, "TreeProgram", refuse)

    def test_rules_on_arcs(self) -> None:
        rules: list[Rule] = [
            r.Require(2, 1, "obj"),
            r.Forbid(0, 3, weight=1.0),
            r.ForbidLabel("nsubj"),
            r.Agreement("obj", head_not="PUNCT", weight=2.0),
            r.MaxDependents(0, of="PUNCT"),
            r.NoCrossing(),
        ]
        for seed in range(4):
            case = random_case(seed, 4, 3, SPACES[seed])
            case.tags = ["VERB", "NOUN", "PUNCT", "VERB"]
            solution = decode(case, rules)
            assert solution.status == "optimal" and solution.bound == pytest.approx(solution.value)
            check(case, rules, solution, case.best(rules))

    def test_rules_that_hold_anyway(self) -> None:
        scores = np.full((6, 6), -1.0)
        scores[np.arange(5), np.arange(1, 6)] = 5.0
        solution = decode_tree(scores, [r.MaxDependents(1), r.Subtree(3, 5), r.NoCrossing(weight=1.0)])
        assert solution.heads.tolist() == [-1, 0, 1, 2, 3, 4] and solution.status == "optimal"

    def test_no_words(self) -> None:
        assert decode_tree(np.zeros((1, 1)), [r.MaxDependents(1)]).heads.tolist() == [-1]
        with pytest.raises(ConstraintError, match="at-least-one 0 of ROOT"):
            decode_tree(np.zeros((1, 1, 1)), [r.AtLeastOne("0", of="ROOT")])


class TestContradictions:
    def test_two_heads(self) -> None:
        rules = [r.MaxDependents(3), r.Require(1, 3), r.ForbidLabel("obj"), r.Require(2, 3)]
        with pytest.raises(ConstraintError, match=r"together: 'require 1 -> 3', 'require 2 -> 3'$"):
            decode(random_case(0, 4, 3, ANY), rules)

    def test_counts(self) -> None:
        rules = [r.Require(2, 1, "nsubj"), r.Require(2, 3, "nsubj:pass"), r.MaxDependents(3), r.AtMostOne("nsubj*")]
        with pytest.raises(ConstraintError, match="'at-most-one nsubj\\*'") as error:
            decode(random_case(1, 4, 3, ANY), rules)
        assert "max-dependents" not in str(error.value)

    def test_overlapping_spans(self) -> None:
        with pytest.raises(ConstraintError, match=r"together: 'subtree 1\.\.3', 'subtree 2\.\.4'$"):
            decode(random_case(2, 5, 3, ANY), [r.Subtree(1, 3), r.Subtree(2, 4), r.MaxDependents(4)])

    def test_soft_rules_never_contradict(self) -> None:
        case = random_case(3, 4, 3, ANY)
        rules = [
            r.Require(1, 3, weight=1.0),
            r.Require(2, 3, weight=1.0),
            r.Subtree(1, 3, weight=9.0),
            r.Subtree(2, 4, weight=9.0),
        ]
        check(case, rules, decode(case, rules, solver="branch_and_bound"), case.best(rules))

    def test_scores_that_allow_no_tree(self) -> None:
        with pytest.raises(ConstraintError, match="with or without rules"):
            decode_tree(np.full((3, 3), -np.inf), [r.MaxDependents(1)])


class TestWords:
    def test_columns_of_a_sentence(self) -> None:
        sentence = Sentence.from_words(["a", "b"], upos=["NOUN", "VERB"], xpos=["NN", "VBZ"])
        scores = np.array([[0, 5.0, 1.0], [0, 0, 4.0], [0, 1.0, 0]])
        rule = r.Agreement("*", head_is="VB*,ROOT", column="xpos")
        for words in (sentence, {"xpos": ["NN", "VBZ"]}, iter(sentence)):
            assert decode_tree(scores, [rule], words=words).heads.tolist() == [-1, 0, 0]

    def test_texts_are_rules(self) -> None:
        assert decode_tree(np.zeros((3, 3)), ["require 2 -> 1"]).heads.tolist() == [-1, 2, 0]

    @pytest.mark.parametrize(
        ("rule", "reason"),
        [
            ("require 2 -> 9", "rule 'require 2 -> 9': there is no word 9: the sentence has 2"),
            ("subtree 1..3", "there is no word 3"),
            ("at-most-one nsubjj", "rule 'at-most-one nsubjj': there is no label nsubjj"),
            ("max-dependents 1 of VERB in xpos", "the words have no column xpos"),
        ],
    )
    def test_rules_on_what_is_not_there(self, rule: str, reason: str) -> None:
        with pytest.raises(ConfigError, match=re.escape(reason)):
            decode_tree(np.zeros((3, 3, 2)), [rule], words=["NOUN", "VERB"], labels=["nsubj", "obj"])

    def test_missing_words_and_labels(self) -> None:
        with pytest.raises(ConfigError, match="needs the upos of the words"):
            decode_tree(np.zeros((3, 3)), ["max-dependents 1 of VERB"])
        with pytest.raises(ConfigError, match="the scores have no labels"):
            decode_tree(np.zeros((3, 3)), ["at-most-one nsubj"])
        with pytest.raises(ValueError, match="2 words, the words given are 1"):
            decode_tree(np.zeros((3, 3)), ["max-dependents 1 of VERB"], words=["VERB"])
        with pytest.raises(ValueError, match="2 labels, the names given are 1"):
            decode_tree(np.zeros((3, 3, 2)), labels=["one"])
        with pytest.raises(ValueError, match="labelled scores"):
            decode_tree(np.zeros((3, 3)), labels=["one"])

    def test_unknown_solvers_and_settings(self) -> None:
        with pytest.raises(ConfigError, match="unknown solver 'magic'"):
            decode_tree(np.zeros((3, 3)), solver="magic")
        with pytest.raises(ConfigError, match="ad3 has no setting 'nodes'"):
            decode_tree(np.zeros((3, 3)), nodes=3)
