# SPDX-License-Identifier: Apache-2.0
"""CP-SAT of OR-tools, with one worker and ``linearization_level=2``.

A value of a variable is a Boolean, and exactly one of them holds; a variable with two values is one Boolean. A table
whose entries are mostly equal gets a Boolean for each entry that differs, tied to the values by clauses. Any other
table gets a Boolean for each entry that is allowed, and the entries that share a value sum to the Boolean of that
value: the strongest linear relaxation of a table by itself.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.inference.networks.problem import STEP, Problem, Scores

if TYPE_CHECKING:
    from benchmarks.inference.networks.solve_one import Events

MOST_ENTRIES = 400_000  # above this, building the model takes longer than the time limit
FEW = 0.34  # share of entries that differ from the most frequent one, up to which a table is written sparsely


class Model:
    """The model of a problem, its variables and its objective in steps."""

    def __init__(self, cp_model: Any, problem: Problem) -> None:
        self.model = cp_model.CpModel()
        self.literals = [self._values(count) for count in problem.values]
        self.gains: list[tuple[Any, int]] = []
        self.constant = 0
        for scope, table in problem.tables:
            self._table(scope, table)
        for budget in problem.budgets:
            chosen = [self.literals[variable][1] for variable in budget.variables]
            self.model.add(sum(int(c) * x for c, x in zip(budget.costs, chosen, strict=True)) <= budget.limit)
        for union in problem.unions:
            inputs, output = [self.literals[v][1] for v in union.inputs], self.literals[union.output][1]
            self.model.add_bool_or([*inputs, ~output])
            for one in inputs:
                self.model.add_implication(one, output)
        self.model.maximize(sum(gain * literal for literal, gain in self.gains) + self.constant)

    def _values(self, count: int) -> list[Any]:
        if count == 2:
            one = self.model.new_bool_var("")
            return [~one, one]
        values = [self.model.new_bool_var("") for _ in range(count)]
        self.model.add_exactly_one(values)
        return values

    def _table(self, scope: tuple[int, ...], table: Scores) -> None:
        steps = np.where(np.isneginf(table), 0, np.round(table / STEP)).astype(np.int64)
        allowed = ~np.isneginf(table)
        if len(scope) == 1:
            for literal, gain, possible in zip(self.literals[scope[0]], steps, allowed, strict=True):
                if possible:
                    self.gains.append((literal, int(gain)))
                else:
                    self.model.add_bool_or([~literal])
            return
        counts: tuple[Any, Any] = np.unique(steps[allowed], return_counts=True)
        usual = int(counts[0][counts[1].argmax()])
        differing = np.argwhere(~allowed | (steps != usual))
        if len(differing) <= FEW * table.size:
            self._sparse(scope, steps - usual, allowed, differing)
            self.constant += usual
        else:
            self._dense(scope, steps, allowed)

    def _sparse(self, scope: tuple[int, ...], steps: Any, allowed: Any, differing: Any) -> None:
        for place in map(tuple, differing.tolist()):
            chosen = [self.literals[variable][value] for variable, value in zip(scope, place, strict=True)]
            if not allowed[place]:
                self.model.add_bool_or([~literal for literal in chosen])
                continue
            entry = self.model.new_bool_var("")
            self.gains.append((entry, int(steps[place])))
            if steps[place] > 0:
                for literal in chosen:
                    self.model.add_implication(entry, literal)
            else:
                self.model.add_bool_or([*(~literal for literal in chosen), entry])

    def _dense(self, scope: tuple[int, ...], steps: Any, allowed: Any) -> None:
        entries: dict[tuple[int, ...], Any] = {}
        for place in itertools.product(*(range(count) for count in steps.shape)):
            if allowed[place]:
                entries[place] = self.model.new_bool_var("")
                if steps[place]:
                    self.gains.append((entries[place], int(steps[place])))
        for axis, variable in enumerate(scope):
            for value, literal in enumerate(self.literals[variable]):
                sharing = [entry for place, entry in entries.items() if place[axis] == value]
                self.model.add(sum(sharing) == literal)


def run(_: str, problem: Problem, seconds: float, events: Events) -> None:
    from ortools.sat.python import cp_model  # type: ignore[import-not-found,unused-ignore]

    if sum(table.size for _, table in problem.tables) > MOST_ENTRIES:
        raise SystemExit(f"cp-sat: more than {MOST_ENTRIES} entries of tables")
    built = Model(cp_model, problem)

    class Told(cp_model.CpSolverSolutionCallback):  # type: ignore[misc,unused-ignore]
        def on_solution_callback(self) -> None:
            events.reached(self.objective_value * STEP)

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    solver.parameters.max_time_in_seconds = seconds
    events.start()
    status = solver.solve(built.model, Told())
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        chosen = [next(v for v, x in enumerate(row) if solver.boolean_value(x)) for row in built.literals]
        events.found(chosen)
    if status == cp_model.OPTIMAL:
        events.proved()
