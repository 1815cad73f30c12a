# SPDX-License-Identifier: Apache-2.0
"""Calibration of a parser: the confidences that it wrote into MISC against gold trees over the same words.

``ArcConf`` is the probability of a word's head, ``LabelConf`` that of head and relation together, as ``accord parse
--probabilities`` writes them. A head is right, or head and relation are right, as :func:`accord.evaluation.attachment`
counts. Linear in the number of words, apart from sorting them into bins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import tee

from accord.data.word import misc_value
from accord.errors import FormatError
from accord.evaluation.attachment import Punctuation, scored_sentences
from accord.evaluation.calibration import Binning, Calibration, calibration
from accord.evaluation.protocols import DocumentLike, WordLike


def tree_calibration(
    gold: DocumentLike,
    system: DocumentLike,
    *,
    bins: int = 10,
    binning: Binning = "width",
    punctuation: Punctuation = "include",
    subtypes: bool = True,
    gold_name: str = "gold",
    system_name: str = "system",
) -> dict[str, Calibration]:
    """The calibration of ``heads`` and, where the system gives ``LabelConf``, of ``labelled arcs``.

    Other words than gold's, no confidences, or a word without one raise a FormatError that names the document.
    """
    try:
        answers = list(_answers(gold, system, punctuation, subtypes))
        if not answers:
            raise FormatError("there are no words to judge", file="system")
        if all(answer.arc_confidence is None for answer in answers):
            advice = "no word has ArcConf in MISC; write it with accord parse --probabilities"
            raise FormatError(f"no confidences: {advice}", file="system")
        heads = _complete("ArcConf", [(answer.place, answer.arc_confidence) for answer in answers])
        found = {"heads": calibration(heads, [a.correct_head for a in answers], bins=bins, binning=binning)}
        if any(answer.label_confidence is not None for answer in answers):
            arcs = _complete("LabelConf", [(answer.place, answer.label_confidence) for answer in answers])
            right = [answer.correct_arc for answer in answers]
            found["labelled arcs"] = calibration(arcs, right, bins=bins, binning=binning)
        return found
    except FormatError as error:
        raise FormatError(error.reason, file=gold_name if error.file == "gold" else system_name) from None


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the system says of one word, and whether it is so."""

    place: str
    arc_confidence: float | None
    label_confidence: float | None
    correct_head: bool
    correct_arc: bool


def _answers(gold: DocumentLike, system: DocumentLike, punctuation: Punctuation, subtypes: bool) -> Iterator[_Answer]:
    judged, carrying = tee(system)
    pairs = zip(scored_sentences(gold, judged, punctuation=punctuation, subtypes=subtypes), carrying, strict=True)
    for number, (scored, sentence) in enumerate(pairs, start=1):
        for answer in scored:
            word = sentence.words[answer.number - 1]
            place = f"sentence {number}: word {answer.number} ({word.form!r})"
            arc, label = (_confidence(word, key, place) for key in ("ArcConf", "LabelConf"))
            yield _Answer(place, arc, label, answer.correct_head, answer.correct_arc)


def _confidence(word: WordLike, key: str, place: str) -> float | None:
    written = misc_value(getattr(word, "misc", "_"), key)
    if written is None:
        return None
    try:
        value = float(written)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise FormatError(f"{place}: {key}={written} is not a probability", file="system")
    return value


def _complete(key: str, column: list[tuple[str, float | None]]) -> list[float]:
    known = []
    for place, value in column:
        if value is None:
            raise FormatError(f"{place} has no {key} in MISC, while other words have", file="system")
        known.append(value)
    return known
