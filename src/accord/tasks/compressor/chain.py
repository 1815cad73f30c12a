# SPDX-License-Identifier: Apache-2.0
"""Compression as labelling of words (Wang, Qian & Liu 2012): a chain of labels, with the best and the n best answers.

Labels are binary (kept or deleted), or tell the first word of a deleted run from the others: O kept, B first, I later.
Neighbouring deleted words are one run, so B never follows B or I, I never follows O, and every compression has exactly
one labelling: lists of the best have no duplicates.

What the chain knows of a word beyond form and tag stands in the column FEATS of the document that the core reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.data import Document, Sentence
from accord.errors import ConstraintError
from accord.learning import SILENT, Checkpoint, Reporter, TrainingResult
from accord.tasks.compressor.analysis import Analysis
from accord.tasks.compressor.language_model import LanguageModel
from accord.tasks.labeller import Labeller, LabellerConfig, LabellerModel, Masks

PAUSES = frozenset(["uh", "um", "er", "ah", "eh", "hm", "hmm", "mm", "uh-huh", "erm"])
_AHEAD = 4
_FORBIDDEN = -np.inf
# O follows all; after a deleted word another one is I, after a kept word or at the beginning it is B.
_BIO = Masks(
    np.array([0.0, 0.0, _FORBIDDEN]),
    np.zeros(3),
    np.array([[0.0, 0.0, _FORBIDDEN], [0.0, _FORBIDDEN, 0.0], [0.0, _FORBIDDEN, 0.0]]),
)
LABELS = {"bio": ("O", "B", "I"), "binary": ("O", "D")}


@dataclass(frozen=True)
class RankedCompression:
    """An answer of a chain: which words are kept, and the logarithm of its probability."""

    kept: tuple[bool, ...]
    log_probability: float


class ChainCompressor:
    """A trained chain at work."""

    def __init__(self, model: LabellerModel, features: str, language_model: LanguageModel | None = None) -> None:
        self.model = model
        self.features = features
        self.language_model = language_model
        self._labeller = Labeller(model)

    def keep_probabilities(self, analysis: Analysis, sequences: _text.Sequences | None = None) -> NDArray[np.float64]:
        """The probability of each word that it is kept."""
        found = self._labeller.label(sequences or self.sequences(analysis), label_probabilities=True, threads=1)
        return found.label_probabilities[:, 0]

    def nbest(
        self,
        analysis: Analysis,
        count: int,
        additions: NDArray[np.float64] | None = None,
        fates: Sequence[int] = (),
        sequences: _text.Sequences | None = None,
    ) -> list[RankedCompression]:
        """The best compressions, best first, all different. ``fates``: 1 where a word must stay, -1 where it must go.

        ``additions``: added to the scores of kept words. ``sequences``: of the same analysis, where many questions are
        asked about it.
        """
        labels = len(self.model.labels)
        bonus = np.zeros((len(analysis), labels))
        if additions is not None:
            bonus[:, 0] = additions
        known = np.full(len(analysis), -1, np.int32)
        for place, fate in enumerate(fates):
            known[place] = 0 if fate > 0 else -1
            if fate < 0:
                bonus[place, 0] = -1e6
        ranked = self._labeller.kbest(sequences or self.sequences(analysis), 0, count, known=known, bonus=bonus)
        if not ranked:
            raise ConstraintError("this model has no labels for a sentence")
        return [RankedCompression(tuple((one.value[:, 0] == 0).tolist()), one.log_probability or 0.0) for one in ranked]

    def sequences(self, analysis: Analysis) -> _text.Sequences:
        """What the core's labeller reads: features are written once, and they take longer than a question."""
        return self._labeller.words(chain_document([analysis], self.features, [self.language_model]))


