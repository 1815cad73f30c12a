# SPDX-License-Identifier: Apache-2.0
"""Settings of the constituency parser. A trained model carries all of them."""

from __future__ import annotations

from dataclasses import dataclass

from accord.settings import group, setting
from accord.tasks.constituents.tag.config import TagConfig
from accord.tasks.network.config import NeuralConfig

METHODS = ("crf", "softmax_margin", "perceptron", "mira", "svm")
DECODINGS = ("best", "least_risk")


@dataclass(frozen=True)
class ConstituentsConfig:
    """Labelled spans scored by features of their words; the best tree by an exact chart."""

    scorer: str = setting(
        "linear",
        "linear: features and weight tables; neural: a network over the sentence, trained with PyTorch",
        choices=("linear", "neural"),
    )
    model: str = setting(
        "spans",
        "spans: labelled spans; tag: spines of words, joined along a dependency tree (linear scorer only)",
        choices=("spans", "tag"),
    )
    templates: str = setting("spans", "feature templates: names inside the package or files, with + between")
    clusters: str = setting("", "file of word clusters, 'bits<TAB>word' a line, for cluster features; empty: none")
    functions: bool = setting(False, "learn function tags as well: NP-SBJ instead of NP")
    least_count: int = setting(
        5, "labels (chains of phrases over the same words are one) seen less often are left out", low=1
    )

    method: str = setting(
        "mira",
        "crf, softmax_margin, svm: gradient steps; perceptron, mira: by mistakes",
        choices=METHODS,
    )
    step: str = setting("adagrad", "crf, softmax_margin, svm: kind of steps", choices=("adagrad", "sgd"))
    rate: float = setting(0.05, "crf, softmax_margin, svm: length of a step", low=0.0)
    l2: float = setting(0.0, "crf, softmax_margin, svm: decay of the weights", low=0.0)
    cost: float = setting(1.0, "mira, svm, softmax_margin: cost of a wrong or missing span", low=0.0)
    aggressiveness: float = setting(0.01, "mira: longest step", low=1e-9)
    epochs: int = setting(10, "passes over the training data", low=1)
    patience: int = setting(3, "stop after so many passes without a better dev score", low=1)
    average: bool = setting(True, "use the mean of the weights over all updates")
    batch: int = setting(1, "sentences per update; work inside a batch is shared among threads", low=1)

    bits: int = setting(19, "2^bits rows of weights, one for each label", low=4, high=24)
    bytes: int = setting(1, "bytes of a stored weight", low=1, high=2)

    decoding: str = setting(
        "best", "best: the best tree; least_risk: the one with the fewest wrong spans to be expected", choices=DECODINGS
    )
    threshold: float = setting(0.5, "least_risk: least probability that a span is worth", low=0.0, high=1.0)
    longest: int = setting(300, "longer sentences are cut into pieces, which are parsed one by one", low=2)

    seed: int = setting(1, "seed of the order of sentences", low=0)
    threads: int = setting(
        0, "threads; 0: all cores; the result does not depend on it (neural training: except for rounding)", low=0
    )

    neural: NeuralConfig = group(NeuralConfig, "of neural scorers")
    tag: TagConfig = group(TagConfig, "of parsers of spines (model = tag)")
