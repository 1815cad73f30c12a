"""Settings of the labeller of spans: entities, chunks. A trained model carries all of them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from accord.settings import setting
from accord.tasks.labeller.config import METHODS, LabellerConfig
from accord.tasks.spans.labels import INSIDE_SCHEMES

UNITS = ("auto", "words", "characters")


@dataclass(frozen=True)
class SpansConfig:
    """Labels of tokens by a chain that knows which labels may follow which."""

    scheme: str = setting("BIOES", "label scheme inside the model", choices=INSIDE_SCHEMES)
    templates: str = setting("", "feature templates: names inside the package or files, with + between; empty: by unit")
    unit: str = setting("auto", "tokens are words or characters; auto: characters if all tokens are", choices=UNITS)
    clusters: str = setting("", "file of word clusters, 'bits<TAB>word' a line, for cluster features; empty: none")
    width: bool = setting(True, "characters: full-width letters, digits and signs count as their half-width forms")
    lists: bool = setting(True, "features of what words and characters were in the spans of the training data")
    jackknife: int = setting(
        10, "training sentences see the lists of all but their own of so many folds; 0: of all sentences", low=0
    )
    least_before: int = setting(1, "characters: pairs in front of spans seen less often are not in the lists", low=1)

    token: int = setting(0, "column files: the column of tokens, counted from 0")
    tag: int = setting(-1, "column files: the column of tags; -1: the second of three or more; -2: none", low=-2)
    positions: bool = setting(False, "column files: a digit behind each character is not part of it")
    comments: bool = setting(False, "column files: lines that begin with # are no tokens")
    key: str = setting("NER", "CoNLL-U: the key of labels in MISC")

    method: str = setting("crf", "how labels are learnt, as in a labeller", choices=METHODS)
    order: int = setting(1, "1: pairs of neighbouring labels; 2: and triples", low=0, high=2)
    costs: str = setting(
        "", "file of costs of labels, 'gold<TAB>label<TAB>cost' a line, in units of `cost`; empty: 1 for each wrong one"
    )
    aggressiveness: float = setting(0.05, "mira: longest step", low=1e-9)
    cost: float = setting(1.0, "mira, svm, softmax_margin: cost of a wrong label", low=0.0)
    step: str = setting("adagrad", "crf, softmax_margin, svm: kind of steps", choices=("adagrad", "sgd"))
    rate: float = setting(0.05, "crf, softmax_margin, svm: length of a step", low=0.0)
    l1: float = setting(0.0, "lbfgs: strength of the sum of absolute weights", low=0.0)
    l2: float = setting(1.0, "lbfgs: strength of half the sum of squared weights", low=0.0)
    decay: float = setting(0.0, "crf, softmax_margin, svm: strength of half the sum of squared weights", low=0.0)
    iterations: int = setting(150, "lbfgs: most iterations", low=1)
    tolerance: float = setting(1e-4, "lbfgs: stop when ten iterations gain less than this share", low=0.0)
    least_count: int = setting(1, "lbfgs: features of template values seen less often are left out", low=1)
    unseen: bool = setting(False, "lbfgs: also features that were never seen with their label")
    epochs: int = setting(12, "all but lbfgs: passes over the training data", low=1)
    patience: int = setting(3, "stop after so many passes without a better dev score", low=1)
    table: str = setting(
        "dictionary", "weights by hashed feature or in an exact dictionary", choices=("hash", "dictionary")
    )
    bits: int = setting(16, "2^bits rows of weights (dictionary: initial size)", low=4, high=26)
    bytes: int = setting(2, "bytes of a stored weight", low=1, high=2)
    prune: float = setting(
        0.0, "a dictionary leaves out rows whose largest weight is below this share of the largest", low=0.0, high=1.0
    )
    seed: int = setting(1, "seed of the order of sentences", low=0)
    threads: int = setting(0, "threads; 0: all cores; the result does not depend on it", low=0)

    def labeller(self) -> LabellerConfig:
        """The settings of the chain."""
        shared = {field.name for field in dataclasses.fields(LabellerConfig)}
        values = {name: value for name, value in dataclasses.asdict(self).items() if name in shared}
        if self.method != "lbfgs":
            values["l2"] = self.decay
        return LabellerConfig(**values)
