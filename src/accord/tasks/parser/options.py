# SPDX-License-Identifier: Apache-2.0
"""What may be asked of a parse, declared once: Python functions and the command line take it from here.

Every function that parses takes a :class:`ParseOptions`, or single options by name, or both:

>>> from accord.inference.rules import AtMostOne
>>> options = ParseOptions(rules=[AtMostOne("nsubj")], probabilities=True)
>>> changed = parse_options(options, {"solver": "ad3", "threads": 2})
>>> changed.probabilities, changed.search.solver, changed.threads
(True, 'ad3', 2)
"""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from accord._core import tasks as _tasks
from accord.errors import ConfigError
from accord.settings import check_settings, group, setting
from accord.tasks.parser.config import SOLVERS, STEP_RULES, ParserConfig
from accord.tasks.parser.given import Keep

if TYPE_CHECKING:  # rules and graphs are imported where there are some
    from accord.inference.rules import Rule

CHARTS = ("auto", "chart", "nonlocal")  # wholly or in part by dynamic programmes
LINEAR = ("lp", "ilp")  # through HiGHS, the extra `ilp`
ALL_SOLVERS = (*SOLVERS, *LINEAR)
STATUSES = ("optimal", "fractional", "budget", "infeasible", "estimate")  # by the core's number

Tags = Literal["auto", "predict", "keep"]
TAGS: tuple[Tags, ...] = ("auto", "predict", "keep")


@dataclass(frozen=True)
class Search:
    """The search for one sentence's tree. A model of single arcs needs none: its tree is exact.

    ``auto`` is a chart where that is exact, else ``ad3`` and a short search for what it leaves open. ``ad3``,
    ``subgradient`` and ``lp`` solve a relaxation, ``branch_and_bound`` and ``ilp`` go on to the provably best tree,
    ``bp`` estimates. Whatever ends first (rounds, seconds, nodes), there is a tree: the best so far. What is None is as
    the model's settings say.
    """

    solver: str | None = setting(
        None, f"{', '.join(ALL_SOLVERS[:-1])} or {ALL_SOLVERS[-1]}, instead of the model's.", choices=ALL_SOLVERS
    )
    iterations: int | None = setting(None, "Most rounds of the solver.", low=1)
    seconds: float = setting(math.inf, "Most time for each sentence; then the answer is the best tree so far.")
    nodes: int = setting(10_000, "Most nodes of branch and bound.", low=1)
    step_rule: str | None = setting(None, "Steps of the solver subgradient: increases or level.", choices=STEP_RULES)
    chart_grandparents: bool | None = setting(None, "nonlocal: grandparents in the chart, not as factors over it.")

    def __post_init__(self) -> None:
        check_settings(self)
        if not self.seconds > 0:
            raise ConfigError(f"seconds = {self.seconds}: a budget is more than 0")
        if self.linear:
            from accord.inference import linear

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
        grandparents = config.chart_grandparents if self.chart_grandparents is None else self.chart_grandparents
        return _tasks.DecoderSettings(
            solver=solver or ("ad3" if self.linear else self.solver_for(config)),
            iterations=config.iterations if self.iterations is None else self.iterations,
            seconds=self.seconds if seconds is None else seconds,
            nodes=self.nodes,
            search_nodes=config.search_nodes if search_nodes is None else search_nodes,
            step_rule=config.step_rule if self.step_rule is None else self.step_rule,
            chart_grandparents=grandparents,
        )

    def for_graph(self, config: ParserConfig, seconds: float) -> tuple[str, dict[str, Any]]:
        """For a factor graph: a solver and what it understands of this. Graphs with rules have no chart."""
        from accord.inference.graph import SETTINGS

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


@dataclass(frozen=True)
class ParseOptions:
    """How documents are parsed, and what is written into them."""

    rules: Sequence[Rule | str] = setting((), "A rule, e.g. 'at-most-one nsubj'; may be repeated.")
    search: Search = group(Search, "The solver and its budget.")
    k: int = setting(1, "The k best trees of each sentence, best first.", low=1)
    probabilities: bool = setting(
        False,
        "Add ArcConf and LabelConf to MISC: probabilities of the arc, and with its label. A comment has the tree's.",
    )
    keep: Keep = setting(None, "given: keep the heads and labels of the input, and fill in those that are _.")
    tags: Tags = setting(
        "auto", "auto: tag words that have no tags; predict: tag all words anew; keep: never tag.", choices=TAGS
    )
    status: bool = setting(False, "Write to a comment of each sentence whether its tree is proved to be the best.")
    threads: int = setting(0, "Threads; 0 means all cores. Never changes the output.", low=0)

    def __post_init__(self) -> None:
        check_settings(self)
        if not isinstance(self.rules, tuple) or any(isinstance(rule, str) for rule in self.rules):
            rules = [self.rules] if isinstance(self.rules, str) else self.rules
            object.__setattr__(self, "rules", _listed(rules))
        if self.k > 1 and (self.probabilities or self.status):
            raise ConfigError("k > 1 goes without probabilities and status")

    @property
    def parsed_rules(self) -> tuple[Rule, ...]:
        """The rules, those that were given by their texts as well."""
        return cast("tuple[Rule, ...]", self.rules)


_SEARCH = {field.name for field in dataclasses.fields(Search)}
_OPTIONS = {field.name for field in dataclasses.fields(ParseOptions)}
_BY_FLAG: dict[bool, Tags] = {True: "predict", False: "keep"}


def _listed(rules: Any) -> tuple[Rule, ...]:
    from accord.inference.rules.text import listed_rules

    return listed_rules(rules)


# Options of other libraries, and what to do without them.
_ELSEWHERE = {
    "batch_size": " (texts are put together without it)",
    "n_process": " (threads=N works on N cores in one process)",
    "n_threads": " (it is threads)",
    "disable": " (accord.Tokenizer.load and accord.Tagger.load are single steps)",
}


def parse_options(
    options: ParseOptions | None, changes: Mapping[str, Any], *, tags: Tags = "auto", stacklevel: int = 3
) -> ParseOptions:
    """The options, or the defaults with these ``tags``, changed by name: fields of ParseOptions, and of its search.

    ``constraints`` is another name of ``rules``; ``marginals`` was the name of ``probabilities``.
    """
    base = ParseOptions(tags=tags) if options is None else options
    if not changes:
        return base
    values = dict(changes)
    if "marginals" in values:
        warnings.warn("marginals= is probabilities= now", DeprecationWarning, stacklevel=stacklevel)
        values["probabilities"] = values.pop("marginals")
    if "constraints" in values:
        values["rules"] = (*values.get("rules", ()), *_listed(values.pop("constraints")))
    if isinstance(values.get("tags"), bool):
        values["tags"] = _BY_FLAG[values["tags"]]
    search = values.pop("search", None) or base.search
    within = {name: values.pop(name) for name in _SEARCH & values.keys()}
    if unknown := sorted(values.keys() - _OPTIONS):
        known = ", ".join(sorted((_OPTIONS | _SEARCH) - {"search"}))
        instead = _ELSEWHERE.get(unknown[0], "")
        raise TypeError(f"parsing has no option {unknown[0]!r}{instead}; there are: {known}")
    return dataclasses.replace(base, **values, search=dataclasses.replace(search, **within) if within else search)
