# SPDX-License-Identifier: Apache-2.0
"""Settings of the tagger. A trained model carries all of them."""

from __future__ import annotations

from dataclasses import dataclass

from accord.settings import setting
from accord.tasks.labeller.config import LabellerConfig, labeller_default


@dataclass(frozen=True)
class TaggerConfig(LabellerConfig):
    """Parts of speech by a chain, then XPOS and FEATS among the analyses the part of speech allows, then lemmas."""

    analyses: bool = setting(True, "XPOS and FEATS as well")
    analysis_templates: str = setting("analysis", "feature templates of XPOS and FEATS")
    analysis_bits: int = setting(20, "2^analysis_bits weights of XPOS and FEATS", low=8, high=26)
    analysis_epochs: int = setting(5, "passes for XPOS and FEATS", low=1)
    analysis_rate: float = setting(0.1, "length of the steps for XPOS and FEATS", low=0.0)
    frequent: int = setting(8, "forms and endings seen so often allow only the analyses they were seen with", low=1)
    most: int = setting(48, "most candidate analyses of a word", low=1)

    lemmas: bool = setting(True, "lemmas as well, where the treebank has them")

    order: int = labeller_default("order", 2)
    templates: str = labeller_default("templates", "tagger")
    method: str = labeller_default("method", "mira")
    aggressiveness: float = labeller_default("aggressiveness", 0.05)
    l2: float = labeller_default("l2", 0.0)
    iterations: int = labeller_default("iterations", 150)
    epochs: int = labeller_default("epochs", 8)
    table: str = labeller_default("table", "dictionary")
    bits: int = labeller_default("bits", 16)
    bytes: int = labeller_default("bytes", 1)
