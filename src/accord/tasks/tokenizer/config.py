# SPDX-License-Identifier: Apache-2.0
"""Settings of tokenisers. A trained model carries all of them."""

from __future__ import annotations

from dataclasses import dataclass

from accord.settings import group, setting
from accord.tasks.labeller import LabellerConfig
from accord.tasks.network.config import ChainNeuralConfig


@dataclass(frozen=True)
class TokenizerConfig:
    """Everything that decides what is trained and how."""

    templates: str = setting(
        "auto", "feature templates: a name inside the package or a file; auto: tokenizer, or tokenizer_joined"
    )
    spacing: str = setting(
        "auto",
        "what stands between words whose treebank does not say it; auto: nothing in scripts that have no blanks; "
        "written: blanks, but none before closing and after opening marks",
        choices=("auto", "blanks", "joined", "written"),
    )
    order: int = setting(1, "1: pairs of neighbouring characters' labels; 2: and triples", low=1, high=2)
    rate: float = setting(0.1, "length of a step", low=0.0)
    l2: float = setting(0.0, "decay of the weights", low=0.0)
    epochs: int = setting(12, "passes over the training data", low=1)
    patience: int = setting(4, "stop after so many passes without a better dev score", low=1)
    bits: int = setting(18, "2^bits rows of weights, one for each label", low=4, high=24)
    bytes: int = setting(1, "bytes of a stored weight", low=1, high=2)
    unmarked: float = setting(
        0.2,
        "share of paragraphs that go on with the next one after a blank, as if nothing marked their end",
        low=0.0,
        high=1.0,
    )
    vary: float = setting(
        0.0,
        "share of paragraphs that are trained on a second time with other typography: quotes, dashes, emoji, prices, "
        "abbreviations, case; in scripts without blanks of pieces, with quotes, marks, ends of sentences",
        low=0.0,
        high=1.0,
    )
    piece: int = setting(20, "most sentences that are trained on at a time", low=1)
    folds: int = setting(
        10, "scripts without blanks: parts whose words are looked up in the words of the others", low=2
    )
    words: str = setting(
        "",
        "scripts without blanks: file of a dictionary that the features look up beside the words of the treebank, one "
        "word in each line, perhaps with a class after a tab; empty: none",
    )
    sentences: str = setting(
        "characters",
        "what finds ends of sentences; network: a small network over the words of a paragraph, trained with PyTorch",
        choices=("characters", "network"),
    )
    characters_weight: float = setting(
        0.5, "network: how much the odds count that the characters around a place give", low=0.0, high=100.0
    )
    clusters: str = setting("", "network: file of word clusters that it reads; empty: none")
    neural: ChainNeuralConfig = group(ChainNeuralConfig, "of the network")
    seed: int = setting(1, "seed of the order of the data", low=0)
    threads: int = setting(0, "threads; 0: all cores; the result does not depend on it", low=0)

    def labeller(self, joined: bool) -> LabellerConfig:
        """The settings of the labeller of characters."""
        named = "tokenizer_joined" if joined else "tokenizer"
        if joined and self.words:
            named += "+tokenizer_words"
        return LabellerConfig(
            order=self.order,
            templates=named if self.templates == "auto" else self.templates,
            method="crf",
            l2=self.l2,
            rate=self.rate,
            epochs=self.epochs,
            patience=self.patience,
            bits=self.bits,
            bytes=self.bytes,
            seed=self.seed,
            threads=self.threads,
        )
