"""Settings of the dependency parser. A trained model carries all of them."""

from __future__ import annotations

from dataclasses import dataclass

from accord.settings import setting


@dataclass(frozen=True)
class ParserConfig:
    """Everything that decides what is trained and how."""

    order: int = setting(1, "largest part: 1 = single arcs", low=1, high=1)
    projective: bool = setting(False, "search projective trees only (and train on projectivised trees)")
    single_root: str = setting(
        "auto",
        "exactly one word depends on the root; auto: if all training trees do so",
        choices=("auto", "true", "false"),
    )
    labels: str = setting(
        "joint",
        "joint: the best label's score belongs to the arc; separate: labels after the tree; none: heads only",
        choices=("joint", "separate", "none"),
    )
    templates: str = setting("first_order", "feature templates: a name inside the package or a file")
    clusters: str = setting("", "file of word clusters, 'bits<TAB>word' a line, for cluster features; empty: none")

    table: str = setting("hash", "weights by hashed feature or in an exact dictionary", choices=("hash", "dictionary"))
    arc_bits: int = setting(22, "2^arc_bits arc weights (dictionary: initial size)", low=8, high=28)
    label_bits: int = setting(17, "2^label_bits rows of label weights (dictionary: initial size)", low=8, high=24)

    rule: str = setting(
        "mira",
        "update rule",
        choices=("perceptron", "mira", "svm", "crf", "softmax_margin", "eg_margin", "eg_crf"),
    )
    step: str = setting("adagrad", "svm, crf, softmax_margin: kind of steps", choices=("adagrad", "sgd"))
    rate: float = setting(0.05, "svm, crf, softmax_margin: length of a step", low=0.0)
    l2: float = setting(0.0, "svm, crf, softmax_margin: decay of the weights", low=0.0)
    cost: float = setting(1.0, "mira, svm, softmax_margin: cost of a wrong head", low=0.0)
    label_cost: float = setting(0.5, "cost of a wrong label on a right head, in units of `cost`", low=0.0)
    aggressiveness: float = setting(0.02, "mira: longest step", low=1e-9)
    dual_c: float = setting(1.0, "eg_margin, eg_crf: weight of the losses against the norm", low=1e-9)
    batch: int = setting(1, "sentences per update; work inside a batch is shared among threads", low=1)

    epochs: int = setting(10, "passes over the training data", low=1)
    patience: int = setting(3, "stop after so many passes without a better dev score", low=1)
    average: bool = setting(True, "use the mean of the weights over all updates")
    seed: int = setting(1, "seed of the order of sentences", low=0)
    threads: int = setting(
        0, "threads in training and dev parsing; 0: all cores; the result does not depend on it", low=0
    )
