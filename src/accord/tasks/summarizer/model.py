# SPDX-License-Identifier: Apache-2.0
"""The summarizer as users hold it: texts in, a summary that keeps its budget out, with what is proved of it.

>>> summarizer = Summarizer(SummarizerConfig(words=8, least_words=1))
>>> text = "The battery lasts long. The screen is small. The battery lasts very long. I like the long battery life."
>>> summary = summarizer(text)
>>> summary.text, summary.words <= 8
('The battery lasts long. The screen is small.', True)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from accord.data import Document
from accord.errors import ConfigError
from accord.models import stored
from accord.models.file import Blocks
from accord.models.stored import HeaderFields, StoredModel, open_worker
from accord.tasks.summarizer.concepts import Concepts, find_concepts
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.cut_features import SIZE
from accord.tasks.summarizer.features import CONCEPT_FEATURES, NAMES
from accord.tasks.summarizer.problems import LearnedScores
from accord.tasks.summarizer.relevance import NAMES as RELEVANCE
from accord.tasks.summarizer.sentence_features import SENTENCE_FEATURES
from accord.tasks.summarizer.solving import Choice, chosen_by_coverage, chosen_by_relevance
from accord.tasks.summarizer.sources import Source, source_of_text, sources_of_treebank, words_of_query
from accord.tasks.summarizer.stop_words import is_english
from accord.tasks.summarizer.summary import Summary, SummarySentence
from accord.tasks.summarizer.trained_weights import LinearWeights, TrainedWeights
from accord.tasks.summarizer.weighing import Weights, unsupervised
from accord.tasks.tokenizer import Tokenizer

if TYPE_CHECKING:
    from accord.tasks.compressor import Compressor
    from accord.tasks.pipeline import Pipeline
    from accord.tasks.summarizer.topics import Topic

Text = str | Source | Document
NOT_ASKED = "no word of the query is in the texts, apart from stop words"


def _numbers(size: int) -> Callable[[Sequence[float]], tuple[float, ...]]:
    def read(values: Sequence[float]) -> tuple[float, ...]:
        if len(values) != size:
            raise ValueError(f"{len(values)} weights for {size} features")
        return tuple(map(stored.number(), values))

    return read


@dataclass(frozen=True)
class SummarizerModel(StoredModel):
    """A summarizer: its settings, and the weights of features where it was trained.

    ``words`` and ``pairs``: of a regression of frequencies. ``linear``, ``cuts`` and ``sentences``: of concepts, cuts
    and sentences by structured learning. ``relevance``: of sentences by their relevance.
    """

    kind = "summarizer"
    title = "summarizer"
    settings = SummarizerConfig
    may_lack: ClassVar[HeaderFields] = {
        "words": _numbers(len(NAMES)),
        "pairs": _numbers(len(NAMES)),
        "linear": _numbers(CONCEPT_FEATURES),
        "cuts": _numbers(SIZE),
        "sentences": _numbers(SENTENCE_FEATURES),
        "relevance": _numbers(len(RELEVANCE)),
    }

    config: SummarizerConfig
    words: tuple[float, ...] = ()
    pairs: tuple[float, ...] = ()
    linear: tuple[float, ...] = ()
    cuts: tuple[float, ...] = ()
    sentences: tuple[float, ...] = ()
    relevance: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if bool(self.words) != bool(self.pairs):
            raise ValueError("weights of words without weights of pairs, or the other way round")

    @property
    def weights(self) -> Weights:
        """What concepts are worth by this model."""
        if self.linear:
            return LinearWeights(self.linear)
        return TrainedWeights(self.words, self.pairs) if self.words else unsupervised

    @property
    def learned(self) -> LearnedScores:
        """What cuts and sentences are worth by this model."""
        return LearnedScores(self.cuts, self.sentences)

    def own_blocks(self) -> Blocks:
        return {name: list(values) for name in self.may_lack if (values := getattr(self, name))}, {}


class Summarizer:
    """Chooses the sentences that cover the most valuable concepts of a topic within a budget.

    ``tokenizer``: splits texts; that of the packaged English model where not given.
    ``parser``: a pipeline that parses what may be shortened; the packaged English model where not given.
    ``compressor``: shortens the sentences while they are chosen, for a model of learned relevance.
    """

    def __init__(
        self,
        model: SummarizerModel | SummarizerConfig | None = None,
        tokenizer: Any = None,
        parser: Pipeline | None = None,
        compressor: Compressor | None = None,
    ) -> None:
        config = model or SummarizerConfig()
        self.model = config if isinstance(config, SummarizerModel) else SummarizerModel(config)
        if compressor is not None and not self.model.relevance:
            raise ConfigError(
                "a compressor goes with a summarizer of learned relevance: train it with learner=relevance"
            )
        self._compressor = compressor
        self._tokenizer: Tokenizer | None = tokenizer
        self._parser = parser
        self._english: Pipeline | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Summarizer, (self.model, self._tokenizer, self._parser, self._compressor)

    @classmethod
    def load(cls, model: str | Path) -> Summarizer:
        """The summarizer of a model file."""
        return open_worker(cls, SummarizerModel, model)

    @classmethod
    def train(
        cls,
        topics: Iterable[Topic | Mapping[str, Any]],
        config: SummarizerConfig | None = None,
        *,
        dev: Iterable[Topic | Mapping[str, Any]] | None = None,
        **how: Any,
    ) -> Summarizer:
        """A summarizer trained on topics with summaries that people wrote.

        A topic is ``{"documents": [...], "summaries": [...]}`` as a line of a training file, or a :class:`Topic`.
        ``dev``: topics that choose the strength of the penalty.
        """
        from accord.tasks.summarizer.topics import topics_of
        from accord.tasks.summarizer.training import train_summarizer

        tokenizer = Tokenizer.load("en")
        training = topics_of(topics, tokenizer, "topics")
        chosen_by = None if dev is None else topics_of(dev, tokenizer, "dev")
        return cls(train_summarizer(training, chosen_by, config or SummarizerConfig(), **how).model)

    @property
    def tokenizer(self) -> Tokenizer:
        if self._tokenizer is None:
            self._tokenizer = Tokenizer.load("en")
        return self._tokenizer

    def __call__(
        self,
        texts: Text | Iterable[Text],
        *,
        query: str = "",
        earlier: Text | Iterable[Text] = (),
        **settings: Any,
    ) -> Summary:
        """The summary of a topic.

        Parameters
        ----------
        texts: one text, or those of the topic: strings, or documents whose trees are used.
        query: words that the summary should be about.
        earlier: texts that the reader knows already; what they say is left out.
        settings: of :class:`SummarizerConfig`, for this call: ``words=50``, ``method="ilp"``.
        """
        try:
            config = dataclasses.replace(self.model.config, **settings)
        except TypeError:
            known = ", ".join(field.name for field in dataclasses.fields(SummarizerConfig))
            raise ConfigError(f"a summarizer has the settings {known}; not all of {', '.join(settings)}") from None
        sources, known_already = self._sources(texts), self._sources(earlier)
        asked = words_of_query(query, self.tokenizer) if query else ()
        concepts = find_concepts(sources, config, asked, known_already, self.model.weights)
        notes = [NOT_ASKED] if concepts.without_query else []
        if self.model.relevance:
            return _summary(concepts, self._relevant(sources, config, asked), notes)
        if config.compress:
            sources, note = self._parsed(sources, concepts, config)
            notes += [note] if note else []
            concepts = find_concepts(sources, config, asked, known_already, self.model.weights)
        return _summary(concepts, chosen_by_coverage(sources, concepts, config, self.model.learned), notes)

    def _relevant(self, sources: list[Source], config: SummarizerConfig, query: Sequence[str]) -> Choice:
        """The choice by learned relevance, of whole sentences or of what a compressor leaves of them."""
        if config.compress:
            raise ConfigError("a summarizer of learned relevance shortens with a compressor, not with compress=True")
        if self._compressor is None:
            return chosen_by_relevance(sources, config, self.model.relevance, query)
        from accord.tasks.summarizer.shortening import shortened_together

        return shortened_together(sources, config, self.model.relevance, self._compressor, query)

    def _sources(self, texts: Text | Iterable[Text]) -> list[Source]:
        given = [texts] if isinstance(texts, (str, Source, Document)) else texts
        if not isinstance(given, Iterable) or isinstance(given, (bytes, Mapping)):
            raise ConfigError(f"expected texts to summarise, not {type(given).__name__}")
        found: list[Source] = []
        for k, one in enumerate(given, start=1):
            if isinstance(one, Source):
                found.append(one)
            elif isinstance(one, Document):
                found += sources_of_treebank(one, one.name)
            else:
                found.append(source_of_text(one, self.tokenizer, f"<text {k}>"))
        return found

    def _parsed(self, sources: list[Source], concepts: Concepts, config: SummarizerConfig) -> tuple[list[Source], str]:
        """The sources with pieces for the sentences that may be shortened, and what could not be done."""
        from accord.tasks.summarizer.parsing import with_pieces

        parser = self._parser
        if parser is None:
            tokens = [token.lower() for source in sources for one in source.sentences for token in one.tokens]
            if not is_english(tokens):
                return sources, "the texts are not English: without a parser of their language nothing is shortened"
            if self._english is None:
                from accord.tasks.pipeline import Pipeline

                self._english = Pipeline.load("en")
            parser = self._english
        return with_pieces(sources, concepts, parser, config.parsed_words, safe=config.safe_cuts), ""


def _summary(concepts: Concepts, choice: Choice, notes: Sequence[str]) -> Summary:
    sentences = []
    number = 0
    for source in choice.sources:
        for place, sentence in enumerate(source.sentences, start=1):
            kept = choice.kept[number]
            if kept is not None:
                there = set(kept)
                covered = [mention for mention in concepts.of_sentences[number] if there.issuperset(mention[1:])]
                of_sentence = tuple(concepts.concepts[c] for c in sorted({mention[0] for mention in covered}))
                mentions = tuple(sorted({token for mention in covered for token in mention[1:]}))
                sentences.append(SummarySentence(source.name, place, sentence, of_sentence, kept, mentions))
            number += 1
    about = (choice.value, choice.bound, choice.status, choice.seconds, "; ".join(notes))
    return Summary(tuple(sentences), *about, tuple(choice.sources))
