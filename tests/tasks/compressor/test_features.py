# SPDX-License-Identifier: Apache-2.0
"""Features of compressors: scores of whole compressions are sums over parts, and mistakes in templates are named."""

from __future__ import annotations

import itertools
from importlib import resources

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConfigError
from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.config import LINEAR_METHODS
from accord.tasks.compressor.linear import sections_of
from accord.tasks.compressor.parts import SECTIONS, PartFeatures
from accord.tasks.compressor.preparing import projective, tree_of_kept
from accord.tasks.compressor.templates import compile_templates

TEMPLATES = (resources.files("accord.tasks.compressor") / "features.txt").read_text()
BITS = 10
KINDS = [sections_of(method) for method in LINEAR_METHODS]


def random_tree(draw: np.random.Generator, size: int) -> list[int]:
    order = draw.permutation(size) + 1
    heads = [0] * size
    for place in range(1, size):
        heads[order[place] - 1] = int(order[draw.integers(place)])
    return heads


def random_analysis(seed: int) -> Analysis:
    draw = np.random.default_rng(seed)
    size = int(draw.integers(1, 7))
    columns = [tuple(str(one) for one in draw.choice(list("abXY,"), size)) for _ in range(3)]
    labels = tuple(str(one) for one in draw.choice(["nsubj", "obj", "punct"], size))
    return Analysis(*columns, tuple(random_tree(draw, size)), labels)


@settings(deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(KINDS))
def test_the_score_of_a_compression_is_the_sum_of_its_parts(seed: int, sections: tuple[str, ...]) -> None:
    analysis = random_analysis(seed)
    draw = np.random.default_rng(seed)
    size = len(analysis)
    weights = draw.normal(size=len(SECTIONS) << BITS)
    features = PartFeatures(analysis, compile_templates(TEMPLATES), BITS, sections)
    scores = features.scores(weights)
    kept = draw.random(size) < 0.6
    heads = np.array(analysis.heads, np.int32)
    if "arc" in sections:
        heads = np.array([draw.choice([h for h in range(size + 1) if h != m]) for m in range(1, size + 1)], np.int32)
    places = np.flatnonzero(kept) + 1
    total = scores.words[places].sum()
    if scores.bigrams is not None:
        path = [0, *places, 0]
        if len(places):
            total += sum(scores.bigrams[i, j] for i, j in itertools.pairwise(path))
    if scores.arcs is not None:
        total += scores.arcs[heads[places - 1], places].sum()
    if scores.statuses is not None:
        above = np.append(True, kept)[analysis.status_heads[1:]]
        total += sum(scores.statuses[m, int(kept[m]), int(above[m])] for m in range(size))
    if len(places):
        assert weights[features.of(kept, heads)].sum() == pytest.approx(total)


def test_parses_with_many_crossing_arcs_are_lifted_for_statuses() -> None:
    def analysis(heads: tuple[int, ...]) -> Analysis:
        size = len(heads)
        return Analysis(("a",) * size, ("X",) * size, ("X",) * size, heads, ("dep",) * size)

    few = analysis((3, 4, 0, 3))
    assert few.status_heads.tolist() == [-1, 3, 4, 0, 3]
    many = analysis((0,) * 6 + (1, 2, 3, 4, 5, 6))
    assert many.status_heads.tolist() == [-1, *projective(many.heads)] != [-1, *many.heads]


def test_features_do_not_depend_on_the_rest_of_the_process() -> None:
    """The same file of templates gives the same keys everywhere, so that model files can be shared."""
    analysis = Analysis(("Ana", "sleeps"), ("PROPN", "VERB"), ("NNP", "VBZ"), (2, 0), ("nsubj", "root"))
    found = PartFeatures(analysis, compile_templates("[word]\nbias\nhere.lower here+1.xpos\n"), 16, ("word",))
    assert found.words.tolist() == [[55961, 55961], [32553, 23795]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[word]\nhere.colour\n", "line 2: unknown attribute 'colour'"),
        ("[word]\nleft.lower\n", "line 2: unknown anchor 'left'"),
        ("[word]\ndistance\n", "line 2: unknown unit 'distance'"),
        ("[pair]\n", "line 1: unknown section \\[pair\\]"),
        ("here.lower\n", "line 1: a template before the first section"),
        ("[arc]\nhead+3.lower\n", "line 2: 'head\\+3.lower': an offset is 1 or 2"),
    ],
)
def test_mistakes_in_templates_are_named(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        compile_templates(text)


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_lifted_trees_are_projective_trees_over_the_kept_words(seed: int) -> None:
    draw = np.random.default_rng(seed)
    size = int(draw.integers(1, 8))
    lifted = projective(random_tree(draw, size))
    arcs = [(min(word, head), max(word, head)) for word, head in enumerate(lifted, start=1)]
    assert not any(a < c < b < d for a, b in arcs for c, d in arcs)
    assert lifted.count(0) == 1
    mask = [True] * size + [False]
    found = tree_of_kept(mask, lifted)
    assert found.tolist() == [*lifted, -1]
