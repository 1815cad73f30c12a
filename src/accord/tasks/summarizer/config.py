# SPDX-License-Identifier: Apache-2.0
"""How summaries are made: budgets, concepts and the solver."""

from __future__ import annotations

from dataclasses import dataclass

from accord.errors import ConfigError
from accord.inference.coverage import METHODS
from accord.settings import check_settings, setting


@dataclass(frozen=True)
class SummarizerConfig:
    """Settings of a summarizer. A budget of 0 is no limit; at least one budget must be there."""

    words: int = setting(100, "words of the summary at most; 0: no limit", low=0)
    characters: int = setting(0, "characters of the summary at most; 0: no limit", low=0)
    sentences: int = setting(0, "sentences of the summary at most; 0: no limit", low=0)
    method: str = setting("graph_cut", "solver; ilp and lp need HiGHS", choices=METHODS)
    least_count: int = setting(2, "documents that must have a concept; fewer count where too few concepts have", low=1)
    exponent: float = setting(1.25, "power of the number of documents that a concept is worth", low=0.0, high=20.0)
    sentence_exponent: float = setting(
        0.7, "the same of sentences, with fewer than three documents", low=0.0, high=20.0
    )
    words_weight: float = setting(0.5, "worth of single content words, beside pairs of neighbours worth 1", low=0.0)
    stop_weight: float = setting(0.2, "worth of stop words, beside other single words worth 1", low=0.0)
    stop_pairs: float = setting(0.6, "worth of pairs of two stop words, beside other pairs worth 1", low=0.0)
    relevance: float = setting(0.3, "share of its worth that a concept has in every sentence that mentions it", low=0.0)
    personal: float = setting(8.0, "what a word of the first person costs, in mean weights of concepts", low=0.0)
    statement: float = setting(4.0, "what a sentence with is, are or has gains, in the same unit", low=0.0)
    sentence_cost: float = setting(2.0, "what each sentence costs, in the same unit", low=0.0)
    concepts: int = setting(2000, "concepts that count at most: those of the largest weights", low=1)
    early: float = setting(0.5, "how much more concepts of the first sentence of a document are worth", low=0.0)
    least_words: int = setting(0, "words of a sentence at least; 0: 4 for three documents or more, otherwise 6", low=0)
    query_weight: float = setting(
        20.0, "worth of words of the query, in mean weights of concepts, times the logarithm of their rareness", low=0.0
    )
    novelty: float = setting(1.0, "share of its worth that a concept of earlier texts loses", low=0.0, high=1.0)
    compress: bool = setting(False, "cut what sentences can do without; needs a parser of the language")
    safe_cuts: bool = setting(
        True,
        "cut clauses, nouns and the like only beside a pause, or with a preposition, subordinator or relative word",
    )
    cut_cost: float = setting(1.0, "what a cut costs, in units of the mean weight of concepts", low=0.0)
    least_share: float = setting(
        0.0,
        "share of its words that a shortened sentence keeps at least; 0: none, or 0.8 with a compressor",
        low=0.0,
        high=1.0,
    )
    relevance_scale: float = setting(64.0, "what learned relevance is worth beside scores of a compressor", low=0.0)
    parsed_words: int = setting(5000, "words of the sentences that are parsed for cuts at most: the best ones", low=0)
    learner: str = setting(
        "frequencies",
        "training: how often summaries have a concept, weights by the summaries that they lead to, or of sentences",
        choices=("frequencies", "structured", "relevance"),
    )
    epochs: int = setting(10, "structured: passes over the topics", low=1)
    rate: float = setting(0.3, "structured: size of the first step", low=1e-12)
    compressions: str = setting("", "structured, compress: file of shortened sentences that teach cuts, too")
    stop_words: str = setting(
        "auto",
        "en: English list; frequent: words of many sentences; auto: by the text",
        choices=("auto", "en", "frequent"),
    )

    def __post_init__(self) -> None:
        check_settings(self)
        if not (self.words or self.characters or self.sentences):
            raise ConfigError("a summary needs a budget: words, characters or sentences must be at least 1")
