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
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import ConfigError
from accord.inference import Solution
from accord.inference.coverage import CoverageProblem, solve
from accord.models import model_path
from accord.models.stored import StoredModel
from accord.tasks.summarizer.concepts import Concept, Concepts, find_concepts
from accord.tasks.summarizer.config import SummarizerConfig
from accord.tasks.summarizer.sources import Source, SourceSentence, source_of_text
from accord.tasks.tokenizer import Tokenizer

_WITHOUT_BLANK = tuple("。！？」』”）")


@dataclass(frozen=True)
class SummarizerModel(StoredModel):
    """A summarizer without training: its settings are all that it is."""

    kind = "summarizer"
    title = "summarizer"
    settings = SummarizerConfig

    config: SummarizerConfig


@dataclass(frozen=True)
class SummarySentence:
    """A sentence of a summary: where it comes from, and the concepts that it covers."""

    source: str
    number: int  # in the source, from 1
    sentence: SourceSentence
    concepts: tuple[Concept, ...]

    @property
    def text(self) -> str:
        return self.sentence.text

    def to_json(self) -> dict[str, Any]:
        covered = [{"text": one.text, "weight": one.weight} for one in self.concepts]
        where = {"file": self.source, "sentence": self.number, "begin": self.sentence.begin, "end": self.sentence.end}
        return {**where, "text": self.text, "words": self.sentence.words, "concepts": covered}


@dataclass(frozen=True)
class Summary:
    """A summary: its sentences in the order of the sources, and how good the choice is known to be.

    ``value`` is the worth of the concepts that it covers, ``bound`` a number that no summary within the budget
    exceeds. ``status`` is "optimal" where the two meet.
    """

    sentences: tuple[SummarySentence, ...]
    value: float
    bound: float
    status: str
    seconds: float = dataclasses.field(compare=False)

    @property
    def text(self) -> str:
        """The sentences as one line of running text."""
        text = ""
        for sentence in self.sentences:
            text += ("" if not text or text.endswith(_WITHOUT_BLANK) else " ") + sentence.text
        return text

    @property
    def words(self) -> int:
        return sum(sentence.sentence.words for sentence in self.sentences)

    def to_json(self) -> dict[str, Any]:
        """All that is known, as a JSON object."""
        return {
            "text": self.text,
            "words": self.words,
            "value": self.value,
            "bound": self.bound,
            "status": self.status,
            "seconds": self.seconds,
            "sentences": [sentence.to_json() for sentence in self.sentences],
        }


class Summarizer:
    """Chooses the sentences that cover the most valuable concepts of a topic within a budget.

    ``tokenizer``: splits texts; that of the packaged English model where not given.
    """

    def __init__(self, model: SummarizerModel | SummarizerConfig | None = None, tokenizer: Any = None) -> None:
        config = model or SummarizerConfig()
        self.model = config if isinstance(config, SummarizerModel) else SummarizerModel(config)
        self._tokenizer: Tokenizer | None = tokenizer

    def __reduce__(self) -> tuple[Any, ...]:
        return Summarizer, (self.model, self._tokenizer)

    @classmethod
    def load(cls, model: str | Path) -> Summarizer:
        """The summarizer of a model file."""
        return cls(SummarizerModel.load(model_path(model)))

    @property
    def tokenizer(self) -> Tokenizer:
        if self._tokenizer is None:
            self._tokenizer = Tokenizer.load("en")
        return self._tokenizer

    def __call__(
        self,
        texts: str | Sequence[str | Source],
        *,
        query: str = "",
        earlier: Sequence[str | Source] = (),
        **settings: Any,
    ) -> Summary:
        """The summary of a topic.

        Parameters
        ----------
        texts: one text, or the documents of the topic.
        query: words that the summary should be about.
        earlier: texts that the reader knows already; what they say is left out.
        settings: of :class:`SummarizerConfig`, for this call: ``words=50``, ``method="ilp"``.
        """
        try:
            config = dataclasses.replace(self.model.config, **settings)
        except TypeError:
            known = ", ".join(field.name for field in dataclasses.fields(SummarizerConfig))
            raise ConfigError(f"a summarizer has the settings {known}; not all of {', '.join(settings)}") from None
        sources = self._sources(texts)
        concepts = find_concepts(sources, config, query, self._sources(earlier))
        problem = coverage_problem(sources, concepts, config)
        return _summary(sources, concepts, solve(problem, config.method))

    def _sources(self, texts: str | Sequence[str | Source]) -> list[Source]:
        given = [texts] if isinstance(texts, (str, Source)) else texts
        return [
            one if isinstance(one, Source) else source_of_text(one, self.tokenizer, f"<text {k}>")
            for k, one in enumerate(given, start=1)
        ]


def coverage_problem(sources: Sequence[Source], concepts: Concepts, config: SummarizerConfig) -> CoverageProblem:
    """The choice of sentences as a coverage problem: a unit is a sentence, in the order of the sources."""
    sentences = [sentence for source in sources for sentence in source.sentences]
    costs, limits = [], []
    if config.words:
        costs.append([float(sentence.words) for sentence in sentences])
        limits.append(float(config.words))
    if config.characters:  # each sentence with the blank after it, but for the last
        costs.append([len(sentence.text) + 1.0 for sentence in sentences])
        limits.append(config.characters + 1.0)
    if config.sentences:
        costs.append([1.0] * len(sentences))
        limits.append(float(config.sentences))
    taken = [sentence.words >= config.least_words for sentence in sentences]
    if not any(taken):  # all sentences are short
        taken = [True] * len(sentences)
    pairs = [(c, unit) for unit, found in enumerate(concepts.of_sentences) if taken[unit] for c in found]
    return CoverageProblem(
        [concept.weight for concept in concepts.concepts], np.array(pairs, np.int64).reshape(-1, 2), costs, limits
    )


def _summary(sources: Sequence[Source], concepts: Concepts, found: Solution) -> Summary:
    chosen = found.assignment if found.assignment is not None else np.zeros(0, np.bool_)
    sentences = []
    unit = 0
    for source in sources:
        for number, sentence in enumerate(source.sentences, start=1):
            if chosen[unit]:
                covered = tuple(concepts.concepts[c] for c in concepts.of_sentences[unit])
                sentences.append(SummarySentence(source.name, number, sentence, covered))
            unit += 1
    return Summary(tuple(sentences), found.value, found.bound, found.status, found.seconds)
