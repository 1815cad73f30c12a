# SPDX-License-Identifier: Apache-2.0
"""Two systems compared: the permutation test against enumeration, tables, and the command with its page."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from accord.app.cli import make_app
from accord.data import Document, Sentence
from accord.evaluation.bootstrap import permutation_test
from accord.evaluation.comparison import Comparison, is_projective


def trees(*heads: list[int]) -> Document:
    return Document.from_sentences(
        Sentence.from_words(
            [f"w{i}" for i in range(len(one))], heads=one, deprels=["root" if h == 0 else "dep" for h in one]
        )
        for one in heads
    )


GOLD = trees([0, 1, 2], [2, 0], [0, 1, 1, 2])
FIRST = trees([0, 1, 1], [2, 0], [0, 1, 1, 3])
SECOND = trees([0, 1, 2], [2, 0], [0, 1, 1, 3])


def percent(sums: np.ndarray) -> float:
    return 100 * float(sums[0]) / float(sums[1])


def test_the_permutation_test_is_near_all_permutations() -> None:
    random = np.random.default_rng(5)
    one = np.stack([random.integers(0, 5, 10), np.full(10, 5)], axis=1)
    two = np.stack([np.minimum(one[:, 0] + random.integers(0, 3, 10), 5), np.full(10, 5)], axis=1)
    gap = abs(percent(two.sum(0)) - percent(one.sum(0)))
    swapped = [
        abs(percent(np.where(flags[:, None], two, one).sum(0)) - percent(np.where(flags[:, None], one, two).sum(0)))
        for flags in map(np.array, itertools.product([False, True], repeat=10))
    ]
    exact = np.mean([found >= gap - 1e-12 for found in swapped])
    assert permutation_test(one, two, percent, samples=20_000).p_value == pytest.approx(exact, abs=0.02)
    assert permutation_test(one, one, percent).p_value == 1.0


def test_tables_of_a_comparison() -> None:
    found = Comparison(GOLD, FIRST, SECOND)
    assert found.counts("correct_arc")[0].tolist() == [[2, 3], [2, 2], [3, 4]]
    (difference,) = found.differences()
    assert (difference.index, difference.first, difference.second) == (0, 2, 3)
    rows = found.breakdowns()
    assert rows["tree"] == {"projective": (80.0, 100.0, 5), "non-projective": (75.0, 75.0, 4)}
    assert rows["label"]["root"][2] == 3 and next(iter(rows["distance"])) == "root"


def test_projectivity() -> None:
    assert is_projective([2, 0, 2]) and not is_projective([3, 4, 0, 3])


def test_the_command_and_its_page(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.conllu" for name in ("gold", "one", "two")]
    for file, document in zip(files, (GOLD, FIRST, SECOND), strict=True):
        document.write(file)
    page = tmp_path / "page.html"
    words = ["compare", *map(str, files), "--report", str(page), "--json", "--samples", "50"]
    result = CliRunner().invoke(make_app(words), words, catch_exceptions=False)
    told = json.loads(result.stdout)
    assert told["different_sentences"] == 1 and told["tests"]["LAS"]["McNemar"]["only_second"] == 1
    assert page.read_text(encoding="utf-8").count('class="accord"') == 2
