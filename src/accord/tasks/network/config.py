# SPDX-License-Identifier: Apache-2.0
"""Settings of the neural scorer: what it reads, its sizes and its training. A trained model carries all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accord.settings import new_default, setting

LOSSES = ("local", "crf", "margin", "sparsemap")
ENCODERS = ("lstm", "convolution")
DEVICES = ("auto", "cpu", "cuda")
PRECISIONS = ("float32", "int8")


@dataclass(frozen=True)
class NeuralConfig:
    """A compact encoder over words, and heads that score arcs, labels, larger parts and tags."""

    inputs: str = setting(
        "lower,prefix2,prefix3,suffix2,suffix3,suffix4,shape",
        "attributes of a word whose embeddings are summed, with commas, as in feature templates; clusters are added",
    )
    cluster_inputs: str = setting(
        "cluster4,cluster6,cluster10,cluster", "attributes that are added where word clusters are given"
    )
    tags: str = setting(
        "predict",
        "predict: UPOS, XPOS, FEATS and lemmas are predicted along with the tree; given: tags are read; none: neither",
        choices=("predict", "given", "none"),
    )
    vectors: str = setting(
        "", "file of static word vectors, 'word numbers...' a line or .npy with a .txt of words beside it; empty: none"
    )
    vectors_most: int = setting(
        30000, "so many first words of that file keep their vectors, beside those of the training data; 0: all", low=0
    )
    start: str = setting(
        "", "model whose network the training begins with, where both know a word, tag or label; empty: none"
    )
    keep_vocabulary: bool = setting(
        False, "with start: words, tags and labels are those of that model, and the training data add none"
    )
    raw_text: str = setting(
        "",
        "tokenised text without trees, a sentence a line, whose words the network first learns to guess; empty: none",
    )
    raw_epochs: float = setting(4.0, "passes over that text", low=0.0, high=1000.0)
    raw_batch_words: int = setting(16000, "words of that text per update", low=1)
    raw_least_count: int = setting(5, "words and affixes that only that text has are unknown if they are rarer", low=1)
    least_count: int = setting(2, "rarer words and affixes are unknown", low=1)
    lemma_count: int = setting(1, "forms seen so often with a tag and a lemma rule are known to follow the rule", low=1)

    word_size: int = setting(100, "numbers of a word's embedding", low=1)
    character_size: int = setting(32, "numbers of a character's embedding; 0: no characters", low=0)
    filters: int = setting(64, "filters over three characters each", low=1)
    tag_size: int = setting(64, "numbers of the embedding of given tags", low=1)
    encoder: str = setting("lstm", "what reads the sentence", choices=ENCODERS)
    layers: int = setting(2, "layers of the encoder", low=1, high=12)
    units: int = setting(200, "units of a layer in each direction (convolution: half of its channels)", low=1)
    reach: int = setting(1, "convolution: words to either side that a layer sees", low=1, high=5)
    arc_size: int = setting(256, "size of the vectors that score arcs", low=1)
    label_size: int = setting(64, "size of the vectors that score labels", low=1)
    tag_hidden: int = setting(128, "size of the vectors that score tags", low=1)
    tag_layer: int = setting(
        1, "tags are scored from the output of this layer, which the next one reads along; 0: from the last", low=0
    )
    rank: int = setting(64, "rank of the forms that score parts of two arcs", low=1)

    loss: str = setting(
        "local",
        "local: each word chooses its head; crf: log-likelihood of trees; margin: cost-augmented search; "
        "sparsemap: sparse sums over trees",
        choices=LOSSES,
    )
    local_start: float = setting(
        0.25, "crf, margin, sparsemap: share of training that begins with the local loss", low=0.0, high=1.0
    )
    label_weight: float = setting(1.0, "weight of the loss of labels", low=0.0)
    tag_weight: float = setting(2.0, "weight of the losses of tags and lemmas", low=0.0)
    smoothing: float = setting(0.0, "share of a word's weight that is spread over all classes", low=0.0, high=0.5)
    dropout: float = setting(0.33, "share of the units that are dropped in training", low=0.0, high=0.9)
    word_dropout: float = setting(0.25, "a word seen c times is taken for unknown with odds of this to c", low=0.0)
    input_dropout: float = setting(0.15, "share of words that lose one group of inputs", low=0.0, high=0.9)

    epochs: int = setting(40, "passes over the training data; steps shrink to nothing in the last", low=1)
    patience: int = setting(40, "stop after so many passes without a better dev score", low=1)
    batch_words: int = setting(2000, "words per update", low=1)
    rate: float = setting(0.002, "length of the steps at their longest", low=0.0)
    warm_up: float = setting(0.05, "share of training in which steps grow to it", low=0.0, high=1.0)
    weight_decay: float = setting(0.01, "decay of the weights, in units of the rate", low=0.0)
    clip: float = setting(5.0, "longest gradient", low=0.0)
    averaging: float = setting(
        0.998, "decay of the running mean of the weights that is the model", low=0.0, high=0.99999
    )
    device: str = setting("auto", "auto: a GPU where there is one; cpu; cuda", choices=DEVICES)
    mixed_precision: str = setting(
        "auto", "16-bit arithmetic in training: off unless it is true (auto: off)", choices=("auto", "true", "false")
    )
    storage: str = setting(
        "float16",
        "how weights are stored; int8: bytes and a scale for each row of a matrix",
        choices=("int8", "float16", "float32"),
    )
    precision: str = setting(
        "float32",
        "arithmetic in parsing; auto: int8 on machines with vectors of bytes (AVX2), else float32",
        choices=("auto", *PRECISIONS),
    )

    def input_names(self, *, clusters: bool) -> list[str]:
        names = [name.strip() for name in self.inputs.split(",") if name.strip()]
        extra = [name.strip() for name in self.cluster_inputs.split(",") if name.strip()]
        return [*names, *(extra if clusters else ())]


def _chain_default(name: str, default: object) -> Any:
    return new_default(NeuralConfig, name, default)


@dataclass(frozen=True)
class ChainNeuralConfig(NeuralConfig):
    """A network that scores the labels of a chain: smaller than a parser's, without arcs."""

    tags: str = _chain_default("tags", "none")
    word_size: int = _chain_default("word_size", 64)
    filters: int = _chain_default("filters", 32)
    layers: int = _chain_default("layers", 1)
    units: int = _chain_default("units", 96)
    arc_size: int = _chain_default("arc_size", 1)
    label_size: int = _chain_default("label_size", 1)
    tag_hidden: int = _chain_default("tag_hidden", 96)
    tag_layer: int = _chain_default("tag_layer", 0)
    epochs: int = _chain_default("epochs", 12)
    patience: int = _chain_default("patience", 12)
    batch_words: int = _chain_default("batch_words", 800)
