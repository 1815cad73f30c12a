# SPDX-License-Identifier: Apache-2.0
"""The concise programs of dependency parsing against trees, enumeration and the automata's tighter relaxation."""

from __future__ import annotations

import numpy as np
import pytest

from accord.inference import FactorGraph, linear, trees
from accord.inference.flow import parser_program

pytest.importorskip("highspy")


def test_multi_commodity_flow_is_tight_for_arcs_and_single_commodity_is_not() -> None:
    random = np.random.default_rng(0)
    looser = 0
    for _ in range(30):
        scores = random.normal(size=(5, 5))
        best = trees.NonProjective(scores).argmax().score
        multi = linear.solve(parser_program(scores), False).value
        single = linear.solve(parser_program(scores, flow="single"), False).value
        assert multi == pytest.approx(best, abs=1e-6)
        assert single >= best - 1e-6
        assert linear.solve(parser_program(scores, flow="single"), True).value == pytest.approx(best, abs=1e-6)
        looser += single > best + 1e-6
    assert looser > 3


def test_projective_programs_give_projective_trees() -> None:
    random = np.random.default_rng(1)
    for _ in range(15):
        scores = random.normal(size=(5, 5))
        best = trees.Projective(scores, single_root=True).argmax().score
        program = parser_program(scores, projective=True, single_root=True)
        assert linear.solve(program, True).value == pytest.approx(best, abs=1e-6)


def test_automata_relax_consecutive_siblings_more_tightly_than_running_indicators() -> None:
    random = np.random.default_rng(2)
    words, tighter = 4, 0
    for _ in range(25):
        scores = random.normal(size=(words + 1, words + 1))
        scores[:, 0] = 0.0  # no arcs; as variables of the graph they would be free to earn their scores
        np.fill_diagonal(scores, 0.0)
        graph = FactorGraph()
        arcs = graph.variables(scores)
        graph.tree(arcs)
        first: dict[tuple[int, int], float] = {}
        following: dict[tuple[tuple[int, int], tuple[int, int]], float] = {}
        for head in range(words + 1):
            for side in (list(range(head + 1, words + 1)), list(range(head - 1, 0, -1))):
                if not side:
                    continue
                table = np.zeros((len(side) + 1, len(side) + 2))
                table[:, :-1] = random.normal(size=(len(side) + 1, len(side) + 1))
                graph.sibling_automaton(arcs[head, side], table)
                for j, word in enumerate(side, 1):
                    first[head, word] = float(table[0, j])
                    for i in range(1, j):
                        following[(head, side[i - 1]), (head, word)] = float(table[i, j])
        program = parser_program(scores, next_siblings=following, first_children=first)
        loose = linear.solve(program, False).value
        optimum = graph.solve("ilp").value
        tight = graph.solve("lp").bound
        assert linear.solve(program, True).value == pytest.approx(optimum, abs=1e-5)
        assert loose >= tight - 1e-5 and tight >= optimum - 1e-5
        tighter += loose > tight + 1e-5
    assert tighter > 10


def test_wrong_parts_are_refused() -> None:
    with pytest.raises(ValueError, match="no arc"):
        parser_program(np.zeros((3, 3)), first_children={(1, 1): 1.0})
    with pytest.raises(ValueError, match="must be"):
        parser_program(np.zeros((3, 4)))
    with pytest.raises(ValueError, match="flow"):
        parser_program(np.zeros((3, 3)), flow="none")
