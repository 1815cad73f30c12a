# SPDX-License-Identifier: Apache-2.0
"""Settings of the labeller of spans: entities, chunks. A trained model carries all of them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from accord.settings import group, setting
from accord.tasks.labeller.config import LabellerConfig, labeller_default, longest_setting, model_setting
from accord.tasks.network.config import ChainNeuralConfig
from accord.tasks.spans.labels import INSIDE_SCHEMES

SCORERS = ("linear", "neural")
UNITS = ("auto", "words", "characters")


@dataclass(frozen=True)
class SpansConfig(LabellerConfig):
    """Labels of tokens by a chain that knows which labels may follow which."""

    scorer: str = setting(
        "linear", "linear: features and weight tables; neural: a network over the sentence", choices=SCORERS
    )
    model: str = model_setting()
    longest: int = longest_setting()
    scheme: str = setting("BIOES", "label scheme inside the model", choices=INSIDE_SCHEMES)
    unit: str = setting("auto", "tokens are words or characters; auto: characters if all tokens are", choices=UNITS)
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
    decay: float = setting(0.0, "crf, softmax_margin, svm: strength of half the sum of squared weights", low=0.0)

    templates: str = setting("", "feature templates: names inside the package or files, with + between; empty: by unit")
    l2: float = setting(1.0, "lbfgs: strength of half the sum of squared weights", low=0.0)
    aggressiveness: float = labeller_default("aggressiveness", 0.05)
    rate: float = labeller_default("rate", 0.05)
    iterations: int = labeller_default("iterations", 150)
    tolerance: float = labeller_default("tolerance", 1e-4)
    table: str = labeller_default("table", "dictionary")
    bits: int = labeller_default("bits", 16)
    neural: ChainNeuralConfig = group(ChainNeuralConfig, "of neural scorers")
    bytes: int = labeller_default("bytes", 1)

    def labeller(self) -> LabellerConfig:
        """The settings of the chain."""
        chain = super().labeller()
        return chain if self.method == "lbfgs" else dataclasses.replace(chain, l2=self.decay)
