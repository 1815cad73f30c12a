# SPDX-License-Identifier: Apache-2.0
"""Paths and non-projective arcs in a trained parser: every solver as enumeration says, and clear refusals."""

from __future__ import annotations

import dataclasses
import random
from functools import cache
from typing import Any

import numpy as np
import pytest

from accord import Document, Parser
from accord.errors import ConfigError
from accord.inference.rules import MaxDependents, Rule
from accord.settings import make_settings
from accord.tasks.parser import ParserConfig, ParserModel, Search
from accord.tasks.parser.training import train_parser
from tests.conftest import toy_document
from tests.inference.enumerated_trees import Space, all_trees
from tests.tasks.parser.test_ruled_parser import EVERY_ARC, MERGED, SMALL, TOLERANCE, ParserCase, check, scrambled

FAMILIES = ("path", "nonprojective", "sibling,grandparent,path,nonprojective")
SOLVERS = ("auto", "ad3", "subgradient", "bp", "branch_and_bound", "lp", "ilp")


def config(parts: str, **values: Any) -> ParserConfig:
    return make_settings(ParserConfig, {**SMALL, "parts": parts, "threads": 1, **values})


def torn_document() -> Document:
    """Sentences of the toy language with trees drawn at random, so that arcs cross and every weight moves."""
    document, source = toy_document(60, 1), random.Random(3)
    heads: list[int] = []
    for words in document.lengths.tolist():
        above = {0: 0}
        order = source.sample(range(1, words + 1), words)
        for word in order:
            above[word] = source.choice(list(above)) if len(above) > 1 else 0
            if len(above) > 2 and above[word] == 0:
                above[word] = order[0]
        heads.extend(above[word] for word in range(1, words + 1))
    deprels = [MERGED.get(label, "nsubj") for label in document.column("deprel")]
    return document.replace(heads=np.array(heads, np.int32), deprels=deprels)


@cache
def torn_model(parts: str) -> ParserModel:
    return train_parser(torn_document(), None, config(parts)).snapshot


def parser(parts: str, *, projective: bool = False, single_root: bool = True) -> Parser:
    model = torn_model(parts)
    changed = dataclasses.replace(model.config, projective=projective, **EVERY_ARC)
    return Parser(dataclasses.replace(model, config=changed, single_root=single_root))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("parts", FAMILIES)
def test_every_solver_keeps_the_contract(parts: str, solver: str) -> None:
    if solver in ("lp", "ilp"):
        pytest.importorskip("highspy")
    for seed in range(3):
        rules: list[Rule] = [MaxDependents(1), MaxDependents(0, of="PUNCT", weight=0.5)]
        for asked in ([], rules):
            using = parser(parts, projective=seed == 2, single_root=seed > 0)
            status = check(using, scrambled(seed, 3), asked, Search(solver=solver))
            assert status == "optimal" or solver not in ("branch_and_bound", "ilp")


@pytest.mark.parametrize("parts", FAMILIES)
def test_exact_solvers_and_kbest_agree_with_enumeration(parts: str) -> None:
    pytest.importorskip("highspy")
    using, differs = parser(parts), 0
    for seed in range(6):
        document = scrambled(200 + seed, 4)
        case = ParserCase(using, document)
        best = case.best_unruled()
        for solver in ("ilp", "branch_and_bound"):
            found = using.trees(document, threads=1, search=Search(solver=solver))
            assert found.status == ("optimal",)
            assert found.scores[0] == pytest.approx(best, abs=TOLERANCE)
        labels = case.scores.max(axis=2)
        values = sorted(
            (
                sum(labels[head, word] for word, head in enumerate(heads[1:], 1))
                + case.parts.larger_score(np.array(heads, np.int32))
                for heads in all_trees(4, Space(projective=False, single_root=True))
            ),
            reverse=True,
        )
        ranked = using.kbest(document.sentences[0], 4, search=Search(solver="branch_and_bound"))
        assert [tree.score for tree in ranked] == pytest.approx(values[:4], abs=TOLERANCE)
        arcs = max(
            all_trees(4, Space(projective=False, single_root=True)),
            key=lambda heads: sum(labels[head, word] for word, head in enumerate(heads[1:], 1)),
        )
        differs += case.parts.larger_score(np.array(arcs, np.int32)) != 0
    assert differs > 0


def test_kept_heads_stay() -> None:
    document = torn_document()
    few = Document.from_sentences(document.sentences[:5])
    partly = few.replace(heads=np.where(np.arange(few.heads.size) % 2 == 0, few.heads, -1))
    kept = parser("path,nonprojective").parse(partly, keep="given", threads=1)
    assert (kept.heads[::2] == few.heads[::2]).all()


@pytest.mark.parametrize("solver", ["chart", "nonlocal"])
def test_charts_refuse_paths(solver: str) -> None:
    with pytest.raises(ConfigError, match=f"solver .{solver}."):
        parser("path", projective=True).trees(scrambled(1, 3), search=Search(solver=solver))
