# SPDX-License-Identifier: Apache-2.0
"""Settings of the joint model of words, tags and phrases. A trained model carries all of them."""

from __future__ import annotations

from dataclasses import dataclass

from accord.settings import group, new_default, setting
from accord.tasks.joint_constituents.grammar import BINARISATIONS, RULES
from accord.tasks.labeller.config import LabellerConfig, labeller_default
from accord.tasks.segmenter.config import SegmenterConfig


@dataclass(frozen=True)
class WordsConfig(SegmenterConfig):
    """The segmenter: a semi-Markov chain of words, whose scores do not look at neighbouring words."""

    model: str = setting("semi", "what scores words as wholes", choices=("semi",))
    hybrid: bool = new_default(SegmenterConfig, "hybrid", False)
    method: str = labeller_default("method", "crf")
    step: str = labeller_default("step", "adagrad")
    rate: float = labeller_default("rate", 0.1)
    epochs: int = labeller_default("epochs", 6)
    patience: int = labeller_default("patience", 2)
    bits: int = labeller_default("bits", 20)


@dataclass(frozen=True)
class TagsConfig(LabellerConfig):
    """The tagger: a chain over words whose transitions look at no word."""

    order: int = setting(1, "0: each word on its own; 1: pairs of neighbouring tags", low=0, high=1)
    templates: str = labeller_default("templates", "tagger_chinese")
    method: str = labeller_default("method", "mira")
    aggressiveness: float = labeller_default("aggressiveness", 0.05)
    l2: float = labeller_default("l2", 0.0)
    epochs: int = labeller_default("epochs", 6)
    patience: int = labeller_default("patience", 2)
    bits: int = labeller_default("bits", 17)
    bytes: int = labeller_default("bytes", 1)


@dataclass(frozen=True)
class JointConstituentsConfig:
    """Words, tags and phrases by three models and one search (Qian & Liu 2012)."""

    templates: str = setting("phrases", "feature templates of phrases: names inside the package or files, with +")
    clusters: str = setting("", "file of word clusters, 'bits<TAB>word' a line, for cluster features; empty: none")
    functions: bool = setting(False, "learn function tags as well: NP-SBJ instead of NP")
    binarisation: str = setting(
        "parent",
        "names of the helper states of long phrases: of their phrase, or of the first two children that they cover",
        choices=BINARISATIONS,
    )
    rules: str = setting(
        "open",
        "seen: those of the training data; open: also those that put the children of a phrase into a new order",
        choices=RULES,
    )
    parents: bool = setting(False, "phrases that stand under different phrases are different states")

    method: str = setting(
        "perceptron", "perceptron, mira: by mistakes; svm: gradient steps", choices=("perceptron", "mira", "svm")
    )
    step: str = setting("adagrad", "svm: kind of steps", choices=("adagrad", "sgd"))
    rate: float = setting(0.05, "svm: length of a step", low=0.0)
    l2: float = setting(0.0, "svm: decay of the weights", low=0.0)
    cost: float = setting(1.0, "mira, svm: cost of a wrong or missing span", low=0.0)
    aggressiveness: float = setting(0.01, "mira: longest step", low=1e-9)
    epochs: int = setting(10, "passes over the training data", low=1)
    patience: int = setting(3, "stop after so many passes without a better dev score", low=1)
    average: bool = setting(True, "use the mean of the weights over all updates")
    batch: int = setting(1, "sentences per update; work inside a batch is shared among threads", low=1)
    training_beam: int = setting(20, "beam of training, on known words and tags; 0: none", low=0)
    bits: int = setting(22, "2^bits weights of phrases", low=4, high=26)
    bytes: int = setting(2, "bytes of a stored weight", low=1, high=2)

    word_weight: float = setting(0.0, "weight of the segmenter; 0: tuned on dev data, else 1", low=0.0)
    tag_weight: float = setting(0.0, "weight of the tagger; 0: tuned on dev data, else 1", low=0.0)
    phrase_weight: float = setting(1.0, "weight of the phrases", low=1e-9)
    even: bool = setting(True, "a bonus for each word, tuned on dev data, evens out scores that grow with their number")
    normal_tags: bool = setting(
        True, "scores of tags are log-probabilities given the words around, before transitions; else as trained"
    )
    tuning: int = setting(500, "at most so many dev sentences, from all over them, tune the weights", low=1)
    beam: int = setting(20, "answers that are kept of each stretch of text; 0: all, exactly", low=0)
    gap: float = setting(
        15.0,
        "with a beam: two stretches that score less than the best two by more are not joined; 0: all are",
        low=0.0,
    )
    most_tags: int = setting(8, "tags that each word may have, the best by the tagger; 0: all", low=0)
    margin: float = setting(
        12.0, "words whose best segmentation is worse than the best one by more (log-odds) are left out", low=0.0
    )
    tied: bool = setting(True, "the tag that phrases are made of is the tagger's; else any tag, at the phrases' will")
    longest: int = setting(120, "longer texts are cut into pieces, behind punctuation where there is some", low=2)

    seed: int = setting(1, "seed of the order of sentences", low=0)
    threads: int = setting(0, "threads; 0: all cores; the result does not depend on it", low=0)

    segmenter: WordsConfig = group(WordsConfig, "of the segmenter")
    tagger: TagsConfig = group(TagsConfig, "of the tagger")