def train_chain_compressor(
    analyses: Sequence[Analysis],
    masks: Sequence[NDArray[np.bool_]],
    config: LabellerConfig,
    *,
    labels: str,
    features: str,
    models: Sequence[LanguageModel | None],
    reporter: Reporter = SILENT,
    checkpoint: Checkpoint | None = None,
    whole: Any = None,
) -> TrainingResult[LabellerModel]:
    """Train a chain; ``models``: the language model that each sentence sees."""
    from accord.tasks.labeller import Problem, train_labeller

    document = chain_document(analyses, features, models)
    numbers = np.concatenate([label_numbers(mask, labels) for mask in masks]).reshape(-1, 1)
    problem = Problem(
        _text.DocumentSequences(document.native),
        numbers,
        LABELS[labels],
        masks=_BIO if labels == "bio" else Masks(),
    )
    return train_labeller(problem, config, reporter=reporter, checkpoint=checkpoint, whole=whole)


def label_numbers(mask: NDArray[np.bool_], labels: str) -> NDArray[np.int32]:
    """The labels of a compression: 0 kept, 1 the first of a deleted run (binary: any deleted word), 2 the others.

    >>> label_numbers(np.array([True, False, False, True, False]), "bio").tolist()
    [0, 1, 2, 0, 1]
    """
    deleted = ~np.asarray(mask, np.bool_)
    if labels == "binary":
        return deleted.astype(np.int32)
    after = np.concatenate(([False], deleted[:-1]))
    return np.where(deleted, np.where(after, 2, 1), 0).astype(np.int32)


def chain_document(analyses: Sequence[Analysis], features: str, models: Sequence[LanguageModel | None]) -> Document:
    """The document that the core's labeller reads, with features in FEATS."""
    return Document.from_sentences(
        Sentence.from_words(
            analysis.forms, upos=analysis.upos, xpos=analysis.xpos, feats=_feats(analysis, features, model)
        )
        for analysis, model in zip(analyses, models, strict=True)
    )


def _feats(analysis: Analysis, features: str, model: LanguageModel | None) -> list[str]:
    known = analysis.attributes()
    length = min(len(analysis) // 5, 8)
    rows = [
        [f"Place={place}", f"Length={length}", f"Label={label}", f"Above={above}", f"Path={path}"]
        for place, label, above, path in zip(
            known["place"], known["deprel"], known["head_deprel"], known["path"], strict=True
        )
    ]
    if features == "expanded":
        for row, more in zip(rows, _expanded(analysis, known, model), strict=True):
            row += more
    return ["|".join(_clean(one) for one in row) for row in rows]


def _expanded(analysis: Analysis, known: Any, model: LanguageModel | None) -> list[list[str]]:
    words, tags = known["lower"], analysis.xpos
    same_words, same_tags = _next_same(words), _next_same(tags)
    pauses = [word in PAUSES or (word.endswith("-") and len(word) > 1) for word in words]
    rows = []
    for k, word in enumerate(words):
        row = [
            f"NextSame={same_words[k]}",
            f"NextTag={same_tags[k]}",
            f"Pause={any(pauses[k + 1 : k + 1 + _AHEAD])}",
            f"WordPlace={word} {known['place'][k]}",
            f"TagPlace={tags[k]} {known['place'][k]}",
            f"Depth={known['depth'][k]}",
            f"Size={known['size'][k]} {analysis.deprels[k]}",
            f"HeadWord={known['head_lower'][k]} {analysis.deprels[k]}",
        ]
        if model is not None:
            here = model.log10(word, words[k - 1] if k else "<s>")
            there = model.log10(words[k + 1] if k + 1 < len(words) else "</s>", word)
            row += [f"Here={round(here)}", f"There={round(there)}", f"Both={round(here + there)}"]
        rows.append(row)
    return rows


def _next_same(values: Sequence[str]) -> list[str]:
    """The distance to the next same value: 1, 2, 3, 4, 5-9, 10+, none."""
    nearest: dict[str, int] = {}
    found = [""] * len(values)
    for place in range(len(values) - 1, -1, -1):
        distance = nearest.get(values[place], 0) - place
        found[place] = "none" if distance <= 0 else str(distance) if distance < 5 else "5" if distance < 10 else "10"
        nearest[values[place]] = place
    return found


def _clean(entry: str) -> str:
    """An entry without what separates entries and columns."""
    name, _, value = entry.partition("=")
    return f"{name}=" + ("".join("_" if one in "|=\t" or one.isspace() else one for one in value) or "_")
