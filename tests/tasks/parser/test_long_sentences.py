# SPDX-License-Identifier: Apache-2.0
"""Sentences of more than five hundred words: trees over candidate arcs alone, in little memory, within a budget."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from accord.inference import trees
from accord.tasks.parser import Search
from tests.inference.enumerated_trees import Space
from tests.tasks.parser.test_ruled_parser import parser, scrambled

WORDS = 620  # more than trees::dense_words
SPACES = [Space(projective, single_root) for projective in (False, True) for single_root in (False, True)]


@pytest.mark.parametrize("space", SPACES, ids=str)
@pytest.mark.parametrize("order", [2, 3])
def test_a_spent_budget_leaves_a_tree_of_the_models_kind(order: int, space: Space) -> None:
    document = scrambled(3, WORDS)
    found = parser(order, space=space).trees(document, search=Search(seconds=1e-3))
    heads = np.array([-1, *found.heads.tolist()])
    assert trees.is_tree(heads, single_root=space.single_root)
    assert trees.is_projective(heads) or not space.projective
    assert found.status == ("budget",) and np.isfinite(found.scores[0]) and found.scores[0] <= found.bounds[0]
    assert (found.labels >= 0).all()


def test_a_budget_beyond_the_work_changes_nothing() -> None:
    using, document = parser(2, space=Space(True, True)), scrambled(4, WORDS)
    plain = using.trees(document)
    ample = using.trees(document, search=Search(seconds=600.0))
    assert (plain.heads == ample.heads).all() and plain.status == ample.status == ("optimal",)


def test_the_pruner_keeps_what_it_keeps_of_all_arcs() -> None:
    using, document = parser(2), scrambled(5, WORDS)
    read_by_words = using.pruning(document).arcs
    of_all_arcs = len(using.part_graph(document.sentences[0]).heads)  # which rules need at hand
    assert abs(read_by_words - of_all_arcs) < 0.02 * of_all_arcs  # the arcs of their best trees may differ


def test_given_heads_of_long_sentences_stay() -> None:
    document = scrambled(7, WORDS)
    half = document.replace(heads=[m - 1 if m % 7 == 0 else None for m in range(1, WORDS + 1)])
    found = parser(2).parse(half, keep="given", search=Search(seconds=0.5))
    for before, after in zip(half.heads.tolist(), found.heads.tolist(), strict=True):
        assert before in (-1, after)


def test_memory_grows_with_the_words_alone(tmp_path: Path) -> None:
    """Less than one and a half matrices of all arcs; each step had its own before."""
    words = 3000
    model, text = tmp_path / "m.accord", tmp_path / "long.conllu"
    parser(2).model.save(model)
    scrambled(8, words).write(text)
    code = f"""
import resource
from accord import Parser, data
from accord.tasks.parser import Search
parser, document = Parser.load({str(model)!r}), data.read({str(text)!r})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
parser.trees(document, threads=1, search=Search(seconds=0.2))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=300)
    assert int(done.stdout) * 1024 < 1.5 * 8 * words**2
