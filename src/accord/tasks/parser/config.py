# SPDX-License-Identifier: Apache-2.0
"""Settings of the dependency parser. A trained model carries all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accord._core import tasks as _tasks
from accord._core import trees as _trees
from accord.errors import ConfigError
from accord.settings import group, setting
from accord.tasks.network.config import NeuralConfig
from accord.tasks.sparsity.config import SparsityConfig

PART_NAMES = tuple(name for name, _ in _trees.part_families())
CHART_PARTS = tuple(name for name, charted in _trees.part_families() if charted)
ORDER_PARTS = {
    1: (),
    2: ("sibling", "grandparent"),
    3: ("sibling", "grandparent", "grand_sibling", "tri_sibling", "head_bigram"),
}
STEP_RULES = ("increases", "level")
SOLVERS = ("auto", "chart", "ad3", "subgradient", "bp", "branch_and_bound", "nonlocal")


@dataclass(frozen=True)
class BothConfig:
    """How a linear scorer and a network are added."""

    linear: str = setting("", "model file of a trained linear parser; empty: one is trained")
    neural: str = setting("", "model file of a trained neural parser; empty: one is trained, with scores of arcs alone")
    weight: str = setting(
        "auto", "share of the network, from 0 (the linear scorer alone) to 1; auto: the best one on dev data, else 0.5"
    )
    label_factor: str = setting(
        "auto", "labels of the network count so many times as much as its arcs; auto: the best on dev data, else 1"
    )

    def fixed_weight(self) -> float | None:
        """The share of the network; None: it is to be found."""
        return _number("both.weight", self.weight, 1.0)

    def fixed_label_factor(self) -> float | None:
        return _number("both.label_factor", self.label_factor, 100.0)


def _number(name: str, value: str, high: float) -> float | None:
    if value == "auto":
        return None
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= high:
        raise ConfigError(f"{name} = {value!r}: expected 'auto' or a number in [0, {high:g}]")
    return number


@dataclass(frozen=True)
class ParserConfig:
    """Everything that decides what is trained and how."""

    scorer: str = setting(
        "linear",
        "linear: features and weight tables; neural: a network over the sentence, trained with PyTorch; both: the sum "
        "of the two",
        choices=("linear", "neural", "both"),
    )
    order: int = setting(
        1,
        "1: single arcs; 2: and consecutive siblings, grandparents; 3: and grand-siblings, tri-siblings, head bigrams",
        low=1,
        high=3,
    )
    parts: str = setting("auto", f"parts larger than arcs, with commas: {', '.join(PART_NAMES)}; auto: by order")
    patterns: str = setting(
        "", "patterns of words and arcs for pattern parts: a name inside the package or a file; empty: none"
    )
    nonlocal_scale: float = setting(
        1.0,
        "value of each feature of any_sibling, any_tri_sibling, great_grandparent, comb, pattern parts; others have 1",
        low=1e-6,
    )
    projective: bool = setting(False, "search projective trees only (and train on projectivised trees)")
    single_root: str = setting(
        "auto",
        "exactly one word depends on the root; auto: if all training trees but one in a thousand do so",
        choices=("auto", "true", "false"),
    )
    labels: str = setting(
        "auto",
        "joint: the best label's score belongs to the arc; separate: labels after the tree; none: heads only; "
        "auto: joint for linear scores and sums, separate for neural ones",
        choices=("auto", "joint", "separate", "none"),
    )
    blank_label: str = setting(
        "unknown",
        "what DEPREL '_' is in training data: an unknown label, or a label like others; auto: a label if every "
        "sentence that has it has a head for each word",
        choices=("unknown", "label", "auto"),
    )
    tree_labels: str = setting(
        "auto",
        "choose labels together, by features of the whole tree and of pairs of labels; auto: at orders 2 and 3",
        choices=("auto", "true", "false"),
    )
    templates: str = setting(
        "auto", "feature templates: names inside the package or files, joined by '+'; auto: by order and clusters"
    )
    clusters: str = setting("", "file of word clusters, 'bits<TAB>word' a line, for cluster features; empty: none")
    frequent: int = setting(
        0, "templates with hybrid: so many most frequent words are features, of others their clusters; 0: all", low=0
    )

    table: str = setting("hash", "weights by hashed feature or in an exact dictionary", choices=("hash", "dictionary"))
    arc_bits: int = setting(22, "2^arc_bits arc weights (dictionary: initial size)", low=8, high=28)
    label_bits: int = setting(16, "2^label_bits rows of label weights (dictionary: initial size)", low=8, high=24)
    part_bits: int = setting(
        0, "2^part_bits weights of larger parts (dictionary: initial size); 0: 22, at order 3 23", low=0, high=28
    )

    tree_label_bits: int = setting(16, "2^tree_label_bits rows of weights of labels given the tree", low=8, high=24)
    pair_bits: int = setting(19, "2^pair_bits weights of pairs of labels", low=8, high=26)

    bytes: int = setting(1, "bytes of a weight of arcs, larger parts and pairs of labels", low=1, high=2)
    prune: float = setting(
        0.0,
        "weights below this share of the largest are left out (dictionary: rows whose weights all are)",
        low=0.0,
        high=1.0,
    )
    sparsity: SparsityConfig = group(SparsityConfig, "of the run that chooses features before training")

    pruner_bits: int = setting(
        0, "2^pruner_bits weights of the pruner's first stage; 0: 18, where it is the only one 21", low=0, high=26
    )
    pruner_stages: int = setting(
        2,
        "2: heads that the pruner finds likely are judged again, by more features; 1: they are not",
        low=1,
        high=2,
    )
    second_pruner_bits: int = setting(22, "2^second_pruner_bits weights of the second stage", low=8, high=26)
    pruner_epochs: int = setting(4, "epochs of the pruner, or of the pruner of each fold", low=1)
    pruner_final_epochs: int = setting(
        2, "with folds: epochs of the model's pruner, which begins with the mean of the folds' pruners", low=0
    )
    pruner_rate: float = setting(0.02, "length of the pruner's steps", low=0.0)
    pruner_heads: int = setting(20, "most heads that the pruner leaves a word", low=1)
    pruner_threshold: float = setting(
        -1.0,
        "the pruner drops heads less probable than this share of the word's best; below 0: with folds, chosen by "
        "pruner_recall, otherwise 0.005",
        low=-1.0,
        high=1.0,
    )
    pruner_recall: float = setting(
        0.99, "share of the gold heads of new sentences that a chosen threshold keeps, by the folds", low=0.5, high=1.0
    )
    pruner_folds: int = setting(
        2,
        "prune each of so many folds of the training data by a pruner that did not see it; 0: one pruner for all, "
        "which with two stages costs much accuracy, because a pruner knows the heads of the sentences that it has seen",
        low=0,
    )

    solver: str = setting(
        "auto",
        "how the best tree is found; auto: the chart where exact, else ad3 and a short search",
        choices=SOLVERS,
    )
    chart_grandparents: bool = setting(True, "nonlocal: the chart scores grandparents; false: they are factors over it")
    search_nodes: int = setting(30, "auto: nodes of the search where ad3 leaves a gap", low=0)
    training_search_nodes: int = setting(0, "the same in training", low=0)
    iterations: int = setting(25, "most rounds of ad3, subgradient and bp in parsing", low=1)
    step_rule: str = setting(
        "increases",
        "steps of subgradient: increases (of the dual) shrink them, or they aim at a level of it and reach its limit",
        choices=STEP_RULES,
    )
    training_iterations: int = setting(50, "most rounds in training", low=1)

    training_nodes: int = setting(10_000, "branch_and_bound, nonlocal: most nodes in training", low=1)

    rule: str = setting(
        "mira",
        "update rule",
        choices=("perceptron", "mira", "svm", "crf", "softmax_margin", "eg_margin", "eg_crf"),
    )
    answers: str = setting(
        "trees",
        "orders 2 and 3, what updates are made from: the parser's trees; each head's best dependents without a tree, "
        "which is cheap; or the relaxed solutions of ad3, which may be fractional",
        choices=("trees", "heads", "relaxed"),
    )
    unsupported: bool = setting(True, "features that no gold tree of the training data has get weights too")
    step: str = setting(
        "adagrad",
        "svm, crf, softmax_margin: kind of steps; automatic (crf, softmax_margin): as long as each sentence's loss "
        "asks for, up to `aggressiveness`",
        choices=("adagrad", "sgd", "automatic"),
    )
    rate: float = setting(0.05, "svm, crf, softmax_margin: length of a step", low=0.0)
    l2: float = setting(0.0, "svm, crf, softmax_margin: decay of the weights", low=0.0)
    sharpness: float = setting(
        1.0, "crf, softmax_margin: how far sums lean to the best tree; 1: log-likelihood, larger: towards svm", low=1e-3
    )
    cost: float = setting(1.0, "mira, svm, softmax_margin: cost of a wrong head", low=0.0)
    label_cost: float = setting(0.5, "cost of a wrong label on a right head, in units of `cost`", low=0.0)
    aggressiveness: float = setting(0.02, "mira, steps that are automatic: longest step", low=1e-9)
    dual_c: float = setting(1.0, "eg_margin, eg_crf: weight of the losses against the norm", low=1e-9)
    partial: str = setting(
        "complete",
        "sentences with unknown heads or labels ('_'): complete them by the model being trained, or skip them",
        choices=("complete", "skip"),
    )
    batch: int = setting(1, "sentences per update; work inside a batch is shared among threads", low=1)

    epochs: int = setting(10, "epochs: passes over the training data", low=1)
    patience: int = setting(3, "stop after so many epochs without a better dev score", low=1)
    average: bool = setting(True, "use the mean of the weights over all updates")
    seed: int = setting(1, "seed of the order of sentences", low=0)
    threads: int = setting(
        0,
        "threads in training and dev parsing; 0: all cores; the result does not depend on the number (neural training: "
        "except for rounding)",
        low=0,
    )

    neural: NeuralConfig = group(NeuralConfig, "of neural scorers")
    both: BothConfig = group(BothConfig, "of the sum of both scorers")

    def label_mode(self) -> str:
        """How labels are found: joint, separate or none."""
        if self.labels != "auto":
            return self.labels
        return "separate" if self.scorer == "neural" else "joint"

    def threshold(self) -> float:
        """Share of the probability of a word's best head below which heads are dropped."""
        return self.pruner_threshold if self.pruner_threshold >= 0 else 0.005

    def pruner_table_bits(self) -> int:
        return self.pruner_bits or (21 if self.pruner_stages == 1 else 18)

    def part_table_bits(self) -> int:
        return self.part_bits or (23 if self.order == 3 else 22)

    def part_names(self) -> tuple[str, ...]:
        """The parts larger than arcs that a model of this configuration has: those that are named, and patterns."""
        if self.parts == "auto":
            names = ORDER_PARTS[self.order]
        else:
            names = tuple(name.strip() for name in self.parts.split(",") if name.strip())
        for name in names:
            if name not in PART_NAMES:
                raise ConfigError(f"parts = {self.parts!r}: {name!r} is none of {', '.join(PART_NAMES)}")
        if "outer_grandparent" in names and "grand_sibling" in names:
            raise ConfigError(f"parts = {self.parts!r}: grand_sibling parts include outer_grandparent ones; choose one")
        if "pattern" in names and not self.patterns:
            raise ConfigError(f"parts = {self.parts!r}: pattern parts need `patterns`, a packaged set or a file")
        return (*names, "pattern") if self.patterns and "pattern" not in names else names

    def check_solver(self) -> None:
        """Raise ConfigError when the solver lacks parts of the model, or its kind of trees."""
        names = self.part_names()
        if self.solver not in ("chart", "nonlocal") or not names:
            return
        if not self.projective:
            raise ConfigError(f"solver = {self.solver!r} is for projective models: choose another solver")
        lacking = [name for name in names if name not in CHART_PARTS]
        if self.solver == "nonlocal":
            lacking = [name for name in lacking if name in ("valency", "path")]
        if lacking:
            raise ConfigError(f"solver = {self.solver!r} has no {', '.join(lacking)} parts: choose another solver")

    def template_names(self) -> list[str]:
        """The template sets of this configuration."""
        if self.templates != "auto":
            return self.templates.split("+")
        names = ["first_order", "higher_order"] if self.part_names() else ["first_order"]
        if self.labels_given_tree():
            names.append("tree_labels")
        return [*names, "clusters"] if self.clusters else names

    def labels_given_tree(self, templates: str = "[tree_label]") -> bool:
        """Whether labels are chosen once the tree is known: by default at higher orders, if there are templates for it.

        At order 1 the labels that are scored with their arcs measured better.
        """
        if self.labels == "none" or self.tree_labels == "false" or self.scorer == "neural":
            return False
        return self.tree_labels == "true" or (bool(self.part_names()) and "[tree_label]" in templates)


def parser_settings(
    config: ParserConfig,
    templates: str,
    labels: int,
    *,
    single_root: bool,
    tree_labels: bool,
    temperature: float = 1.0,
    label_temperature: float | None = None,
    patterns: str = "",
    tag_temperatures: Sequence[float] = (),
) -> _tasks.ParserSettings:
    """What the core takes of the settings, and of what training found."""
    return _tasks.ParserSettings(
        templates=templates,
        labels=labels,
        mode=config.label_mode(),
        projective=config.projective,
        single_root=single_root,
        temperature=temperature,
        parts=list(config.part_names()),
        pruner_heads=config.pruner_heads,
        pruner_threshold=config.threshold(),
        tree_labels=tree_labels,
        label_temperature=temperature if label_temperature is None else label_temperature,
        nonlocal_scale=config.nonlocal_scale,
        patterns=patterns,
        tag_temperatures=list(tag_temperatures),
    )
