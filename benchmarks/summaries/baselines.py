# SPDX-License-Identifier: Apache-2.0
"""What Accord's summaries are compared with: lead, random choice, and the five methods of sumy.

All of them fill the same budget of words: sentences in the order of their ranks, leaving out those that do not fit.
sumy gets the sentences and words of Accord's tokeniser, its own stemmer and its own stop words.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from accord.tasks.summarizer import Source
from accord.tasks.summarizer.sources import SourceSentence

Summarize = Callable[[Sequence[Source], int], str]


def filled(ranked: Iterable[tuple[int, SourceSentence]], words: int) -> str:
    """The sentences that fit, taken by rank and put into the order of the sources."""
    left, chosen = words, []
    for place, sentence in ranked:
        if 0 < sentence.words <= left:
            left -= sentence.words
            chosen.append((place, sentence.text))
    return " ".join(text for _, text in sorted(chosen))


def numbered(sources: Sequence[Source]) -> list[tuple[int, SourceSentence]]:
    return list(enumerate(sentence for source in sources for sentence in source.sentences))


def lead(sources: Sequence[Source], words: int) -> str:
    """The first sentences of all documents, then the second ones, and so on."""
    places = {id(sentence): place for place, sentence in numbered(sources)}
    longest = max((len(source.sentences) for source in sources), default=0)
    rounds = (source.sentences[k] for k in range(longest) for source in sources if k < len(source.sentences))
    return filled(((places[id(sentence)], sentence) for sentence in rounds), words)


def shuffled(seed: int) -> Summarize:
    def summarize(sources: Sequence[Source], words: int) -> str:
        ranked = numbered(sources)
        random.Random(seed).shuffle(ranked)
        return filled(ranked, words)

    return summarize


def sumy_methods() -> dict[str, Summarize]:
    """The methods of sumy by name; nothing where sumy is not installed."""
    try:
        from sumy.summarizers.kl import KLSummarizer
        from sumy.summarizers.lex_rank import LexRankSummarizer
        from sumy.summarizers.lsa import LsaSummarizer
        from sumy.summarizers.luhn import LuhnSummarizer
        from sumy.summarizers.text_rank import TextRankSummarizer
    except ImportError:
        return {}
    kinds = (LexRankSummarizer, LsaSummarizer, TextRankSummarizer, KLSummarizer, LuhnSummarizer)
    return {f"sumy {kind.__name__.removesuffix('Summarizer')}": _of_sumy(kind) for kind in kinds}


def _of_sumy(kind: Callable[..., Any]) -> Summarize:
    from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
    from sumy.nlp.stemmers import Stemmer
    from sumy.utils import get_stop_words

    class GivenWords:
        """Tells sumy the words of sentences."""

        def __init__(self, words: dict[str, list[str]]) -> None:
            self._words = words

        def to_words(self, text: str) -> list[str]:
            return self._words[text]

    def summarize(sources: Sequence[Source], words: int) -> str:
        sentences = [sentence for _, sentence in numbered(sources) if sentence.text]
        tokens = {s.text: [t for t in s.tokens if any(map(str.isalpha, t))] for s in sentences}
        places = {id(sentence): place for place, sentence in numbered(sources)}
        given = [Sentence(sentence.text, GivenWords(tokens)) for sentence in sentences]
        back = {id(theirs): ours for theirs, ours in zip(given, sentences, strict=True)}
        summarizer = kind(Stemmer("english"))
        if hasattr(summarizer, "stop_words"):
            summarizer.stop_words = get_stop_words("english")

        def budget(ranked: Sequence[Any]) -> Sequence[Any]:
            order.extend(back[id(info.sentence)] for info in ranked)
            return ranked

        order: list[SourceSentence] = []
        document = ObjectDocumentModel([Paragraph(given)])
        if kind.__name__ == "KLSummarizer":
            order = [
                back[id(theirs)] for theirs in _by_divergence(summarizer, given, [s.words for s in sentences], words)
            ]
        else:
            summarizer(document, budget)
        return filled(((places[id(sentence)], sentence) for sentence in order), words)

    return summarize


def _by_divergence(summarizer: Any, given: Sequence[Any], lengths: Sequence[int], words: int) -> list[Any]:
    """The ranks of KL-Sum as far as the budget asks for them.

    It ranks all sentences one after the other, and the time of a rank grows with all ranks before it. What comes after
    no other sentence fits changes nothing.
    """
    ranked: list[Any] = []
    waiting = list(zip(given, lengths, strict=True))
    left = words

    class FullError(Exception):
        pass

    def best(divergences: list[float]) -> int:
        nonlocal left
        number = divergences.index(min(divergences))
        sentence, length = waiting.pop(number)
        ranked.append(sentence)
        left -= length if 0 < length <= left else 0
        if not any(0 < length <= left for _, length in waiting):
            raise FullError
        return number

    summarizer._find_index_of_best_sentence = best
    with contextlib.suppress(FullError):
        summarizer._compute_ratings(given)
    return ranked
