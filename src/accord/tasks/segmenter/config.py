# SPDX-License-Identifier: Apache-2.0
"""Settings of the word segmenter. A trained model carries all of them."""

from __future__ import annotations

from dataclasses import dataclass

from accord.settings import setting
from accord.tasks.labeller.config import LabellerConfig, labeller_default, longest_setting, model_setting
from accord.tasks.segmenter.labels import LABEL_SETS

REPAIRS = ("viterbi", "simple")


@dataclass(frozen=True)
class SegmenterConfig(LabellerConfig):
    """Labels of characters by a chain, what a lexicon says of them, and a dictionary segmenter for doubtful ones."""

    model: str = model_setting()
    longest: int = longest_setting()
    labels: str = setting("BCDMES", "label set of characters", choices=LABEL_SETS)
    width: bool = setting(True, "full-width letters, digits and signs count as their half-width forms")
    lexicon: bool = setting(True, "features of the words of the training text, where templates use them")
    jackknife: int = setting(
        10, "training sentences see the words of all but their own of so many folds; 0: of all sentences", low=0
    )
    least_words: int = setting(1, "words of the training text seen less often are not in the lexicon", low=1)
    words: str = setting("", "file of further words for the lexicon, one in each line; empty: none")

    hybrid: bool = setting(True, "a dictionary segmenter decides doubtful labels, if this helps on dev data")
    threshold: float = setting(
        0.0, "probability under which a label is doubtful; 0: tuned on dev data", low=0.0, high=1.0
    )
    delta: float = setting(0.5, "dictionary segmenter: added to the counts of words", low=1e-9)
    repair: str = setting("viterbi", "what mends labels that do not fit together", choices=REPAIRS)

    templates: str = setting(
        "", "feature templates: names inside the package or files, with + between; empty: by model"
    )
    method: str = labeller_default("method", "mira")
    aggressiveness: float = labeller_default("aggressiveness", 0.05)
    l2: float = labeller_default("l2", 0.0)
    iterations: int = labeller_default("iterations", 150)
    epochs: int = labeller_default("epochs", 8)
    patience: int = labeller_default("patience", 2)
    bits: int = labeller_default("bits", 22)
    bytes: int = labeller_default("bytes", 1)
