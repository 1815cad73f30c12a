"""Settings of the word segmenter. A trained model carries all of them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from accord.settings import setting
from accord.tasks.labeller.config import METHODS, LabellerConfig
from accord.tasks.segmenter.labels import LABEL_SETS

REPAIRS = ("viterbi", "simple")


@dataclass(frozen=True)
class SegmenterConfig:
    """Labels of characters by a chain, what a lexicon says of them, and a dictionary segmenter for doubtful ones."""

    labels: str = setting("BCDMES", "label set of characters", choices=LABEL_SETS)
    templates: str = setting(
        "segment+segment_matches", "feature templates: names inside the package or files, with + between"
    )
    width: bool = setting(True, "full-width letters, digits and signs count as their half-width forms")
    lexicon: bool = setting(True, "features of the words of the training text, where templates use them")
    jackknife: int = setting(
        10, "training sentences see the words of all but their own of so many folds; 0: of all sentences", low=0
    )
    least_words: int = setting(1, "words of the training text seen less often are not in the lexicon", low=1)
    words: str = setting("", "file of further words for the lexicon, one a line; empty: none")

    hybrid: bool = setting(True, "a dictionary segmenter decides where the chain is in doubt, if dev data gain by it")
    threshold: float = setting(
        0.0, "probability under which a label is doubtful; 0: tuned on dev data", low=0.0, high=1.0
    )
    delta: float = setting(0.5, "dictionary segmenter: added to the counts of words", low=1e-9)
    repair: str = setting("viterbi", "what mends labels that do not fit together", choices=REPAIRS)

    method: str = setting("mira", "how labels are learnt, as in a labeller", choices=METHODS)
    order: int = setting(1, "1: pairs of neighbouring labels; 2: and triples", low=0, high=2)
    costs: str = setting(
        "", "file of costs of labels, 'gold<TAB>label<TAB>cost' a line, in units of `cost`; empty: 1 for each wrong one"
    )
    aggressiveness: float = setting(0.05, "mira: longest step", low=1e-9)
    cost: float = setting(1.0, "mira, svm, softmax_margin: cost of a wrong label", low=0.0)
    step: str = setting("adagrad", "crf, softmax_margin, svm: kind of steps", choices=("adagrad", "sgd"))
    rate: float = setting(0.1, "crf, softmax_margin, svm: length of a step", low=0.0)
    l1: float = setting(0.0, "lbfgs: strength of the sum of absolute weights", low=0.0)
    l2: float = setting(0.0, "strength of half the sum of squared weights", low=0.0)
    iterations: int = setting(150, "lbfgs: most iterations", low=1)
    least_count: int = setting(1, "lbfgs: features of template values seen less often are left out", low=1)
    epochs: int = setting(8, "passes over the training data", low=1)
    patience: int = setting(2, "stop after so many passes without a better dev score", low=1)
    table: str = setting("hash", "weights by hashed feature or in an exact dictionary", choices=("hash", "dictionary"))
    bits: int = setting(22, "2^bits rows of weights (dictionary: initial size)", low=4, high=26)
    bytes: int = setting(1, "bytes of a stored weight", low=1, high=2)
    prune: float = setting(
        0.0, "a dictionary leaves out rows whose largest weight is below this share of the largest", low=0.0, high=1.0
    )
    seed: int = setting(1, "seed of the order of sentences", low=0)
    threads: int = setting(0, "threads; 0: all cores; the result does not depend on it", low=0)

    def labeller(self) -> LabellerConfig:
        """The settings of the chain."""
        shared = {field.name for field in dataclasses.fields(LabellerConfig)}
        values = dataclasses.asdict(self)
        return LabellerConfig(**{name: value for name, value in values.items() if name in shared})
