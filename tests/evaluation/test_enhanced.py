# SPDX-License-Identifier: Apache-2.0
"""ELAS as the shared tasks count it, and the rules that make enhanced graphs of English trees."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.data import Document, read
from accord.data.enhancing import enhance
from accord.errors import FormatError
from accord.evaluation.enhanced import collapsed, enhanced_scores

UD = Path(__file__).parents[3] / "shared" / "data" / "ud"


def rows(*deps: str, node: str = "") -> Document:
    lines = [
        f"{n}\tw{n}\t_\t_\t_\t_\t{0 if n == 1 else 1}\t{'root' if n == 1 else 'dep'}\t{one}\t_"
        for n, one in enumerate(deps, 1)
    ]
    if node:
        lines.append(f"{len(deps)}.1\te\t_\t_\t_\t_\t_\t_\t{node}\t_")
    return Document.from_conllu("\n".join(lines) + "\n\n")


def test_arcs_are_counted_one_by_one() -> None:
    gold, system = rows("0:root", "1:obj|3:nsubj", "1:conj:and"), rows("0:root", "1:obj", "1:conj:or")
    scores = enhanced_scores(gold, system)
    assert (scores["ELAS"].correct, scores["ELAS"].gold_total, scores["ELAS"].system_total) == (2, 4, 3)
    assert scores["EULAS"].correct == 3


def test_empty_nodes_are_collapsed() -> None:
    document = rows("0:root", "2.1:nsubj", node="1:conj:and")
    assert collapsed(document) == [[(-1, ("root",))], [(0, ("conj:and", "nsubj"))]]
    written = rows("0:root", "1:conj:and>nsubj")
    assert collapsed(written) == collapsed(document)
    assert enhanced_scores(document, written)["ELAS"].f1 == 100.0
    assert enhanced_scores(document, rows("0:root", "1:conj>nsubj"))["EULAS"].f1 == 100.0


def test_cycles_of_empty_nodes_end() -> None:
    assert collapsed(rows("0:root", "2.1:dep", node="2.1:dep|1:dep"))[1] == [(0, ("dep", "dep"))]


@pytest.mark.parametrize("head", ["x", "1.2.3", "3", "-1", "²", "", "9" * 5000])
def test_a_head_that_is_not_there_is_told_in_one_line(head: str) -> None:
    with pytest.raises(FormatError, match="sentence 1: DEPS: there is no node") as told:
        collapsed(rows("0:root", f"{head}:dep"))
    assert "\n" not in str(told.value) and len(str(told.value)) < 200


def test_ways_through_empty_nodes_are_bounded() -> None:
    """Forty nodes with two arcs each have 2^40 ways; three thousand in a row are one way."""

    def nodes(count: int, *labels: str) -> Document:
        deps = ["|".join(f"2.{i + 1}:{one}" for one in labels) for i in range(1, count)] + ["1:z"]
        lines = [f"2.{i}\te" + "\t_" * 6 + f"\t{one}\t_" for i, one in enumerate(deps, 1)]
        return Document.from_conllu("\n".join([rows("0:root", "2.1:dep").to_conllu().strip(), *lines]) + "\n\n")

    with pytest.raises(FormatError, match="ways through empty nodes"):
        collapsed(nodes(40, "a", "b"))
    assert len(collapsed(nodes(3000, "a"))[1][0][1]) == 3001


@pytest.mark.skipif(not UD.is_dir(), reason="needs shared data")
def test_rules_make_nearly_the_gold_graphs_of_gold_trees() -> None:
    gold = read(UD / "en_ewt-ud-dev.conllu.xz")[:300]
    bare = gold.with_native(gold.native)
    scores = enhanced_scores(gold, enhance(bare))
    assert scores["ELAS"].f1 > 98.0 and scores["EULAS"].f1 > 99.0
    assert enhanced_scores(gold, gold)["ELAS"].f1 == 100.0
