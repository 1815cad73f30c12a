# SPDX-License-Identifier: Apache-2.0
"""Formulas mean what their truth tables say, simplified or not, hard or soft, with or without auxiliary variables."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from accord.errors import ConstraintError
from accord.inference.logic import (
    FALSE,
    TRUE,
    Formula,
    Program,
    at_least,
    at_most,
    at_most_one,
    choice,
    define,
    encoding,
    equivalent,
    exactly,
    exactly_one,
    exists,
    forall,
)

ATOMS = 4
Bits = Sequence[bool]
Tree = Any  # an integer (an atom), a truth value, or (connective, [number], parts...)

COUNTS = {"exactly": exactly, "at_most": at_most, "at_least": at_least}


def trees(leaves: int) -> st.SearchStrategy[Tree]:
    """Syntax trees: independent of the classes under test."""
    leaf = st.one_of(st.integers(0, ATOMS - 1), st.integers(0, ATOMS - 1), st.booleans())

    def grown(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        parts = st.lists(inner, min_size=0, max_size=4)
        return st.one_of(
            st.tuples(st.just("not"), inner),
            st.tuples(st.sampled_from(["and", "or", "one", "none or one"]), parts),
            st.tuples(st.sampled_from(sorted(COUNTS)), st.integers(0, 4), parts),
            st.tuples(st.sampled_from(["implies", "same"]), inner, inner),
        )

    return st.recursive(leaf, grown, max_leaves=leaves)


def truth(tree: Tree, bits: Bits) -> bool:
    """What the syntax tree says of an assignment, by the definition of each connective."""
    if isinstance(tree, bool):
        return tree
    if isinstance(tree, int):
        return bits[tree]
    kind, *rest = tree
    if kind == "not":
        return not truth(rest[0], bits)
    if kind == "implies":
        return not truth(rest[0], bits) or truth(rest[1], bits)
    if kind == "same":
        return truth(rest[0], bits) is truth(rest[1], bits)
    total = sum(truth(part, bits) for part in rest[-1])
    size = len(rest[-1])
    verdicts = {"and": total == size, "or": total > 0, "one": total == 1, "none or one": total < 2}
    if kind in verdicts:
        return verdicts[kind]
    wanted: int = rest[0]
    return {"exactly": total == wanted, "at_most": total <= wanted, "at_least": total >= wanted}[kind]


def formula(tree: Tree, atoms: Sequence[Formula]) -> Formula:
    """The same, with the operators and functions under test."""
    if isinstance(tree, bool):
        return TRUE if tree else FALSE
    if isinstance(tree, int):
        return atoms[tree]
    kind, *rest = tree
    if kind == "not":
        return ~formula(rest[0], atoms)
    if kind in ("implies", "same"):
        first, second = (formula(part, atoms) for part in rest)
        return first >> second if kind == "implies" else equivalent(first, second)
    parts = [formula(part, atoms) for part in rest[-1]]
    plain: dict[str, Callable[..., Formula]] = {
        "and": forall,
        "or": exists,
        "one": exactly_one,
        "none or one": at_most_one,
    }
    return plain[kind](parts) if kind in plain else COUNTS[kind](rest[0], parts)


def program(scores: Sequence[float]) -> tuple[Program, list[Formula]]:
    p = Program()
    x = p.predicate("x", range(len(scores)), scores=scores)
    return p, [x[i] for i in range(len(scores))]


def assignments(count: int = ATOMS) -> list[tuple[bool, ...]]:
    return list(itertools.product((False, True), repeat=count))


def graph_value(p: Program, bits: Bits) -> float:
    """Value of an assignment of the atoms, auxiliary variables being what their definitions say."""
    complete = np.zeros(p.graph._native.variables, bool)
    complete[: len(bits)] = bits
    return p.graph.value(p.completed(complete)) + p.constant


hypothesis_settings = settings(max_examples=150, deadline=None)
numbers = st.integers(-40, 40).map(lambda n: n / 8)


class TestMeaning:
    @hypothesis_settings
    @given(tree=trees(10))
    def test_simplification_keeps_the_truth_table(self, tree: Tree) -> None:
        _, atoms = program([0.0] * ATOMS)
        built = formula(tree, atoms)
        for bits in assignments():
            value = built.given(lambda atom, bits=bits: bits[atom.variable] != atom.negated)  # type: ignore[misc]
            assert value == (TRUE if truth(tree, bits) else FALSE)

    @hypothesis_settings
    @given(tree=trees(10))
    def test_a_simplified_formula_has_no_constants_inside(self, tree: Tree) -> None:
        _, atoms = program([0.0] * ATOMS)
        built = formula(tree, atoms)
        assert built in (TRUE, FALSE) or not ({"true", "false"} & set(repr(built).replace("(", " ").split()))

    @pytest.mark.parametrize("size", [3, 6])
    @hypothesis_settings
    @given(tree=trees(12), scores=st.lists(numbers, min_size=ATOMS, max_size=ATOMS))
    def test_required_formulas_allow_exactly_their_models(self, size: int, tree: Tree, scores: list[float]) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(encoding, "TABLE_VARIABLES", size)
            p, atoms = program(scores)
            models = [bits for bits in assignments() if truth(tree, bits)]
            if not models:
                with pytest.raises(ConstraintError):
                    p.require(formula(tree, atoms))
                    p.solve("enumerate")
                return
            p.require(formula(tree, atoms))
        for bits in assignments():
            expected = float(np.dot(scores, bits)) if bits in models else -np.inf
            evidence_allows = all(value == bits[v] for v, (value, _) in p._encoder._fixed.items() if v < ATOMS)
            value = graph_value(p, bits) if evidence_allows else -np.inf
            assert value == pytest.approx(expected)
        best = max(float(np.dot(scores, bits)) for bits in models)
        assume(p.graph._native.variables <= 22)
        assert p.solve("enumerate").value == pytest.approx(best)

    @pytest.mark.parametrize("size", [3, 6])
    @hypothesis_settings
    @given(tree=trees(12), scores=st.lists(numbers, min_size=ATOMS, max_size=ATOMS), weight=numbers)
    def test_preferred_formulas_add_their_weight_when_true(
        self, size: int, tree: Tree, scores: list[float], weight: float
    ) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(encoding, "TABLE_VARIABLES", size)
            p, atoms = program(scores)
            p.prefer(formula(tree, atoms), weight)
        values = [float(np.dot(scores, bits)) + weight * truth(tree, bits) for bits in assignments()]
        for bits, value in zip(assignments(), values, strict=True):
            assert graph_value(p, bits) == pytest.approx(value)
        assume(p.graph._native.variables <= 22)
        assert p.solve("enumerate").value == pytest.approx(max(values))

    @settings(max_examples=60, deadline=None)
    @given(
        hard=st.lists(trees(6), min_size=1, max_size=3),
        soft=st.lists(st.tuples(trees(6), numbers), max_size=3),
        scores=st.lists(numbers, min_size=ATOMS, max_size=ATOMS),
    )
    def test_solvers_find_the_best_model(
        self, hard: list[Tree], soft: list[tuple[Tree, float]], scores: list[float]
    ) -> None:
        values = {
            bits: float(np.dot(scores, bits)) + sum(weight * truth(tree, bits) for tree, weight in soft)
            for bits in assignments()
            if all(truth(tree, bits) for tree in hard)
        }
        assume(values)
        p, atoms = program(scores)
        for tree in hard:
            p.require(formula(tree, atoms))
        for tree, weight in soft:
            p.prefer(formula(tree, atoms), weight)
        solution = p.solve("branch_and_bound")
        assert solution.status == "optimal"
        assert solution.value == pytest.approx(max(values.values()), abs=1e-5)
        found = tuple((i,) in solution.true["x"] for i in range(ATOMS))
        assert values[found] == pytest.approx(solution.value, abs=1e-5)
        for tree in hard:
            assert solution.holds(formula(tree, atoms))


class TestFactors:
    """One factor where one suffices."""

    @pytest.mark.parametrize(
        ("stated", "kinds"),
        [
            (lambda x: exists(x), ["at_least_one"]),
            (lambda x: exactly_one(x), ["exactly_one"]),
            (lambda x: at_most_one(x), ["at_most_one"]),
            (lambda x: at_most(3, x), ["cardinality"]),
            (lambda x: forall(x[:4]) >> x[4], ["at_least_one"]),
            (lambda x: x[0] >> forall(x[1:4]), ["at_least_one"] * 3),
            (lambda x: define(x[0], forall(x[1:])), ["or_output"]),
            (lambda x: define(x[0], exists(x[1:])), ["or_output"]),
            (lambda x: choice(x[0], x[1:]), ["exactly_one"]),
            (lambda x: define(x[0], exactly_one(x[1:4])), ["table"]),
            (lambda x: equivalent(x[0], x[1]), ["at_least_one"] * 2),
            (lambda x: x[0] >> exactly_one(x[1:5]), ["table"]),
        ],
    )
    def test_hard_formulas_without_auxiliary_variables(
        self, stated: Callable[[list[Formula]], Formula], kinds: list[str]
    ) -> None:
        p, x = program([0.0] * 8)
        p.require(stated(x))
        assert [p.graph._native.kind(i) for i in range(len(p.graph))] == kinds
        assert p.graph._native.variables == 8

    @pytest.mark.parametrize(
        ("stated", "kind"),
        [
            (lambda x: x[0] & x[1], "pair"),
            (lambda x: x[0] >> x[1], "pair"),
            (lambda x: exists(x), "cardinality"),
            (lambda x: forall(x), "cardinality"),
            (lambda x: at_most(2, x), "cardinality"),
            (lambda x: (x[0] & x[1]) | (x[2] & x[3]), "table"),
        ],
    )
    def test_soft_formulas_without_auxiliary_variables(
        self, stated: Callable[[list[Formula]], Formula], kind: str
    ) -> None:
        p, x = program([0.0] * 8)
        p.prefer(stated(x), 1.5)
        assert [p.graph._native.kind(i) for i in range(len(p.graph))] == [kind]
        assert p.graph._native.variables == 8

    def test_nested_formulas_share_their_auxiliary_variables(self) -> None:
        p, x = program([0.0] * 10)
        nested = forall(x[:8])
        p.require(exists(exactly_one(x[7:]), nested, x[9]))
        before = p.graph._native.variables
        p.require(exists(exactly_one(x[:9]), nested))
        p.require(exists(exactly_one(x[1:]), ~nested))
        # a large nested count brings its output and a copy of it for each input; the conjunction brings nothing new
        assert p.graph._native.variables == before + 2 * (1 + 9)


class TestPredicates:
    def test_atoms_outside_the_domain_or_without_score_are_false(self) -> None:
        p = Program()
        arc = p.predicate("arc", [0, 1], ["a", "b"], scores=[[1.0, -np.inf], [0.0, 2.0]])
        assert arc[0, "b"] is FALSE and arc[7, "a"] is FALSE
        assert arc.variables.tolist() == [[0, -1], [1, 2]]
        assert p.solve("enumerate").true == {"arc": [(0, "a"), (1, "b")]}

    def test_mappings_name_the_atoms_that_exist(self) -> None:
        p = Program()
        likes = p.predicate("likes", scores={("Ada", "tea"): 1.0, ("Bob", "tea"): -1.0})
        assert len(likes) == 2 and likes["Ada", "milk"] is FALSE
        p.require(likes["Ada", "tea"] >> likes["Bob", "tea"])
        assert p.solve("enumerate").value == 0.0

    def test_known_conditions_vanish(self) -> None:
        _, x = program([0.0, 0.0])
        assert ((2 > 1) >> x[0]) == x[0]
        assert (np.bool_(False) & x[0]) == FALSE
        assert (np.True_ & x[0] | False) == x[0]

    def test_formulas_have_no_truth_value(self) -> None:
        _, x = program([0.0, 0.0])
        with pytest.raises(TypeError, match="combine formulas with &"):
            assert x[0] and x[1]

    def test_programs_do_not_mix(self) -> None:
        p, _ = program([0.0])
        _, other = program([0.0])
        with pytest.raises(ValueError, match="belongs to another program"):
            p.require(other[0])

    def test_wrong_arguments_are_named(self) -> None:
        p, x = program([0.0, 0.0])
        with pytest.raises(ValueError, match="already"):
            p.predicate("x", [1])
        with pytest.raises(ValueError, match="shape"):
            p.predicate("y", [1, 2], scores=[1.0])
        with pytest.raises(ValueError, match="finite"):
            p.prefer(x[0], float("nan"))
        with pytest.raises(TypeError, match="only an atom"):
            define(x[0] & x[1], x[0])


class TestContradictions:
    def test_a_false_constraint_is_named(self) -> None:
        p, x = program([0.0])
        with pytest.raises(ConstraintError, match="nobody: cannot hold"):
            p.require(x[0] & ~x[0], name="nobody")

    def test_the_constraint_that_it_contradicts_is_named(self) -> None:
        p, x = program([0.0] * 3)
        p.require(x[0], name="first")
        p.require(x[0] >> x[1], name="chain")
        with pytest.raises(ConstraintError, match="last: contradicts first, chain"):
            p.require(~x[0] | ~x[1], name="last")

    def test_unnamed_constraints_are_written_out(self) -> None:
        p, x = program([0.0] * 2)
        p.require(~x[0])
        with pytest.raises(ConstraintError, match=r"\(x\(0\) & x\(1\)\): contradicts ~x\(0\)"):
            p.require(x[0] & x[1])

    def test_factors_that_contradict_each_other_are_named_when_solved(self) -> None:
        p, x = program([0.0] * 3)
        p.require(exactly_one(x), name="one of three")
        p.require(at_least(2, x), name="two of three")
        with pytest.raises(ConstraintError, match="one of three"):
            p.solve("enumerate")


def test_the_tree_of_table_1_is_the_tree_factor() -> None:
    """Single heads and flows in first-order logic allow exactly the arborescences (Martins et al. 2011)."""
    n = 3
    words = range(1, n + 1)
    scores = np.random.default_rng(5).normal(size=(n + 1, n + 1))
    scores[:, 0] = -np.inf
    np.fill_diagonal(scores, -np.inf)
    p = Program()
    arc = p.predicate("arc", range(n + 1), range(n + 1), scores=scores)
    flow = p.predicate("flow", scores={(h, m, k): 0.0 for h, m in arc for k in words if k != h})
    path = p.predicate("path", scores={(a, d): 0.0 for a in words for d in words if a != d})

    def reaches(ancestor: int, word: int) -> Formula:
        return TRUE if ancestor in (0, word) else path[ancestor, word]

    for m in words:
        p.require(exactly_one(arc[h, m] for h in range(n + 1)), name=f"one head of {m}")
        for d in words:
            p.require(choice(reaches(m, d), (flow[h, m, d] for h in range(n + 1))))
    for h in range(n + 1):
        for d in words:
            if h != d:
                p.require(choice(reaches(h, d), (flow[h, m, d] for m in words)))
    for start, end, target in flow:
        p.require(flow[start, end, target] >> arc[start, end])
    tree = Program()
    tree.graph.tree(tree.predicate("arc", range(n + 1), range(n + 1), scores=scores).variables)
    found, expected = p.solve("branch_and_bound"), tree.solve("branch_and_bound")
    assert found.value == pytest.approx(expected.value, abs=1e-5)
    assert found.true["arc"] == expected.true["arc"]
