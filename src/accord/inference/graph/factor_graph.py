# SPDX-License-Identifier: Apache-2.0
"""The factor graph: built by its bases, changed, asked and solved here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import graph as _core
from accord.errors import BudgetError, ConfigError, ConstraintError
from accord.inference.graph import solvers
from accord.inference.graph.categorical import CategoricalBuilding
from accord.inference.graph.mixture import Mixture
from accord.inference.graph.ranking import RankedAnswers
from accord.inference.graph.solution import OnProgress, Solution, Stage
from accord.inference.graph.variables import Variables, decoded, whole


@dataclass(frozen=True)
class FactorView:
    """A factor as it stands in a graph; negated variables appear as ``~variable``."""

    kind: str
    variables: NDArray[np.int64]
    name: str | None = None


class FactorGraph(CategoricalBuilding, RankedAnswers):
    """Maximise the sum of scores of the variables that are on and of the factors' own scores."""

    @property
    def scores(self) -> NDArray[np.float64]:
        """A copy of the variables' scores."""
        return np.asarray(self._native.scores, np.float64)

    @property
    def spread(self) -> float:
        """The unit of every ``gap``: the width of the interval that holds all values, by the simplest count.

        Every score of a variable is on or off, every factor is at its best or at its worst. Variables with evidence
        and variables without factors do not count: their scores are a constant.
        """
        return float(self._native.spread)

    @property
    def evidence(self) -> NDArray[np.int8]:
        """A copy of the evidence: -1 free, else 0 or 1."""
        return self._evidence.copy()

    def factors(self) -> Iterator[FactorView]:
        """The factors, in the order in which they were added."""
        for index in range(len(self)):
            plain = np.asarray(self._native.variables_of(index), np.int64)
            negated = np.asarray(self._native.negated_of(index), bool)
            yield FactorView(self._native.kind(index), np.where(negated, ~plain, plain), self._names.get(index))

    def set_scores(self, scores: ArrayLike) -> None:
        """New scores for all variables; the next solve with ``warm=True`` starts from the last solution."""
        self._native.set_scores(np.ascontiguousarray(scores, dtype=np.float64))

    def fix(self, variables: Variables, values: ArrayLike = True) -> None:
        """Evidence: these variables have these values."""
        plain, negated = decoded(variables)
        wanted = np.broadcast_to(np.asarray(values, bool).reshape(-1), plain.shape)
        if negated.size:
            wanted = wanted != negated.astype(bool)
        self._evidence[self._existing(plain)] = wanted
        self._native.set_evidence(self._evidence)

    def fix_value(self, variables: ArrayLike, values: ArrayLike) -> None:
        """Evidence: variables with several values, as :meth:`categorical` returns them, have these values.

        ``variables`` is one variable or an array of them, and ``values`` is one value or one for each.

        >>> graph = FactorGraph()
        >>> sites = graph.categorical(np.zeros((4, 3)))
        >>> graph.fix_value(sites[1], 2)
        >>> graph.solve("ad3").setting(sites).tolist()
        [0, 2, 0, 0]
        """
        array = self._existing(np.atleast_1d(whole(variables)))
        chosen = np.broadcast_to(whole(values), array.shape[:-1])
        wrong = chosen[(chosen < 0) | (chosen >= array.shape[-1])]
        if wrong.size:
            raise ValueError(f"there is no such value as {wrong.flat[0]}")
        self._evidence[array] = np.arange(array.shape[-1]) == chosen[..., None]
        self._native.set_evidence(self._evidence)

    def release(self, variables: Variables | None = None) -> None:
        """Take evidence back, from these variables or from all."""
        if variables is None:
            self._evidence[:] = -1
        else:
            self._evidence[self._existing(decoded(variables)[0])] = -1
        self._native.set_evidence(self._evidence)

    def value(self, assignment: ArrayLike) -> float:
        """The total score of an assignment; -inf when a factor forbids it."""
        bits = np.ascontiguousarray(np.asarray(assignment, bool).reshape(-1).astype(np.uint8))
        if bits.size != self._native.variables:
            raise ValueError(f"an assignment has {self._native.variables} values, not {bits.size}")
        return float(self._native.value(bits))

    def __len__(self) -> int:
        return int(self._native.factors)

    def __repr__(self) -> str:
        kinds: dict[str, int] = {}
        for index in range(min(len(self), 10_000)):
            kind = self._native.kind(index)
            kinds[kind] = kinds.get(kind, 0) + 1
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "no factors"
        more = ", ..." if len(self) > 10_000 else ""
        return f"FactorGraph({self._native.variables} variables, {listed}{more})"

    def solve(self, solver: str = "ad3", **settings: Any) -> Solution:
        """Solve with one of :data:`accord.inference.graph.SOLVERS`, for example ``ad3``, ``search`` or ``ilp``.

        ``junction_tree`` gives exact marginals, log Z and the best assignment of graphs that need no large tables.
        ``auto`` takes the solvers that suit the graph in turn until the answer is proved, within ``seconds``.

        Raises :class:`~accord.errors.ConstraintError` when no assignment satisfies all factors and the evidence.
        Settings by solver (with their defaults): see :data:`accord.inference.graph.SETTINGS`.
        """
        solution = solvers.solve(self._native, solver, settings)
        if solution.status == "infeasible":
            raise ConstraintError(self._conflict())
        return solution

    def sums(self, *, seconds: float = float("inf"), width: float = 22.0) -> Solution:
        """Marginals, log Z and entropy: by a junction tree where no table has more than 2^width entries, else by bp.

        ``stages`` of the solution name the solver. The junction tree is exact. bp is exact without loops.

        >>> graph = FactorGraph()
        >>> colour, size = graph.categorical([[0.0, 1.0], [0.5, 0.0, 0.0]])
        >>> graph.categorical_table([colour, size], [[0, 0, 1], [1, 0, 0]])
        >>> sums = graph.sums()
        >>> sums.marginals([colour, size])[0].round(3), round(sums.log_partition, 3)
        (array([0.233, 0.767]), 3.135)
        """
        for solver, settings in (("junction_tree", {"width": width}), ("bp", {})):
            try:
                found = self.solve(solver, seconds=seconds, **settings)
            except BudgetError:
                continue  # too wide
            stage = Stage(solver, found.status, found.value, found.bound, found.seconds)
            return replace(found, stages=(stage,))
        raise AssertionError("bp takes graphs of any width")

    def joint_marginals(
        self, scopes: Sequence[Sequence[ArrayLike]], *, width: float = 22.0, seconds: float = float("inf")
    ) -> list[NDArray[np.float64]]:
        """Exact joint probabilities of some variables each, by a junction tree: the marginals of tables, for example.

        A scope is a list of variables: binary ones, or variables with several values as :meth:`categorical` returns
        them. Its array has an axis for each: off and on, or the values. BudgetError where no tree is narrow enough.

        >>> graph = FactorGraph()
        >>> colour, size = graph.categorical([[0.0, 1.0], [0.5, 0.0, 0.0]])
        >>> graph.categorical_table([colour, size], [[0, 0, 1], [1, 0, 0]])
        >>> graph.joint_marginals([[colour, size]])[0].round(2)
        array([[0.07, 0.04, 0.12],
               [0.53, 0.12, 0.12]])
        """
        axes = [[np.atleast_1d(whole(axis)).reshape(-1) for axis in scope] for scope in scopes]
        listed = [[self._existing(axis).tolist() for axis in scope] for scope in axes]
        try:
            found = self._native.joint_marginals(listed, width=width, entries=28.0, seconds=seconds)
        except ValueError as error:
            raise ConfigError(str(error)) from None
        except RuntimeError as error:
            raise BudgetError(f"joint_marginals: {error}") from None
        if len(found) < len(axes):
            self.solve("junction_tree", width=width, maximum=True)  # says where nothing satisfies the graph
            raise BudgetError(f"joint_marginals: stopped before the end, after {seconds} s at most")
        shapes = [[2 if axis.size == 1 else axis.size for axis in scope] for scope in axes]
        return [np.asarray(each).reshape(shape) for each, shape in zip(found, shapes, strict=True)]

    def sparsemap(
        self,
        scores: ArrayLike | None = None,
        *,
        nodes: int = 10_000,
        steps: int = 1000,
        seconds: float = float("inf"),
        on_progress: OnProgress | None = None,
    ) -> Mixture:
        """The posteriors that maximise ``scores . posteriors - |posteriors|^2 / 2`` and the factors' own scores.

        ``scores``, one a variable, take the place of the graph's for this once. The best assignments that the method
        asks for, about as many as the mixture has, are proved to be best: by enumeration of small graphs, else by ad3,
        else by branch and bound, which may take so many ``nodes`` each. BudgetError when these or ``steps``, the number
        of assignments asked for, or ``seconds`` are not enough. ``on_progress`` is told of every assignment found and
        of the searches for them, ten times a second at most. Niculae, Martins, Blondel and Cardie (2018), "SparseMAP".

        >>> graph = FactorGraph()
        >>> graph.exactly_one(graph.variables([1.0, 0.5, -1.0]))
        >>> graph.sparsemap().posteriors
        array([0.75, 0.25, 0.  ])
        """
        wanted = self.scores if scores is None else np.ascontiguousarray(scores, dtype=np.float64)
        native = _core.mix(
            self._native,
            wanted,
            iterations=2000,
            nodes=nodes,
            steps=steps,
            gap=1e-10,
            seconds=seconds,
            on_progress=solvers.told(on_progress),
        )
        if not native.in_time:
            raise BudgetError(f"sparsemap: stopped before the end, after {seconds} s at most")
        if not native.feasible:
            raise ConstraintError(self._conflict())
        if not (native.proved and native.finished):
            limit = f"{steps} steps" if native.proved else f"{nodes} nodes"
            raise BudgetError(f"sparsemap: {limit} are not enough")
        return Mixture(native.posteriors(), native.assignments().astype(bool), native.shares(), native)

    def _conflict(self) -> str:
        """What contradicts what, if a small set is easily found."""
        reason = "no assignment satisfies all factors and the evidence"
        culprits = self._native.conflict()
        if not culprits:
            return reason
        return f"{reason}; these contradict each other: " + "; ".join(self._described(index) for index in culprits)

    def _described(self, index: int) -> str:
        variables = ", ".join(map(str, self._native.variables_of(index).tolist()))
        name = f" {self._names[index]!r}" if index in self._names else ""
        return f"{self._native.kind(index)}{name} over variables {variables}"

    def _existing(self, plain: NDArray[np.int64]) -> NDArray[np.int64]:
        wrong = plain[(plain < 0) | (plain >= self._evidence.size)]
        if wrong.size:
            raise ValueError(f"there is no such variable as {wrong.flat[0]}")
        return plain
