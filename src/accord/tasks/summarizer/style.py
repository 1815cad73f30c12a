# SPDX-License-Identifier: Apache-2.0
"""What sentences are worth beside their concepts: relevance, and how they speak.

People who summarise leave out what authors tell of themselves, and write what is so: words of the first person make a
sentence worth less, and a form of "be" or "have" in the present tense makes it worth more. Both lists are English, so
texts of other languages have neither. Words of the first person are counted against what the topic has on average: a
diary is summarised like any other text. A sentence also has a share of the worth of its concepts however often other
sentences mention them (relevance), and each sentence has a price, which favours fewer and longer ones.

All amounts are in units of the mean weight of concepts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.sources import SourceSentence
from accord.tasks.summarizer.stop_words import ENGLISH

_FIRST_PERSON = "i i'm i've i'd i'll me my mine myself we we're we've we'd we'll us our ours ourselves"
PERSONAL = frozenset(_FIRST_PERSON.split())
STATING = frozenset(("is", "are", "has", "'s"))
Numbers = NDArray[np.float64]


def token_scores(
    sentences: Sequence[SourceSentence], config: SummarizerConfig, stops: frozenset[str]
) -> tuple[list[Numbers], Numbers]:
    """What each token of each sentence adds, and what each sentence adds as a whole."""
    personal, stating = marks(sentences, stops)
    return [config.personal * one for one in personal], config.statement * stating - config.sentence_cost


def marks(sentences: Sequence[SourceSentence], stops: frozenset[str]) -> tuple[list[Numbers], Numbers]:
    """Of each token, how much less it speaks of its author than words of the topic do; which sentences say what is so.

    Texts of other languages than English have neither.
    """
    if stops is not ENGLISH:
        return [np.zeros(len(one.tokens)) for one in sentences], np.zeros(len(sentences))
    lowered = [[token.lower() for token in sentence.tokens] for sentence in sentences]
    counted = [np.array([any(map(str.isalnum, token)) for token in tokens], np.float64) for tokens in lowered]
    personal = [np.array([token in PERSONAL for token in tokens], np.float64) for tokens in lowered]
    rate = sum(map(np.sum, personal)) / max(1.0, sum(map(np.sum, counted)))
    stating = np.array([not STATING.isdisjoint(tokens) for tokens in lowered], np.float64)
    return [rate * words - own for words, own in zip(counted, personal, strict=True)], stating
