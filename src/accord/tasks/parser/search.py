# SPDX-License-Identifier: Apache-2.0
"""How to search for a sentence's best tree: which solver, and how long."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from accord._core import tasks as _tasks
from accord.errors import ConfigError
from accord.inference import linear
from accord.inference.graph import SETTINGS
from accord.tasks.parser.config import SOLVERS, STEP_RULES, ParserConfig

CHARTS = ("auto", "chart", "nonlocal")  # wholly or in part by dynamic programmes
LINEAR = ("lp", "ilp")  # through HiGHS, the extra `ilp`
STATUSES = ("optimal", "fractional", "budget", "infeasible", "estimate")  # by the core's number


@dataclass(frozen=True)
class Search:
    """The search for one sentence's tree. A model of single arcs needs none: its tree is exact.

    ``auto`` is a chart where that is exact, else ``ad3`` and a short search for what it leaves open. ``ad3``,
    ``subgradient`` and ``lp`` solve a relaxation, ``branch_and_bound`` and ``ilp`` go on to the provably best tree,
    ``bp`` estimates. Whatever ends first (rounds, seconds, nodes), there is a tree: the best so far.
    """

    solver: str | None = None  # None: the one of the model's configuration
    iterations: int | None = None  # most rounds; None: of the model's configuration
    seconds: float = math.inf  # for each sentence
    nodes: int = 10_000  # of branch and bound
    step_rule: str | None = None  # of subgradient; None: of the model's configuration
    chart_grandparents: bool | None = None  # nonlocal: in the chart or as factors; None: of the model's configuration

    def __post_init__(self) -> None:
        if self.solver is not None and self.solver not in (*SOLVERS, *LINEAR):
            raise ConfigError(f"unknown solver {self.solver!r}; there are: {', '.join((*SOLVERS, *LINEAR))}")
        if self.iterations is not None and self.iterations < 1:
            raise ConfigError(f"iterations must be 1 or more, not {self.iterations}")
        if not self.seconds > 0:
            raise ConfigError(f"seconds must be more than 0, not {self.seconds}")
        if self.nodes < 1:
            raise ConfigError(f"nodes must be 1 or more, not {self.nodes}")
        if self.step_rule is not None and self.step_rule not in STEP_RULES:
            raise ConfigError(f"unknown step rule {self.step_rule!r}; there are: {', '.join(STEP_RULES)}")
        if self.linear:
            linear.check_installed()

    @property
    def linear(self) -> bool:
        """Whether it goes through a linear program."""
        return self.solver in LINEAR

    def solver_for(self, config: ParserConfig) -> str:
        return config.solver if self.solver is None else self.solver

    def decoder(
        self,
        config: ParserConfig,
        *,
        solver: str | None = None,
        seconds: float | None = None,
        search_nodes: int | None = None,
    ) -> _tasks.DecoderSettings:
        """For the core; linear programs are none of its solvers, and ad3 stands in for them."""
        return _tasks.DecoderSettings(
            solver=solver or ("ad3" if self.linear else self.solver_for(config)),
            iterations=config.iterations if self.iterations is None else self.iterations,
            seconds=self.seconds if seconds is None else seconds,
            nodes=self.nodes,
            search_nodes=config.search_nodes if search_nodes is None else search_nodes,
            step_rule=config.step_rule if self.step_rule is None else self.step_rule,
            chart_grandparents=config.chart_grandparents
            if self.chart_grandparents is None
            else self.chart_grandparents,
        )

    def for_graph(self, config: ParserConfig, seconds: float) -> tuple[str, dict[str, Any]]:
        """For a factor graph: a solver and what it understands of this. Graphs with rules have no chart."""
        chosen, nodes = self.solver_for(config), self.nodes
        if chosen in CHARTS:
            chosen, nodes = "branch_and_bound", 1 + config.search_nodes
        values = {
            "iterations": config.iterations if self.iterations is None else self.iterations,
            "seconds": seconds,
            "nodes": nodes,
            "step_rule": config.step_rule if self.step_rule is None else self.step_rule,
        }
        return chosen, {name: value for name, value in values.items() if name in SETTINGS[chosen]}
