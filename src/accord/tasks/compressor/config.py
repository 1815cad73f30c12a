# SPDX-License-Identifier: Apache-2.0
"""Settings of a compressor. A trained model carries all of them."""

from __future__ import annotations

from dataclasses import dataclass

from accord.settings import check_settings, setting

STATUS_METHODS = ("status", "status_bigram")
LINEAR_METHODS = ("joint", "relaxed", "bigram", "tree", *STATUS_METHODS)
CHAIN_METHODS = ("crf", "rerank")
UNTRAINED_METHODS = ("grammar", "trimmer")
METHODS = (*LINEAR_METHODS, *CHAIN_METHODS, *UNTRAINED_METHODS)


@dataclass(frozen=True)
class CompressorConfig:
    """How sentences are compressed, and how a compressor learns."""

    method: str = setting(
        "joint", "decoder that is trained; grammar, trimmer: rules of English, without training", choices=METHODS
    )
    rate: float = setting(
        0.0, "share of words kept where no budget is asked for; 0: the model decides", low=0.0, high=1.0
    )
    rule: str = setting("mira", "joint, bigram, tree, status: update rule", choices=("mira", "svm", "perceptron"))
    parser: str = setting("en", "model whose tagger and parser read sentences")
    phrases: str = setting("en-phrases", "trimmer: model whose trees of phrases are trimmed")
    epochs: int = setting(8, "passes over the training data at most", low=1)
    patience: int = setting(3, "stop after so many epochs without a better score on dev data", low=1)
    seed: int = setting(1, "order of sentences", low=0)
    length: str = setting(
        "free", "joint, bigram, tree, status: lengths of answers in training", choices=("free", "gold")
    )
    cost: float = setting(1.0, "mira, svm: cost of a word wrongly kept or deleted", low=0.0)
    aggressiveness: float = setting(0.01, "mira: largest step", low=0.0)
    l2: float = setting(1e-4, "svm: strength of half the sum of squared weights", low=1e-12)
    bits: int = setting(18, "each weight table has 2 to the power of bits entries", low=8, high=24)
    templates: str = setting("", "file of feature templates; empty: those of the package")
    references: str = setting(
        "first", "compressions of a sentence that are learnt; chains: by the reranker", choices=("first", "all")
    )
    longest: int = setting(120, "longer sentences are compressed piece by piece", low=2, high=1000)
    labels: str = setting(
        "bio", "crf, rerank: labels tell first words of deleted runs from others", choices=("bio", "binary")
    )
    features: str = setting("expanded", "crf, rerank: features of words", choices=("basic", "expanded"))
    smoothing: float = setting(1.0, "crf, rerank: strength of half the sum of squared weights of the chain", low=0.0)
    iterations: int = setting(150, "crf, rerank: most iterations of L-BFGS", low=1)
    folds: int = setting(5, "crf, rerank: folds, so that no list or language model saw its own sentence", low=2)
    candidates: int = setting(25, "rerank: compressions on each list", low=1, high=1000)
    rerank_l2: float = setting(10.0, "rerank: strength of half the sum of squared weights of the reranker", low=0.0)
    threads: int = setting(0, "parsing: threads; 0: all cores", low=0)

    def __post_init__(self) -> None:
        check_settings(self)
