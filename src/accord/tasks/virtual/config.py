"""Settings of joint models of segments and their types. A trained model carries all of them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from accord.settings import setting
from accord.tasks.labeller.config import METHODS, LabellerConfig
from accord.tasks.virtual.layers import SCHEMES


@dataclass(frozen=True)
class JointConfig:
    """Segments and types by one chain over two layers of labels (virtual nodes: Qian et al. 2010)."""

    scheme: str = setting("BMES", "places in a segment; BCDMES suits words of characters", choices=SCHEMES)
    consistency: str = setting(
        "hard", "hard: only labellings that are segments; soft: weights must learn it", choices=("hard", "soft")
    )
    templates: str = setting("joint_chunk", "feature templates: a name inside the package or a file")
    clusters: str = setting("", "file of word clusters, 'bits<TAB>word' a line, for cluster features; empty: none")
    method: str = setting("lbfgs", "how weights are learnt, as in a labeller", choices=METHODS)
    l1: float = setting(0.0, "lbfgs: strength of the sum of absolute weights", low=0.0)
    l2: float = setting(1.0, "strength of half the sum of squared weights", low=0.0)
    iterations: int = setting(150, "lbfgs: most iterations", low=1)
    tolerance: float = setting(1e-4, "lbfgs: stop when ten iterations gain less than this share", low=0.0)
    least_count: int = setting(1, "lbfgs: features of template values seen less often are left out", low=1)
    step: str = setting("adagrad", "crf, softmax_margin, svm: kind of steps", choices=("adagrad", "sgd"))
    rate: float = setting(0.1, "crf, softmax_margin, svm: length of a step", low=0.0)
    cost: float = setting(1.0, "mira, svm, softmax_margin: cost of a wrong label", low=0.0)
    aggressiveness: float = setting(0.05, "mira: longest step", low=1e-9)
    epochs: int = setting(10, "all but lbfgs: passes over the training data", low=1)
    patience: int = setting(3, "stop after so many passes without a better dev score", low=1)
    table: str = setting(
        "dictionary", "weights by hashed feature or in an exact dictionary", choices=("hash", "dictionary")
    )
    bits: int = setting(14, "2^bits rows of weights (dictionary: initial size)", low=4, high=26)
    bytes: int = setting(2, "bytes of a stored weight", low=1, high=2)
    prune: float = setting(
        0.0, "a dictionary leaves out rows whose largest weight is below this share of the largest", low=0.0, high=1.0
    )
    seed: int = setting(1, "seed of the order of sequences", low=0)
    threads: int = setting(0, "threads; 0: all cores; the result does not depend on it", low=0)

    def labeller(self) -> LabellerConfig:
        """The settings of the chain."""
        shared = {field.name for field in dataclasses.fields(LabellerConfig)}
        values = dataclasses.asdict(self)
        return LabellerConfig(**{name: value for name, value in values.items() if name in shared})
