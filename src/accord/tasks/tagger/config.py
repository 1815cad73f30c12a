"""Settings of the tagger. A trained model carries all of them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from accord.settings import setting
from accord.tasks.labeller.config import METHODS, LabellerConfig


@dataclass(frozen=True)
class TaggerConfig:
    """Parts of speech by a chain, then XPOS and FEATS among the analyses the part of speech allows, then lemmas."""

    order: int = setting(2, "0: each word on its own; 1: pairs of neighbouring tags; 2: and triples", low=0, high=2)
    templates: str = setting("tagger", "feature templates of tags: a name inside the package or a file")
    clusters: str = setting("", "file of word clusters, 'bits<TAB>word' a line, for cluster features; empty: none")
    method: str = setting("mira", "how tags are learnt, as in a labeller", choices=METHODS)
    aggressiveness: float = setting(0.05, "mira: longest step", low=1e-9)
    cost: float = setting(1.0, "mira, svm, softmax_margin: cost of a wrong tag", low=0.0)
    costs: str = setting(
        "", "file of costs of labels, 'gold<TAB>label<TAB>cost' a line, in units of `cost`; empty: 1 for each wrong one"
    )
    step: str = setting("adagrad", "crf, softmax_margin, svm: kind of steps", choices=("adagrad", "sgd"))
    rate: float = setting(0.1, "crf, softmax_margin, svm: length of a step", low=0.0)
    l1: float = setting(0.0, "lbfgs: strength of the sum of absolute weights", low=0.0)
    l2: float = setting(0.0, "strength of half the sum of squared weights", low=0.0)
    iterations: int = setting(150, "lbfgs: most iterations", low=1)
    dual_c: float = setting(1.0, "m3n: weight of the losses against half the sum of squared weights", low=1e-9)
    epochs: int = setting(8, "passes over the training data", low=1)
    patience: int = setting(3, "stop after so many passes without a better dev score", low=1)
    table: str = setting(
        "dictionary", "weights of tags by hashed feature or in an exact dictionary", choices=("hash", "dictionary")
    )
    bits: int = setting(16, "2^bits rows of weights of tags (dictionary: initial size)", low=4, high=26)
    bytes: int = setting(1, "bytes of a stored weight of tags", low=1, high=2)
    prune: float = setting(
        0.0, "a dictionary leaves out rows whose largest weight is below this share of the largest", low=0.0, high=1.0
    )

    analyses: bool = setting(True, "XPOS and FEATS as well")
    analysis_templates: str = setting("analysis", "feature templates of XPOS and FEATS")
    analysis_bits: int = setting(20, "2^analysis_bits weights of XPOS and FEATS", low=8, high=26)
    analysis_epochs: int = setting(5, "passes for XPOS and FEATS", low=1)
    analysis_rate: float = setting(0.1, "length of the steps for XPOS and FEATS", low=0.0)
    frequent: int = setting(8, "forms and endings seen so often allow only the analyses they were seen with", low=1)
    most: int = setting(48, "most candidate analyses of a word", low=1)

    lemmas: bool = setting(True, "lemmas as well, where the treebank has them")
    seed: int = setting(1, "seed of the order of sentences", low=0)
    threads: int = setting(0, "threads; 0: all cores; the result does not depend on it", low=0)

    def labeller(self) -> LabellerConfig:
        """The settings of the chain over parts of speech."""
        shared = {field.name for field in dataclasses.fields(LabellerConfig)}
        values = dataclasses.asdict(self)
        return LabellerConfig(**{name: value for name, value in values.items() if name in shared})
