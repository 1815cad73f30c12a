# SPDX-License-Identifier: Apache-2.0
"""Lists of candidates: the k best answers of any task to one question, and what is right where that is known.

A list is a line of JSON: ``{"kind": "phrases", "words": [...], "tags": [...], "candidates": [{"value": ..., "score":
...}], "gold": ...}``. What a value is depends on the kind; :mod:`accord.tasks.reranker.kinds` knows.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.data.files import open_input, open_output
from accord.data.jsonlines import sentence_from_dict
from accord.errors import AccordError, ConfigError, FormatError
from accord.ranked import Ranked

T = TypeVar("T")


@dataclass(frozen=True)
class CandidateList(Generic[T]):
    """The ranked answers to one question, best first.

    ``words`` and ``tags`` are those of the sentence, as the answers see them. ``gold``: the right answer, if known.
    """

    kind: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    ranked: tuple[Ranked[T], ...]
    gold: T | None = None

    def __len__(self) -> int:
        return len(self.ranked)

    @property
    def scores(self) -> NDArray[np.float64]:
        """The logarithms of the base model's probabilities, or its scores where it has none."""
        return np.array([one.score if one.log_probability is None else one.log_probability for one in self.ranked])


@dataclass(frozen=True)
class Counts:
    """Parts of a candidate that are right, of gold, and of the candidate."""

    correct: int
    gold: int
    found: int

    @property
    def quality(self) -> float:
        """F1 times the number of gold parts, so that long sentences weigh more."""
        both = self.gold + self.found
        return (2 * self.correct / both if both else 1.0) * max(self.gold, 1)


def count_parts(found: Sequence[Hashable], gold: Sequence[Hashable]) -> Counts:
    """Each gold part is matched once at most."""
    correct = sum((Counter(found) & Counter(gold)).values())
    return Counts(correct, len(gold), len(found))


@dataclass(frozen=True)
class ListScore:
    """F1 in percent of what stands first, of the best candidates (the oracle) and of those that were chosen.

    >>> ListScore.of([[Counts(1, 2, 2), Counts(2, 2, 2)]], [1]).closed
    100.0
    """

    first: float
    chosen: float
    oracle: float

    @staticmethod
    def of(counts: Sequence[Sequence[Counts]], chosen: Sequence[int]) -> ListScore:
        picked = [
            [one[0] for one in counts],
            [one[place] for one, place in zip(counts, chosen, strict=True)],
            [max(one, key=lambda each: each.quality) for one in counts],
        ]
        return ListScore(*(_f1(each) for each in picked))

    @property
    def closed(self) -> float:
        """The share of the way from the first to the oracle, in percent."""
        gap = self.oracle - self.first
        return 100 * (self.chosen - self.first) / gap if gap > 0 else 0.0

    @property
    def error_reduction(self) -> float:
        """The share of the errors of the first ones that is gone, in percent."""
        return 100 * (self.chosen - self.first) / (100 - self.first) if self.first < 100 else 0.0


def _f1(counts: Iterable[Counts]) -> float:
    correct = both = 0
    for one in counts:
        correct += one.correct
        both += one.gold + one.found
    return 100 * 2 * correct / both if both else 100.0


def read_lists(file: str | Path) -> list[CandidateList[Any]]:
    """The lists of a file of JSON lines; what is none raises FormatError with its line."""
    with open_input(str(file)) as source:
        return lists_of_bytes(source.read(), name=str(file))


def lists_of_bytes(content: bytes, *, name: str = "<lists>") -> list[CandidateList[Any]]:
    found = []
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            try:
                given = json.loads(line)
                found.append(list_of_sentences(given) if isinstance(given, list) else list_of_json(given))
            except (ValueError, RecursionError) as error:
                raise FormatError(f"no JSON ({error})", file=name, line=number) from None
            except AccordError as error:
                reason = getattr(error, "reason", None) or str(error)
                raise FormatError(str(reason), file=name, line=number) from None
    return found


def list_of_json(given: Any) -> CandidateList[Any]:
    """A list of a JSON object."""
    from accord.tasks.reranker.kinds import kind_of

    if not isinstance(given, Mapping):
        raise ConfigError("expected a list: an object with kind, words and candidates")
    kind = kind_of(given.get("kind"))
    words = _strings(given, "words")
    tags = _strings(given, "tags") if "tags" in given else ("_",) * len(words)
    if len(tags) != len(words):
        raise ConfigError(f"{len(tags)} tags for {len(words)} words")
    candidates = given.get("candidates")
    if not isinstance(candidates, list) or not candidates:
        raise ConfigError("a list has candidates, at least one")
    ranked = [_ranked(one, lambda value: kind.from_json(value, words)) for one in candidates]
    gold = None if given.get("gold") is None else kind.from_json(given["gold"], words)
    return CandidateList(kind.name, words, tags, tuple(ranked), gold)


