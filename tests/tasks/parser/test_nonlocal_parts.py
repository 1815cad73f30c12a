# SPDX-License-Identifier: Apache-2.0
"""Parts that no chart scores: models with them learn, and every exact solver finds the same best trees."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from accord import Document, Parser, Sentence
from accord.errors import ConfigError
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig, Search
from accord.tasks.parser.linear_task import ParserTask
from accord.tasks.parser.training import parser_task, train_parser
from tests.conftest import toy_document

FAMILIES = ["great_grandparent", "any_tri_sibling", "comb", "any_sibling", "outer_grandparent"]
SMALL = {"arc_bits": 14, "part_bits": 14, "pruner_bits": 14, "epochs": 2, "labels": "none", "threads": 1}


def small_config(parts: str, **values: Any) -> ParserConfig:
    return make_settings(ParserConfig, {**SMALL, "parts": parts, **values})


def list_sentence(source: random.Random) -> Sentence:
    """A verb with a run of five or six modifiers, or a chain of three or four: words alone do not tell which."""
    count = source.randint(3, 6)
    forms, tags = ["take", *["one"] * count], ["VERB", *["NUM"] * count]
    heads = [0, *(1 if count >= 5 else word for word in range(1, count + 1))]
    return Sentence.from_words(forms, upos=tags, heads=heads)


@pytest.fixture(scope="module")
def treebank() -> Document:
    source = random.Random(5)
    lists = [list_sentence(source) for _ in range(60)]
    toys = toy_document(120, 1).sentences
    return Document.from_sentences([*toys, *lists], name="lists")


@pytest.fixture(scope="module")
def held_out() -> Document:
    source = random.Random(6)
    return Document.from_sentences([*toy_document(20, 2).sentences, *(list_sentence(source) for _ in range(10))])


def trained(treebank: Document, parts: str, **values: Any) -> Parser:
    return Parser(train_parser(treebank, None, small_config(parts, **values)).snapshot)


@pytest.mark.parametrize("family", FAMILIES)
def test_branch_and_bound_over_the_chart_equals_the_integer_program(
    treebank: Document, held_out: Document, family: str
) -> None:
    pytest.importorskip("highspy")
    parser = trained(treebank, f"sibling,grandparent,{family}", projective=True, solver="nonlocal", rule="perceptron")
    found = parser.trees(held_out, search=Search(solver="nonlocal"), threads=1)
    program = parser.trees(held_out, search=Search(solver="ilp"), threads=1)
    assert (found.statuses == 0).all()
    np.testing.assert_allclose(found.scores, program.scores, rtol=1e-6, atol=1e-6)
    assert (found.heads == held_out.heads).mean() > 0.8


@pytest.mark.parametrize("family", FAMILIES)
def test_models_of_any_tree_are_searched_through_the_factor_graph(
    treebank: Document, held_out: Document, family: str
) -> None:
    pytest.importorskip("highspy")
    parser = trained(treebank, f"sibling,{family}", rule="perceptron")
    exact = parser.trees(held_out, search=Search(solver="branch_and_bound"), threads=1)
    program = parser.trees(held_out, search=Search(solver="ilp"), threads=1)
    np.testing.assert_allclose(exact.scores, program.scores, rtol=1e-5, atol=1e-5)
    assert (exact.heads == held_out.heads).mean() > 0.8


def test_a_comb_counts_where_all_its_arcs_are(treebank: Document) -> None:
    parser = trained(treebank, "comb", projective=True, solver="nonlocal")
    flat = Sentence.from_words(["take", *["one"] * 5], upos=["VERB", *["NUM"] * 5], heads=[0, 1, 1, 1, 1, 1])
    graph = parser.part_graph(flat)
    sizes = sorted(len(factor.variables) for factor in graph.graph.factors() if factor.kind == "conjunction")
    assert sizes and set(sizes) <= {4, 5}


@pytest.mark.parametrize("others", ["", ",any_sibling,comb"])
def test_grandparents_leave_the_chart_and_the_tree_stays(treebank: Document, held_out: Document, others: str) -> None:
    parser = trained(treebank, f"sibling,outer_grandparent,grandparent{others}", projective=True, solver="nonlocal")
    inside = parser.trees(held_out, search=Search(solver="nonlocal"), threads=1)
    outside = parser.trees(held_out, search=Search(solver="nonlocal", chart_grandparents=False), threads=1)
    assert (inside.statuses == 0).all() and (outside.statuses == 0).all()
    np.testing.assert_allclose(inside.scores, outside.scores, rtol=1e-9)
    np.testing.assert_array_equal(inside.heads, outside.heads)
    if not others:  # the chart has everything
        assert (inside.iterations == 1).all() and outside.iterations.mean() > 1


def test_without_factors_one_call_of_the_chart_proves_the_tree(treebank: Document, held_out: Document) -> None:
    parser = trained(treebank, "sibling,outer_grandparent", projective=True)
    found = parser.trees(held_out, search=Search(solver="nonlocal"), threads=1)
    charted = parser.trees(held_out, search=Search(solver="chart"), threads=1)
    assert (found.iterations == 1).all()
    np.testing.assert_array_equal(found.heads, charted.heads)


@pytest.mark.parametrize(
    ("parts", "values", "reason"),
    [
        ("sibling,comb", {"solver": "chart", "projective": True}, "no comb parts"),
        ("sibling,great_grandparent", {"solver": "nonlocal"}, "for projective models"),
        ("sibling,valency", {"solver": "nonlocal", "projective": True}, "no valency parts"),
        ("grand_sibling,outer_grandparent", {}, "choose one"),
        ("sibling,combs", {}, "is none of"),
    ],
)
def test_a_solver_that_lacks_parts_is_refused_before_training(
    treebank: Document, parts: str, values: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ConfigError, match=reason):
        ParserTask(treebank, None, small_config(parts, **values))


@pytest.mark.parametrize("family", FAMILIES)
def test_networks_refuse_parts_that_they_do_not_score(treebank: Document, family: str) -> None:
    pytest.importorskip("torch")
    with pytest.raises(ConfigError, match="neural scorers have siblings and grandparents"):
        parser_task(treebank, None, small_config(f"sibling,{family}", scorer="neural"))


def test_a_solver_that_lacks_parts_is_refused_in_parsing(treebank: Document, held_out: Document) -> None:
    parser = trained(treebank, "any_tri_sibling", projective=True)
    with pytest.raises(ConfigError, match="solver 'chart'"):
        parser.trees(held_out, search=Search(solver="chart"))
