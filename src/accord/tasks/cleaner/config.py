# SPDX-License-Identifier: Apache-2.0
"""Settings of a cleaner of transcripts. A trained model carries all of them."""

from __future__ import annotations

from dataclasses import dataclass

from accord.settings import check_settings, group, setting
from accord.tasks.labeller.config import METHODS
from accord.tasks.network.config import ChainNeuralConfig
from accord.tasks.sparsity.config import SparsityConfig

TAGS = ("own", "given", "none")


@dataclass(frozen=True)
class CleanerConfig:
    """Which steps a cleaner has, what they see, and how they learn."""

    scorer: str = setting(
        "linear",
        "linear: steps of features; neural: a network over the utterance for fillers, and one for edits",
        choices=("linear", "neural"),
    )
    method: str = setting(
        "m3n",
        "how fillers and edits are learnt; m3n, smo: max-margin in the dual; lbfgs: log-likelihood; mira, ...",
        choices=METHODS,
    )
    steps: int = setting(
        3,
        "1: edits from the text as it was said; 2: and without fillers; 3: and without the edits of step 2",
        low=1,
        high=3,
    )
    miss: float = setting(2.0, "cost of an edited word that is taken for a fluent one; other mistakes cost 1", low=0.0)
    dual_c: float = setting(0.1, "m3n, smo: weight of the losses against half the sum of squared weights", low=1e-9)
    epochs: int = setting(30, "passes over the training data (lbfgs: ten iterations for each)", low=1)
    folds: int = setting(10, "folds of the training data, so that no step sees decisions about its own answers", low=2)
    in_between: bool = setting(True, "step 3: features of words between two copies of the same two words")
    copies: bool = setting(True, "step 3: the first of the two copies is between them, too")
    wide: bool = setting(
        True, "steps 2 and 3: also equal words up to eight places away without fillers, and marks with tags"
    )
    edits_only: bool = setting(False, "step 3: take out the edits of step 2 alone, and leave fillers in the text")
    legal: bool = setting(False, "labels must fit together: an edit begins before it goes on, and ends")
    tags: str = setting("own", "own: tags by a first step of the model; given: those of the data; none", choices=TAGS)
    fillers: str = setting("FDE", "column files: kinds of brackets that are fillers: F, D, E, C, A")
    l2: float = setting(1.0, "lbfgs: strength of half the sum of squared weights", low=0.0)
    aggressiveness: float = setting(1.0, "mira: longest step", low=1e-9)
    table: str = setting(
        "dictionary", "weights by hashed feature or in an exact dictionary", choices=("hash", "dictionary")
    )
    bits: int = setting(16, "2^bits rows of weights, one for each label (dictionary: initial size)", low=4, high=26)
    prune: float = setting(
        0.0, "a dictionary leaves out rows whose largest weight is below this share of the largest", low=0.0, high=1.0
    )
    sparsity: SparsityConfig = group(SparsityConfig, "of the run that chooses features before each step is trained")
    neural: ChainNeuralConfig = group(ChainNeuralConfig, "of neural scorers")
    seed: int = setting(1, "seed of the order of utterances", low=0)
    threads: int = setting(0, "threads; 0: all cores; the result does not depend on it", low=0)

    def __post_init__(self) -> None:
        check_settings(self)
