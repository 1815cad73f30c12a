# SPDX-License-Identifier: Apache-2.0
"""Names of persons, places and organisations as a step of pipelines: packaged models, by language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from accord.data import Document
from accord.models import packaged_models

if TYPE_CHECKING:
    from accord.tasks.spans.model import SpanLabeller

MODELS = {"English": "en-entities"}  # by the language of cards


@dataclass(frozen=True)
class NameFinder:
    """Finds names in documents. Its model is loaded when it is first needed, once a process; it pickles as its name."""

    model: str

    @property
    def labeller(self) -> SpanLabeller:
        return _labeller(self.model)

    def __call__(self, document: Document) -> Document:
        return self.labeller(document, probabilities=True)


def finder_for(language: object) -> NameFinder | None:
    """The finder of a language, if its model is installed."""
    name = MODELS.get(str(language))
    return NameFinder(name) if name in packaged_models() else None


@cache
def _labeller(name: str) -> SpanLabeller:
    from accord.tasks.spans.model import SpanLabeller

    return SpanLabeller.load(name)