def list_of_sentences(given: Sequence[Any]) -> CandidateList[Any]:
    """A list as ``accord parse --nbest`` writes it: a sentence once for each of its trees, scores as comments.

    Phrases are ranked where every sentence has some and the dependencies are all the same, and dependencies elsewhere.
    """
    from accord.tasks.reranker.kinds import Arcs

    sentences = [sentence_from_dict(one) for one in given]
    if not sentences or any(one.forms != sentences[0].forms for one in sentences):
        raise ConfigError("expected the same sentence with several trees")
    phrases = [
        Ranked(one.constituents, _comment_score(one.comment("score")), _logarithm(one.comment("log_probability")))
        for one in sentences
        if one.constituents is not None
    ]
    if len(phrases) == len(sentences) and len({(one.heads, one.deprels) for one in sentences}) == 1:
        return CandidateList("phrases", tuple(sentences[0].forms), phrases[0].value.tags, tuple(phrases))
    ranked = []
    for one in sentences:
        heads = [head for head in one.heads if head is not None]
        if len(heads) < len(one):
            raise ConfigError("a word has no head")
        ranked.append(Ranked(Arcs(tuple(heads), tuple(one.deprels)), _comment_score(one.comment("score"))))
    tags = tuple(word.upos if word.upos != "_" else word.xpos for word in sentences[0].words)
    return CandidateList("dependencies", tuple(sentences[0].forms), tags, tuple(ranked))


def _logarithm(text: str | None) -> float | None:
    return None if text is None else _comment_score(text)


def _comment_score(text: str | None) -> float:
    try:
        score = float(text or "0")
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise ConfigError(f"the score of a tree is {text!r}, and no number")
    return score


def list_to_json(one: CandidateList[Any], reranked: Sequence[float] | None = None) -> dict[str, Any]:
    """The list as a JSON object; ``reranked``: further scores of its candidates."""
    from accord.tasks.reranker.kinds import kind_of

    kind = kind_of(one.kind)
    candidates = []
    for place, candidate in enumerate(one.ranked):
        told: dict[str, Any] = {"value": kind.to_json(candidate.value), "score": candidate.score}
        if candidate.log_probability is not None:
            told["log_probability"] = candidate.log_probability
        if reranked is not None:
            told["reranked"] = reranked[place]
        candidates.append(told)
    found: dict[str, Any] = {"kind": one.kind, "words": list(one.words), "tags": list(one.tags)}
    found["candidates"] = candidates
    if one.gold is not None:
        found["gold"] = kind.to_json(one.gold)
    return found


def write_lists(lists: Iterable[CandidateList[Any]], file: str | Path) -> None:
    with open_output(str(file)) as out:
        for one in lists:
            out.write((json.dumps(list_to_json(one), ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass"))


def ordered(one: CandidateList[T], scores: Sequence[float]) -> CandidateList[T]:
    """The list by falling scores; of equal ones the earlier stays before."""
    order = np.argsort(-np.asarray(scores), kind="stable").tolist()
    return replace(one, ranked=tuple(one.ranked[place] for place in order))


def _strings(given: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = given.get(key)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ConfigError(f"expected a list of strings {key!r}")
    return tuple(value)


def _ranked(given: Any, value: Any) -> Ranked[Any]:
    if not isinstance(given, Mapping) or "value" not in given:
        raise ConfigError("a candidate is an object with value and score")
    numbers = [given.get("score", 0.0), given.get("log_probability")]
    for number in numbers:
        plain = isinstance(number, (int, float)) and not isinstance(number, bool)
        if number is not None and not (plain and math.isfinite(number)):
            raise ConfigError("the score of a candidate is a number")
    score = 0.0 if numbers[0] is None else float(numbers[0])
    return Ranked(value(given["value"]), score, None if numbers[1] is None else float(numbers[1]))


def by_kind(lists: Sequence[CandidateList[Any]]) -> str:
    """The kind that all lists have; several raise ConfigError."""
    kinds = sorted({one.kind for one in lists})
    if len(kinds) != 1:
        raise ConfigError("no lists" if not kinds else f"lists of several kinds: {', '.join(kinds)}")
    return kinds[0]
