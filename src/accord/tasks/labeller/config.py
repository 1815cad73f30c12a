# SPDX-License-Identifier: Apache-2.0
"""Settings of sequence labellers, and of the tasks that are made of one. A trained model carries all of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from accord.errors import ConfigError
from accord.settings import group, new_default, setting
from accord.tasks.sparsity.config import SparsityConfig

MOST_TOKENS = 1000  # of a segment: a semi-Markov chain has a score for each begin and each length
MODELS = ("chain", "semi")
METHODS = ("lbfgs", "crf", "softmax_margin", "perceptron", "mira", "svm", "m3n", "smo")
DUAL = ("m3n", "smo")  # methods that set weights by a dual point, and tell their gap


@dataclass(frozen=True)
class LabellerConfig:
    """Everything that decides what is trained and how.

    A task made of a labeller inherits it, changes defaults (:func:`labeller_default`) and adds settings of its own.
    """

    order: int = setting(1, "0: each token on its own; 1: pairs of neighbouring labels; 2: and triples", low=0, high=2)
    templates: str = setting("tagger", "feature templates: names inside the package or files, with + between")
    clusters: str = setting("", "file of word clusters, 'bits<TAB>word' a line, for cluster features; empty: none")

    method: str = setting(
        "crf",
        "lbfgs: log-likelihood by batches; crf, softmax_margin, svm: gradient steps; perceptron, mira: by mistakes; "
        "m3n: max-margin in the dual, with its gap; smo: the same by steps between two labellings",
        choices=METHODS,
    )
    l1: float = setting(0.0, "lbfgs: strength of the sum of absolute weights", low=0.0)
    l2: float = setting(1.0, "lbfgs: strength of half the sum of squared weights; steps: decay", low=0.0)
    iterations: int = setting(200, "lbfgs: most iterations", low=1)
    tolerance: float = setting(1e-5, "lbfgs: stop when ten iterations gain less than this share", low=0.0)
    least_count: int = setting(1, "features of template values seen less often are left out", low=1)
    unseen: bool = setting(False, "lbfgs: also features that were never seen with their label")
    unseen_transitions: bool = setting(True, "lbfgs: the same for features that look at no token")

    step: str = setting("adagrad", "crf, softmax_margin, svm: kind of steps", choices=("adagrad", "sgd"))
    rate: float = setting(0.1, "crf, softmax_margin, svm: length of a step", low=0.0)
    cost: float = setting(1.0, "mira, svm, softmax_margin: cost of a wrong label", low=0.0)
    costs: str = setting(
        "", "file of costs of labels, 'gold<TAB>label<TAB>cost' a line, in units of `cost`; empty: 1 for each wrong one"
    )
    aggressiveness: float = setting(0.1, "mira: longest step", low=1e-9)
    dual_c: float = setting(1.0, "m3n, smo: weight of the losses against half the sum of squared weights", low=1e-9)
    epochs: int = setting(12, "all but lbfgs: passes over the training data", low=1)
    patience: int = setting(3, "stop after so many passes without a better dev score", low=1)
    average: bool = setting(True, "all but lbfgs: use the mean of the weights over all updates")
    batch: int = setting(1, "sequences per update; work inside a batch is shared among threads", low=1)

    table: str = setting("hash", "weights by hashed feature or in an exact dictionary", choices=("hash", "dictionary"))
    bits: int = setting(18, "2^bits rows of weights, one for each label (dictionary: initial size)", low=4, high=26)
    bytes: int = setting(2, "bytes of a stored weight", low=1, high=2)
    prune: float = setting(
        0.0, "a dictionary leaves out rows whose largest weight is below this share of the largest", low=0.0, high=1.0
    )

    sparsity: SparsityConfig = group(SparsityConfig, "of the run that chooses features before training")

    seed: int = setting(1, "seed of the order of sequences", low=0)
    threads: int = setting(0, "threads; 0: all cores; the result does not depend on it", low=0)

    def labeller(self) -> LabellerConfig:
        """The settings of the labeller alone."""
        return LabellerConfig(**{field.name: getattr(self, field.name) for field in dataclasses.fields(LabellerConfig)})


def longest_segment(lengths: Iterable[int], wanted: int) -> int:
    """How long the segments of a semi-Markov model get, from those of the training data and what a user wants."""
    longest = max(lengths, default=1)
    if wanted and wanted < longest:
        raise ConfigError(f"longest={wanted}: the training data have a segment of {longest} tokens")
    if longest > MOST_TOKENS:
        raise ConfigError(f"the training data have a segment of {longest} tokens; at most {MOST_TOKENS} can be one")
    return wanted or longest


def model_setting() -> Any:
    """What a model scores, as a setting of tasks that find segments."""
    return setting("chain", "chain: labels of tokens; semi: also segments as wholes (semi-Markov)", choices=MODELS)


def longest_setting() -> Any:
    return setting(
        0, "semi: most tokens of a segment; 0: as many as the longest of the training data has", low=0, high=MOST_TOKENS
    )


def labeller_default(name: str, default: Any) -> Any:
    """A setting of the labeller with the default of a task."""
    return new_default(LabellerConfig, name, default)
