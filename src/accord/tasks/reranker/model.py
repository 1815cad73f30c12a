# SPDX-License-Identifier: Apache-2.0
"""The reranker as a user holds it.

Score of a candidate: the weighted sum of what several models say of it (:mod:`accord.tasks.reranker.mixture`), of which
the base model's own score is the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.data import Document, Sentence
from accord.errors import ConfigError, FormatError, ModelError
from accord.models import stored
from accord.models.file import Blocks, text_block, text_of_block
from accord.models.stored import HeaderFields, StoredModel, open_worker
from accord.ranked import Ranked
from accord.tasks.reranker.config import DOMAINS, EDGES, HiddenConfig, RerankerConfig
from accord.tasks.reranker.dataset import Dataset
from accord.tasks.reranker.features import NUMBERS, Extractor, Floats
from accord.tasks.reranker.hidden import HiddenModel, hidden_maker
from accord.tasks.reranker.hidden_graphs import GraphMaker, read_categories
from accord.tasks.reranker.kinds import KINDS
from accord.tasks.reranker.linear import LinearReranker
from accord.tasks.reranker.lists import CandidateList, ListScore, ordered
from accord.tasks.reranker.mixture import normalised

T = TypeVar("T")
TEXTS = ("templates", "hidden_templates", "categories", "head_rules")


@dataclass(frozen=True)
class RerankerModel(StoredModel):
    """All that a trained reranker is. ``mixture``: weights of the base score and of each component, in their order."""

    kind = "reranker"
    title = "reranker"
    settings = RerankerConfig
    in_header: ClassVar[HeaderFields] = {"lists": stored.text, "scale": stored.number(0)}

    config: RerankerConfig
    lists: str
    scale: float
    templates: str
    hidden_templates: str
    categories: str
    head_rules: str
    keys: NDArray[np.uint64]
    linear: tuple[LinearReranker, ...]
    hidden: tuple[HiddenModel, ...]
    mixture: Floats

    def own_blocks(self) -> Blocks:
        header, _ = super().own_blocks()
        header["linear"] = [{"name": one.name, "numbers": one.numbers.tolist()} for one in self.linear]
        header["hidden"] = [one.name for one in self.hidden]
        header["mixture"] = self.mixture.tolist()
        arrays: dict[str, NDArray[Any]] = {"keys": self.keys, "templates": text_block(self.templates)}
        arrays |= {"hidden_templates": text_block(self.hidden_templates), "categories": text_block(self.categories)}
        arrays["head_rules"] = text_block(self.head_rules)
        for number, one in enumerate(self.linear):
            arrays[f"linear{number}"] = one.weights.astype(np.float32)
        for number, hidden in enumerate(self.hidden):
            arrays |= {f"hidden{number}.keys": hidden.keys, f"hidden{number}.offsets": hidden.offsets}
            arrays[f"hidden{number}.weights"] = hidden.weights
        return header, arrays

    @classmethod
    def own_fields(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], path: str) -> dict[str, Any]:
        found = super().own_fields(header, arrays, path)
        if found["lists"] not in KINDS:
            raise ValueError(f"lists of a kind {found['lists']!r}")
        found |= {name: text_of_block(arrays[name]) for name in TEXTS}
        keys = np.asarray(arrays["keys"])
        found["keys"] = stored.row(arrays, "keys", np.uint64, len(keys))
        if not (np.diff(keys.astype(np.float64)) >= 0).all():
            raise ValueError("features that are not sorted")
        linear = []
        for number, about in enumerate(header["linear"]):
            numbers = np.array([stored.number()(one) for one in about["numbers"]])
            if len(numbers) != len(NUMBERS):
                raise ValueError("weights of numbers that there are not")
            weights = _finite(stored.row(arrays, f"linear{number}", np.float32, len(keys))).astype(np.float64)
            linear.append(LinearReranker(stored.text(about["name"]), weights, numbers))
        found["linear"] = tuple(linear)
        found["hidden"] = tuple(_stored_hidden(name, arrays, n) for n, name in enumerate(header["hidden"]))
        found["mixture"] = np.array([stored.number()(one) for one in header["mixture"]])
        if len(found["mixture"]) != 1 + len(linear) + len(found["hidden"]):
            raise ValueError("weights of components that there are not")
        return found


def _finite(weights: NDArray[Any]) -> NDArray[Any]:
    if not np.isfinite(weights).all():
        raise ValueError("weights that are no numbers")
    return weights


def _stored_hidden(name: Any, arrays: Mapping[str, NDArray[Any]], number: int) -> HiddenModel:
    method, domain, edges = stored.text(name).split("/")
    if method != "hidden" or domain not in DOMAINS or edges not in EDGES:
        raise ValueError(f"a component {name!r}")
    count = len(arrays[f"hidden{number}.keys"])
    keys = stored.row(arrays, f"hidden{number}.keys", np.uint64, count)
    offsets = stored.row(arrays, f"hidden{number}.offsets", np.int64, count + 1)
    if offsets[0] != 0 or (np.diff(offsets) < 0).any():
        raise ValueError("blocks of weights that overlap")
    weights = _finite(stored.row(arrays, f"hidden{number}.weights", np.float32, int(offsets[-1])))
    return HiddenModel(name, domain, edges, keys, offsets, weights)


class Reranker:
    """A reranker ready to work: immutable, shared by any number of threads.

    It ranks lists of the kind that it was trained on, of any length; see :class:`CandidateList`.
    """

    def __init__(self, model: RerankerModel) -> None:
        self.model = model
        hidden = model.hidden_templates, model.config.hidden, read_categories(model.categories)
        try:
            self.extractor = Extractor(model.lists, model.templates, model.head_rules, model.scale)
            self._makers = [_maker(self.extractor, one, *hidden) for one in model.hidden]
        except FormatError as error:
            raise ModelError(f"templates or head rules that are none ({error})") from None

    @staticmethod
    def load(path: str | Path) -> Reranker:
        return open_worker(Reranker, RerankerModel, path)

    def __reduce__(self) -> tuple[Any, ...]:
        return Reranker, (self.model,)

    @property
    def kind(self) -> str:
        """The kind of lists that it ranks."""
        return self.model.lists

    def components(self, lists: Sequence[CandidateList[Any]]) -> tuple[Dataset, list[Floats]]:
        """The lists as data, and what each component says of their candidates: the base score, then the others."""
        for one in lists:
            if one.kind != self.kind:
                raise ConfigError(f"a list of {one.kind}: this reranker ranks {self.kind}")
        data = Dataset.of([self.extractor(one) for one in lists], self.model.keys)
        found = [data.numbers[:, 0]]
        found += [normalised(data, one.scores(data)) for one in self.model.linear]
        for hidden, maker in zip(self.model.hidden, self._makers, strict=True):
            found.append(normalised(data, hidden.scores(maker, lists)))
        return data, found

    def scores(self, one: CandidateList[Any]) -> Floats:
        """The scores of the candidates of a list."""
        if not len(one):
            return np.zeros(0)
        _, found = self.components([one])
        return np.asarray(np.stack(found, axis=1) @ self.model.mixture)

    def rank(self, one: CandidateList[T]) -> list[Ranked[T]]:
        """The candidates of a list, best first, with their new scores and probabilities, which add up to one."""
        scores = self.scores(one)
        if not len(scores):
            return []
        logs = scores - scores.max()
        logs = logs - np.log(np.exp(logs).sum())
        known = {id(ranked): place for place, ranked in enumerate(one.ranked)}
        best = ordered(one, scores.tolist()).ranked
        return [
            replace(ranked, score=float(scores[known[id(ranked)]]), log_probability=float(logs[known[id(ranked)]]))
            for ranked in best
        ]

    def __call__(
        self, ranked: Iterable[Ranked[T]], words: Sequence[str], tags: Sequence[str] | None = None
    ) -> list[Ranked[T]]:
        """Ranked answers about these words in a better order.

        Tags are those of the words, which features of trees see. Answers are those of the task whose lists the reranker
        was trained on: of a parser, a tagger, a segmenter.
        """
        given = tuple(ranked)
        told = ("_",) * len(words) if tags is None else tuple(tags)
        return self.rank(CandidateList(self.kind, tuple(words), told, given))

    def evaluate(self, lists: Sequence[CandidateList[Any]]) -> ListScore:
        """What stands first, what is chosen and the oracle of lists with gold answers."""
        data, found = self.components(lists)
        return data.score(np.stack(found, axis=1) @ self.model.mixture)

    def parse(self, parser: Any, document: Document) -> Document:
        """The document with the trees that come out on top of the lists of a parser, of dependencies or of phrases."""
        from accord.tasks.parser.ranked import with_tree
        from accord.tasks.reranker.sources import dependency_list, phrase_list

        k = self.model.config.k
        if self.kind == "phrases":
            trees = []
            for sentence in document.sentences:
                best = self.rank(phrase_list(parser, sentence, k))[0].value if len(sentence) else None
                trees.append(best)
            return document.with_constituents(trees)
        if self.kind != "dependencies":
            raise ConfigError(f"this reranker ranks {self.kind}, and not the trees of a parser")
        found: list[Sentence] = []
        for sentence in document.sentences:
            best_tree = self.rank(dependency_list(parser, sentence, k))[0].value if len(sentence) else None
            found.append(sentence if best_tree is None else with_tree(sentence, best_tree))
        return Document.from_sentences(found, name=document.name)


def _maker(extractor: Extractor, one: HiddenModel, templates: str, config: HiddenConfig, categories: Any) -> GraphMaker:
    return hidden_maker(extractor, templates, one.domain, one.edges, config, categories)
